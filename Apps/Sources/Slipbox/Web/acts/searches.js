// Searches that are kept under a name.

import { askText } from "../view/dialog.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { state } from "../model/state.js";
import { perform } from "./acts.js";

export async function keepSearch(text) {
  const kept = state.overview?.searches?.find((search) => search.text === text);
  if (kept) return void toast(say`This search is kept already: “${kept.name}”.`);
  const name = await askText({ title: say`Keep this search`, label: say`Name`, value: text.slice(0, 60), yes: say`Keep` });
  if (name) await perform({ method: "POST", path: "/searches", body: { name, text } }, say`Search “${name}” kept`);
}

export async function renameSearch(search) {
  const name = await askText({ title: say`Rename the search`, label: say`Name`, value: search.name, yes: say`Rename` });
  if (name && name !== search.name) await perform({ method: "PATCH", path: `/searches/${search.id}`, body: { name } }, say`Search renamed to “${name}”`);
}

/// Whoever is told of it and chooses it at once searches for that, too: what is kept of it is read again only then.
export async function changeSearch(search, text) {
  const before = search.text;
  search.text = text;
  const result = await perform({ method: "PATCH", path: `/searches/${search.id}`, body: { text } }, say`“${search.name}” searches for “${text}”`);
  if (result === null) search.text = before;
}

/// `order` is how many searches stand above it.
export const moveSearch = (search, order) => perform({ method: "PATCH", path: `/searches/${search.id}`, body: { order } }, say`Search “${search.name}” moved`);

export const deleteSearch = (search) => perform({ method: "DELETE", path: `/searches/${search.id}` }, say`Search “${search.name}” forgotten`);
