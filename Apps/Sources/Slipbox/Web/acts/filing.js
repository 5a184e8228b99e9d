// Making folders, moving and deleting them, and choosing one.

import { isComposing } from "../view/composing.js";
import { askText, confirm, openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { toast } from "../view/toast.js";
import { counted, listed, plain } from "../view/words.js";
import { newID } from "../server/call.js";
import { go } from "../model/route.js";
import { search } from "../model/searching.js";
import { folderOf, state } from "../model/state.js";
import { childrenOf, setOpen, within } from "../model/tree.js";
import { deleteFolder, moveFolder, perform, renameFolder } from "./acts.js";

export async function newFolder(parent = null) {
  const name = await askText({ title: parent ? say`New folder in “${parent.name}”` : say`New folder`, label: say`Name`, yes: say`Create` });
  if (!name) return;
  const id = newID();
  const made = await perform({ method: "POST", path: "/folders", body: { id, name, parent: parent?.id ?? null } });
  if (made === undefined) toast(say`Folder “${name}” will be made when Slipbox is reachable`);
  if (!made) return;
  if (parent) setOpen(parent, true);
  go(`folder:${id}`);
}

export async function askRename(folder) {
  const name = await askText({ title: say`Rename folder`, label: say`Name`, value: folder.name, yes: say`Rename` });
  if (name && name !== folder.name) renameFolder(folder, name);
}

export async function askDelete(folder) {
  const inside = within(folder);
  const notes = inside.reduce((sum, one) => sum + one.count, 0);
  const what = listed([notes > 0 && counted(notes, "note", "notes"), inside.length > 1 && counted(inside.length - 1, "subfolder", "subfolders")]);
  const yes = await confirm({
    title: say`Delete “${folder.name}”?`,
    text: what ? say`The folder goes to the trash with its ${what}. You can restore it for 30 days.` : say`The folder goes to the trash. You can restore it for 30 days.`,
    yes: say`Delete`,
  });
  if (!yes) return;
  if (inside.some((one) => state.place === `folder:${one.id}`)) go(folder.parent ? `folder:${folder.parent}` : "all", null, { replace: true });
  await deleteFolder(folder);
}

export async function askMoveFolder(folder) {
  const target = await chooseFolder({ title: say`Move “${folder.name}” into…`, without: new Set(within(folder).map((one) => one.id)), none: say`Top level` });
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
export function chooseFolder({ title, without = new Set(), none = say`Unfiled` }) {
  const all = (parent = null, level = 1) =>
    childrenOf(parent).filter((folder) => !without.has(folder.id)).flatMap((folder) => [{ folder, level }, ...all(folder.id, level + 1)]);
  let typed = "";
  return openDialog({
    title,
    kind: "tall",
    content: (close, draw) => {
      const found = all().filter(({ folder }) => plain(folder.name).includes(plain(typed.trim())));
      return html`
        <input class="dialog-search" data-first type="text" aria-label=${say`Find a folder`} placeholder=${say`Find a folder`} @input=${(event) => { typed = event.target.value; draw(); }}
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
          ${found.length === 0 && typed ? html`<p class="dialog-text">${say`No folder of that name.`}</p>` : null}
        </div>`;
    },
  });
}
