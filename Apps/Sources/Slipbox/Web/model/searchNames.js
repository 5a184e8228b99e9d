// Suggestions for the values of `tag:`, `folder:`, `is:`, `has:` and properties, while somebody types them:
//
//   bees tag:tr       ─▶    bees tag:travel/italy
//   bees du           ─▶    bees due:      ─▶    bees due:today

import { plain } from "../view/words.js";
import { MARKS } from "./marks.js";
import { iconOf as iconOfProperty, propertyNamed, propertyNames } from "./properties.js";
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
  if (!match) return propertyWords(text);
  const [whole, sign, name = "tag", phrase, word] = match;
  const typed = plain(phrase ?? word);
  const kind = name.toLowerCase();
  return valuesOf(kind)
    .map((value) => ({ value, at: plain(value).indexOf(typed) })).filter(({ value, at }) => at >= 0 && plain(value) !== typed)
    .sort((one, other) => (one.at > 0) - (other.at > 0)).slice(0, MOST)
    .map(({ value }) => ({ value, written: sign + (/[\s"]/.test(value) ? `"${value.replaceAll('"', " ")}"` : value) }))
    .map(({ value, written }) => ({ id: `${kind}-${encodeURIComponent(value)}`, icon: iconOf(kind), fullName: written, text: `${text.slice(0, -whole.length)}${written} ` }));
}

const PROPERTY = /(?<=^|\s)(-?)(?:"([^"]+)"|([\p{L}][\p{L}\p{N}_-]*)):([^\s"]*)$/u;
const BEGUN = /(?<=^|\s)(-?)([\p{L}][^\s":]*)$/u;
/// The words with which a search asks for properties of a kind, besides their values.
const ASKABLE = { date: ["today", "tomorrow", "week", "month", "<today"], number: [">0"], checkbox: ["true", "false"] };

/// Behind the name of a property, and the names that begin so.
function propertyWords(text) {
  const [whole, minus, quoted, name = quoted, value] = PROPERTY.exec(text) ?? [];
  const known = name && propertyNamed(name);
  if (known) {
    const sign = `${minus}${quoted ? `"${quoted}"` : name}:`;
    return [...(ASKABLE[known.kind] ?? []), "any", "none"].filter((word) => word.startsWith(value) && word !== value)
      .map((word) => suggestion(known, sign + word, `${text.slice(0, -whole.length)}${sign}${word} `));
  }
  const begun = BEGUN.exec(text);
  if (!begun || begun[2].length < 2) return [];
  return propertyNames().filter((one) => plain(one.name).startsWith(plain(begun[2]))).slice(0, 3).map((one) => {
    const written = `${begun[1]}${/^[\p{L}][\p{L}\p{N}_-]*$/u.test(one.name) ? one.name : `"${one.name}"`}:`;
    return suggestion(one, written, text.slice(0, -begun[0].length) + written);
  });
}

const suggestion = ({ kind }, fullName, text) => ({ id: `property-${encodeURIComponent(fullName)}`, icon: iconOfProperty(kind), fullName, text });

function valuesOf(kind) {
  if (kind in TRAITS) return TRAITS[kind];
  const named = kind === "folder" || kind === "path" ? state.overview?.folders : state.overview?.keywords.top;
  return [...new Set((named ?? []).map(({ name }) => name))];
}

const iconOf = (kind) => (kind in TRAITS ? "search" : kind === "folder" || kind === "path" ? "folder" : "tags");
