// The folders as a tree, and which of them are open.

import { changed } from "../view/drawing.js";
import { keepText, keptList } from "../view/keptTexts.js";
import { folderOf, state } from "./state.js";

const OPEN_FOLDERS = "open-folders";
let openFolders = new Set(keptList(OPEN_FOLDERS));

/// The folders within each folder, and those that one sees; made again when there are other folders.
let known = { folders: null };

function tree() {
  const folders = state.overview?.folders ?? null;
  if (known.folders !== folders || !folders) {
    const children = new Map();
    for (const folder of folders ?? []) {
      const parent = folder.parent ?? null;
      if (children.has(parent)) children.get(parent).push(folder);
      else children.set(parent, [folder]);
    }
    known = { folders, children, visible: null };
  }
  return known;
}

export const childrenOf = (parent) => tree().children.get(parent ?? null) ?? [];

export function within(folder) {
  return [folder, ...childrenOf(folder.id).flatMap(within)];
}

export function setOpen(folder, isOpen) {
  if (isOpen) openFolders.add(folder.id);
  else openFolders.delete(folder.id);
  keepText(OPEN_FOLDERS, JSON.stringify([...openFolders]));
  tree().visible = null;
  changed();
}

/// The folders one sees, from top to bottom, with their depth and their place among their siblings.
export const visible = () => (tree().visible ??= itemsIn(null, 1, []));

function itemsIn(parent, level, items) {
  const children = childrenOf(parent);
  children.forEach((folder, index) => {
    const isOpen = openFolders.has(folder.id);
    items.push({ folder, level, isOpen, hasChildren: childrenOf(folder.id).length > 0, place: index + 1, size: children.length });
    if (isOpen) itemsIn(folder.id, level + 1, items);
  });
  return items;
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
