// The changes that are not saved yet: the page asks the server for them, and tells its parts when they have changed.

import { ask } from "/look/page.js";

export const pending = { isAllowed: false, changes: [], total: 0, problems: [], conflicts: [] };

const listeners = new Set();

/** Calls a function now and whenever the pending changes are others; returns a function that ends that. */
export function onPending(told) {
  listeners.add(told);
  told(pending);
  return () => listeners.delete(told);
}

export function take(state) {
  Object.assign(pending, { changes: [], total: 0, problems: [], conflicts: [], canUndo: false, canRedo: false, copy: null }, state);
  for (const told of listeners) told(pending);
  return pending;
}

/** Conflicts stay until something is changed or decided. */
export const readPending = async () => take({ ...(await ask("GET", "/api/changes")), conflicts: pending.conflicts });

/** Makes a change; answers the name of the object. */
export async function change(operation) {
  const answer = await ask("POST", "/api/changes", operation);
  take(answer.pending);
  return answer.object;
}

export const decide = async (what) => take(await ask("POST", `/api/changes/${what}`));

/** Saves; answers what stands in the way, or nothing. */
export async function save(winner = "") {
  const answer = await ask("POST", `/api/changes/save${winner ? `?winner=${winner}` : ""}`);
  take({ ...answer.pending, conflicts: answer.conflicts });
  return answer;
}
