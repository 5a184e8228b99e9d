// Both sides of the desk. One of them is in front: it has the note of the address, and the commands are about it.
//
// A note that is open stays in its pane, wherever that is shown; so no note is ever open twice.

import { changed } from "../view/drawing.js";
import { hasActsInMemory, sendQueued } from "../server/outbox.js";
import { asideMayBeLost } from "../model/recovering.js";
import { flushLeft, hideLeft, leftMayBeLost } from "../model/saving.js";
import { state } from "../model/state.js";
import { tabs, tabsInSight } from "../model/tabs.js";
import { leaveFields } from "./changes.js";
import { madeMayBeLost } from "./keptFile.js";
import { refresh, settled } from "./others.js";
import { Pane } from "./pane.js";

const panes = [new Pane(""), new Pane("-beside")];
let inFront = panes[0];

export const front = () => inFront;
export const otherOf = (pane) => panes.find((one) => one !== pane);

/// The pane that shows a note, or undefined.
export const paneOf = (id) => panes.find(({ note }) => note && note.id === id);
export const openPanes = () => panes.filter(({ note }) => note);
/// Those on the desk, from left to right.
export const panesInSight = () => tabsInSight().map((tab) => (tab === tabs.active ? inFront : otherOf(inFront)));

/// Chooses the pane for the note in front; the other one is for the note beside it.
export function chooseFront(note, beside) {
  const fit = (pane) => has(pane, note) + has(otherOf(pane), beside) + (pane === inFront ? 0.5 : 0);
  inFront = fit(panes[0]) >= fit(panes[1]) ? panes[0] : panes[1];
  return inFront;
}

/// How much a pane has of a note: it is open in it, on its way, or was open lately and can be undone there.
function has(pane, id) {
  if (!id) return 0;
  if (pane.note?.id === id) return 16;
  return (pane.id === id ? 4 : 0) + (pane.field?.knows(id) ? 2 : 0);
}

// MARK: - Both of them

export const refreshNotes = () => panes.forEach(refresh);
export const settleNotes = () => panes.forEach(settled);
export const markFound = () => panes.forEach((pane) => pane.markFound());

/// A note that is asked for to write in is not only read.
export function leaveReading() {
  if (state.mode !== "reading") return;
  state.mode = null;
  showWhetherWritable();
  changed();
}

export function showWhetherWritable() {
  for (const pane of openPanes()) pane.showWhetherWritable();
}

/// The tab is hidden: what is not saved in a moment may never be.
export function hide() {
  for (const pane of panes) {
    leaveFields(pane, true);
    pane.saveNow();
  }
  sendQueued();
  // Of two texts of one note, that in the editor is the later.
  hideLeft();
  for (const { draft } of panes) draft?.hide();
}

export function flush() {
  for (const pane of panes) {
    leaveFields(pane);
    pane.field?.settle();
  }
  sendQueued();
  flushLeft();
  for (const { draft } of panes) draft?.flush();
}

/// The page is about to close. What the browser shall keep meanwhile takes longer than the closing itself.
export const leaveAllFields = () => panes.forEach((pane) => leaveFields(pane));

/// Everything that is written is sent, or waits in the browser, when this ends.
export async function saveAll() {
  leaveAllFields();
  await Promise.all(panes.map((pane) => pane.saveNow()));
}

/// Whether something ends with the page that is neither at the server nor kept by the browser.
export const mayBeLost = () => panes.some(({ draft }) => draft?.mayBeLost) || madeMayBeLost() || leftMayBeLost() || asideMayBeLost() || hasActsInMemory();
