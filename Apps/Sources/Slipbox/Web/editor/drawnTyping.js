// Typing formulas: `$$` and Enter, or `$$x$$`, makes a block; Ctrl Z right after the last sign leaves it as words.

import { pm } from "../vendor/editor.js";
import { letterOf } from "../view/words.js";
import { goInto } from "./drawn.js";
import { formulasIn, LITERAL } from "./formulas.js";

const { Plugin, PluginKey, TextSelection } = pm.state;
const { closeHistory } = pm.history;
const key = new PluginKey("drawnTyping");
const WHOLE = /^\$\$([^$\n]*[^$\s][^$\n]*)\$$/;

export const drawnTyping = () => new Plugin({
  key,
  state: {
    init: () => null,
    apply: (transaction, fresh, old, state) => (transaction.docChanged ? freshFormula(transaction, fresh, old, state) : fresh),
  },
  props: {
    handleTextInput: (view, from, to, letters) => letters === "$" && from === to && closeBlock(view, from),
    handleKeyDown: (view, event) => {
      if (isUndo(event)) return leaveAsWords(view, event);
      return event.key === "Enter" ? openBlock(view, event) : goInto(view, event);
    },
  },
});

/// The formula that was completed by the letter that was typed last, or by the one before it: its first place.
function freshFormula({ steps }, fresh, old, { selection: { $head, empty } }) {
  const slice = steps.length === 1 ? steps[0].slice : null;
  if (!slice || slice.size !== 1 || steps[0].from !== steps[0].to || !empty || !$head.parent.isTextblock) return null;
  const formula = formulasIn($head.parent).find(({ to }) => to === $head.parentOffset);
  const start = formula && $head.start() + formula.from;
  if (formula && $head.pos === steps[0].from + 1) return old.doc.nodeAt($head.before()) && hadFormula(old, start) ? null : { start, isNew: true };
  return fresh?.isNew ? { start: fresh.start, isNew: false } : null;
}

function hadFormula({ doc }, start) {
  if (start > doc.content.size) return false;
  const $start = doc.resolve(start);
  return formulasIn($start.parent).some(({ from }) => from === $start.parentOffset);
}

function isUndo(event) {
  return letterOf(event) === "Z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
}

function leaveAsWords(view, event) {
  const { state } = view;
  const fresh = key.getState(state);
  if (!fresh) return false;
  const signs = state.doc.textBetween(fresh.start, fresh.start + 2) === "$$" ? 2 : 1;
  view.dispatch(state.tr.insertText(LITERAL, fresh.start + signs).setMeta("addToHistory", false));
  event.preventDefault();
  return true;
}

/// The paragraph that the caret is at the end of, if a block may be in its place: {at, text}.
function paragraphAtEnd({ selection: { $from, empty }, schema }) {
  const isPlain = empty && $from.parent.type === schema.nodes.paragraph && $from.parentOffset === $from.parent.content.size && $from.parent.childCount === 1;
  if (!isPlain || $from.parent.firstChild.marks.length > 0) return null;
  const index = $from.index(-1);
  return $from.node(-1).canReplaceWith(index, index + 1, schema.nodes.codeBlock) ? { at: $from.before(), text: $from.parent.textContent } : null;
}

function closeBlock(view) {
  const paragraph = paragraphAtEnd(view.state);
  const tex = paragraph && WHOLE.exec(paragraph.text)?.[1].trim();
  if (!tex) return false;
  view.dispatch(view.state.tr.insertText("$"));
  putBlock(view, paragraph.at, tex);
  return true;
}

function openBlock(view, event) {
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
  const paragraph = paragraphAtEnd(view.state);
  if (paragraph?.text !== "$$") return false;
  putBlock(view, paragraph.at, "");
  event.preventDefault();
  return true;
}

/// A step of its own, so that one undo brings the signs back.
function putBlock(view, at, tex) {
  const { schema, tr } = view.state;
  const block = schema.nodes.codeBlock.create({ language: "math" }, tex ? schema.text(tex) : null);
  const transaction = closeHistory(tr).replaceWith(at, at + tr.doc.nodeAt(at).nodeSize, block);
  view.dispatch(transaction.setSelection(TextSelection.create(transaction.doc, at + 1 + tex.length)).scrollIntoView());
}

/// A formula where the caret is, of what is selected, or a first one that is selected to be written over.
export function insertFormula(editor) {
  const { state, view } = editor;
  const { from, to, $from } = state.selection;
  const words = $from.sameParent(state.selection.$to) ? state.doc.textBetween(from, to).trim() : "";
  const tex = words && !/[$\n]/.test(words) ? words : "x";
  const transaction = closeHistory(state.tr).insertText(`$${tex}$`, from, to);
  view.dispatch(transaction.setSelection(TextSelection.create(transaction.doc, from + 1, from + 1 + tex.length)).scrollIntoView());
  view.focus();
}

/// A block that is drawn, with a first source in it.
export function insertDrawn(chain, language, source) {
  return chain.command(({ tr, state: { schema }, dispatch }) => {
    const { $from } = tr.selection;
    let depth = $from.depth;
    while (depth > 0 && !$from.node(depth - 1).canReplaceWith($from.index(depth - 1), $from.index(depth - 1), schema.nodes.codeBlock)) depth -= 1;
    if (depth === 0) return false;
    if (!dispatch) return true;
    const block = schema.nodes.codeBlock.create({ language }, schema.text(source));
    const isEmpty = depth === $from.depth && $from.parent.content.size === 0 && $from.node(-1).canReplaceWith($from.index(-1), $from.index(-1) + 1, schema.nodes.codeBlock);
    const at = isEmpty ? $from.before() : $from.after(depth);
    closeHistory(tr).replaceWith(at, isEmpty ? $from.after() : at, block);
    tr.setSelection(TextSelection.create(tr.doc, at + 1, at + 1 + source.length)).scrollIntoView();
    return true;
  });
}
