// The notes that are chosen in the list, one or several.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { complain, toast } from "../view/toast.js";
import { count } from "../view/words.js";
import { everyRow, indexOf, list, rowAt, rowsBetween, rowsOf } from "./list.js";
import { go } from "./route.js";
import { state } from "./state.js";

export const chosen = new Set();
let isChoosing = false;
let anchorIndex = null;
/// The chosen rows by their notes, as they were then: not all of them are in the list's windows, or stay there.
let farRows = new Map();
/// While rows that were not looked at are asked for.
let coming = null;
/// More are not moved or deleted in one act.
const MOST_CHOSEN = 5000;

export const isChoosingSeveral = () => chosen.size > 1 || isChoosing || (chosen.size === 1 && !chosen.has(state.noteID));

export const isAnyChosen = () => chosen.size > 0 || isChoosing;

export function beginChoosing() {
  isChoosing = true;
  changed();
}

export function choose(event, row, index) {
  if (event.ctrlKey || event.metaKey || isChoosing) {
    const open = rowAt(indexOf(state.noteID));
    if (!isChoosing && chosen.size === 0 && open) add(open);
    if (!chosen.delete(row.id)) add(row);
    forgetOpenAlone();
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

function add(row) {
  chosen.add(row.id);
  farRows.set(row.id, row);
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

/// The open note alone is open, and not chosen: it would be once another is opened.
function forgetOpenAlone() {
  if (!isChoosing && chosen.size === 1 && chosen.has(state.noteID)) chosen.clear();
}

function chooseThrough(index) {
  const from = anchorIndex ?? Math.max(0, indexOf(state.noteID));
  const [first, last] = [Math.min(from, index), Math.max(from, index)];
  chosen.clear();
  let areHere = true;
  for (let at = first; at <= last; at++) {
    const row = rowAt(at);
    if (row) add(row);
    else areHere = false;
  }
  forgetOpenAlone();
  if (areHere) return;
  if (last - first >= MOST_CHOSEN) toast(say`${count(MOST_CHOSEN)} notes can be chosen at once; these are ${count(last - first + 1)}.`);
  else comes(chooseFar(first, last));
}

/// Also the rows that were not looked at, unless others are chosen meanwhile.
async function chooseFar(first, last) {
  const near = [...chosen];
  const rows = await rowsBetween(first, last).catch((error) => void complain(error));
  if (!rows || chosen.size !== near.length || !near.every((id) => chosen.has(id))) return;
  rows.forEach(add);
  changed();
}

export async function chooseAll() {
  if (list.total > MOST_CHOSEN) return toast(say`${count(MOST_CHOSEN)} notes can be chosen at once; this list has ${count(list.total)}.`);
  await comes(chooseEvery());
}

async function chooseEvery() {
  const rows = await everyRow().catch((error) => void complain(error));
  if (!rows) return;
  chosen.clear();
  rows.forEach(add);
  anchorIndex = 0;
  changed();
}

function comes(rows) {
  const ended = rows.finally(() => coming === ended && (coming = null));
  coming = ended;
  return ended;
}

/// Ends when all that was chosen is here; null where it is.
export const chosenComing = () => coming;

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
