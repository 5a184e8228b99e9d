// A note that was made, never written in, and left goes away by itself.
//
//   made ─ anything typed ──────────────▶ kept for good
//     └──── left ─ still as it was made? ▶ trash ─ still? ▶ gone      (else it is given back)
//
// This browser remembers which notes it made and nobody has written in, so that a tab that was closed is
// made up for when the program starts the next time. Where the server cannot be asked, the note stays until it can.

import { dropText, keepText, keptNames, keptText } from "../view/keptTexts.js";
import { get, post, Refused, remove, Unreachable } from "../server/call.js";
import { waitingCount } from "../server/outbox.js";
import { haveSameMarks } from "./marks.js";

const UNTOUCHED = "untouched:";
const gone = new Set();

/// `made` is what the note was made with: {folder, keyword} and its marks.
export const remember = (id, made) => keepText(UNTOUCHED + id, JSON.stringify(made));
export const touch = (id) => dropText(UNTOUCHED + id);
export const isGone = (id) => gone.has(id);

/// The notes that are open in this page or on their way, as often as they are.
const held = [];

/// A page says of a note that is open in it that it is. Gives what ends that.
export function hold(id) {
  held.push(id);
  const letGo = lock(id);
  let isOver = false;
  return async () => {
    if (!isOver) held.splice(held.indexOf(id), 1);
    isOver = true;
    await letGo();
  };
}

/// Keeps other windows of this browser from taking a note away. Gives what ends that.
function lock(id) {
  let letGo;
  const untilLeft = new Promise((leave) => (letGo = leave));
  const isFree = navigator.locks?.request(`open:${id}`, { mode: "shared" }, () => untilLeft);
  return async () => {
    letGo();
    await isFree;
  };
}

/// The notes of the tabs behind, each with what ends its lock. That of the tab in front has the lock of its pane.
const inTabs = new Map();
let untilLetGo = Promise.resolve();

/// These are the notes of the tabs behind now.
export function holdForTabs(ids) {
  for (const id of ids) if (!inTabs.has(id)) inTabs.set(id, lock(id));
  for (const [id, letGo] of inTabs) {
    if (ids.includes(id)) continue;
    inTabs.delete(id);
    untilLetGo = Promise.all([untilLetGo, letGo()]);
  }
}

export const isAnyHeld = () => held.length > 0;

/// Takes the notes away that were left as they were made, except those that are open and these. True if there were some.
export async function takeAwayUntouched(except) {
  let took = false;
  await untilLetGo;
  for (const key of keptNames(UNTOUCHED)) {
    const id = key.slice(UNTOUCHED.length);
    if (except.includes(id) || held.includes(id)) continue;
    const made = parsed(keptText(key));
    if (!made) touch(id);
    else if (await takeAwayAlone(id, made)) took = true;
  }
  return took;
}

function parsed(text) {
  try {
    const made = JSON.parse(text);
    return typeof made === "object" ? made : null;
  } catch {
    return null;
  }
}

/// Unless it is open in another window, or in a tab of that: somebody may be about to write in it.
function takeAwayAlone(id, made) {
  return navigator.locks?.request(`open:${id}`, { ifAvailable: true }, (lock) => lock && takeAway(id, made));
}

async function takeAway(id, made) {
  try {
    if (waitingCount(id) > 0 || keptText(UNTOUCHED + id) === null) return false;
    // The page may have closed between its deletion and the answer.
    const known = await post("/notes/known", { notes: [id] });
    if (known.notes.length === 0) return touch(id);
    if (!isAsMade(await get(`/notes/${id}`), made)) return touch(id);
    await remove(`/notes/${id}`);
    // Somebody on another machine may have begun to write between two questions.
    if (!isAsMade({ ...(await get(`/notes/${id}`)), trashed: null }, made)) {
      touch(id);
      await post(`/notes/${id}/restore`);
      return false;
    }
    // Who goes back while the server deletes it must not meet it.
    gone.add(id);
    await remove(`/notes/${id}?forever=true`);
    touch(id);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) {
      touch(id);
      return false;
    }
    gone.delete(id);
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    return false;
  }
}

const FIRST_REVISION = 1;

function isAsMade(note, made) {
  const isEmpty = !note.title && !note.attachment && (note.document?.content ?? []).every((block) => block.type === "paragraph" && !block.content);
  const isUnlinked = note.links.length === 0 && note.backlinks.length === 0;
  const isFiledAsMade = (note.folder?.id ?? null) === (made.folder ?? null) && haveSameMarks(note, made)
    && note.status === "draft" && note.keywords.every((keyword) => keyword.id === made.keyword);
  return isEmpty && isUnlinked && isFiledAsMade && note.revision <= FIRST_REVISION && !note.trashed;
}
