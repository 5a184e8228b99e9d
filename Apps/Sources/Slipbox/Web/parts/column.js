// The column of notes: its head, its search, the list, and what stands there when the list is empty.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { keepText } from "../view/keptTexts.js";
import { openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { count, counted } from "../view/words.js";
import { patch } from "../server/call.js";
import { beginChoosing, isChoosingSeveral } from "../model/chosen.js";
import { everyRow, list, openList, showHeld, sortKey, sortOf, sorts, unsentRows } from "../model/list.js";
import { propertyNames } from "../model/properties.js";
import { backToFolders, go } from "../model/route.js";
import { isSearching, search } from "../model/searching.js";
import { folderOf, nameOf, state } from "../model/state.js";
import { askEmptyTrash } from "../acts/asking.js";
import { chooseFiles, chooseFolder, importDropped } from "../acts/importing.js";
import { newFromTemplate, openRandom } from "../acts/kit.js";
import { askReplace, replacedHere } from "../acts/many.js";
import { chosenBar } from "./choosing.js";
import { chooseColumn, columnActs, sortItems } from "./columns.js";
import { newNote } from "./opening.js";
import { rowsFrame } from "./rows.js";
import { clearSearch, searchView } from "./search.js";
import { takeActs } from "./switcher.js";

export function listView() {
  const isEmpty = list.total === 0 && !list.isLoading && unsentRows().length === 0;
  return html`
    <header class="list-head">
      <button class="plain back" aria-label=${say`Back to folders`} @click=${backToFolders}>${icon("chevron-left")}</button>
      <h1 class="list-title" tabindex="-1">${nameOf(state.place)}</h1>
      <span class="list-count" aria-label=${list.total === null ? null : counted(list.total, "note", "notes")}>${list.total === null ? "" : count(list.total)}</span>
      <button class="plain" aria-label=${say`Sort order`} aria-haspopup="menu" title=${say`Sort order`} @click=${openSorts}>${icon("arrow-down-up")}</button>
      <button class="plain" aria-label=${say`More for this list`} aria-haspopup="menu" title=${say`More`} @click=${openMore}>${icon("ellipsis")}</button>
      <button class="main square" aria-label=${say`New note`} title=${say`New note (Alt N)`} ?disabled=${state.place === "trash"} @click=${() => newNote()}>${icon("square-pen")}</button>
    </header>
    ${searchView()}
    ${state.place === "trash" ? trashHead() : null}
    ${isChoosingSeveral() ? chosenBar() : null}
    <div class="list-body" @dragover=${dragFilesOver} @drop=${dropFiles}>
      ${rowsFrame()}
      ${list.held ? html`<button class="held" @click=${showHeld}>${icon("refresh-cw")}${say`The list has changed`}</button>` : null}
      ${isEmpty ? emptyView() : null}
      ${list.isLoading && list.total === null ? html`<div class="spinner" role="status"><span class="sr">${say`Loading notes`}</span></div>` : null}
    </div>`;
}

// MARK: - Empty

function emptyView() {
  if (list.problem && list.isRefused && isSearching()) {
    return empty("search-x", list.problem, say`Some of its words are enough to find a note.`, html`<button @click=${clearSearch}>${say`Clear the search`}</button>`);
  }
  if (list.problem && isSearching()) {
    return empty("wifi-off", list.problem, say`Searching needs the server. What you read lately is still here.`, html`<button @click=${clearSearch}>${say`Clear the search`}</button>`);
  }
  if (list.problem && list.isRefused) {
    return empty("search-x", say`There is no such place`, say`The address in the browser leads to no list of notes.`, html`<button @click=${() => go("all")}>${say`All notes`}</button>`);
  }
  if (list.problem) return empty("wifi-off", list.problem, say`What you read lately is still here; try another folder.`);
  if (isSearching() && list.isOfKept) {
    return empty("wifi-off", say`Not among the notes on this device`, say`The others can be searched when the server is there again.`, html`<button @click=${clearSearch}>${say`Clear the search`}</button>`);
  }
  const replaced = isSearching() ? replacedHere() : null;
  if (replaced) {
    return empty("pencil", say`The words were replaced`, say`${replaced.said}; nothing has them here any more.`,
      html`<button @click=${replaced.undo}>${say`Undo`}</button><button @click=${clearSearch}>${say`Clear the search`}</button>`);
  }
  if (isSearching()) {
    const isHere = search.scope === "here" && state.place !== "all";
    return empty("search-x", say`No notes found`, list.advice ?? (isHere ? say`Nothing in this place has these words.` : say`Words are found by how they begin. Try fewer or other words.`),
      isHere ? html`<button @click=${() => { search.scope = "all"; openList(); }}>${say`Search all notes`}</button>` : html`<button @click=${clearSearch}>${say`Clear the search`}</button>`);
  }
  const write = html`<button class="main" @click=${() => newNote()}>${say`New note`}</button>`;
  switch (state.place) {
    case "favourites": return empty("star", say`No favourites yet`, say`Star a note, and it is here whatever folder it lives in.`);
    case "recent": return empty("clock", say`Nothing written lately`, say`Notes of the last days are here.`, write);
    case "unfiled": return empty("inbox", say`Nothing unfiled`, say`Notes without a folder are here, until you file them.`, write);
    case "trash": return empty("trash-2", say`The trash is empty`, say`Deleted notes stay here for 30 days.`);
    case "all": return empty("notebook-pen", say`No notes yet`, say`Write the first one, or bring your Markdown files.`,
      html`${write}<button @click=${() => chooseFiles()}>${say`Import…`}</button>`);
    default:
      if (state.place.startsWith("keyword:")) return empty("tag", say`No notes with this keyword`, say`Add it to a note from the note's page.`);
      return empty("folder-open", say`This folder is empty`, say`Write a note, or drag notes here.`, write);
  }
}

const empty = (drawing, title, text, acts = null) => html`
  <div class="empty">${icon(drawing)}<h2>${title}</h2><p>${text}</p>${acts ? html`<div class="empty-acts">${acts}</div>` : null}</div>`;

const trashHead = () => html`
  <div class="notice">
    <span>${say`Deleted for good after 30 days.`}</span>
    <button class="small-text" ?disabled=${!list.total && !state.overview?.trashedFolders?.length} @click=${askEmptyTrash}>${say`Empty trash`}</button>
  </div>`;

// MARK: - Menus

function openSorts(event) {
  const now = sortOf(state.place);
  openMenu(event.currentTarget, [...sorts().map((sort) => ({ name: sort.name, isOn: sort.id === now, run: () => setSort(sort.id) })), ...sortItems(setSort)], say`Sort order`);
}

function setSort(sort) {
  keepText(sortKey(state.place), sort);
  const folder = isSearching() ? null : folderOf(state.place);
  if (folder) {
    folder.sort = sort;
    keepSort(folder.id, sort);
  }
  openList();
}

/// By folder: the order that was chosen last, how many are on their way, and whether there were two of them at once.
const kept = new Map();

/// Of two that are on their way the first may come last: then the one that was chosen last is sent once more.
async function keepSort(id, sort) {
  const order = Object.assign(kept.get(id) ?? { onTheirWay: 0, wereTwo: false }, { sort });
  kept.set(id, order);
  order.wereTwo ||= order.onTheirWay > 0;
  order.onTheirWay += 1;
  // How a folder is looked at is not worth a message when it cannot be kept.
  await patch(`/folders/${id}`, { sort }).catch(() => {});
  order.onTheirWay -= 1;
  if (order.onTheirWay > 0 || !order.wereTwo) return;
  order.wereTwo = false;
  keepSort(id, order.sort);
}

function openMore(event) {
  const isTrash = state.place === "trash";
  openMenu(event.currentTarget, [
    !isTrash && { name: say`New note`, icon: "square-pen", keys: "Alt N", run: () => newNote() },
    !isTrash && { name: say`New note from a template…`, icon: "file-plus", run: newFromTemplate },
    !isTrash && { name: say`Random note of this list`, icon: "die", run: openRandom },
    propertyNames().length > 0 && { name: say`Property in the rows…`, icon: "table", run: chooseColumn },
    !isTrash && { name: say`Choose several`, icon: "list-checks", run: beginChoosing },
    !isTrash && list.total > 0 && { name: say`Replace words in these notes…`, icon: "pencil", run: replaceInAll },
    !isTrash && { name: say`Import files or an archive…`, icon: "import", run: () => chooseFiles() },
    !isTrash && { name: say`Import a folder…`, icon: "folder-input", run: () => chooseFolder() },
    isTrash && { name: say`Empty trash…`, icon: "trash-2", isBad: true, run: askEmptyTrash },
  ], say`More for this list`);
}

takeActs(() => [
  ...sorts().map((sort) => ({ name: say`Order: ${sort.name}`, icon: "arrow-down-up", run: () => setSort(sort.id) })),
  ...columnActs(setSort),
  state.place !== "trash" && list.total > 0 && { name: say`Replace words in these notes…`, icon: "pencil", run: replaceInAll },
]);

/// In all notes of the list, or all that were found.
async function replaceInAll() {
  if (list.total > MOST_AT_ONCE) return toast(say`Words can be replaced in ${count(MOST_AT_ONCE)} notes at once; this list has ${count(list.total)}.`);
  const rows = await everyRow().catch((error) => void complain(error));
  if (rows) askReplace(rows);
}

const MOST_AT_ONCE = 5000;

// MARK: - Files dropped on the list

const hasFiles = (event) => event.dataTransfer.types.includes("Files");

function dragFilesOver(event) {
  if (!hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
}

function dropFiles(event) {
  if (!hasFiles(event)) return;
  event.preventDefault();
  importDropped(event.dataTransfer);
}
