// Dragging notes into folders and into a text, folders into and between each other, and kept searches between each other.
// All of it is in the menus too.

import { changed } from "../view/drawing.js";
import { titleOf } from "../view/words.js";
import { folderOf } from "../model/state.js";
import { childrenOf, within } from "../model/tree.js";
import { moveFolder, moveNotes } from "../acts/acts.js";
import { moveInto } from "../acts/filing.js";
import { moveSearch } from "../acts/searches.js";

const NOTES = "application/x-slipbox-notes";
const FOLDER = "application/x-slipbox-folder";
const SEARCH = "application/x-slipbox-search";

let dropTarget = null;

export function startNotesDrag(event, notes) {
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData(NOTES, JSON.stringify(notes.map(({ id, title }) => ({ id, title }))));
  event.dataTransfer.setData("text/plain", notes.map(titleOf).join("\n"));
}

/// The notes of the list that are let go elsewhere.
export function notesIn(transfer) {
  const notes = transfer?.getData(NOTES);
  return notes ? JSON.parse(notes) : [];
}

export function startFolderDrag(event, folder) {
  event.stopPropagation();
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData(FOLDER, folder.id);
  event.dataTransfer.setData("text/plain", folder.name);
}

// MARK: - Over folders

export const dropClass = (folder) => (dropTarget?.id === folder.id ? `drop-${dropTarget.where}` : "");

export function dragOver(event, folder) {
  const types = event.dataTransfer.types;
  if (!types.includes(NOTES) && !types.includes(FOLDER)) return;
  event.preventDefault();
  event.stopPropagation();
  event.dataTransfer.dropEffect = "move";
  setDrop(folder.id, types.includes(FOLDER) ? whereIn(event) : "into");
}

/// A folder goes into the middle of another, or before or after it at its edges.
function whereIn(event) {
  const box = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - box.top) / box.height;
  return part < 0.25 ? "before" : part > 0.75 ? "after" : "into";
}

function setDrop(id, where) {
  if (dropTarget?.id === id && dropTarget.where === where) return;
  dropTarget = id ? { id, where } : null;
  changed();
}

export const leaveDrag = (event) => event.currentTarget.contains(event.relatedTarget) || setDrop(null);

export function dropOn(event, folder) {
  event.preventDefault();
  event.stopPropagation();
  const where = dropTarget?.where ?? "into";
  setDrop(null);
  const notes = notesIn(event.dataTransfer);
  if (notes.length > 0) return moveNotes(notes, folder);
  const moved = folderOf(`folder:${event.dataTransfer.getData(FOLDER)}`);
  if (!moved || within(moved).includes(folder)) return;
  if (where === "into") return moveInto(moved, folder);
  const siblings = childrenOf(folder.parent).filter((one) => one !== moved);
  const parent = folder.parent ? folderOf(`folder:${folder.parent}`) : null;
  moveFolder(moved, parent, siblings.indexOf(folder) + (where === "after" ? 1 : 0));
}

// MARK: - Over kept searches

export function startSearchDrag(event, search) {
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData(SEARCH, search.id);
  event.dataTransfer.setData("text/plain", search.text);
}

export function dragOverSearch(event, search) {
  if (!event.dataTransfer.types.includes(SEARCH)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
  const box = event.currentTarget.getBoundingClientRect();
  setDrop(search.id, event.clientY < box.top + box.height / 2 ? "before" : "after");
}

export function dropOnSearch(event, search, searches) {
  const moved = searches.find((one) => one.id === event.dataTransfer.getData(SEARCH));
  if (!moved) return;
  event.preventDefault();
  const isBehind = dropTarget?.where === "after";
  setDrop(null);
  const others = searches.filter((one) => one !== moved);
  if (moved !== search) moveSearch(moved, others.indexOf(search) + (isBehind ? 1 : 0));
}

// MARK: - Other places

/// A folder dropped beside the tree's items goes to the top level.
export function takesFolders(tree) {
  tree.addEventListener("dragover", (event) => event.dataTransfer.types.includes(FOLDER) && event.preventDefault());
  tree.addEventListener("drop", (event) => {
    const moved = folderOf(`folder:${event.dataTransfer.getData(FOLDER)}`);
    if (moved) moveFolder(moved, null);
  });
}

/// Makes an element a place where notes can be dropped.
export function takesNotes(element, take) {
  element.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes(NOTES)) return;
    event.preventDefault();
    element.classList.add("drop-into");
  });
  element.addEventListener("dragleave", () => element.classList.remove("drop-into"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("drop-into");
    const notes = notesIn(event.dataTransfer);
    if (notes.length > 0) take(notes);
  });
}
