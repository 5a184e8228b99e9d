// The column of notes: its head, its search, and the rows that are in sight.

import { html, keyed, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { counted, count, dayTitle, fullDate, shortDate, time, titleOf } from "../view/words.js";
import { patch } from "../server/call.js";
import { changed, folderOf, nameOf, state, STATUSES } from "./state.js";
import { backToFolders, go } from "./route.js";
import { clearSearch, search, searchView } from "./search.js";
import { indexOf, isSearching, list, listWith, openList, rowAt, rowsOf, showHeld, shownRow, sortOf, SORTS, unsentRows, wantRows } from "./list.js";
import { changeNote, deleteForever, emptyTrash, moveNotes, restoreNote, trashNotes } from "./acts.js";
import { chooseFolder } from "./folders.js";
import { newNote } from "./page.js";
import { chooseFiles, importFiles } from "./import.js";
import { confirm } from "../view/dialog.js";

/// Rows and heads have one height each, in rem, so that the place of the 70,000th is a multiplication.
const ROW = 6.25;
const HEAD = 2.125;
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

let scroller;
let isPointed = false;
let shownSerial = -1;
export const chosen = new Set();
let isChoosing = false;
let anchorIndex = null;

listWith({ mayNotMove: () => isPointed, keepPlace });

// MARK: - Geometry

function layout() {
  const row = ROW * rem();
  const head = HEAD * rem();
  let top = 0;
  let first = 0;
  return list.sections.map((section) => {
    const headHeight = section.title ? head : 0;
    const placed = { ...section, top, first, head: headHeight, row, height: headHeight + section.count * row };
    top += placed.height;
    first += section.count;
    return placed;
  });
}

function topOf(index) {
  const section = layout().findLast((candidate) => candidate.first <= index);
  return section ? section.top + section.head + (index - section.first) * section.row : 0;
}

function keepPlace() {
  if (!scroller || scroller.scrollTop < 4) return () => {};
  const first = firstInSight();
  const id = rowAt(first)?.id;
  const before = scroller.scrollTop - topOf(first);
  return () => {
    const now = id === undefined ? -1 : indexOf(id);
    if (now >= 0 && now !== first) scroller.scrollTop = topOf(now) + before;
  };
}

function firstInSight() {
  const section = layout().findLast((candidate) => candidate.top <= scroller.scrollTop);
  if (!section) return 0;
  return section.first + Math.max(0, Math.floor((scroller.scrollTop - section.top - section.head) / section.row));
}

function bringIntoSight(index) {
  const top = topOf(index);
  const height = ROW * rem();
  const head = list.sections.some((section) => section.title) ? HEAD * rem() : 0;
  if (top - head < scroller.scrollTop) scroller.scrollTop = top - head;
  else if (top + height > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + height - scroller.clientHeight;
}

// MARK: - The column

export function listView() {
  const isEmpty = list.total === 0 && !list.isLoading && unsentRows().length === 0;
  return html`
    <header class="list-head">
      <button class="plain back" aria-label="Back to folders" @click=${backToFolders}>${icon("chevron-left")}</button>
      <h1 class="list-title" tabindex="-1">${nameOf(state.place)}</h1>
      <span class="list-count" aria-label=${list.total === null ? null : counted(list.total, "note", "notes")}>${list.total === null ? "" : count(list.total)}</span>
      <button class="plain" aria-label="Sort order" aria-haspopup="menu" title="Sort order" @click=${openSorts}>${icon("arrow-down-up")}</button>
      <button class="plain" aria-label="More for this list" aria-haspopup="menu" title="More" @click=${openMore}>${icon("ellipsis")}</button>
      <button class="main square" aria-label="New note" title="New note (Alt N)" ?disabled=${state.place === "trash"} @click=${() => newNote()}>${icon("square-pen")}</button>
    </header>
    ${searchView()}
    ${state.place === "trash" ? trashHead() : null}
    ${chosen.size > 1 || isChoosing ? chosenBar() : null}
    <div class="list-body" @dragover=${dragFilesOver} @drop=${dropFiles}>
      <div class="rows" role="listbox" tabindex="0" aria-label=${`Notes in ${nameOf(state.place)}`} aria-multiselectable="true"
        aria-busy=${String(list.isLoading)}
        ref=${openScroller} @scroll=${drawRows} @keydown=${press}
        @pointerenter=${() => (isPointed = true)} @pointerleave=${() => { isPointed = false; showHeld(); }}></div>
      ${list.held ? html`<button class="held" @click=${showHeld}>${icon("refresh-cw")}The list has changed</button>` : null}
      ${isEmpty ? emptyView() : null}
      ${list.isLoading && list.total === null ? html`<div class="spinner" role="status"><span class="sr">Loading notes</span></div>` : null}
    </div>`;
}

function openScroller(element) {
  scroller = element;
  new ResizeObserver(() => drawRows()).observe(element);
}

/// Drawn apart from the rest: scrolling changes nothing else.
export function drawRows() {
  if (!scroller) return;
  if (shownSerial !== list.serial) {
    if (list.isLoading) scroller.scrollTop = 0;
    shownSerial = list.serial;
  }
  render(rowsView(), scroller);
  showActiveRow();
}

/// The row that has the focus in the list's name, while it is in the page.
function showActiveRow() {
  const id = `row-${state.noteID}`;
  if (document.getElementById(id)) scroller.setAttribute("aria-activedescendant", id);
  else scroller.removeAttribute("aria-activedescendant");
}

function rowsView() {
  const sections = layout();
  const height = sections.at(-1) ? sections.at(-1).top + sections.at(-1).height : 0;
  const above = Math.max(0, scroller.scrollTop - scroller.clientHeight * 0.6);
  const below = scroller.scrollTop + scroller.clientHeight * 1.6;
  const inSight = sections.filter((section) => section.top < below && section.top + section.height > above);
  let first = null;
  let last = 0;
  const shown = inSight.map((section) => {
    const from = Math.max(0, Math.floor((above - section.top - section.head) / section.row));
    const to = Math.min(section.count, Math.ceil((below - section.top - section.head) / section.row));
    first ??= section.first + from;
    last = Math.max(last, section.first + to);
    return keyed(section.name, sectionView(section, from, to));
  });
  if (first !== null) wantRows(first, last);
  return html`
    ${unsentView()}
    <div class="all-rows" role="presentation" $height=${`${height}px`}>${shown}</div>`;
}

function unsentView() {
  const rows = unsentRows();
  if (rows.length === 0) return null;
  return html`<div role="group" aria-label="Waiting to be sent">
    ${rows.map((note) => keyed(note.id, html`
      <div class="row unsent" role="option" id=${`row-${note.id}`} aria-selected=${String(state.noteID === note.id)}
        @click=${() => go(state.place, note.id)}>
        <div class="row-title">${icon("cloud-off")}<span class="row-name">${titleOf(note)}</span></div>
        <div class="row-excerpt">Waiting to be sent</div>
      </div>`))}
  </div>`;
}

function sectionView(section, from, to) {
  const rows = [];
  for (let at = from; at < to; at++) {
    const row = shownRow(rowAt(section.first + at));
    const top = `${section.head + at * section.row}px`;
    rows.push(row ? keyed(row.id, rowView(row, section.first + at, top)) : keyed(`…${at}`, ghostView(top)));
  }
  const title = /^\d{4}-\d\d-\d\d$/.test(section.name) ? dayTitle(section.name) : section.title;
  return html`
    <div class="section" role=${section.title ? "group" : "presentation"} aria-label=${section.title ? `${title}, ${counted(section.count, "note", "notes")}` : null}
      $top=${`${section.top}px`} $height=${`${section.height}px`}>
      ${section.title ? html`<div class="section-head" aria-hidden="true"><span>${title}</span><span>${count(section.count)}</span></div>` : null}
      ${rows}
    </div>`;
}

const ghostView = (top) => html`<div class="row ghost" role="presentation" $top=${top}><i></i><i></i><i></i></div>`;

function rowView(row, index, top) {
  const isOpen = state.noteID === row.id;
  const isChosen = chosen.size > 1 || isChoosing ? chosen.has(row.id) : isOpen;
  const showsFolder = row.folder && (!state.place.startsWith("folder:") || (isSearching() && search.scope === "all"));
  return html`
    <div class=${isOpen ? "row open" : "row"} role="option" id=${`row-${row.id}`} draggable="true" aria-selected=${String(isChosen)}
      aria-setsize=${list.total} aria-posinset=${index + 1} $top=${top}
      @click=${(event) => choose(event, row, index)} @contextmenu=${contextMenu(() => rowMenu(row), `Note ${titleOf(row)}`)}
      @dragstart=${(event) => startDrag(event, row)}>
      <div class="row-title">
        ${row.favourite ? html`<span class="row-star" title="Favourite">${icon("star")}<span class="sr">Favourite:</span></span>` : null}
        <span class=${row.title?.trim() ? "row-name" : "row-name untitled"}>${marked(titleOf(row), row.hits?.title)}</span>
        <time class="row-date" datetime=${row.created} title=${fullDate(row.created)}>${sortOf(state.place) === "day" ? time(new Date(row.created)) : shortDate(row.created)}</time>
      </div>
      <div class="row-excerpt">${row.excerpt ? marked(row.excerpt, row.hits?.excerpt) : html`<span class="faint">No text yet</span>`}</div>
      <div class="row-foot">
        <span class=${`status ${row.status}`}>${STATUSES.find((status) => status.id === row.status)?.name}</span>
        ${row.attachment ? html`<span class="row-sign" title="Has a picture">${icon("image")}<span class="sr">Has a picture</span></span>` : null}
        ${showsFolder ? html`<span class="row-folder">${icon("folder")}${row.folder.name}</span>` : null}
        <span class="row-keywords">${row.keywords.map((keyword) => html`
          <span class="row-keyword"><i class="dot" $--dot=${keyword.color}></i>${keyword.name}</span>`)}</span>
      </div>
    </div>`;
}

/// A text with what was found in it marked; `hits` are [start, length] in UTF-16.
export function marked(text, hits) {
  if (!hits || hits.length === 0) return text;
  const pieces = [];
  let at = 0;
  for (const [start, length] of hits) {
    if (start < at || start + length > text.length) continue;
    pieces.push(text.slice(at, start), html`<mark>${text.slice(start, start + length)}</mark>`);
    at = start + length;
  }
  pieces.push(text.slice(at));
  return pieces;
}

// MARK: - Empty

function emptyView() {
  if (list.problem) return empty("wifi-off", list.problem, "What you read lately is still here; try another folder.");
  if (isSearching()) {
    const isHere = search.scope === "here" && state.place !== "all";
    return empty("search-x", "No notes found", isHere ? "Nothing in this place has these words." : "Try fewer or other words.",
      isHere ? html`<button @click=${() => { search.scope = "all"; openList(); }}>Search all notes</button>` : html`<button @click=${clearSearch}>Clear the search</button>`);
  }
  const write = html`<button class="main" @click=${() => newNote()}>New note</button>`;
  switch (state.place) {
    case "favourites": return empty("star", "No favourites yet", "Star a note, and it is here whatever folder it lives in.");
    case "recent": return empty("clock", "Nothing written lately", "Notes of the last days are here.", write);
    case "unfiled": return empty("inbox", "Nothing unfiled", "Notes without a folder are here, until you file them.", write);
    case "trash": return empty("trash-2", "The trash is empty", "Deleted notes stay here for 30 days.");
    case "all": return empty("notebook-pen", "No notes yet", "Write the first one, or bring your Markdown files.",
      html`${write}<button @click=${() => chooseFiles()}>Import…</button>`);
    default:
      if (state.place.startsWith("keyword:")) return empty("tag", "No notes with this keyword", "Add it to a note from the note's page.");
      return empty("folder-open", "This folder is empty", "Write a note, or drag notes here.", write);
  }
}

const empty = (drawing, title, text, acts = null) => html`
  <div class="empty">${icon(drawing)}<h2>${title}</h2><p>${text}</p>${acts ? html`<div class="empty-acts">${acts}</div>` : null}</div>`;

const trashHead = () => html`
  <div class="notice">
    <span>Deleted for good after 30 days.</span>
    <button class="small-text" ?disabled=${!list.total && !state.overview?.trashedFolders?.length} @click=${askEmptyTrash}>Empty trash</button>
  </div>`;

export async function askEmptyTrash() {
  const yes = await confirm({ title: "Empty the trash?", text: "All notes and folders in the trash will be deleted for good.", yes: "Empty trash" });
  if (yes) emptyTrash();
}

// MARK: - Choosing

function choose(event, row, index) {
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

const chosenBar = () => html`
  <div class="notice chosen" role="group" aria-label="Chosen notes">
    <span role="status">${counted(chosen.size, "note", "notes")} chosen</span>
    <button class="small-text" ?disabled=${chosen.size === 0} @click=${() => askWhere(chosenRows())}>Move…</button>
    <button class="small-text" ?disabled=${chosen.size === 0} @click=${() => { const rows = chosenRows(); forgetChosen(); trashNotes(rows); }}>Trash</button>
    <button class="small-text" @click=${forgetChosen}>Done</button>
  </div>`;

export function forgetChosen() {
  chosen.clear();
  isChoosing = false;
  changed();
}

const chosenRows = () => rowsOf(chosen);
const actOn = (row) => (chosen.size > 1 && chosen.has(row.id) ? chosenRows() : [row]);

let opening;

function press(event) {
  if (list.total === null) return;
  const at = state.noteID ? indexOf(state.noteID) : -1;
  const page = Math.max(1, Math.floor(scroller.clientHeight / (ROW * rem())) - 1);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: list.total - 1 };
  const row = at >= 0 ? rowAt(at) : null;
  if (event.altKey && event.key in steps) return;
  if (event.key in steps && list.total > 0) {
    const next = Math.max(0, Math.min(list.total - 1, steps[event.key]));
    stepTo(next, event.shiftKey);
  } else if (event.key === "Enter" && row) {
    state.column = "page";
    document.querySelector(".ProseMirror")?.focus();
  } else if ((event.key === "Delete" || (event.key === "Backspace" && event.metaKey)) && row) {
    removeRows(actOn(row), at);
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

async function removeRows(rows, at) {
  const next = rowAt(at + 1) ?? rowAt(at - 1);
  chosen.clear();
  if (state.place === "trash") {
    for (const row of rows) await askDeleteForever(row);
  } else {
    trashNotes(rows);
  }
  if (rows.length === 1 && next) go(state.place, next.id, { replace: true });
}

export async function askDeleteForever(note) {
  const yes = await confirm({ title: "Delete for good?", text: `“${titleOf(note)}” will be gone, with its picture and its history.`, yes: "Delete" });
  if (yes) await deleteForever(note);
}

export async function askWhere(notes) {
  const target = await chooseFolder({ title: notes.length === 1 ? `Move “${titleOf(notes[0])}” to…` : `Move ${notes.length} notes to…` });
  if (target) {
    forgetChosen();
    await moveNotes(notes, target.folder);
  }
}

// MARK: - Menus

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

function openSorts(event) {
  const now = sortOf(state.place);
  openMenu(event.currentTarget, SORTS.map((sort) => ({ name: sort.name, isOn: sort.id === now, run: () => setSort(sort.id) })), "Sort order");
}

function setSort(sort) {
  localStorage.setItem(`sort:${state.place}`, sort);
  const folder = folderOf(state.place);
  if (folder) {
    folder.sort = sort;
    // How a folder is looked at is not worth a message when it cannot be kept.
    patch(`/folders/${folder.id}`, { sort }).catch(() => {});
  }
  openList();
}

function openMore(event) {
  const isTrash = state.place === "trash";
  openMenu(event.currentTarget, [
    !isTrash && { name: "New note", icon: "square-pen", keys: "Alt N", run: () => newNote() },
    !isTrash && { name: "Choose several", icon: "list-checks", run: () => { isChoosing = true; changed(); } },
    !isTrash && { name: "Import files…", icon: "import", run: () => chooseFiles() },
    isTrash && { name: "Empty trash…", icon: "trash-2", isBad: true, run: askEmptyTrash },
  ], "More for this list");
}

// MARK: - Dragging

function startDrag(event, row) {
  const notes = actOn(row);
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("application/x-slipbox-notes", JSON.stringify(notes.map(({ id, title }) => ({ id, title }))));
  event.dataTransfer.setData("text/plain", notes.map(titleOf).join("\n"));
}

const hasFiles = (event) => event.dataTransfer.types.includes("Files");

function dragFilesOver(event) {
  if (!hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
}

function dropFiles(event) {
  if (!hasFiles(event)) return;
  event.preventDefault();
  importFiles([...event.dataTransfer.files]);
}
