// The folders as a tree, and which of them are open.

import { changed } from "../view/drawing.js";
import { keepText, keptList } from "../view/keptTexts.js";
import { folderOf, state } from "./state.js";

const OPEN_FOLDERS = "open-folders";
let openFolders = new Set(keptList(OPEN_FOLDERS));

export const childrenOf = (parent) => (state.overview?.folders ?? []).filter((folder) => (folder.parent ?? null) === (parent ?? null));

export function within(folder) {
  return [folder, ...childrenOf(folder.id).flatMap(within)];
}

export function setOpen(folder, isOpen) {
  if (isOpen) openFolders.add(folder.id);
  else openFolders.delete(folder.id);
  keepText(OPEN_FOLDERS, JSON.stringify([...openFolders]));
  changed();
}

/// The folders one sees, from top to bottom, with their depth and their place among their siblings.
export function visible(parent = null, level = 1) {
  const children = childrenOf(parent);
  return children.flatMap((folder, index) => {
    const inside = childrenOf(folder.id);
    const isOpen = openFolders.has(folder.id);
    const item = { folder, level, isOpen, hasChildren: inside.length > 0, place: index + 1, size: children.length };
    return [item, ...(isOpen ? visible(folder.id, level + 1) : [])];
  });
}

/// Opens what is above a folder, so that it can be seen.
export function reveal(id) {
  for (let folder = folderOf(`folder:${id}`); folder?.parent; folder = folderOf(`folder:${folder.parent}`)) {
    if (!openFolders.has(folder.parent)) setOpen({ id: folder.parent }, true);
  }
}

export function pathOfFolder(folder) {
  const parent = folder.parent ? folderOf(`folder:${folder.parent}`) : null;
  return parent ? `${pathOfFolder(parent)} › ${folder.name}` : folder.name;
}
