// How far this slip box is in step with those on other devices, as the server of the page tells it.

import { changed } from "../view/drawing.js";
import { get, readings, Refused, Unreachable } from "../server/call.js";

const listeners = new Set();

/// null until it is known.
export let sync = null;
/// What lost against changes of other devices; null until it is known.
export let conflicts = null;
let isListCurrent = false;

/// Calls a function after each change; gives the function that ends that.
export function onSync(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

export function takeSync(state) {
  // Not all that loses is told: only the list says how much there is.
  const isNews = !isListCurrent || state.lost !== sync?.lost || state.joined !== sync?.joined;
  sync = state;
  tell();
  if (isNews) readConflicts();
}

function tell() {
  for (const listen of listeners) listen();
  changed();
}

const beginReading = readings();

export async function readConflicts() {
  const isLatest = beginReading();
  const found = sync.joined && sync.lost > 0 ? await answerOf("/sync/conflicts") : [];
  if (!isLatest()) return;
  isListCurrent = found !== null;
  // Without an answer, nobody knows whether there are none.
  if (isListCurrent || conflicts?.length === 0) conflicts = found;
  tell();
}

export async function readSync() {
  const state = await answerOf("/sync");
  if (state) takeSync(state);
}

async function answerOf(path) {
  try {
    return await get(path);
  } catch (error) {
    // Without an answer there is nothing to tell.
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    return null;
  }
}
