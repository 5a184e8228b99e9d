// What can stand behind `tag:`, `folder:`, `is:` and `has:`, while somebody types it:
//
//   bees tag:tr       ─▶    bees tag:travel/italy

import { plain } from "../view/words.js";
import { MARKS } from "./marks.js";
import { state } from "./state.js";

/// What a note is or has, as the server's SearchTrait knows it; the usual one first.
export const TRAITS = {
  is: [...MARKS.map(({ id }) => id), "task", "done", "draft", "review", "archived", "unfiled", "orphan", "untitled"],
  has: ["picture", "file", "link", "backlink", "tag"],
};
const ASKED = /(?<=^|\s)(-?(?:(tag|keyword|folder|path|is|has):|#))(?:"([^"]*)|([^\s"]*))$/iu;
const MOST = 8;

/// {id, icon, fullName, text: the search with it}, those that begin with what is typed first.
export function searchNames(text) {
  const match = ASKED.exec(text);
  if (!match) return [];
  const [whole, sign, name = "tag", phrase, word] = match;
  const typed = plain(phrase ?? word);
  const kind = name.toLowerCase();
  return valuesOf(kind)
    .map((value) => ({ value, at: plain(value).indexOf(typed) })).filter(({ value, at }) => at >= 0 && plain(value) !== typed)
    .sort((one, other) => (one.at > 0) - (other.at > 0)).slice(0, MOST)
    .map(({ value }) => ({ value, written: sign + (/[\s"]/.test(value) ? `"${value.replaceAll('"', " ")}"` : value) }))
    .map(({ value, written }) => ({ id: `${kind}-${encodeURIComponent(value)}`, icon: iconOf(kind), fullName: written, text: `${text.slice(0, -whole.length)}${written} ` }));
}

function valuesOf(kind) {
  if (kind in TRAITS) return TRAITS[kind];
  const named = kind === "folder" || kind === "path" ? state.overview?.folders : state.overview?.keywords.top;
  return [...new Set((named ?? []).map(({ name }) => name))];
}

const iconOf = (kind) => (kind in TRAITS ? "search" : kind === "folder" || kind === "path" ? "folder" : "tags");
