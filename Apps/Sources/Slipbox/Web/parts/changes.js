// Small changes to a note that is open: it shows them before the server has answered. And the fields for them, which send what
// is typed when they are left.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { propertiesAfter } from "../server/properties.js";
import { withWaiting } from "../server/outbox.js";
import { changeNote } from "../acts/acts.js";
import { refresh } from "./others.js";

const leavings = [];

/// `leave(pane, isHidden)` sends what is typed into a field of a pane and not sent yet.
export const leaveWith = (leave) => void leavings.push(leave);

/// The pane shows another note, or its tab closes or is hidden, while a value is typed.
export function leaveFields(pane, isHidden = false) {
  for (const leave of leavings) leave(pane, isHidden);
}

/// Changes the note of a pane, or another that was open there when its menu was opened.
export async function change(pane, body, said, note = pane.note) {
  if (pane.note?.id !== note.id) return changeNote(note, body, said);
  const { addKeywords, removeKeywords, properties, ...plain } = body;
  pane.note = { ...pane.note, ...plain, ...(properties ? { properties: propertiesAfter(pane.note.properties ?? [], properties) } : {}) };
  changed();
  const result = await changeNote(pane.note, body, said);
  if (result?.note) pane.saved(result.note);
  // The change was refused: the page goes back to the note as it is.
  else if (result === null) await refresh(pane);
  return result;
}

export async function addKeyword(pane, keyword, said) {
  const result = await changeNote(pane.note, { addKeywords: [keyword] }, said);
  if (result?.note) return pane.saved(result.note);
  if (result !== undefined || !pane.note) return;
  pane.note = withWaiting(pane.note);
  changed();
  if (!said) toast(say`The keyword will be sent when Slipbox is reachable`);
}

export function removeKeyword(pane, keyword) {
  // Its menu may outlive the note.
  if (!pane.note) return;
  pane.note = { ...pane.note, keywords: pane.note.keywords.filter((one) => one.id !== keyword.id) };
  return change(pane, { removeKeywords: [keyword.id] }, say`Keyword “${keyword.name}” removed from the note`);
}
