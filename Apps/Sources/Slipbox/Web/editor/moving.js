// Blocks move up and down with Alt Shift and an arrow: paragraphs, headings and pictures, and items within their list. Of a
// selection all blocks move together.
//
//   one                  two
//   two  ← Alt Shift ↑   one
//
// The block on the other side is what is taken out and put back: so the caret, and what is selected, stay where they are.

import { say } from "../view/say.js";
import { Extension, pm } from "../vendor/editor.js";

const { closeHistory } = pm.history;
const LISTS = ["bulletList", "orderedList", "taskList"];
/// Their blocks move within them.
const HOLDERS = ["doc", "blockquote", "callout", "footnote", ...LISTS];

export const Moving = Extension.create({
  name: "moving",
  addKeyboardShortcuts() {
    return { "Alt-Shift-ArrowUp": () => moveBlocks(this.editor, -1), "Alt-Shift-ArrowDown": () => moveBlocks(this.editor, 1) };
  },
});

/// Always true: the browser would select words with these keys.
export function moveBlocks(editor, by) {
  const { state, view } = editor;
  const range = editor.isEditable ? blocksToMove(state.selection) : null;
  const other = range && neighbour(range, by);
  if (!other) return true;
  const transaction = state.tr;
  const [size, at] = by < 0 ? [-other.nodeSize, range.start - other.nodeSize] : [0, range.end];
  transaction.delete(at, at + other.nodeSize).insert(by < 0 ? range.end + size : range.start, other);
  view.dispatch(closeHistory(transaction).scrollIntoView());
  return true;
}

/// The items of the palette.
export const movingActs = (editor) => [
  { name: say`Move the block up`, icon: "arrow-up", keys: "Alt Shift ↑", run: () => moveAndGoOn(editor, -1) },
  { name: say`Move the block down`, icon: "arrow-down", keys: "Alt Shift ↓", run: () => moveAndGoOn(editor, 1) },
];

function moveAndGoOn(editor, by) {
  moveBlocks(editor, by);
  editor.view.focus();
}

/// The blocks of a selection that move: a list or a quote of nothing else moves itself; a list that is in an item stays in it.
function blocksToMove(selection) {
  for (const range of rangesOf(selection)) {
    const { parent, depth, first, last, holder } = range;
    const isWhole = first === 0 && last === parent.childCount - 1 && depth > 0 && parent.type.name !== "footnote";
    if (!isWhole && !hasTitle(range)) return range;
    if (/Item$/.test(holder?.type.name)) return null;
  }
  return null;
}

/// The blocks that a selection touches, the innermost first: {parent, depth, holder, first, last, start, end}, where `holder`
/// has the parent in it.
export function rangesOf(selection) {
  const { $from, empty } = selection;
  if (empty && !$from.parent.inlineContent) return [];
  const $to = endOf(selection);
  const ranges = [];
  for (let depth = $from.depth; depth >= 0; depth--) {
    const parent = $from.node(depth);
    if ($to.pos > $from.end(depth) || !HOLDERS.includes(parent.type.name)) continue;
    const first = $from.index(depth);
    const last = empty ? first : $to.indexAfter(depth) - 1;
    const [start, end] = [$from.posAtIndex(first, depth), $from.posAtIndex(last + 1, depth)];
    ranges.push({ parent, depth, holder: depth > 0 ? $from.node(depth - 1) : null, first, last, start, end });
  }
  return ranges;
}

/// Whether the title of a callout is among the blocks, which is no block of its own.
export const hasTitle = ({ parent, first }) => parent.type.name === "callout" && first === 0;

/// A selection of whole lines ends before the next one, which is not meant.
function endOf({ $from, $to, empty }) {
  if (empty || !$to.parent.inlineContent || $to.parentOffset > 0 || $from.sameParent($to)) return $to;
  let $end = $to.doc.resolve($to.before());
  while ($end.depth > 0 && $end.index() === 0) $end = $end.doc.resolve($end.before());
  return $end;
}

/// The block that the others move past; null at the end. Footnotes and the title of a callout stay where they are.
function neighbour({ parent, first, last }, by) {
  const index = by < 0 ? first - 1 : last + 1;
  const other = parent.maybeChild(index);
  if (!other || [other, parent.child(last)].some(({ type }) => type.name === "footnote")) return null;
  return parent.type.name === "callout" && index === 0 ? null : other;
}
