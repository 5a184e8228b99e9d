// Makes notes, at the server or in the outbox.

import { say } from "../view/say.js";
import { complain, toast } from "../view/toast.js";
import { newID } from "../server/call.js";
import { send } from "../server/outbox.js";
import { keywordOf } from "../model/state.js";
import { refreshAll } from "../acts/acts.js";

/// Makes a note of `body`, in the folder {id}; throws what it has told.
export async function makeNote({ id = newID(), folder = null, ...body }) {
  const whole = { id, ...body, ...(folder ? { folder: folder.id } : {}) };
  try {
    return (await send({ kind: "create", method: "POST", path: "/notes", body: whole, note: id, line: id })) ?? { ...whole };
  } catch (error) {
    complain(error);
    throw error;
  }
}

/// A note that was asked for by its title, in the folder of the one that is written; null where it was refused.
export async function createNote(title, folder) {
  const note = await makeNote({ title, folder }).catch(() => null);
  if (note) toast(say`Note “${title}” created`);
  refreshAll();
  return note;
}

/// In the list of a keyword a new note has it from the start.
export async function makeWithKeyword(body, keyword) {
  const made = await makeNote(body);
  if (!keyword) return made;
  try {
    const { name, color } = keywordOf(`keyword:${keyword}`) ?? {};
    const addKeywords = [{ id: keyword, name, color }];
    const edit = { kind: "act", method: "PATCH", path: `/notes/${body.id}`, body: { addKeywords }, note: body.id };
    return (await send(edit))?.note ?? made;
  } catch (error) {
    complain(error);
    return made;
  }
}
