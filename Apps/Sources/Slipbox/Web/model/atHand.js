// The notes that the worker keeps as a whole on this device, so that they can be read and searched without a network.

import { changed } from "../view/drawing.js";
import { keepText, keptText } from "../view/keptTexts.js";

const WANTED = "at-hand";

/// The facts about the notes in the worker: { isWanted, isFilling, isWhole, isFull, count, total, bytes, at }; null until it has said so.
export let atHand = null;

const listeners = new Set();

/// Calls a function after each change; gives the function that ends that.
export function onAtHand(listen) {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/// A phone, or a program that was installed, is used where there is no network.
const isCarried = () => matchMedia("(display-mode: standalone)").matches || matchMedia("(pointer: coarse)").matches;

const isWanted = () => (keptText(WANTED) ?? (isCarried() ? "yes" : "no")) === "yes";

export const canKeepNotes = () => Boolean(navigator.serviceWorker) && "indexedDB" in self;

async function tell(message) {
  if (!canKeepNotes()) return;
  (await navigator.serviceWorker.ready).active.postMessage(message);
}

/// Has the worker keep the notes where that is wanted.
export function beginKeeping() {
  if (!canKeepNotes()) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.type !== "atHand") return;
    atHand = data.facts;
    for (const listen of listeners) listen();
    changed();
  });
  tell({ type: "want", isWanted: isWanted() });
}

/// Begins to keep all notes on this device, or forgets them.
export function keepNotes(wanted) {
  keepText(WANTED, wanted ? "yes" : "no");
  // A browser that is short of room then asks before it forgets them.
  if (wanted) navigator.storage?.persist?.();
  return tell({ type: "want", isWanted: wanted });
}

/// Reads all of them again, because too much has changed to say what.
export const refillNotes = () => (isWanted() ? tell({ type: "fill" }) : null);

let stale = new Set();
let timer;

/// Notes that were changed here or elsewhere; a burst of changes is one reading.
export function notesChanged(ids) {
  if (!isWanted()) return;
  for (const id of ids) stale.add(id);
  clearTimeout(timer);
  timer = setTimeout(() => {
    tell({ type: "changed", notes: [...stale] });
    stale = new Set();
  }, 2_000);
}
