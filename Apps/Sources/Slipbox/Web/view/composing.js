/// Whether the key belongs to letters that are still being put together, as of Chinese, Japanese or Korean: Enter takes
/// what the system proposes, and is no command. Safari ends the composition before it tells of that Enter, which has
/// the number of such keys all the same.
export const isComposing = (event) => event.isComposing || event.keyCode === 229;
