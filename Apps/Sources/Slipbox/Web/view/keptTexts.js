// What this browser keeps for the next page, each text under a name.
//
// A browser that is full keeps nothing more, and one may forbid its pages to keep anything. What it does not keep, this
// page knows as long as it is open.

const knownHere = new Map();

/// Null where nothing is kept under the name.
export const keptText = (name) => knownHere.get(name) ?? within((storage) => storage.getItem(name), null);

/// False where only this page knows the text.
export function keepText(name, text) {
  const isKept = within((storage) => {
    storage.setItem(name, text);
    return true;
  }, false);
  if (isKept) knownHere.delete(name);
  else knownHere.set(name, text);
  return isKept;
}

export function dropText(name) {
  knownHere.delete(name);
  within((storage) => storage.removeItem(name));
}

/// The names that begin so.
export function keptNames(beginning) {
  const names = [...within((storage) => Object.keys(storage), []), ...knownHere.keys()];
  return [...new Set(names)].filter((name) => name.startsWith(beginning));
}

/// A text that this tab of the browser keeps for itself, also when it is reloaded; null if there is none.
export const textOfTab = (name) => within(() => sessionStorage.getItem(name), null);

export const keepTextOfTab = (name, text) => within(() => (text === null ? sessionStorage.removeItem(name) : sessionStorage.setItem(name, text)));

export const isKnownHereOnly = (name) => knownHere.has(name);

/// A list that was kept; none where something else stands there.
export function keptList(name) {
  try {
    const list = JSON.parse(keptText(name));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/// Asking for the storage fails where it is forbidden, too.
function within(work, otherwise) {
  try {
    return work(localStorage);
  } catch {
    return otherwise;
  }
}
