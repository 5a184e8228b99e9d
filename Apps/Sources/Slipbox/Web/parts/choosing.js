// Choosing notes in the list, one or several, and what is done with them: by pointer, by key, by menu.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { counted, letterOf } from "../view/words.js";
import { actOn, chooseAll, chosen, chosenComing, chosenRows, forgetChosen, isAnyChosen, isChoosingSeveral, stepOnto } from "../model/chosen.js";
import { indexOf, list, listComing, rowAt, shownQuery, unsentRows } from "../model/list.js";
import { MARKS, markItems, markItemsOfMany } from "../model/marks.js";
import { go } from "../model/route.js";
import { state, STATUSES } from "../model/state.js";
import { hasRoomForTabs, noteBeside } from "../model/tabs.js";
import { changeNote, restoreNote, trashNotes } from "../acts/acts.js";
import { askDeleteForever, askWhere } from "../acts/asking.js";
import { exportNotes } from "../acts/importing.js";
import { askKeyword, askMerge, askReplace, editNotes } from "../acts/many.js";
import { besideActFor } from "./beside.js";
import { front, openPanes } from "./panes.js";
import { takeActs } from "./switcher.js";
import { openInTab } from "./tabActs.js";

export const chosenBar = () => html`
  <div class="notice chosen" role="group" aria-label=${say`Chosen notes`}>
    <span role="status">${say`${counted(chosen.size, "note", "notes")} chosen`}</span>
    <button class="small-text" ?disabled=${chosen.size === 0} @click=${() => askWhere(chosenRows())}>${say`Move…`}</button>
    <button class="small-text" ?disabled=${chosen.size === 0} @click=${() => { const rows = chosenRows(); forgetChosen(); trashNotes(rows); }}>${say`Trash`}</button>
    <button class="plain small" aria-label=${say`More for the chosen notes`} title=${say`More`} aria-haspopup="menu" ?disabled=${chosen.size === 0} @click=${(event) => openMenu(event.currentTarget, manyMenu(chosenRows()), say`Chosen notes`)}>${icon("ellipsis")}</button>
    <button class="small-text" @click=${forgetChosen}>${say`Done`}</button>
  </div>`;

/// What is done with several notes, beside moving and deleting.
const manyMenu = (notes) => [
  { name: say`Keyword…`, icon: "tag", run: () => askKeyword(notes) },
  ...STATUSES.map((status) => ({ name: say`Status: ${status.name}`, icon: "check", run: () => editNotes(notes, { status: status.id }, say`status ${status.name}`) })),
  ...markItemsOfMany((edit, said) => editNotes(notes, edit, said)),
  notes.length > 1 && { name: say`Merge into one note…`, icon: "notebook-text", run: () => mergeNotes(notes) },
  { name: say`Replace words…`, icon: "pencil", run: () => askReplace(notes) },
  { name: say`Export…`, icon: "file-down", run: () => exportNotes(notes) },
];

takeActs(() => (chosen.size === 0 ? [] : [
  ...manyMenu(chosenRows()).filter(Boolean),
  { name: say`Move to…`, icon: "folder-input", run: () => askWhere(chosenRows()) },
  { name: say`Move to trash`, icon: "trash-2", run: () => { const rows = chosenRows(); forgetChosen(); trashNotes(rows); } },
  { name: say`Choose none`, icon: "x", run: forgetChosen },
].map((act) => ({ ...act, name: `${counted(chosen.size, "chosen note", "chosen notes")}: ${act.name}` }))));

/// Texts that are not saved yet are saved before.
async function mergeNotes(notes) {
  await Promise.all(openPanes().map((pane) => pane.saveNow()));
  if ((await askMerge(notes)) !== null) forgetChosen();
}

// MARK: - Keys

let opening;

/// Keys that mean nothing before the rows are here, with the open one among them.
const KEYS_OF_ROWS = ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "Enter", "Delete", "Backspace", "F2"];

/// `rows` knows what is in sight: `bringIntoSight(index)` and `rowsOnAPage()`.
export function press(event, rows) {
  const at = state.noteID ? indexOf(state.noteID) : -1;
  const areRowsHere = list.total !== null && !list.isLoading && (!state.noteID || at >= 0);
  if (!areRowsHere && KEYS_OF_ROWS.includes(event.key) && listComing()) return pressOnceListed(event, rows);
  if (list.total === null) return;
  const page = rows.rowsOnAPage();
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: list.total - 1 };
  const row = at >= 0 ? rowAt(at) : unsentRows().find(({ id }) => id === state.noteID);
  if (event.altKey && event.key in steps) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && letterOf(event) === "A") {
    event.preventDefault();
    chooseAll();
    return;
  }
  if (!event.shiftKey && stepAmongUnsent({ ArrowDown: 1, ArrowUp: -1 }[event.key], at)) {
    clearTimeout(opening);
  } else if (event.key in steps && list.total > 0) {
    const next = besidePast(Math.max(0, Math.min(list.total - 1, steps[event.key])), at);
    rows.bringIntoSight(next);
    stepTo(next, event.shiftKey);
  } else if (event.key === "Enter" && row) {
    state.column = "page";
    front().field?.focus();
  } else if ((event.key === "Delete" || (event.key === "Backspace" && event.metaKey)) && (row || isChoosingSeveral() || chosenComing())) {
    removeChosen(row, at);
  } else if (event.key === "F2" && row) {
    front().title.focus({ isAll: true });
  } else if (event.key === "Escape" && isAnyChosen()) {
    forgetChosen();
  } else {
    return;
  }
  event.preventDefault();
  changed();
}

/// The note that is open on the other side is passed over: one would go to that side, and replace it with the next step.
function besidePast(next, at) {
  if (Math.abs(next - at) !== 1 || !noteBeside() || rowAt(next)?.id !== noteBeside()) return next;
  const past = next + (next - at);
  return past < 0 || past >= list.total ? at : past;
}

/// A key that was pressed while the list came acts on what was open then, or not at all.
async function pressOnceListed(event, rows) {
  const { place, noteID } = state;
  event.preventDefault();
  await listComing();
  if (state.place === place && state.noteID === noteID) press(event, rows);
}

function stepTo(index, isExtending) {
  stepOnto(index, isExtending);
  clearTimeout(opening);
  const { place, noteID } = state;
  const wanted = shownQuery();
  const open = () => {
    // Whoever has gone elsewhere before the row was here stays there.
    if (state.place !== place || state.noteID !== noteID || shownQuery() !== wanted) return;
    const row = rowAt(index);
    if (row) go(state.place, row.id, { replace: true });
    else opening = setTimeout(open, 60);
  };
  open();
}

/// The notes that wait to be sent stand above the others. False where the step does not lead to one of them.
function stepAmongUnsent(by, at) {
  const unsent = unsentRows();
  const here = unsent.findIndex(({ id }) => id === state.noteID);
  const isNear = here >= 0 || (at <= 0 && by < 0);
  if (!by || !isNear || unsent.length === 0) return false;
  const next = unsent[here >= 0 ? Math.max(0, here + by) : unsent.length - 1];
  if (!next) return false;
  chosen.clear();
  go(state.place, next.id, { replace: true });
  queueMicrotask(() => document.getElementById(`row-${next.id}`)?.scrollIntoView({ block: "nearest" }));
  return true;
}

async function removeChosen(row, at) {
  await chosenComing();
  const rows = row && !isChoosingSeveral() ? [row] : chosenRows();
  if (rows.length > 0) await removeRows(rows, at);
}

async function removeRows(rows, at) {
  const next = rows.length === 1 && rows[0].id === state.noteID ? rowAt(at + 1) ?? rowAt(at - 1) : null;
  chosen.clear();
  if (state.place === "trash") {
    for (const row of rows) if (!(await askDeleteForever(row))) return;
  } else {
    trashNotes(rows);
  }
  if (next) go(state.place, next.id, { replace: true });
}

// MARK: - The menu of a row

export function rowMenu(row) {
  if (row.trashed) {
    return [
      { name: say`Restore`, icon: "rotate-ccw", run: () => restoreNote(row) },
      { name: say`Delete for good…`, icon: "trash-2", isBad: true, run: () => askDeleteForever(row) },
    ];
  }
  const notes = actOn(row);
  const isOne = notes.length === 1;
  return [
    isOne && { name: say`Open`, icon: "file-text", keys: "Enter", run: () => go(state.place, row.id) },
    isOne && hasRoomForTabs() && { name: say`Open in a new tab`, icon: "plus", run: () => openInTab(row.id, { title: row.title }) },
    isOne && besideActFor(row.id) && { name: say`Open beside`, icon: "columns", run: besideActFor(row.id, { title: row.title }) },
    ...(isOne ? markItems(row, MARKS.filter(({ isInRow }) => isInRow), (edit, said) => changeNote(row, edit, said)) : []),
    isOne && "line",
    ...(isOne ? STATUSES.map((status) => ({ name: status.name, isOn: row.status === status.id, run: () => changeNote(row, { status: status.id }, say`Status: ${status.name}`) })) : []),
    isOne && "line",
    ...(isOne ? [] : [...manyMenu(notes), "line"]),
    { name: say`Move to…`, icon: "folder-input", run: () => askWhere(notes) },
    { name: isOne ? say`Move to trash` : say`Move ${counted(notes.length, "note", "notes")} to trash`, icon: "trash-2", keys: say`Del`, isBad: true, run: () => { if (!isOne) forgetChosen(); trashNotes(notes); } },
  ];
}
