// The notes that a text shows in its place: they are read some at a time, and again when somebody changes them.

import { say } from "../view/say.js";
import { get, Refused, Unreachable } from "../server/call.js";
import { waitingNotes, withWaiting } from "../server/outbox.js";

/// As many as the server gives at once.
const MOST = 50;
/// In milliseconds: a text comes with all of its embeds at once.
const PAUSE = 20;

/// The listeners of each note that is shown, and the last answer about it: {listeners, answer}.
const watched = new Map();
const wanted = new Set();
let timer = null;

/// Tells `listen` what a note says, now and whenever it changes: {note}, {isMissing: true} or {problem}. Gives what ends it.
export function watchEmbedded(id, listen) {
  const known = watched.get(id) ?? { listeners: new Set(), answer: null };
  watched.set(id, known);
  known.listeners.add(listen);
  if (known.answer) queueMicrotask(() => known.listeners.has(listen) && listen(known.answer));
  else want([id]);
  return () => {
    known.listeners.delete(listen);
    if (known.listeners.size === 0 && watched.get(id) === known) watched.delete(id);
  };
}

/// Some notes have changed, or it is not known which.
export const embeddedChanged = (ids = [...watched.keys()]) => want(ids.filter((id) => watched.has(id)));

function want(ids) {
  if (ids.length === 0) return;
  for (const id of ids) wanted.add(id);
  timer ??= setTimeout(read, PAUSE);
}

async function read() {
  const ids = [...wanted].filter((id) => watched.has(id)).slice(0, MOST);
  if (ids.length < MOST) wanted.clear();
  else for (const id of ids) wanted.delete(id);
  try {
    if (ids.length > 0) await readSome(ids);
  } finally {
    timer = null;
    // The others, those for which an answer had no room, and those that changed meanwhile.
    want([...wanted]);
  }
}

async function readSome(ids) {
  try {
    const { notes, missing } = await get(`/embeds?notes=${ids.join(",")}`);
    const found = new Map(notes.map((note) => [note.id, { note: withWaiting(note) }]));
    for (const id of missing) found.set(id, waiting(id) ?? { isMissing: true });
    for (const id of ids) {
      if (found.has(id)) tell(id, found.get(id));
      else wanted.add(id);
    }
  } catch (error) {
    if (error instanceof Unreachable) return Promise.all(ids.map(readKept));
    if (!(error instanceof Refused)) throw error;
    for (const id of ids) tell(id, { problem: error.message });
  }
}

/// The note as the browser has kept it, while the server does not answer.
async function readKept(id) {
  try {
    tell(id, waiting(id) ?? { note: withWaiting(await get(`/notes/${id}`)) });
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    // The contents that were shown stay.
    if (!watched.get(id)?.answer?.note) tell(id, { problem: say`This note was not read lately, and Slipbox cannot be reached.` });
  }
}

function waiting(id) {
  const note = waitingNotes().find((one) => one.id === id);
  return note && { note };
}

function tell(id, answer) {
  const known = watched.get(id);
  if (!known) return;
  known.answer = answer;
  for (const listen of [...known.listeners]) listen(answer);
}
