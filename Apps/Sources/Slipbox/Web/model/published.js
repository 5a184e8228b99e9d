// The notes that everybody with a link may read, as the server of the page tells them.

import { changed } from "../view/drawing.js";
import { get, readings, Refused, Unreachable } from "../server/call.js";

/// The notes by their identifiers, and how others reach the server; null until they are known.
export let published = null;
const listeners = new Set();

/// Calls a function after each change; gives the function that ends that.
export function onPublished(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

export const linkOf = (id) => published?.notes.get(id) ?? null;

const beginReading = readings();

/// Reads them again; gives the error if they cannot be read now.
export async function readPublished() {
  const isLatest = beginReading();
  try {
    const { notes, reach } = await get("/published");
    if (!isLatest()) return null;
    published = { notes: new Map(notes.map((row) => [row.note, row])), reach };
    for (const listen of listeners) listen();
    changed();
    return null;
  } catch (error) {
    // The known links stay: without the server nothing is published or ended.
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    return error;
  }
}
