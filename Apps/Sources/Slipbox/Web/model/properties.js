// The kinds of properties, their values as people read them, and the names that notes have given to them.

import { say } from "../view/say.js";
import { plain, shortDay } from "../view/words.js";
import { state } from "./state.js";

export const KINDS = [
  { id: "text", name: say`Text`, icon: "pilcrow" },
  { id: "number", name: say`Number`, icon: "hash" },
  { id: "date", name: say`Date`, icon: "calendar" },
  { id: "list", name: say`List`, icon: "list" },
  { id: "checkbox", name: say`Checkbox`, icon: "list-checks" },
  { id: "link", name: say`Link to a note`, icon: "link-2" },
];

export const iconOf = (kind) => KINDS.find(({ id }) => id === kind)?.icon ?? "square-code";

/// {name, kind, count}: the names that properties have, in their order.
export const propertyNames = () => state.overview?.properties ?? [];
export const propertyNamed = (name) => propertyNames().find((one) => plain(one.name) === plain(name.trim()));

/// As rows show it: a date in the language of the browser, a checkbox as a word.
export function shownValue({ kind, value }) {
  if (kind === "checkbox") return value === "true" ? say`yes` : say`no`;
  return kind === "date" ? shortDay(value) : value;
}

/// The value for the browser's field: a day, or a day and a time; null if the field would lose a part of the date.
export function dateField(value) {
  if (value === "" || /^\d{4}-\d\d-\d\d$/.test(value)) return "date";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? "datetime-local" : null;
}

export const isNumber = (text) => /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text);

/// A search that finds the notes with this value.
export function searchOf({ name, kind, value }) {
  const sign = /^[\p{L}][\p{L}\p{N}_-]*$/u.test(name) && !TAKEN.has(name.toLowerCase()) ? name : `"${name}"`;
  const said = kind === "date" ? value.slice(0, 10) : value;
  if (!said) return `${sign}:none`;
  return `${sign}:${kind === "text" || kind === "list" || kind === "link" ? `"${said.replaceAll('"', " ")}"` : said}`;
}

/// Behind these names a search asks for something else.
const TAKEN = new Set(["tag", "keyword", "folder", "in", "path", "title", "file", "is", "has", "edited", "changed", "modified", "created", "made"]);

/// The language that a note says it is in, by its property `lang` or `language`, `de-AT`; null for values such as
/// “German”.
export function languageOf(note) {
  const named = ["lang", "language"].map((name) => note?.properties?.find((one) => one.name.toLowerCase() === name)?.value.trim()).find(Boolean);
  if (!/^[a-z]{2,3}([-_]|$)/i.test(named ?? "")) return null;
  try {
    return Intl.getCanonicalLocales(named.replaceAll("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

// MARK: - In lists

const SORT = /^property(A|De)scending:/;

/// The name of the property that an order is by; null for other orders.
export const sortedProperty = (sort) => (SORT.test(sort ?? "") ? sort.replace(SORT, "") : null);

/// The two orders by a property.
export const sortsBy = (name) => [
  { id: `propertyAscending:${name}`, name: say`By “${name}”, lowest first` },
  { id: `propertyDescending:${name}`, name: say`By “${name}”, highest first` },
];
