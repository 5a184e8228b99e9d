// Choosing notes in the list, one or several, and what is done with them: by pointer, by key, by menu.

import { html } from "../view/template.js";
import { confirm } from "../view/dialog.js";
import { complain, toast } from "../view/toast.js";
import { count, counted, titleOf } from "../view/words.js";
import { changeNote, deleteForever, moveNotes, restoreNote, trashNotes } from "./acts.js";
import { chooseFolder } from "./filing.js";
import { letterOf } from "./keys.js";
import { everyRow, indexOf, list, rowAt, rowsOf } from "./list.js";
import { go } from "./route.js";
import { bringIntoSight, rowsOnAPage } from "./rows.js";
import { changed, state, STATUSES } from "./state.js";

export const chosen = new Set();
let isChoosing = false;
let anchorIndex = null;
/// Rows that were chosen with all others, by their notes: not all of them are in the list's windows.
let farRows = new Map();
/// More are not moved or deleted in one act.
const MOST_CHOSEN = 5000;

export const isChoosingSeveral = () => chosen.size > 1 || isChoosing;

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

function chooseThrough(index) {
  const from = anchorIndex ?? Math.max(0, indexOf(state.noteID));
  chosen.clear();
  for (let at = Math.min(from, index); at <= Math.max(from, index); at++) {
    const row = rowAt(at);
    if (row) chosen.add(row.id);
  }
}

async function chooseAll() {
  if (list.total > MOST_CHOSEN) return toast(`${count(MOST_CHOSEN)} notes can be chosen at once; this list has ${count(list.total)}.`);
  const rows = await everyRow().catch((error) => void complain(error));
  if (!rows) return;
  chosen.clear();
  for (const row of rows) chosen.add(row.id);
  farRows = new Map(rows.map((row) => [row.id, row]));
  anchorIndex = 0;
  changed();
}

export const chosenBar = () => html`
  <div class="notice chosen" role="group" aria-label="Chosen notes">
    <span role="status">${counted(chosen.size, "note", "notes")} chosen</span>
    <button class="small-text" ?disabled=${chosen.size === 0} @click=${() => askWhere(chosenRows())}>Move…</button>
    <button class="small-text" ?disabled=${chosen.size === 0} @click=${() => { const rows = chosenRows(); forgetChosen(); trashNotes(rows); }}>Trash</button>
    <button class="small-text" @click=${forgetChosen}>Done</button>
  </div>`;

export function forgetChosen() {
  chosen.clear();
  farRows.clear();
  isChoosing = false;
  changed();
}

function chosenRows() {
  const near = new Map(rowsOf(chosen).map((row) => [row.id, row]));
  return [...chosen].map((id) => near.get(id) ?? farRows.get(id)).filter(Boolean);
}

export const actOn = (row) => (chosen.size > 1 && chosen.has(row.id) ? chosenRows() : [row]);

// MARK: - Keys

let opening;
/// While the rows that were not looked at are asked for.
let choosingAll = null;

export function press(event) {
  if (list.total === null) return;
  const at = state.noteID ? indexOf(state.noteID) : -1;
  const page = rowsOnAPage();
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: list.total - 1 };
  const row = at >= 0 ? rowAt(at) : null;
  if (event.altKey && event.key in steps) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && letterOf(event) === "A") {
    event.preventDefault();
    choosingAll = chooseAll().finally(() => (choosingAll = null));
    return;
  }
  if (event.key in steps && list.total > 0) {
    const next = Math.max(0, Math.min(list.total - 1, steps[event.key]));
    stepTo(next, event.shiftKey);
  } else if (event.key === "Enter" && row) {
    state.column = "page";
    document.querySelector(".ProseMirror")?.focus();
  } else if ((event.key === "Delete" || (event.key === "Backspace" && event.metaKey)) && (row || chosen.size > 1 || choosingAll)) {
    removeChosen(row, at);
  } else if (event.key === "F2" && row) {
    document.querySelector(".title-field")?.focus();
    document.querySelector(".title-field")?.select();
  } else if (event.key === "Escape" && (chosen.size > 0 || isChoosing)) {
    forgetChosen();
  } else {
    return;
  }
  event.preventDefault();
  changed();
}

function stepTo(index, isExtending) {
  bringIntoSight(index);
  if (isExtending) {
    anchorIndex ??= Math.max(0, indexOf(state.noteID));
    chooseThrough(index);
  } else {
    chosen.clear();
    anchorIndex = index;
  }
  clearTimeout(opening);
  const open = () => {
    const row = rowAt(index);
    if (row) go(state.place, row.id, { replace: true });
    else opening = setTimeout(open, 60);
  };
  open();
}

async function removeChosen(row, at) {
  await choosingAll;
  const rows = row ? actOn(row) : chosenRows();
  if (rows.length > 0) await removeRows(rows, at);
}

async function removeRows(rows, at) {
  const next = rowAt(at + 1) ?? rowAt(at - 1);
  chosen.clear();
  if (state.place === "trash") {
    for (const row of rows) if (!(await askDeleteForever(row))) break;
  } else {
    trashNotes(rows);
  }
  if (rows.length === 1 && next) go(state.place, next.id, { replace: true });
}

// MARK: - What is asked

export async function askDeleteForever(note) {
  const yes = await confirm({ title: "Delete for good?", text: `“${titleOf(note)}” will be gone, with its picture and its history.`, yes: "Delete" });
  if (yes) await deleteForever(note);
  return yes;
}

export async function askWhere(notes) {
  const target = await chooseFolder({ title: notes.length === 1 ? `Move “${titleOf(notes[0])}” to…` : `Move ${notes.length} notes to…` });
  if (target) {
    forgetChosen();
    await moveNotes(notes, target.folder);
  }
}

export function rowMenu(row) {
  if (row.trashed) {
    return [
      { name: "Restore", icon: "rotate-ccw", run: () => restoreNote(row) },
      { name: "Delete for good…", icon: "trash-2", isBad: true, run: () => askDeleteForever(row) },
    ];
  }
  const notes = actOn(row);
  const isOne = notes.length === 1;
  return [
    isOne && { name: "Open", icon: "file-text", keys: "Enter", run: () => go(state.place, row.id) },
    isOne && { name: row.favourite ? "Remove from favourites" : "Add to favourites", icon: "star", run: () => changeNote(row, { favourite: !row.favourite }) },
    isOne && "line",
    ...(isOne ? STATUSES.map((status) => ({ name: status.name, isOn: row.status === status.id, run: () => changeNote(row, { status: status.id }, `Status: ${status.name}`) })) : []),
    isOne && "line",
    { name: "Move to…", icon: "folder-input", run: () => askWhere(notes) },
    { name: isOne ? "Move to trash" : `Move ${notes.length} notes to trash`, icon: "trash-2", keys: "Del", isBad: true, run: () => trashNotes(notes) },
  ];
}
