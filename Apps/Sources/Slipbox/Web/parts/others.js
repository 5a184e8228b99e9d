// Others write too: what the server answers and tells comes into an open note, and no word that was typed is lost by it.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { titleWith } from "../view/titleRoom.js";
import { complain, toast } from "../view/toast.js";
import { titleOf, utcOffset } from "../view/words.js";
import { get, newID, Refused, Unreachable } from "../server/call.js";
import { isBeingMade, send, waitingCount, withWaiting } from "../server/outbox.js";
import { forgetHidden, keepHidden, setAsideWords } from "../model/recovering.js";
import { refreshAll } from "../acts/acts.js";
import { offerSetAside } from "./setAside.js";

/// Reads the note of a pane again, unless somebody is in the middle of writing it: then the server decides.
export async function refresh(pane) {
  const id = pane.note?.id;
  if (!id || isBeingMade(id)) return;
  const { base } = pane.draft;
  const isLatest = pane.beginReading();
  try {
    const note = await get(`/notes/${id}`);
    if (pane.note?.id !== id) return;
    // A text that was saved meanwhile may be newer than the one that was read.
    if (pane.draft.base !== base) return refresh(pane);
    if (!isLatest()) return;
    pane.field.settle();
    if (pane.draft.isBusy || pane.draft.state === "waiting") pane.saved(note);
    else take(pane, withWaiting(note));
  } catch (error) {
    if (error instanceof Refused && error.status === 404 && pane.note?.id === id) {
      // In the middle of a sentence one goes on: saving makes the note again.
      if (pane.draft.isBusy) return;
      if (pane.draft.base !== base) return refresh(pane);
      if (!isLatest()) return;
      pane.forget();
      pane.problem = say`This note was deleted.`;
      changed();
    } else if (!(error instanceof Unreachable || error instanceof Refused)) {
      throw error;
    }
  }
}

/// The server's version into the page, without moving what the reader holds.
function take(pane, note) {
  if (pane.draft.base !== note.revision || pane.conflict) pane.field.adopt(note.document);
  pane.draft.base = note.revision;
  pane.note = note;
  pane.showWhetherWritable();
  pane.field.lookAtLinks();
  pane.countWords();
  changed();
  pane.title.fitSoon();
}

/// A version from the history became the text.
export function takeRestored(pane, note) {
  pane.field.adopt(note.document);
  take(pane, note);
}

/// Takes the words of others into the editor; false if the writer is typing in the same place.
export function merged(pane, note, sent) {
  if (pane.note?.id !== note.id || pane.draft.isLeft || !sent.document) return false;
  const isRenamed = note.title !== sent.title?.trim();
  if (isRenamed && pane.note.title !== sent.title) return false;
  if (!pane.field.adopt(note.document, sent.document)) return false;
  if (isRenamed) pane.note = { ...pane.note, title: note.title };
  pane.countWords();
  return true;
}

/// An edit that waited has gone out; `pane` has its note open, or is undefined.
export function answered(pane, edit, result) {
  const draft = pane?.draft;
  if (result instanceof Refused) {
    if (result.status === 409 && result.body.newer) {
      if (!draft) conflict(null, result.body, null);
      else if (draft.has(edit)) draft.conflicted(result.body);
      // Another tab has written it, and what is typed here has nothing to do with its copy.
      else tellOfCopy(result.body.newer);
    }
    // In the open text the words stand still, and are tried again.
    else if (draft && edit.kind !== "act" && draft.has(edit)) draft.refused(result, edit.body);
    else {
      complain(result);
      if (!edit.body?.document) return;
      setAsideWords(edit.note, edit.body, result.message);
      offerSetAside();
    }
  } else if (draft && (result?.note ?? result)?.revision !== undefined) {
    // An act is about something else than the text, which may have been changed elsewhere.
    if (edit.kind === "act") pane.saved(result.note ?? result);
    // The words of another tab are in the text only when it is read.
    else if (!draft.has(edit)) refresh(pane);
    else draft.arrived(result.note ?? result, result.merged && edit.body);
  }
}

/// Nothing waits any more: another tab may have sent what was ours.
export function settled(pane) {
  if (pane.draft?.state !== "waiting" || waitingCount(pane.draft.id) > 0) return;
  pane.draft.show("saved");
  refresh(pane);
}

// MARK: - Refused texts

/// The text is saved without what the server cannot keep.
export function leaveOutRefused(pane) {
  pane.field.leaveOut(pane.draft.refusal);
  pane.draft.refusal = null;
  pane.draft.change();
  pane.saveNow();
}

export function showRefused(pane) {
  // If the piece is gone already, the text can be saved.
  if (!pane.field.showRefused(pane.draft.refusal)) pane.saveNow();
}

// MARK: - Both texts are kept

export function dismissConflict(pane) {
  pane.conflict = null;
  pane.draft.show("saved");
}

/// `pane` is null where the note is not open.
export function conflict(pane, { newer, copy }, later, sent) {
  if (later) saveInto(copy, later, sent);
  if (pane?.note?.id === newer.id) {
    pane.conflict = copy;
    take(pane, newer);
  }
  tellOfCopy(newer);
}

function tellOfCopy(newer) {
  toast(say`“${titleOf(newer)}” was changed elsewhere: both texts are kept.`);
  refreshAll();
}

/// Saves words that are nowhere else by now: they wait where nobody answers, and outlive a tab that closes.
async function saveInto(copy, text, sent) {
  // Nobody has changed the copy yet.
  const body = { base: 1, utcOffset: utcOffset(), title: titleOfCopy(copy, text, sent), document: text.document };
  keepHidden(copy.id, body);
  try {
    await send({ kind: "text", method: "PATCH", path: `/notes/${copy.id}`, note: copy.id, line: newID(), mark: newID(), body });
  } catch (error) {
    complain(error);
    // With another conflict, the server has kept the words.
    if (error.status !== 409) setAsideWords(copy.id, body, error.message);
    offerSetAside();
  }
  forgetHidden(copy.id);
}

/// The title of a copy ends with whose version it is: words that were typed into the title come before that.
function titleOfCopy(copy, text, sent) {
  const before = sent?.title.trim();
  if (before === undefined || text.title.trim() === before || !copy.title.startsWith(before)) return copy.title;
  return titleWith(text.title.trim(), ` ${copy.title.slice(before.length).trim()}`);
}

export function madeAgain(pane, text) {
  toast(say`“${titleOf(text)}” was deleted elsewhere: what you wrote is kept.`);
  if (!pane.note && pane.id) pane.open(pane.id);
  refreshAll();
}
