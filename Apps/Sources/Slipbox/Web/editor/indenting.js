// Tab and Shift Tab: a list nests, code moves in and out, other text stays as it is. Escape, then Tab leaves the text.

import { CodeBlock, Extension, pm } from "../vendor/editor.js";

const { Plugin } = pm.state;
const STEP = "  ";

/// Comes after the lists in `extensions`, so that it is asked before them: code may stand in a list.
export const IndentedCode = CodeBlock.extend({
  addKeyboardShortcuts() {
    return { ...this.parent?.(), Tab: () => indent(this.editor), "Shift-Tab": () => outdent(this.editor) };
  },
});

/// Asked last: nobody is thrown out of a sentence by a key that finds nothing to do.
export const Staying = Extension.create({
  name: "staying",
  priority: 50,
  addKeyboardShortcuts: () => ({ Tab: () => true, "Shift-Tab": () => true }),
  addProseMirrorPlugins: () => [leaving()],
});

function leaving() {
  let isLeaving = false;
  return new Plugin({ props: { handleDOMEvents: {
    keydown(view, event) {
      // The browser's own Tab, not the editor's.
      if (event.key === "Tab" && isLeaving) return true;
      if (event.key !== "Tab" && event.key !== "Shift") isLeaving = event.key === "Escape";
      return false;
    },
    mousedown: () => (isLeaving = false),
    blur: () => (isLeaving = false),
  } } });
}

function indent({ state, view }) {
  const code = codeAt(state);
  if (!code) return false;
  const places = state.selection.empty ? [state.selection.from] : code.lines.map((line) => line.from);
  const transaction = state.tr;
  for (const place of places.reverse()) transaction.insert(place, state.schema.text(STEP));
  view.dispatch(transaction.scrollIntoView());
  return true;
}

function outdent({ state, view }) {
  const code = codeAt(state);
  if (!code) return false;
  const transaction = state.tr;
  for (const { from, text } of code.lines.reverse()) transaction.delete(from, from + /^(\t| {0,2})/.exec(text)[0].length);
  view.dispatch(transaction.scrollIntoView());
  return true;
}

/// The lines of code that are selected, or hold the caret: {lines: [{from, text}]}.
function codeAt({ selection: { $from, $to } }) {
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return null;
  let end = 0;
  const lines = $from.parent.textContent.split("\n").map((text) => {
    const start = end;
    end += text.length + 1;
    return { from: $from.start() + start, text };
  });
  const isTouched = ({ from, text }) => from + text.length >= $from.pos && (from < $to.pos || from <= $from.pos);
  return { lines: lines.filter(isTouched) };
}
