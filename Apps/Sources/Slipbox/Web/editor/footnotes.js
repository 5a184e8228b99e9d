// Footnotes: a mark in the line shows a number, and at the end of the text stands what it says.
//
//   {"type": "footnoteMark", "attrs": {"label": "1"}}
//   {"type": "footnote", "attrs": {"label": "1"}, "content": […]}        behind all blocks, in the order of the marks
//
// `[^1]` makes a mark, `^[so]` one with its text. A mark without a text gets an empty one at once, and an empty text to
// which nothing leads goes. The server keeps the same order (RichText, Footnotes.swift).

import { say } from "../view/say.js";
import { Document, InputRule, Node, pm } from "../vendor/editor.js";
import { roomFor } from "./rooms.js";

const { Plugin, PluginKey, Selection, TextSelection } = pm.state;
const { Fragment, Slice } = pm.model;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("footnotes");
const LABEL = "[^\\s\\[\\]^\\\\|`<>&*]{1,100}";

/// The vendor's document has blocks alone.
export const NoteDocument = Document.extend({ content: "block+ footnote*" });

/// Without a default, so that the editor never makes a footnote by itself where a block may be: behind the first block of a text it
/// would be the usual one.
const labelled = (name) => ({ label: { isRequired: true, parseHTML: (element) => element.getAttribute(name) || "1" } });

const FootnoteMark = Node.create({
  name: "footnoteMark",
  group: "inline",
  inline: true,
  atom: true,
  marks: "",
  addAttributes: () => labelled("data-footnote-mark"),
  parseHTML: () => [{ tag: "sup[data-footnote-mark]", priority: 70 }],
  renderHTML: ({ node: { attrs } }) => ["sup", { "data-footnote-mark": attrs.label }, `[${attrs.label}]`],
  addNodeView: () => markNode,
  addInputRules() {
    return [
      new InputRule({ find: new RegExp(`\\[\\^(${LABEL})\\]$`), handler: ({ state, range, match }) => put(state, range, match[1]) }),
      new InputRule({ find: /\^\[([^[\]\n]{1,1000})\]$/, handler: ({ state, range, match }) => {
        const label = freeLabel(state.doc);
        put(state, range, label, state.schema.nodes.paragraph.create(null, state.schema.text(match[1])));
      } }),
    ];
  },
  addKeyboardShortcuts() {
    return { "Mod-Alt-f": () => insertFootnote(this.editor) };
  },
  addProseMirrorPlugins: () => [keeping()],
});

const Footnote = Node.create({
  name: "footnote",
  content: "block+",
  defining: true,
  isolating: true,
  addAttributes: () => labelled("data-footnote"),
  parseHTML: () => [{ tag: "[data-footnote]", priority: 70 }],
  renderHTML: ({ node: { attrs } }) => ["div", { "data-footnote": attrs.label }, 0],
  addNodeView: () => textNode,
});

export const footnotes = [FootnoteMark, Footnote];

// MARK: - Putting them in

function put({ tr, schema }, { from, to }, label, text = null) {
  const $from = tr.doc.resolve(from);
  if (!$from.parent.inlineContent || $from.parent.type.spec.code) return null;
  tr.replaceWith(from, to, schema.nodes.footnoteMark.create({ label }));
  if (text) tr.setMeta(key, new Map([[label, Fragment.from(text)]]));
}

/// A mark behind what is selected, and the caret in its text; from a text, back to its mark.
export function insertFootnote(editor) {
  const { state, view } = editor;
  const { $from, to } = state.selection;
  if (!editor.isEditable) return false;
  if ($from.depth > 0 && $from.node(1).type.name === "footnote") return showMark(view, $from.node(1).attrs.label);
  if (!$from.parent.inlineContent || $from.parent.type.spec.code) return false;
  const label = freeLabel(state.doc);
  view.dispatch(state.tr.insert(to, state.schema.nodes.footnoteMark.create({ label })));
  return showText(view, label);
}

/// The next number that no footnote has.
function freeLabel(doc, taken = new Set()) {
  const labels = new Set([...taken, ...marksIn(doc)]);
  doc.forEach((node) => { if (node.type.name === "footnote") labels.add(node.attrs.label); });
  let number = 1;
  while (labels.has(String(number))) number += 1;
  return String(number);
}

function marksIn(node) {
  const labels = [];
  node.descendants((child) => void (child.type.name === "footnoteMark" && labels.push(child.attrs.label)));
  return labels;
}

// MARK: - Going there and back

function showText(view, label) {
  let place = null;
  view.state.doc.forEach((node, at) => { if (node.type.name === "footnote" && node.attrs.label === label) place = at + node.nodeSize - 2; });
  return place !== null && goTo(view, place, -1);
}

function showMark(view, label) {
  let place = null;
  view.state.doc.descendants((node, at) => { if (place === null && node.type.name === "footnoteMark" && node.attrs.label === label) place = at + 1; });
  return place !== null && goTo(view, place, 1);
}

function goTo(view, place, side) {
  const { state } = view;
  view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(place), side)).scrollIntoView());
  if (view.editable) view.focus();
  const element = view.domAtPos(state.selection.eq(view.state.selection) ? place : view.state.selection.from).node;
  (element.nodeType === 3 ? element.parentElement : element).scrollIntoView?.({ block: "nearest" });
  return true;
}

const numberIn = (decorations) => decorations.find(({ spec }) => spec.footnote)?.spec ?? { number: "?", isMarked: true };

function numberButton(className, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.tabIndex = -1;
  button.contentEditable = "false";
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", act);
  return button;
}

function markNode({ node, editor, decorations }) {
  const dom = document.createElement("sup");
  dom.className = "footnote-mark";
  let { label } = node.attrs;
  const button = numberButton("footnote-link", () => showText(editor.view, label));
  dom.append(button);
  const show = (around) => {
    const { number } = numberIn(around);
    button.textContent = String(number);
    button.setAttribute("aria-label", say`Footnote ${number}`);
    dom.dataset.footnoteMark = label;
  };
  show(decorations);
  return {
    dom,
    update(updated, around) {
      if (updated.type.name !== "footnoteMark") return false;
      label = updated.attrs.label;
      show(around);
      return true;
    },
    stopEvent: (event) => event.type === "click" || event.type === "pointerdown",
    ignoreMutation: () => true,
  };
}

function textNode({ node, editor, decorations }) {
  const dom = document.createElement("div");
  const content = document.createElement("div");
  dom.className = "footnote";
  dom.setAttribute("role", "note");
  content.className = "footnote-text";
  let { label } = node.attrs;
  const button = numberButton("footnote-number", () => showMark(editor.view, label));
  dom.append(button, content);
  const show = (around) => {
    const { number, isMarked } = numberIn(around);
    button.textContent = `${number}.`;
    button.setAttribute("aria-label", isMarked ? say`Back to mark ${number}` : say`Footnote ${number}, to which nothing leads`);
    dom.classList.toggle("is-unmarked", !isMarked);
    dom.setAttribute("aria-label", say`Footnote ${number}`);
    dom.dataset.footnote = label;
  };
  show(decorations);
  return {
    dom,
    contentDOM: content,
    update(updated, around) {
      if (updated.type.name !== "footnote") return false;
      label = updated.attrs.label;
      show(around);
      return true;
    },
    stopEvent: (event) => button.contains(event.target),
    ignoreMutation: (mutation) => mutation.type !== "selection" && !content.contains(mutation.target),
  };
}

// MARK: - Order

/// The labels in the order of their marks: those in the text first, then those in footnotes, one after the other.
function orderOf(doc, texts) {
  const order = [];
  const waiting = [];
  doc.forEach((block) => { if (block.type.name !== "footnote") waiting.push(...marksIn(block)); });
  const seen = new Set();
  for (let label = waiting.shift(); label !== undefined; label = waiting.shift()) {
    if (seen.has(label)) continue;
    seen.add(label);
    order.push(label);
    for (const text of texts.get(label) ?? []) waiting.push(...marksIn(text));
  }
  return order;
}

/// What stands at the end: {from, to, nodes, texts by labels}; null where a text has no footnotes.
function endOf(doc) {
  let from = doc.content.size;
  const nodes = [];
  const texts = new Map();
  doc.forEach((node, at) => {
    if (node.type.name !== "footnote") return;
    from = Math.min(from, at);
    nodes.push(node);
    texts.set(node.attrs.label, [...(texts.get(node.attrs.label) ?? []), node]);
  });
  return { from, to: doc.content.size, nodes, texts };
}

const isEmpty = (node) => node.childCount === 1 && node.firstChild.isTextblock && node.firstChild.content.size === 0;

/// The footnotes as they should be.
function wanted(state, { nodes, texts, from }, given) {
  const { footnote, paragraph } = state.schema.nodes;
  const order = orderOf(state.doc, texts);
  const caret = state.selection.$from;
  const open = caret.depth > 0 && caret.before(1) >= from ? caret.node(1) : null;
  const all = order.map((label) => {
    const [first, ...others] = texts.get(label) ?? [];
    if (!first) return footnote.create({ label }, given?.get(label) ?? paragraph.create());
    const more = others.filter((other) => !other.content.eq(first.content) && !isEmpty(other));
    return more.length === 0 ? first : more.reduce((one, other) => one.copy(isEmpty(one) ? other.content : one.content.append(other.content)), first);
  });
  const marked = new Set(order);
  return [...all, ...nodes.filter((node) => !marked.has(node.attrs.label) && (!isEmpty(node) || node === open))];
}

function mended(transactions, state) {
  if (!transactions.some((transaction) => transaction.docChanged)) return null;
  const end = endOf(state.doc);
  const given = transactions.map((transaction) => transaction.getMeta(key)).find(Boolean);
  const now = wanted(state, end, given);
  if (now.length === end.nodes.length && now.every((node, index) => node === end.nodes[index])) return null;
  const { tr } = state;
  // What only comes is put in: the caret stays in what is there.
  const kept = now.filter((node) => end.nodes.includes(node));
  if (kept.length === end.nodes.length && kept.every((node, index) => node === end.nodes[index])) {
    let at = end.from;
    for (const node of now) {
      if (!end.nodes.includes(node)) tr.insert(at, node);
      at += node.nodeSize;
    }
    return tr;
  }
  return tr.replaceWith(end.from, end.to, now);
}

function keeping() {
  return new Plugin({
    key,
    state: {
      init: (_, { doc }) => decorate(doc),
      apply: (transaction, value, _, { doc }) => (transaction.docChanged ? decorate(doc) : value),
    },
    appendTransaction: (transactions, _, state) => mended(transactions, state),
    props: { decorations: (state) => key.getState(state) },
  });
}

function decorate(doc) {
  const end = endOf(doc);
  const marked = new Set();
  if (end.nodes.length === 0) return DecorationSet.empty;
  const numbers = new Map(end.nodes.map((node, index) => [node.attrs.label, index + 1]));
  const decorations = [];
  const add = (node, at, isMarked) => decorations.push(Decoration.node(at, at + node.nodeSize, {}, { footnote: true, number: numbers.get(node.attrs.label) ?? "?", isMarked }));
  doc.descendants((node, at) => {
    if (node.type.name !== "footnoteMark") return;
    marked.add(node.attrs.label);
    add(node, at, true);
  });
  doc.forEach((node, at) => { if (node.type.name === "footnote") add(node, at, marked.has(node.attrs.label)); });
  return DecorationSet.create(doc, decorations);
}

// MARK: - Copying and pasting

/// What is copied takes the texts of its marks along.
export function withFootnotes(slice, { state }) {
  const labels = new Set(marksIn(slice.content));
  const there = new Set();
  slice.content.forEach((node) => { if (node.type.name === "footnote") there.add(node.attrs.label); });
  const texts = endOf(state.doc).nodes.filter(({ attrs }) => labels.has(attrs.label) && !there.has(attrs.label));
  const [first] = slice.content.content;
  // Half of a line of a cell, or of an item, stays half of a line.
  if (texts.length === 0 || !first?.isBlock || first.type.name.startsWith("table")) return slice;
  return new Slice(slice.content.append(Fragment.from(texts)), slice.openStart, 0);
}

/// Words that come from a footnote without its mark are words like others.
function unframed(slice) {
  const labels = new Set(marksIn(slice.content));
  const isFrame = (node) => node.type.name === "footnote" && !labels.has(node.attrs.label);
  const nodes = slice.content.content;
  if (!nodes.some(isFrame)) return slice;
  const content = Fragment.from(nodes.flatMap((node) => (isFrame(node) ? node.content.content : [node])));
  const depth = (open, node, block) => (isFrame(node) ? Math.max(open - 1, block.isTextblock ? 1 : 0) : open);
  return new Slice(content, depth(slice.openStart, nodes[0], content.firstChild), depth(slice.openEnd, nodes.at(-1), content.lastChild));
}

/// What is pasted, without its footnotes, which `keep` takes: their labels are new where this text has them for others.
function parted(pasted, doc) {
  const slice = unframed(pasted);
  const texts = new Map();
  const others = [];
  slice.content.forEach((node) => {
    if (node.type.name === "footnote") texts.set(node.attrs.label, node.content);
    else others.push(node);
  });
  if (texts.size === 0) return { slice, texts };
  const known = endOf(doc).texts;
  const names = new Map();
  const taken = new Set(texts.keys());
  for (const [label, content] of texts) {
    const there = known.get(label)?.[0];
    if (!there || there.content.eq(content)) continue;
    const name = freeLabel(doc, taken);
    taken.add(name);
    names.set(label, name);
  }
  const renamed = new Map([...texts].map(([label, content]) => [names.get(label) ?? label, renaming(content, names)]));
  const last = others.at(-1);
  const openEnd = last?.isTextblock ? Math.min(1, Math.max(slice.openEnd, slice.openStart)) : others.length > 0 && last === slice.content.lastChild ? slice.openEnd : 0;
  const content = renaming(Fragment.from(others), names);
  return { slice: others.length > 0 ? new Slice(content, Math.min(slice.openStart, others[0].isTextblock ? 1 : slice.openStart), openEnd) : Slice.empty, texts: renamed };
}

function renaming(fragment, names) {
  if (names.size === 0) return fragment;
  const nodes = [];
  fragment.forEach((node) => {
    const name = node.type.name === "footnoteMark" && names.get(node.attrs.label);
    nodes.push(name ? node.type.create({ label: name }) : node.isText ? node : node.copy(renaming(node.content, names)));
  });
  return Fragment.from(nodes);
}

/// Pastes a slice, and its footnotes at the end.
export function pasting(transaction, slice) {
  const { slice: rest, texts } = parted(slice, transaction.doc);
  const { $from } = transaction.selection;
  const room = roomFor($from, rest);
  if (room.at === $from.pos) {
    transaction.replaceSelection(room.slice);
  } else {
    const end = putIn(transaction, room);
    transaction.setSelection(Selection.near(transaction.doc.resolve(end), -1));
  }
  return transaction.setMeta(key, texts.size > 0 ? texts : undefined);
}

/// Puts in a slice where it was let go, and its footnotes at the end; what `isMoved` leaves where it was.
export function dropping({ state, dragging }, slice, place, isMoved) {
  const transaction = state.tr;
  if (isMoved && dragging?.node) dragging.node.replace(transaction);
  else if (isMoved) transaction.deleteSelection();
  const { slice: rest, texts } = parted(slice, transaction.doc);
  const near = transaction.mapping.map(place);
  const room = roomFor(transaction.doc.resolve(pm.transform.dropPoint(transaction.doc, near, rest) ?? near), rest);
  const end = putIn(transaction, room);
  const { doc } = transaction;
  return transaction.setSelection(TextSelection.between(doc.resolve(room.at), doc.resolve(end))).setMeta(key, texts.size > 0 ? texts : undefined);
}

/// Gives the place behind it.
function putIn(transaction, { at, slice }) {
  const before = transaction.doc.content.size;
  transaction.replaceRange(at, at, slice);
  return at + Math.max(0, transaction.doc.content.size - before);
}

/// Whether a slice brings footnotes; then `pasting` or `dropping` has to put it in.
export const hasFootnotes = (slice) => slice.content.content.some((node) => node.type.name === "footnote");
