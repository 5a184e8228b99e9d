// What is typed while that in which it is to stand is on its way.

import { say } from "./say.js";

let taking = null;

/// True where they are taken already.
export function takeKeysAgain() {
  taking?.focus({ preventScroll: true });
  return taking !== null;
}

/// Takes the keys from now on, in a field that nobody sees; `words` were typed earlier, and have no place yet.
export function takeKeys(words = "") {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = words;
  field.className = "sr";
  field.setAttribute("aria-label", say`What will stand in the note that opens`);
  document.body.append(field);
  field.focus({ preventScroll: true });
  taking = field;

  /// What was typed; whoever asks puts it where it belongs.
  function end() {
    const { value } = field;
    field.remove();
    taking = null;
    return value;
  }

  /// Nothing opened: what was typed stands where the caret was. `write(words)` writes in the text.
  function giveBack(write) {
    const words = end();
    if (before?.closest(".ProseMirror")) return write(words);
    before?.focus({ preventScroll: true });
    if (words) document.execCommand("insertText", false, words);
  }

  return { end, giveBack, hasWords: () => field.value !== "" };
}
