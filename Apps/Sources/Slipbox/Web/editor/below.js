// Below a last block that has no place for words behind it, such as a table or a picture, one writes by clicking there,
// with Ctrl End, or with the arrow that leads out of a table, or out of code above the footnotes.
//
// The caret goes behind a picture, a file or a line that is put in. If it stayed selected, the next key would replace it.

import { pm } from "../vendor/editor.js";
import { commandKey } from "../view/words.js";
import { placeInTable } from "./tables.js";

const { NodeSelection, Plugin, TextSelection } = pm.state;

/// A caret has no place behind what they show.
const CLOSED = ["table", "picture", "file", "horizontalRule"];
/// A click below them is meant to leave them.
const FRAMED = [...CLOSED, "codeBlock", "callout", "blockquote"];

export const belowPlugin = () => new Plugin({
  appendTransaction: (transactions, old, state) => (isPutIn(transactions, old, state) ? behindChosen(state) : null),
  props: {
    handleKeyDown: (view, event) => {
      if (isToEnd(event)) return goBelow(view, CLOSED);
      return isDown(view, event) && (isOutOfTable(view) || isOutOfCode(view)) && goBelow(view, FRAMED);
    },
    handleDOMEvents: {
      mousedown(view, event) {
        if (event.button !== 0 || event.target !== view.dom || !isBelow(view, event.clientY) || !goBelow(view, FRAMED)) return false;
        event.preventDefault();
        view.focus();
        return true;
      },
    },
  },
});

/// Whether a block was chosen by a change that has put it there. What is undone comes back as it was.
function isPutIn(transactions, { selection: old }, { selection }) {
  if (!(selection instanceof NodeSelection) || !CLOSED.includes(selection.node.type.name)) return false;
  if (!transactions.some(({ docChanged }) => docChanged) || transactions.some((one) => one.getMeta("history$"))) return false;
  const place = transactions.reduce((at, { mapping }) => mapping.map(at), old.from);
  return !(old instanceof NodeSelection && old.node.type === selection.node.type && place === selection.from);
}

function behindChosen({ selection: { to }, schema, tr }) {
  if (tr.doc.resolve(to).nodeAfter?.type !== schema.nodes.paragraph) tr.insert(to, schema.nodes.paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, to + 1)).scrollIntoView();
}

function isToEnd({ key, ctrlKey, metaKey, shiftKey, altKey }) {
  if (shiftKey || altKey) return false;
  return commandKey === "⌘" ? metaKey && key === "ArrowDown" : ctrlKey && key === "End";
}

const isDown = (view, { key, ctrlKey, metaKey, shiftKey, altKey }) =>
  key === "ArrowDown" && !ctrlKey && !metaKey && !shiftKey && !altKey && view.state.selection.empty;

function isOutOfTable(view) {
  const place = placeInTable(view.state.selection);
  return place !== null && place.row === place.table.childCount - 1 && place.at === lastBlock(view.state.doc).at && view.endOfTextblock("down");
}

/// Where nothing is below the code, Tiptap makes a paragraph; a footnote is no place to go on.
function isOutOfCode({ state: { doc, selection: { $from } } }) {
  const isAtEnd = $from.parent.type.spec.code && $from.depth === 1 && $from.parentOffset === $from.parent.content.size;
  return isAtEnd && lastBlock(doc)?.node === $from.parent;
}

/// The last block before the footnotes: {node, at, end}.
function lastBlock(doc) {
  let last = null;
  doc.forEach((node, at) => {
    if (node.type.name !== "footnote") last = { node, at, end: at + node.nodeSize };
  });
  return last;
}

/// Whether a height is below the last block, and above the footnotes.
function isBelow(view, height) {
  const last = lastBlock(view.state.doc);
  const bottom = last && view.nodeDOM(last.at)?.getBoundingClientRect().bottom;
  const next = last && view.nodeDOM(last.end)?.getBoundingClientRect?.().top;
  return bottom !== undefined && bottom !== null && height > bottom && (!next || height < next);
}

function goBelow(view, kinds) {
  const { state, editable } = view;
  const last = lastBlock(state.doc);
  if (!editable || !last || !kinds.includes(last.node.type.name)) return false;
  const transaction = state.tr.insert(last.end, state.schema.nodes.paragraph.create());
  view.dispatch(transaction.setSelection(TextSelection.create(transaction.doc, last.end + 1)).scrollIntoView());
  return true;
}
