// The texts of the pages, in the language of the person who reads them.
//
//   say`Copy link`                             "Link kopieren"
//   say`${named(notes)} moved to the trash`    "{0} moved to the trash": "{0} in den Papierkorb gelegt"
//   counted(3, "note", "notes")                "{0} notes": { "one": "{0} Notiz", "other": "{0} Notizen" }
//
// Pages are written in English, and their texts are the keys of `languages/de.json` and its siblings, which translators edit.
// A text that a table does not have stays English. `Scripts/languages` compares the tables with the pages.
//
// The table is there before the first module that imports this one begins, so that constants can have texts, too.

import { keptText } from "./keptTexts.js";

/// The languages of the pages, each with its own name for itself.
export const LANGUAGES = [["en", "English"], ["de", "Deutsch"], ["es", "Español"], ["fr", "Français"], ["it", "Italiano"], ["pt", "Português"]];

const isOurs = (code) => LANGUAGES.some(([one]) => one === code);
const baseOf = (tag) => tag.toLowerCase().split("-")[0];

/// The language that was chosen in this browser, or null where the browser's own languages say it.
export function chosenLanguage() {
  const kept = keptText("language");
  return isOurs(kept) ? kept : null;
}

/// The language of the pages: "de".
export const language = chosenLanguage() ?? navigator.languages.map(baseOf).find(isOurs) ?? "en";

/// The language of numbers and dates: "de-AT" for an Austrian. In English that nobody has chosen they are as the browser writes
/// them elsewhere, because its own language may be one that the pages do not have.
export const locale = language === "en" && !chosenLanguage() ? navigator.language : navigator.languages.find((tag) => baseOf(tag) === language) ?? language;

const table = language === "en" ? {} : await tableOf(language);
const plurals = new Intl.PluralRules(language);
document.documentElement.lang = language;

/// Without the table, which the server may be too far away to give, the pages are English.
async function tableOf(code) {
  try {
    const answer = await fetch(`/languages/${code}.json`);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

/// The pieces of each text that was said: an odd one is the number of a value.
const known = new WeakMap();

/// A text in the language of the pages: a string, or a list of pieces for a template if a value is one.
export function say(strings, ...values) {
  let pieces = known.get(strings);
  if (!pieces) known.set(strings, (pieces = piecesOf(strings)));
  const all = pieces.map((piece, index) => (index % 2 ? values[piece] : piece));
  return values.some((value) => typeof value === "object" && value !== null) ? all : all.join("");
}

/// The translation of an English text; without one, the text itself.
export const translationOf = (key) => (Object.hasOwn(table, key) && typeof table[key] === "string" && table[key]) || key;

function piecesOf(strings) {
  return translationOf(strings.reduce((text, piece, index) => `${text}{${index - 1}}${piece}`)).split(/\{(\d+)\}/);
}

/// The words for so many: of the table, or the English ones.
export function pluralOf(value, one, many) {
  const forms = table[`{0} ${many}`];
  const form = forms?.[plurals.select(value)] ?? forms?.other;
  return form || `{0} ${value === 1 ? one : many}`;
}
