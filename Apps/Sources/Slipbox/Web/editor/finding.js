// Finding within one note: what matches is marked with decorations, the text stays as it is.
//
//   "Éﬁn"    folded  e f i n             each letter knows where it stands, so that a match of
//            at      1 2 2 3             the folded text is a range of the document
//
// Matches are found again with each change of the text; the one that was chosen stays chosen.

import { pm } from "../vendor/editor.js";

const { Plugin, PluginKey, TextSelection } = pm.state;
const { closeHistory } = pm.history;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("finding");
/// So many around the chosen one are marked: a letter may stand in a book ten thousand times.
const MARKED = 1000;

const nothing = { text: "", matches: [], at: -1, decorations: DecorationSet.empty };

export function findingPlugin() {
  return new Plugin({
    key,
    state: {
      init: () => nothing,
      apply(transaction, value, _, state) {
        const wish = transaction.getMeta(key);
        if (wish?.text === "") return nothing;
        if (wish?.text !== undefined) return look(state.doc, wish.text, wish.from);
        if (wish?.at !== undefined) return marked(state.doc, { ...value, at: wish.at });
        if (!value.text || !transaction.docChanged) return value;
        const chosen = value.matches[value.at];
        return look(state.doc, value.text, chosen ? transaction.mapping.map(chosen.from) : 0);
      },
    },
    props: { decorations: (state) => key.getState(state).decorations },
  });
}

/// Marks what matches and chooses the first at or behind `from`; no text marks nothing.
export const find = (view, text, from) => view.dispatch(view.state.tr.setMeta(key, { text, from }));

/// The next match, or the one before, and round again.
export function step(view, by) {
  const { matches, at } = key.getState(view.state);
  if (matches.length === 0) return;
  view.dispatch(view.state.tr.setMeta(key, { at: (at + by + matches.length) % matches.length }));
}

/// How many there are, and which one is chosen, counted from 1.
export function tally(state) {
  const { matches, at } = key.getState(state);
  return { count: matches.length, place: at + 1 };
}

/// Whether a transaction looks for something else, or chooses another match.
export const isOfFinding = (transaction) => transaction.getMeta(key) !== undefined;

export const chosenMatch = (state) => key.getState(state).matches[key.getState(state).at] ?? null;

/// The caret goes to the chosen match.
export function selectChosen(view) {
  const match = chosenMatch(view.state);
  if (match) view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, match.from, match.to)));
}

/// The chosen match becomes other words, and the next is chosen.
export function replaceChosen(view, words) {
  const match = chosenMatch(view.state);
  if (!match) return false;
  view.dispatch(closeHistory(view.state.tr.insertText(words, match.from, match.to)));
  const { matches } = key.getState(view.state);
  const next = matches.findIndex(({ from }) => from >= match.from + words.length);
  if (matches.length > 0) view.dispatch(view.state.tr.setMeta(key, { at: next < 0 ? 0 : next }));
  return true;
}

/// All matches become other words, in one step that can be undone.
export function replaceAll(view, words) {
  const { matches } = key.getState(view.state);
  if (matches.length === 0) return 0;
  const transaction = view.state.tr;
  for (const { from, to } of matches.toReversed()) transaction.insertText(words, from, to);
  view.dispatch(closeHistory(transaction));
  return matches.length;
}

function look(doc, text, from) {
  const wanted = fold(text);
  const matches = wanted ? matchesIn(doc, wanted) : [];
  const next = matches.findIndex((match) => match.from >= from);
  return marked(doc, { text, matches, at: next < 0 ? Math.min(0, matches.length - 1) : next });
}

function marked(doc, value) {
  const first = Math.max(0, value.at - MARKED / 2);
  const decorations = value.matches.slice(first, first + MARKED).map(({ from, to }, index) =>
    Decoration.inline(from, to, { class: first + index === value.at ? "match chosen-match" : "match" }));
  return { ...value, decorations: DecorationSet.create(doc, decorations) };
}

function matchesIn(doc, wanted) {
  const matches = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    const { letters, from, to } = foldedBlock(node, position + 1);
    for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + wanted.length)) {
      matches.push({ from: from[at], to: to[at + wanted.length - 1] });
    }
    return false;
  });
  return matches;
}

const fold = (text) => [...text].map(foldLetter).join("");

/// As the search of the list has it: without case and without accents.
const foldLetter = (letter) => (/\s/.test(letter) ? " " : letter.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());

/// The letters of a paragraph, each with where it begins and ends in the document.
function foldedBlock(block, start) {
  let letters = "";
  const from = [];
  const to = [];
  block.forEach((node, offset) => {
    let at = start + offset;
    for (const letter of node.isText ? node.text : "\n") {
      const folded = foldLetter(letter);
      // An accent that is a letter of its own belongs to the one before.
      if (folded === "" && to.length > 0) to[to.length - 1] = at + letter.length;
      for (let unit = 0; unit < folded.length; unit++) {
        from.push(at);
        to.push(at + letter.length);
      }
      letters += folded;
      at += letter.length;
    }
  });
  return { letters, from, to };
}
