// Drafts of notes that were left: who opens such a note again waits until its last words were sent, or wait to be.

const parting = new Map();

/// Lets go of a draft; gives what ends when its words were sent, with what went wrong.
export function part(draft) {
  const sending = draft.part();
  // The one that waits for `sending` reports a failure.
  const ended = sending.catch(() => {}).then(() => parting.get(draft.id) === ended && parting.delete(draft.id));
  parting.set(draft.id, ended);
  return sending;
}

/// The same for words that no editor has; gives what comes of `sending`.
export function untilSent(id, sending) {
  const ended = sending.catch(() => {}).then(() => parting.get(id) === ended && parting.delete(id));
  parting.set(id, ended);
  return sending;
}

export const untilParted = (id) => parting.get(id);
