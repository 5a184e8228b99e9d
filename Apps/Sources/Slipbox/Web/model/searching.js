// What is searched for: words, at most one status and other tokens, here or everywhere.

import { say } from "../view/say.js";
import { propertyNamed } from "./properties.js";
import { nameOf, state } from "./state.js";

/// What is kept of a search under a name is text alone: a chip, and the place where it was searched, are written as
/// the words that ask for the same.
const WRITTEN = { draft: "is:draft", review: "is:review", archived: "is:archived", last24Hours: "created:1d", last7Days: "created:7d", withAttachment: "has:picture" };

export const TOKENS = [
  { id: "draft", name: say`Draft`, fullName: say`Draft status`, icon: "pencil", isStatus: true },
  { id: "review", name: say`Review`, fullName: say`Review status`, icon: "eye", isStatus: true },
  { id: "archived", name: say`Archived`, fullName: say`Archived status`, icon: "archive", isStatus: true },
  { id: "last24Hours", name: say`24 h`, fullName: say`Last 24 hours`, icon: "clock" },
  { id: "last7Days", name: say`7 d`, fullName: say`Last 7 days`, icon: "calendar" },
  { id: "withAttachment", name: say`Picture`, fullName: say`Notes with a picture`, icon: "image" },
];

export const search = { text: "", tokens: [], scope: "here", isOpen: false, active: -1 };

const WRITTEN_PLACES = { favourites: "is:favourite", recent: "edited:7d", unfiled: "is:unfiled" };

function placeText() {
  if (search.scope === "all" || !isScoped()) return "";
  const name = `"${nameOf(state.place).replaceAll(/["“”„]/g, " ")}"`;
  if (state.place.startsWith("folder:")) return `folder:${name}`;
  return state.place.startsWith("keyword:") ? `tag:${name}` : WRITTEN_PLACES[state.place];
}

/// What was typed, as it is understood: an OR with nothing behind it joins nothing, and a phrase may lack its end.
function typedText() {
  const text = search.text.trim();
  return endsInPhrase(text) ? `${text}"` : text.replace(/(^|\s+)(OR|\|)$/, "");
}

/// A sign of inches within a word begins no phrase.
function endsInPhrase(text) {
  let isInside = false;
  let word = "";
  for (const sign of text) {
    if (isInside) isInside = !QUOTES.includes(sign);
    else if (QUOTES.includes(sign) && /^-?([a-z]+:)?$/i.test(word)) [isInside, word] = [true, ""];
    else word = /\s/.test(sign) ? "" : word + sign;
  }
  return isInside;
}

const QUOTES = "\"“”„";

/// The search in one line, as it finds the same in all notes.
export const searchText = () => [typedText(), ...search.tokens.map((id) => WRITTEN[id]), placeText()].filter(Boolean).join(" ");

/// The words and phrases that are to be seen in a text: without those that are left out, and what is asked by names.
export function wordsOf(text) {
  const found = [];
  // A name between quotes is that of a property.
  const others = text.replace(/-?["“„][^"“”]*["“”]:(?:["“„][^"“”]*["“”]?|[^\s"“”]*)/gu, " ");
  for (const [, minus, name, phrase, word] of others.matchAll(/(-(?!-))?(?:([\p{L}][\p{L}\p{N}_-]*):)?(?:["“„]([^"“”]*)["“”]?|([^\s"“”]+))/giu)) {
    const isWords = !name || name.toLowerCase() === "title" || !(NAMES.has(name.toLowerCase()) || propertyNamed(name));
    if (!minus && isWords && word !== "OR" && word !== "|" && !word?.startsWith("#")) found.push(...(phrase ?? word).split(/\s+/).filter(isShown));
  }
  return found;
}

/// A sign that nearly every text has narrows nothing down, and is seen nowhere.
const isShown = (word) => word !== "" && !/^[.,;:'"()-]$/.test(word);

const NAMES = new Set(["tag", "keyword", "folder", "in", "path", "is", "has", "status", "edited", "changed", "modified", "created", "made"]);

export const isSearching = () => search.text.trim() !== "" || search.tokens.length > 0;
export const isScoped = () => state.place !== "all";
