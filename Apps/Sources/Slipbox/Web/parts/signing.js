// A paragraph of another note gets a sign when a link to it is chosen. That note may be open in a side; otherwise it is read,
// changed and sent, or waits in the outbox, like every text.

import { say } from "../view/say.js";
import { complain, toast } from "../view/toast.js";
import { titleOf, utcOffset } from "../view/words.js";
import { pm } from "../vendor/editor.js";
import { fromJSON, toJSON } from "../editor/schema.js";
import { sign, takeSign } from "../editor/signing.js";
import { get, newID, Refused, Unreachable } from "../server/call.js";
import { markOf, send, waitingNotes, withWaiting } from "../server/outbox.js";
import { embeddedChanged } from "../model/embedded.js";
import { untilParted, untilSent } from "../model/parting.js";
import { refreshAll } from "../acts/acts.js";
import { conflict, refresh } from "./others.js";
import { front, paneOf } from "./panes.js";
import { signBlocksWith } from "./paneTold.js";

const { EditorState } = pm.state;

/// Gives the sign of a block of the note, or null where it can have none.
async function signBlock(id, block) {
  if (block.sign) return block.sign;
  const note = await changeText(id, (transaction) => sign(transaction, block));
  if (!note) return null;
  const { result: made, title } = note;
  if (!made) toast(say`This paragraph has changed. Choose it again.`);
  else toast(say`“${titleOf({ title })}” has the sign ${made} now`, { act: { name: say`Undo`, run: () => changeText(id, (transaction) => takeSign(transaction, made)) } });
  return made;
}

/// Changes the text of a note with `work(transaction)`; gives {title, result of that}, or null where it was not possible.
async function changeText(id, work) {
  try {
    await untilParted(id);
    if (paneOf(id)) return await changeOpen(paneOf(id), work);
    const note = waitingNotes().find((one) => one.id === id) ?? withWaiting(await get(`/notes/${encodeURIComponent(id)}`));
    // It may have been opened meanwhile.
    if (paneOf(id)) return await changeOpen(paneOf(id), work);
    if (note.trashed) throw new Refused(409, { error: say`This note is in the trash.` });
    return await changeClosed(note, work);
  } catch (error) {
    if (error.status === 409 && error.body.newer) conflict(paneOf(id), error.body, null);
    else if (error instanceof Refused || error instanceof Unreachable) complain(error);
    else throw error;
    return null;
  }
}

async function changeOpen(pane, work) {
  const { title, trashed } = pane.note;
  if (trashed) throw new Refused(409, { error: say`This note is in the trash.` });
  const result = pane.field.change(work);
  await pane.saveNow();
  return { title, result };
}

async function changeClosed(note, work) {
  const { id, title } = note;
  const { schema } = front().editor;
  const transaction = EditorState.create({ doc: fromJSON(schema, note.document) }).tr;
  const result = work(transaction);
  if (!transaction.docChanged) return { title, result };
  const mark = newID();
  await untilSent(id, send({
    kind: "text", method: "PATCH", path: `/notes/${id}`, note: id, line: newID(), after: markOf(id), mark,
    body: { base: note.revision, mark, utcOffset: utcOffset(), document: toJSON(transaction.doc) },
  }));
  // It was read for a side before this was sent.
  if (paneOf(id)) refresh(paneOf(id));
  embeddedChanged([id]);
  refreshAll();
  return { title, result };
}

signBlocksWith(signBlock);
