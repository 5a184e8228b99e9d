// The citations in a text, in the notation of Pandoc. RichText finds the same ones, in Swift (CitationScan).
//
//   [see @doe2020, p. 12; -@roe1999]       works in brackets, the second one without its authors
//   @doe2020 [p. 12]                       a work in a sentence
//   @{https://example.org/a b}             a key with other signs
//
// They stay words of the text. Code, links, formulas and the writer's remarks have none.

import { formulasIn } from "./formulas.js";
import { remarkPlaces } from "./remarks.js";

const LONGEST_KEY = 200;
const LONGEST_BRACKET = 2000;
const MOST_ITEMS = 100;
/// Works of one text that are looked up.
const MOST_KEYS = 2000;
/// A letter that is no part of any citation.
const OTHER = "\uFFFC";
const LETTER = String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{Nd}_]`;
const KEY = new RegExp(String.raw`@(?:\{([^{}\n\uFFFC]{1,200})\}|(${LETTER}+(?:[:.#$%&\-+?<>~/]${LETTER}+)*))`, "uy");
const SIMPLE = new RegExp(String.raw`^${LETTER}+(?:[:.#$%&\-+?<>~/]${LETTER}+)*$`, "u");
/// A link that waits for its note.
const LINK = /\[\[[^[\]\n]{1,1000}\]\]/g;
/// A letter that may be before the sign of a key; an e-mail address has another one there.
const BEFORE = /[\s([{"'“”„«»‘’‚–—]/;

const seen = new WeakMap();

/// The citations of a block, by places in it: {from, to, isInSentence, items: [{key, from, to, before, after, hidesAuthors}]}.
export function citationsIn(block) {
  if (!seen.has(block)) seen.set(block, block.type.spec.code || !block.textContent.includes("@") ? [] : citationsOf(lettersOf(block)));
  return seen.get(block);
}

/// The keys that a text cites, each once.
export function keysIn(doc) {
  const all = new Set();
  eachCitation(doc, ({ items }) => {
    for (const { key } of items) if (all.size < MOST_KEYS) all.add(key);
  });
  return [...all];
}

/// Calls `work(citation, at, block)` for each citation of a text that readers see; `at` is the place where the block's content begins.
export function eachCitation(doc, work) {
  let remarks = null;
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    for (const citation of citationsIn(node)) {
      remarks ??= remarkPlaces(doc);
      const at = position + 1;
      if (!remarks.some(({ from, to }) => from < at + citation.to && to > at + citation.from)) work(citation, at, node);
    }
    return false;
  });
}

/// The words in the place of a citation; null if one of its works is not known. `works` has {authors, year} by keys.
export function shortForm({ items, isInSentence }, works) {
  const parts = [];
  for (const { key, before, after, hidesAuthors } of items) {
    const work = works.get(key);
    if (!work) return null;
    const authors = hidesAuthors ? "" : `${work.authors} `;
    const place = after ? `, ${after}` : "";
    parts.push(isInSentence ? `${authors}(${work.year}${place})` : `${before ? `${before} ` : ""}${authors}${work.year}${place}`);
  }
  return isInSentence ? parts[0] : `(${parts.join("; ")})`;
}

/// A key as it is written behind its sign.
export const writtenKey = (key) => (SIMPLE.test(key) ? `@${key}` : `@{${key}}`);

// MARK: - Finding them

function lettersOf(block) {
  let letters = "";
  block.forEach((node) => {
    const isPlain = node.isText && !node.marks.some((mark) => mark.type.name === "link" || mark.type.spec.code);
    letters += isPlain ? node.text : node.type.name === "hardBreak" ? "\n" : OTHER.repeat(node.nodeSize);
  });
  letters = letters.replace(LINK, (link) => OTHER.repeat(link.length));
  for (const { from, to } of formulasIn(block)) letters = letters.slice(0, from) + OTHER.repeat(to - from) + letters.slice(to);
  return letters;
}

export function citationsOf(letters) {
  const found = [];
  let at = 0;
  while (at < letters.length) {
    const sign = letters[at];
    const next = sign === "[" ? bracketAt(letters, at) : sign === "@" ? sentenceAt(letters, at) : null;
    if (next) found.push(next);
    at = next?.to ?? at + 1;
  }
  return found;
}

function bracketAt(letters, start) {
  // Two brackets are a link to a note.
  const end = letters[start - 1] === "[" ? -1 : endOfBracket(letters, start);
  if (end < 0 || letters[end + 1] === "]" || !letters.slice(start, end).includes("@")) return null;
  const items = [];
  let from = start + 1;
  while (from <= end) {
    const semicolon = letters.indexOf(";", from);
    const to = semicolon < 0 || semicolon > end ? end : semicolon;
    const item = items.length < MOST_ITEMS ? itemIn(letters, from, to) : null;
    if (!item) return null;
    items.push(item);
    from = to + 1;
  }
  return { from: start, to: end + 1, items, isInSentence: false };
}

/// The place of the bracket that ends one; -1 if another begins before, or a letter that is not plain.
function endOfBracket(letters, start) {
  const most = Math.min(letters.length, start + LONGEST_BRACKET);
  for (let at = start + 1; at < most; at += 1) {
    if (letters[at] === "]") return at;
    if (letters[at] === "[" || letters[at] === "\n" || letters[at] === OTHER) return -1;
  }
  return -1;
}

function itemIn(letters, start, end) {
  for (let at = letters.indexOf("@", start); at >= 0 && at < end; at = letters.indexOf("@", at + 1)) {
    const key = beginsKey(letters, at, start) ? keyAt(letters, at) : null;
    if (!key || key.to > end) continue;
    const hidesAuthors = at > start && letters[at - 1] === "-";
    return {
      ...key, hidesAuthors,
      before: letters.slice(start, hidesAuthors ? at - 1 : at).trim(),
      after: letters.slice(key.to, end).replace(/^,/, "").trim(),
    };
  }
  return null;
}

function sentenceAt(letters, start) {
  const key = beginsKey(letters, start, 0) ? keyAt(letters, start) : null;
  if (!key) return null;
  const hidesAuthors = letters[start - 1] === "-";
  const place = placeBehind(letters, key.to);
  const item = { ...key, hidesAuthors, before: "", after: place ? letters.slice(place.from + 1, place.to - 1).trim() : "" };
  return { from: hidesAuthors ? start - 1 : start, to: place?.to ?? key.to, items: [item], isInSentence: true };
}

/// The brackets with the place in a work, one blank behind its key.
function placeBehind(letters, at) {
  if (letters[at] !== " " || letters[at + 1] !== "[") return null;
  const end = endOfBracket(letters, at + 1);
  const inside = letters.slice(at + 2, Math.max(end, 0));
  const isPlace = end > 0 && inside.trim() && !inside.startsWith("^") && !inside.includes("@") && letters[end + 1] !== "(";
  return isPlace ? { from: at + 1, to: end + 1 } : null;
}

function beginsKey(letters, at, start) {
  const before = letters[at - 1] === "-" && at - 1 >= start ? at - 2 : at - 1;
  return before < start || BEFORE.test(letters[before]);
}

function keyAt(letters, at) {
  KEY.lastIndex = at;
  const match = KEY.exec(letters);
  const key = match && (match[1] ?? match[2]);
  const to = at + (match?.[0].length ?? 0);
  return key && [...key].length <= LONGEST_KEY && letters[to] !== "@" ? { key, from: at, to } : null;
}
