// The piece of a text that the server refused: its place in words, and the text without it.
//
//   The text cannot be kept: content[3].content[0].marks[1].attrs.href: a link leads to a note or an address …
//   ─▶ The link “Anna” in “Ask Anna about the hive” cannot be saved: a link leads to a note or an address …

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { toJSON } from "./schema.js";

const { closeHistory } = pm.history;
const { TextSelection } = pm.state;
const PLACE = /^The text cannot be kept: (content\[\d+\][\w.[\]]*): (.+)$/s;
/// How many blocks may be around a line: the server reads 32 levels, of which the text and its words take three.
const DEEPEST = 29;

const NAMES = {
  paragraph: say`The paragraph`, heading: say`The heading`, bulletList: say`The list`, orderedList: say`The list`, taskList: say`The list`,
  listItem: say`The item of a list`, taskItem: say`The task`, blockquote: say`The quote`, codeBlock: say`The code`, horizontalRule: say`The line`,
  table: say`The table`, tableRow: say`The row of a table`, tableHeader: say`The cell`, tableCell: say`The cell`, picture: say`The picture`, file: say`The file`,
  callout: say`The box`, footnote: say`The footnote`, footnoteMark: say`The footnote`, hardBreak: say`The line break`, text: say`The text`, link: say`The link`,
  bold: say`The bold text`, italic: say`The italic text`, underline: say`The underlined text`, strike: say`The struck text`, highlight: say`The highlighted text`,
  superscript: say`The raised text`, subscript: say`The lowered text`, code: say`The code`,
};

/// The place that a message of the server names in the document that it has refused: {indexes, marks, piece, words}; null where it
/// names none.
export function refusalOf(message, document) {
  const [, path, sentence] = PLACE.exec(message) ?? tooDeep(document);
  if (!path) return null;
  const indexes = [...path.matchAll(/(?<!\w)content\[(\d+)\]/g)].map(([, index]) => Number(index));
  const piece = at(document, indexes);
  if (!piece) return null;
  const [mark, number] = /(?<!\w)marks(?:\[(\d+)\])?/.exec(path) ?? [];
  const marks = mark ? (number === undefined ? piece.marks : [piece.marks?.[Number(number)]].filter(Boolean)) ?? [] : [];
  return { indexes, marks, piece, words: said(document.content[indexes[0]], piece, marks, sentence) };
}

/// Of a text that is far too deep, the server reads nothing at all, and names no place.
function tooDeep(document) {
  const way = (node, places) => {
    if (places.length > DEEPEST + 2) return places;
    for (const [index, child] of (node.content ?? []).entries()) {
      const found = way(child, [...places, `content[${index}]`]);
      if (found) return found;
    }
    return null;
  };
  const found = way(document, []);
  return found ? [null, found.join("."), say`it is inside more than ${DEEPEST + 2} others.`] : [];
}

const at = (node, indexes) => indexes.reduce((inner, index) => inner?.content?.[index], node);
const textOf = ({ type, text, content = [] }) => text ?? content.map(textOf).join(["paragraph", "heading", "codeBlock"].includes(type) ? "" : " ");
const short = (text) => (text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text);

function said(block, piece, marks, sentence) {
  const name = NAMES[(marks[0] ?? piece).type] ?? say`The part`;
  const own = short(textOf(piece).trim() || (piece.attrs?.caption ?? piece.attrs?.name ?? ""));
  const around = short(textOf(block).trim());
  const named = own ? say`${name} “${own}”` : name;
  return say`${around && around !== own ? say`${named} in “${around}”` : named} cannot be saved: ${sentence}`;
}

/// Where the piece is now: {from, to, node}; others may stand before it since. Null where it is gone.
function placeOf(doc, { indexes, piece }) {
  const wanted = JSON.stringify(piece);
  const isIt = (node) => JSON.stringify(plain(node)) === wanted;
  let node = doc;
  let from = -1;
  for (const index of indexes) {
    if (index >= node.childCount) return search(doc, isIt);
    from += 1;
    for (let before = 0; before < index; before++) from += node.child(before).nodeSize;
    node = node.child(index);
  }
  return isIt(node) ? { from, to: from + node.nodeSize, node } : search(doc, isIt);
}

function plain(node) {
  const { version: _, ...json } = toJSON(node);
  return json;
}

function search(doc, isIt) {
  let found = null;
  doc.descendants((node, from) => {
    if (!found && isIt(node)) found = { from, to: from + node.nodeSize, node };
    return !found;
  });
  return found;
}

/// Selects it. False where it is gone.
export function showRefused(view, refusal) {
  const place = placeOf(view.state.doc, refusal);
  if (!place) return false;
  const { doc, tr } = view.state;
  view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(place.from), doc.resolve(place.to))).scrollIntoView());
  view.focus();
  return true;
}

/// The text without it: of a mark the words stay, and of a block its lines. False where it is gone.
export function leaveOut(view, refusal) {
  const place = placeOf(view.state.doc, refusal);
  if (!place) return false;
  view.dispatch(closeHistory(refusal.marks.length > 0 ? unmarked(view.state, place, refusal.marks) : without(view.state, place)));
  return true;
}

/// An address that is wrong once is wrong wherever it is.
function unmarked({ tr, doc, schema }, { from, to }, marks) {
  for (const { type, attrs } of marks) tr.removeMark(attrs ? 0 : from, attrs ? doc.content.size : to, attrs ? schema.marks[type].create(attrs) : schema.marks[type]);
  return tr;
}

function without({ tr, schema }, place) {
  const { from, to, node } = within(tr.doc, place);
  const lines = node.isInline ? [] : linesOf(node).map((line) => schema.nodes.paragraph.create(null, schema.text(line)));
  if (lines.length > 0) {
    const $from = tr.doc.resolve(from);
    if ($from.parent.canReplace($from.index(), $from.index() + 1, pm.model.Fragment.from(lines))) return tr.replaceWith(from, to, lines);
  }
  return tr.deleteRange(from, to);
}

/// The place, or where it is too deep, what is around it and has room for a line.
function within(doc, place) {
  const $from = doc.resolve(place.from);
  return $from.depth <= DEEPEST ? place : { from: $from.before(DEEPEST + 1), to: $from.after(DEEPEST + 1), node: $from.node(DEEPEST + 1) };
}

function linesOf(node) {
  if (node.isTextblock) return node.textContent.split("\n").filter((line) => line.trim());
  return node.children.flatMap(linesOf);
}
