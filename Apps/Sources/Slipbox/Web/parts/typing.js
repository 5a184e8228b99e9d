// Keys that are typed while another note opens: they are taken by a field that nobody sees, and go into the note they are for.

import { say } from "../view/say.js";
import { takeKeys, takeKeysAgain } from "../view/takeKeys.js";
import { go } from "../model/route.js";
import { setAsideWords } from "../model/recovering.js";
import { state } from "../model/state.js";
import { openToday } from "../acts/kit.js";
import { front, leaveReading, paneOf } from "./panes.js";
import { offerSetAside } from "./setAside.js";

/// The note in which somebody wants to write on as soon as it is open, and what takes the keys until then: {id, keys,
/// isAtCaret?}.
let wanted = null;

/// The switches that wait until what was typed before them is in its note: like `wanted`, with `leave`.
const queue = [];

export const isWanted = (id) => wanted?.id === id;
export const isSwitchWaiting = () => queue.length > 0;

/// Goes with `leave()` to another note; who writes in this one writes on in that one, from the next key on.
export function switchWriting(id, leave) {
  // Keys that were typed for a note that is still loading go into it first, later ones into the next note.
  const last = queue.at(-1) ?? wanted;
  if (last?.isAtCaret && (last !== wanted || last.keys.hasWords())) {
    last.keys = frozen(last.keys);
    return void queue.push({ id, leave, keys: takeKeys(), isAtCaret: true });
  }
  const isWriting = front().field?.hasKeys() || Boolean(wanted?.isAtCaret);
  wanted?.keys?.end();
  wanted = null;
  const isOther = id !== null && !paneOf(id);
  if (isWriting) front().field.settle();
  if (isWriting && isOther) wanted = { id, keys: takeKeys(), isAtCaret: true };
  leave();
  if (isWriting && id !== null && !isOther) front().focusText();
}

/// Keys that are taken no longer; what was typed until now is known still.
function frozen(keys) {
  const words = keys.end();
  return { end: () => words, hasWords: () => words !== "" };
}

function switchNext() {
  const next = queue.shift();
  if (!next) return;
  const { id, leave, keys } = next;
  wanted = { id, keys, isAtCaret: true };
  // The text had the focus for a moment.
  takeKeysAgain();
  leave();
  // Its tab may be closed by now.
  if (id === null || paneOf(id) || state.noteID !== id) focusNote(id);
}

/// Somebody has gone elsewhere by a click while the note was loading: the switches that wait behind it are not meant any
/// more, and what was typed for these notes is kept.
export function giveUpUnlessComing(id) {
  if (wanted?.id !== id || state.noteID === id) return;
  // The note of today is gone back to.
  if (!wanted.isAtCaret) return void requestAnimationFrame(() => focusNote(id));
  const given = [wanted, ...queue.splice(0)];
  wanted = null;
  for (const { id, keys } of given) {
    const typed = keys.end();
    if (typed) keepTyped(id, typed);
  }
}

/// Opens the note of today with the caret at its end, where what is typed from now on will stand.
export async function writeToday() {
  // Asked for twice, it is on its way.
  if (takeKeysAgain()) return;
  leaveReading();
  const keys = matchMedia("(min-width: 45rem)").matches ? takeKeys(wanted?.keys?.end()) : null;
  const id = await openToday();
  if (!id) return void keys?.giveBack((words) => front().note && front().field.write(words));
  wanted = { id, keys };
  if (paneOf(id) || (state.noteID === id && !front().isLoading)) focusNote(id);
}

/// The focus stays in the note when another one opens there: what had it is not there any more.
export function focusNote(id) {
  const pane = paneOf(id);
  if (wanted?.id === id) {
    const { keys, isAtCaret } = wanted;
    wanted = null;
    const typed = keys?.end();
    if (isAtCaret) {
      if (pane === front()) pane.field.write(typed);
      // The caret has gone to the other side meanwhile, and stays there.
      else if (pane) pane.field.writeBehind(typed);
      else if (typed) keepTyped(id, typed);
      return switchNext();
    }
    if (pane && keys && !pane.note.trashed) return pane.field.writeAtEnd(typed);
    // Another note came in between: what was typed goes where it belongs.
    if (!pane && typed) {
      wanted = { id, keys: { end: () => typed } };
      return go("all", id);
    }
  }
  if (pane === front() && document.activeElement === document.body) pane.focus();
}

/// The note of another tab could not be opened: what was typed for it is shown with the other words that were set aside.
function keepTyped(id, typed) {
  setAsideWords(id, { title: "", document: { content: [{ type: "paragraph", content: [{ type: "text", text: typed }] }] } }, say`The note could not be opened.`);
  offerSetAside();
}
