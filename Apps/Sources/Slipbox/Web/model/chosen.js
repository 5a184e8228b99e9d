// The notes that are chosen in the list, one or several.

import { changed } from "../view/drawing.js";
import { complain, toast } from "../view/toast.js";
import { count } from "../view/words.js";
import { everyRow, indexOf, list, rowAt, rowsOf } from "./list.js";
import { go } from "./route.js";
import { state } from "./state.js";

export const chosen = new Set();
let isChoosing = false;
let anchorIndex = null;
/// Rows that were chosen with all others, by their notes: not all of them are in the list's windows.
let farRows = new Map();
/// More are not moved or deleted in one act.
const MOST_CHOSEN = 5000;

export const isChoosingSeveral = () => chosen.size > 1 || isChoosing;

export const isAnyChosen = () => chosen.size > 0 || isChoosing;

export function beginChoosing() {
  isChoosing = true;
  changed();
}

export function choose(event, row, index) {
  if (event.ctrlKey || event.metaKey || isChoosing) {
    if (!isChoosing && chosen.size === 0 && state.noteID) chosen.add(state.noteID);
    if (!chosen.delete(row.id)) chosen.add(row.id);
    anchorIndex = index;
  } else if (event.shiftKey) {
    chooseThrough(index);
  } else {
    chosen.clear();
    anchorIndex = index;
    go(state.place, row.id);
  }
  changed();
}

/// The arrow keys have come to a row; with Shift all rows on the way are chosen.
export function stepOnto(index, isExtending) {
  if (isExtending) {
    anchorIndex ??= Math.max(0, indexOf(state.noteID));
    chooseThrough(index);
  } else {
    chosen.clear();
    anchorIndex = index;
  }
}

function chooseThrough(index) {
  const from = anchorIndex ?? Math.max(0, indexOf(state.noteID));
  chosen.clear();
  for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
    const row = rowAt(at);
    if (row) chosen.add(row.id);
  }
}

export async function chooseAll() {
  if (list.total > MOST_CHOSEN) return toast(`${count(MOST_CHOSEN)} notes can be chosen at once; this list has ${count(list.total)}.`);
  const rows = await everyRow().catch((error) => void complain(error));
  if (!rows) return;
  chosen.clear();
  for (const row of rows) chosen.add(row.id);
  farRows = new Map(rows.map((row) => [row.id, row]));
  anchorIndex = 0;
  changed();
}

export function forgetChosen() {
  chosen.clear();
  farRows.clear();
  isChoosing = false;
  changed();
}

export function chosenRows() {
  const near = new Map(rowsOf(chosen).map((row) => [row.id, row]));
  return [...chosen].map((id) => near.get(id) ?? farRows.get(id)).filter(Boolean);
}

export const actOn = (row) => (chosen.size > 1 && chosen.has(row.id) ? chosenRows() : [row]);
