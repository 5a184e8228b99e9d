// The tree of folders: one of its items can have the focus, arrows go about in it.

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed, render } from "../view/template.js";
import { treeKey } from "../view/treeKeys.js";
import { count, counted } from "../view/words.js";
import { go } from "../model/route.js";
import { folderOf, state } from "../model/state.js";
import { childrenOf, setOpen, visible } from "../model/tree.js";
import { renameFolder } from "../acts/acts.js";
import { askDelete, askMoveFolder, askRename, moveAmongSiblings, newFolder } from "../acts/filing.js";
import { takeActs } from "./switcher.js";
import { dragOver, dropClass, dropOn, leaveDrag, startFolderDrag, takesFolders } from "./dragging.js";

export const TREE_HELP = "tree";
let focused = null;
let renaming = null;

// MARK: - The tree

/// The tree itself; what is in it is drawn apart (`drawFolders`), so that scrolling changes nothing else.
export function folderTree() {
  const items = visible();
  if (items.length === 0) return html`<p class="side-empty">${say`No folders yet.`} <button class="link" @click=${() => newFolder()}>${say`Make one`}</button></p>`;
  return html`
    <div class=${items.length > MANY ? "tree many" : "tree"} role="tree" aria-labelledby="folders-title" $height=${items.length > MANY ? `${items.length * heightOfItem()}px` : "auto"}
      @keydown=${press} ref=${(element) => openTree(element)}></div>`;
}

/// Of more items than these, only those in sight are in the page.
const MANY = 100;
let tree;

function openTree(element) {
  tree = element;
  takesFolders(element);
  // The element is put into the page right after.
  queueMicrotask(() => element.closest(".side-body").addEventListener("scroll", drawFolders, { passive: true }));
}

export function drawFolders() {
  if (!tree?.isConnected) return;
  const items = visible();
  if (items.length === 0) return;
  const here = folderOf(state.place)?.id;
  const places = new Map(items.map((item, index) => [item.folder.id, index]));
  const tabStop = [focused, here].find((id) => places.has(id)) ?? items[0].folder.id;
  const isMany = items.length > MANY;
  const height = isMany && heightOfItem();
  const shown = isMany ? inSight(items.length, height, [places.get(tabStop), places.get(renaming)]) : [...items.keys()];
  render(shown.map((index) => keyed(items[index].folder.id, itemView(items[index], here, tabStop, isMany ? `${index * height}px` : "auto"))), tree);
}

/// The places of the items in sight, and of those that have the focus or are renamed.
function inSight(count, height, others) {
  const scroller = tree.closest(".side-body");
  const above = scroller.getBoundingClientRect().top - tree.getBoundingClientRect().top;
  const first = Math.max(0, Math.floor((above - scroller.clientHeight / 2) / height));
  const last = Math.min(count - 1, Math.ceil((above + scroller.clientHeight * 1.5) / height));
  const shown = new Set(others.filter((index) => index !== undefined));
  for (let index = first; index <= last; index++) shown.add(index);
  return [...shown].sort((one, other) => one - other);
}

/// In pixels, as the style sheet has it: it depends on whether fingers press the items.
function heightOfItem() {
  const target = getComputedStyle(document.documentElement).getPropertyValue("--target");
  return parseFloat(target) * (target.trim().endsWith("rem") ? parseFloat(getComputedStyle(document.documentElement).fontSize) : 1);
}

function itemView(item, here, tabStop, top) {
  const { folder } = item;
  return html`
    <div class=${`place folder ${dropClass(folder)}`} role="treeitem" id=${`folder-${folder.id}`} draggable=${renaming === folder.id ? "false" : "true"}
      aria-level=${item.level} aria-posinset=${item.place} aria-setsize=${item.size}
      aria-expanded=${item.hasChildren ? String(item.isOpen) : null} aria-selected=${String(here === folder.id)}
      aria-label=${`${folder.name}, ${counted(folder.count, "note", "notes")}`}
      tabindex=${tabStop === folder.id ? "0" : "-1"} $--level=${item.level} $top=${top}
      data-folder=${folder.id}
      @click=${() => go(`folder:${folder.id}`)} @focus=${() => (focused = folder.id)}
      @dblclick=${() => beginRename(folder)} @contextmenu=${contextMenu(() => folderMenu(folder), say`Folder ${folder.name}`)}
      @dragstart=${(event) => startFolderDrag(event, folder)} @dragover=${(event) => dragOver(event, folder)}
      @dragleave=${leaveDrag} @drop=${(event) => dropOn(event, folder)}>
      <span class=${item.isOpen ? "twist open" : "twist"} aria-hidden="true"
        @click=${(event) => { event.stopPropagation(); setOpen(folder, !item.isOpen); }}>${item.hasChildren ? icon("chevron-right") : null}</span>
      ${icon(item.isOpen && item.hasChildren ? "folder-open" : "folder")}
      ${renaming === folder.id ? renameField(folder) : html`<span class="place-name">${folder.name}</span>
      <button class="plain small folder-more" tabindex="-1" aria-label=${say`More for ${folder.name}`} @click=${(event) => {
        event.stopPropagation();
        openMenu(event.currentTarget, folderMenu(folder), say`Folder ${folder.name}`);
      }}>${icon("ellipsis")}</button>
      <span class="place-count">${folder.count ? count(folder.count) : null}</span>`}
    </div>`;
}

function press(event) {
  if (event.target.matches("input")) return;
  const items = visible();
  const at = items.findIndex((item) => item.folder.id === event.target.dataset.folder);
  if (at < 0) return;
  const { folder } = items[at];
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
  if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) moveAmongSiblings(folder, event.key === "ArrowUp" ? -1 : 1);
  else if (event.key === "F2" && isPlain) beginRename(folder);
  else if (event.key === "Delete" && isPlain) askDelete(folder);
  else if (!treeKey(event, items.map(asItem), at, { focus: focusFolder, setOpen, choose: (item) => go(`folder:${item.id}`) })) return;
  event.preventDefault();
  event.stopPropagation();
}

const asItem = ({ folder, isOpen, hasChildren }) => ({ id: folder.id, name: folder.name, parent: folder.parent, isOpen, hasChildren });

function focusFolder(id) {
  if (!id) return;
  focused = id;
  changed();
  queueMicrotask(() => document.getElementById(`folder-${id}`)?.focus());
}

// MARK: - Renaming in place

function beginRename(folder) {
  renaming = folder.id;
  changed();
}

const renameField = (folder) => html`
  <input class="rename" aria-label=${say`Name of the folder`} maxlength="200" value=${folder.name}
    ref=${(input) => queueMicrotask(() => { input.focus(); input.select(); })}
    @click=${(event) => event.stopPropagation()} @dblclick=${(event) => event.stopPropagation()}
    @keydown=${(event) => {
      event.stopPropagation();
      if (isComposing(event)) return;
      if (event.key === "Enter") endRename(folder, event.target.value);
      if (event.key === "Escape") endRename(folder, folder.name);
    }}
    @blur=${(event) => renaming === folder.id && endRename(folder, event.target.value, false)} />`;

function endRename(folder, text, keepsFocus = true) {
  renaming = null;
  const name = text.trim();
  if (name && name !== folder.name) {
    renameFolder(folder, name);
    folder.name = name;
  }
  changed();
  if (keepsFocus) focusFolder(folder.id);
}

// MARK: - Menu

takeActs(() => {
  const folder = folderOf(state.place);
  return folder ? folderMenu(folder).map((item) => (item === "line" ? item : { ...item, name: say`Folder “${folder.name}”: ${item.name}` })) : [];
});

function folderMenu(folder) {
  const siblings = childrenOf(folder.parent);
  const at = siblings.indexOf(folder);
  return [
    { name: say`New subfolder…`, icon: "folder-plus", run: () => newFolder(folder) },
    { name: say`Rename…`, icon: "pencil", keys: "F2", run: () => askRename(folder) },
    { name: say`Move to…`, icon: "folder-input", run: () => askMoveFolder(folder) },
    { name: say`Move up`, icon: "arrow-up", keys: "Alt ↑", isOff: at <= 0, run: () => moveAmongSiblings(folder, -1) },
    { name: say`Move down`, icon: "arrow-down", keys: "Alt ↓", isOff: at === siblings.length - 1, run: () => moveAmongSiblings(folder, 1) },
    "line",
    { name: say`Delete…`, icon: "trash-2", keys: say`Del`, isBad: true, run: () => askDelete(folder) },
  ];
}
