// Quotation marks of the language as one types: "so" is “so” in English, „so“ in German, and « so » in French, with narrow blanks
// that do not break. An apostrophe is ’ everywhere. Not in code and formulas, and undo right after it brings back what was typed.

import { pm } from "../vendor/editor.js";
import { isCode, textBefore } from "./caretMenu.js";

const { Plugin } = pm.state;
const { closeHistory } = pm.history;
const NARROW = "\u202f";

/// The outer and the inner marks, each opening and closing.
const MARKS = {
  en: "“”‘’", de: "„“‚‘", "de-ch": "«»‹›", "de-li": "«»‹›", fr: `«${NARROW}|${NARROW}»|“|”`, "fr-ch": "«»‹›", "it-ch": "«»‹›", es: "«»“”", ca: "«»“”", gl: "«»“”", it: "«»“”",
  pt: "“”‘’", "pt-pt": "«»“”", nl: "“”‘’", af: "“”‘’", pl: "„”«»", cs: "„“‚‘", sk: "„“‚‘", sl: "„“‚‘", hr: "„”‚’", sr: "„”‚’", bs: "„”‚’", ro: "„”«»", hu: "„”»«",
  bg: "„“‚‘", mk: "„“‚‘", ru: "«»„“", uk: "«»„“", be: "«»„“", lt: "„“‚‘", lv: "„“‚‘", et: "„“‚‘", el: "«»“”", sq: "«»‹›", hy: "«»‹›",
  da: "“”‘’", nb: "«»‘’", nn: "«»‘’", no: "«»‘’", sv: "””’’", fi: "””’’", is: "„“‚‘", tr: "“”‘’", eu: "«»‹›", ja: "「」『』", zh: "“”‘’", "zh-tw": "「」『』", "zh-hant": "「」『』",
};

/// {double: [opening, closing], single: [opening, closing]} of a language, `de-AT`; those of English where it is not known.
export function marksOf(language) {
  const parts = language.toLowerCase().split("-");
  const found = parts.map((_, index) => MARKS[parts.slice(0, parts.length - index).join("-")]).find(Boolean) ?? MARKS.en;
  const [one, two, three, four] = found.includes("|") ? found.split("|") : [...found];
  return { double: [one, two], single: [three, four] };
}

/// `language()` gives the language whose marks are wanted, or null.
export const quotesPlugin = (language) => new Plugin({
  props: {
    handleTextInput(view, from, to, letters) {
      const wanted = letters === '"' || letters === "'" ? language() : null;
      if (!wanted || isLiteral(view.state.doc.resolve(from))) return false;
      const sign = markFor(letters, textBefore(view.state.doc.resolve(from)), marksOf(wanted));
      if (sign === letters) return false;
      const { selection, tr } = view.state;
      const isSelected = from === selection.from && to === selection.to;
      view.dispatch((isSelected ? tr.insertText(letters) : tr.insertText(letters, from, to)).scrollIntoView());
      const { to: end } = view.state.selection;
      // A step of its own, and what is typed next is another.
      view.dispatch(closeHistory(view.state.tr).insertText(sign, end - 1, end));
      view.dispatch(closeHistory(view.state.tr));
      return true;
    },
  },
});

const isLiteral = ($from) => $from.parent.type.spec.code || isCode($from) || isFormula(textBefore($from));

/// Whether a formula is open before the caret: `$f'`.
const isFormula = (before) => (before.match(/(?<!\\)\$/g) ?? []).length % 2 === 1 && /\$(?=\S)[^$]*$/.test(before);

function markFor(typed, before, { double, single }) {
  const last = before.at(-1) ?? "";
  const isInWord = /[\p{L}\p{N}]/u.test(last);
  const [open, close] = typed === '"' ? double : single;
  if (typed === "'" && isInWord && !isOpen(before, open, close)) return "’";
  return isBeginning(last, before, { double, single }, [open, close]) ? open : close;
}

function isBeginning(last, before, { double, single }, [open, close]) {
  if (last === "" || /[\s([{/\ufffc]/.test(last)) return last !== NARROW || before.endsWith(double[0]);
  // Right behind another mark that opens, or a dash.
  if ([double[0], single[0]].some((mark) => mark !== double[1] && mark !== single[1] && before.endsWith(mark))) return true;
  return /[–—-]/.test(last) && !isOpen(before, open, close);
}

/// Whether the last of these marks in the paragraph opens.
function isOpen(before, open, close) {
  if (open === close) return before.split(open).length % 2 === 0;
  return before.lastIndexOf(open.trim()) > before.lastIndexOf(close.trim());
}
