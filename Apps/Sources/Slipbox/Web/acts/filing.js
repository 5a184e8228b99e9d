// Making folders, moving and deleting them, and choosing one.

import { isComposing } from "../view/composing.js";
import { askText, confirm, openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { html, keyed } from "../view/template.js";
import { toast } from "../view/toast.js";
import { counted, plain } from "../view/words.js";
import { newID } from "../server/call.js";
import { go } from "../model/route.js";
import { search } from "../model/searching.js";
import { folderOf, state } from "../model/state.js";
import { childrenOf, setOpen, within } from "../model/tree.js";
import { deleteFolder, moveFolder, perform, renameFolder } from "./acts.js";

export async function newFolder(parent = null) {
  const name = await askText({ title: parent ? `New folder in “${parent.name}”` : "New folder", label: "Name", yes: "Create" });
  if (!name) return;
  const id = newID();
  const made = await perform({ method: "POST", path: "/folders", body: { id, name, parent: parent?.id ?? null } });
  if (made === undefined) toast(`Folder “${name}” will be made when Slipbox is reachable`);
  if (!made) return;
  if (parent) setOpen(parent, true);
  go(`folder:${id}`);
}

export async function askRename(folder) {
  const name = await askText({ title: "Rename folder", label: "Name", value: folder.name, yes: "Rename" });
  if (name && name !== folder.name) renameFolder(folder, name);
}

export async function askDelete(folder) {
  const inside = within(folder);
  const notes = inside.reduce((sum, one) => sum + one.count, 0);
  const what = [notes ? counted(notes, "note", "notes") : null, inside.length > 1 ? counted(inside.length - 1, "subfolder", "subfolders") : null]
    .filter(Boolean).join(" and ");
  const yes = await confirm({
    title: `Delete “${folder.name}”?`,
    text: what ? `The folder goes to the trash with its ${what}. You can restore it for 30 days.` : "The folder goes to the trash. You can restore it for 30 days.",
    yes: "Delete",
  });
  if (!yes) return;
  if (inside.some((one) => state.place === `folder:${one.id}`)) go(folder.parent ? `folder:${folder.parent}` : "all", null, { replace: true });
  await deleteFolder(folder);
}

export async function askMoveFolder(folder) {
  const target = await chooseFolder({ title: `Move “${folder.name}” into…`, without: new Set(within(folder).map((one) => one.id)), none: "Top level" });
  if (target) moveInto(folder, target.folder);
}

export function moveInto(folder, parent) {
  if (parent) setOpen(parent, true);
  return moveFolder(folder, parent);
}

export function moveAmongSiblings(folder, step) {
  const siblings = childrenOf(folder.parent);
  // The folders may have been read again since its menu was opened.
  const at = siblings.findIndex((one) => one.id === folder.id) + step;
  if (at >= 0 && at < siblings.length) moveFolder(folder, folder.parent ? { id: folder.parent, name: folderOf(`folder:${folder.parent}`)?.name } : null, at);
}

/// Asks for a folder: {folder} or {folder: null} for none, null for "never mind".
export function chooseFolder({ title, without = new Set(), none = "Unfiled" }) {
  const all = (parent = null, level = 1) =>
    childrenOf(parent).filter((folder) => !without.has(folder.id)).flatMap((folder) => [{ folder, level }, ...all(folder.id, level + 1)]);
  let typed = "";
  return openDialog({
    title,
    kind: "tall",
    content: (close, draw) => {
      const found = all().filter(({ folder }) => plain(folder.name).includes(plain(typed.trim())));
      return html`
        <input class="dialog-search" data-first type="text" aria-label="Find a folder" placeholder="Find a folder" @input=${(event) => { typed = event.target.value; draw(); }}
          @keydown=${(event) => {
            if (event.key !== "Enter" || isComposing(event) || !typed || !found[0]) return;
            // The focus goes back to the button that has opened this, and the key would press it again.
            event.preventDefault();
            close({ folder: found[0].folder });
          }} />
        <div class="choices">
          ${typed ? null : html`<button class="choice" @click=${() => close({ folder: null })}>${icon("inbox")}${none}</button>`}
          ${found.map(({ folder, level }) => keyed(folder.id, html`
            <button class="choice" $--level=${typed ? 1 : level} @click=${() => close({ folder })}>${icon("folder")}${folder.name}</button>`))}
          ${found.length === 0 && typed ? html`<p class="dialog-text">No folder of that name.</p>` : null}
        </div>`;
    },
  });
}
