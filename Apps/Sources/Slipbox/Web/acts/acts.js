// What people do to notes, folders and keywords, and how it is taken back.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { beginningOf } from "../view/titleRoom.js";
import { complain, dismiss, toast } from "../view/toast.js";
import { counted } from "../view/words.js";
import { post, Refused } from "../server/call.js";
import { inOrder, send } from "../server/outbox.js";
import { touch } from "../model/untouched.js";

let undos = [];
let redos = [];
let refresh = () => {};
/// Acts without an answer yet. The answer has the token to undo them with.
const underWay = new Set();
const listeners = new Set();

/// What is read again after an act: the overview, the list, the open note.
export const refreshWith = (read) => (refresh = read);

/// What else is read again then; gives the function that ends that.
export function onRefresh(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

export function refreshAll() {
  refresh();
  for (const listen of listeners) listen();
}

/// Does it, and offers to take it back. `said` is what the toast says; undefined if nobody answered yet.
export function perform(edit, said) {
  const act = carryOut(edit, said).finally(() => underWay.delete(act));
  underWay.add(act);
  return act;
}

async function carryOut(edit, said) {
  let result;
  if (edit.note) touch(edit.note);
  try {
    result = await send({ kind: "act", ...edit });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    complain(error);
    return null;
  }
  if (result === undefined) {
    if (said) toast(say`${said} — will be sent when Slipbox is reachable`);
  } else if (result?.undo) {
    remember(result.undo, said);
  }
  refreshAll();
  return result;
}

/// An act that was done: it can be taken back.
export function remember(token, said) {
  const done = { token, said };
  undos = [...undos.slice(-49), done];
  redos = [];
  if (said) done.toast = toast(said, { act: { name: say`Undo`, run: () => takeBack(done) } });
  return done;
}

/// How to take back what `remember` was told; null where that was done, or too much was since.
export const undoOf = (done) => (undos.includes(done) ? () => takeBack(done) : null);

export const undoLast = () => inTurn(() => (undos.length > 0 ? undo(undos.at(-1)) : toast(say`Nothing to undo`)));
export const redoLast = () => inTurn(() => (redos.length > 0 ? redo(redos.at(-1)) : toast(say`Nothing to redo`)));

const takeBack = (done) => inTurn(() => undos.includes(done) && undo(done));
const again = (undone) => inTurn(() => redos.includes(undone) && redo(undone));

/// Keys are faster than the server: undoing waits for the acts before it, and acts after it wait for it.
function inTurn(work) {
  const before = [...underWay];
  return inOrder({ kind: "act" }, async () => {
    await Promise.allSettled(before);
    await work();
  });
}

async function undo(done) {
  undos = undos.filter((other) => other !== done);
  dismiss(done.toast);
  const answer = await turn(done.token, () => undos.push(done));
  if (!answer) return;
  const undone = { token: answer.redo, said: done.said };
  redos.push(undone);
  const said = done.said ? say`Undone: ${done.said}` : say`Undone`;
  undone.toast = toast(said, { act: { name: say`Redo`, run: () => again(undone) } });
  refreshAll();
}

async function redo(undone) {
  redos = redos.filter((other) => other !== undone);
  dismiss(undone.toast);
  const answer = await turn(undone.token, () => redos.push(undone));
  if (!answer) return;
  const done = { token: answer.redo, said: undone.said };
  undos.push(done);
  done.toast = toast(undone.said ?? say`Done again`, { act: { name: say`Undo`, run: () => takeBack(done) } });
  refreshAll();
}

/// Null where it was not done; `keep()` where it can be asked for again: nobody answered, or the server could not, which may
/// pass.
async function turn(token, keep) {
  try {
    return await post(`/undo/${token}`);
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) keep();
    complain(error);
    return null;
  }
}

// MARK: - Notes

export const quoted = (title) => say`“${title.length > 40 ? `${beginningOf(title, "", 39)}…` : title}”`;
const named = (notes) => (notes.length === 1 ? quoted(notes[0].title?.trim() || say`Untitled`) : counted(notes.length, "note", "notes"));

export function trashNotes(notes) {
  const said = say`${named(notes)} moved to the trash`;
  if (notes.length === 1) return perform({ method: "DELETE", path: `/notes/${notes[0].id}`, note: notes[0].id }, said);
  for (const note of notes) touch(note.id);
  return perform({ method: "POST", path: "/notes/trash", body: { notes: notes.map((note) => note.id) } }, said);
}

export function deleteForever(note) {
  return perform({ method: "DELETE", path: `/notes/${note.id}?forever=true`, note: note.id }, say`${named([note])} deleted`);
}

export function restoreNote(note) {
  return perform({ method: "POST", path: `/notes/${note.id}/restore`, note: note.id }, say`${named([note])} restored`);
}

export function moveNotes(notes, folder) {
  const said = folder ? say`${named(notes)} moved to ${quoted(folder.name)}` : say`${named(notes)} moved to Unfiled`;
  return perform({ method: "POST", path: "/notes/move", body: { notes: notes.map((note) => note.id), folder: folder?.id ?? null } }, said);
}

export const changeNote = (note, body, said) =>
  perform({ method: "PATCH", path: `/notes/${note.id}`, body, note: note.id }, said);

export const emptyTrash = () => perform({ method: "POST", path: "/trash/empty" }, say`Trash emptied`);

// MARK: - Folders

export const renameFolder = (folder, name) =>
  perform({ method: "PATCH", path: `/folders/${folder.id}`, body: { name } }, say`Folder renamed to ${quoted(name)}`);

export const moveFolder = (folder, parent, order) =>
  perform({ method: "PATCH", path: `/folders/${folder.id}`, body: { parent: parent?.id ?? null, ...(order === undefined ? {} : { order }) } },
    parent ? say`${quoted(folder.name)} moved into ${quoted(parent.name)}` : say`${quoted(folder.name)} moved`);

export const deleteFolder = (folder) =>
  perform({ method: "DELETE", path: `/folders/${folder.id}` }, say`Folder ${quoted(folder.name)} moved to the trash`);

export const restoreFolder = (folder) =>
  perform({ method: "POST", path: `/folders/${folder.id}/restore` }, say`Folder ${quoted(folder.name)} restored`);

// MARK: - Keywords

export const changeKeyword = (keyword, body) =>
  perform({ method: "PATCH", path: `/keywords/${keyword.id}`, body }, say`Keyword ${quoted(body.name ?? keyword.name)} changed`);

export const deleteKeyword = (keyword) =>
  perform({ method: "DELETE", path: `/keywords/${keyword.id}` }, say`Keyword ${quoted(keyword.name)} deleted`);
