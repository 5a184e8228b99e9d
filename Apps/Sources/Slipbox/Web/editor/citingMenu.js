// `[@` and some letters: the works that are meant, by key, authors, year or title. The key that is chosen comes into the text.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { html } from "../view/template.js";
import { icon } from "../view/icon.js";
import { caretMenu, isCode, textBefore } from "./caretMenu.js";
import { writtenKey } from "./citations.js";
import { citationAt } from "./citing.js";

const { TextSelection } = pm.state;
const { closeHistory } = pm.history;

/// In brackets from the sign on, and elsewhere from the second letter on.
const IN_BRACKETS = /(?<!\[)\[(?:[^[\]\n]*[\s;-])?@([^\s[\]{};@]{0,80})$/;
const IN_SENTENCE = /(?:^|[\s("'“„«–—])-?@([\p{L}\p{N}_][\p{L}\p{N}_:.-]{1,80})$/u;

/// `find(text)` gives references: {key, authors, year, title}.
export function citingMenu({ find }) {
  /// The key that was chosen last: as long as it is before the caret, there is nothing to choose.
  let taken = null;
  const menu = caretMenu({
    id: "citing", label: say`Reference to cite`, choices: ({ found, text }) => (found.length === 1 && found[0].key === text ? [] : found), take,
    key: ({ key }) => key,
    line: ({ authors, year, title }) => html`${icon("quote")}<span class="choice-name">${authors} ${year}<span class="faint reference-title">${title}</span></span>`,
  });

  async function follow(editor, transaction) {
    menu.move(transaction);
    const { $from, empty } = editor.state.selection;
    const isText = empty && editor.view.hasFocus() && !isCode($from) && !$from.marks().some((mark) => mark.type.name === "link");
    const before = isText ? textBefore($from) : "";
    const text = (IN_BRACKETS.exec(before) ?? IN_SENTENCE.exec(before))?.[1];
    if (text === undefined) return menu.leave();
    if (text === taken) return menu.hide();
    taken = null;
    const from = $from.pos - text.length - 1;
    const asked = menu.asked;
    if (!menu.mayShow(from, transaction) || (asked?.from === from && asked.text === text)) return;
    const now = menu.show({ editor, from, text, found: asked?.from === from ? asked.found : [] });
    menu.fill(now, { found: await find(text).catch(() => []) });
  }

  function take({ key }, { editor: { state, view }, from, to }) {
    const $to = state.doc.resolve(to);
    const behind = state.doc.textBetween(to, $to.end(), undefined, "\uFFFC");
    const isOpen = IN_BRACKETS.test(textBefore($to)) && !/^[^[\]]*\]/.test(behind);
    const words = writtenKey(key);
    taken = key;
    const transaction = state.tr.insertText(isOpen ? `${words}]` : words, from, to);
    // The caret stays before the bracket, where the page of the work is written.
    view.dispatch(closeHistory(transaction.setSelection(TextSelection.create(transaction.doc, from + words.length))));
  }

  return { follow, press: menu.press, hide: menu.hide };
}

/// Cites a work where the caret is: in brackets, or as one more work of those around the caret.
export function cite(editor, name) {
  const { state, view } = editor;
  const { $head, from, to } = state.selection;
  const around = citationAt(state);
  const words = writtenKey(name);
  if (around && !around.isInSentence) {
    const end = $head.start() + around.to - 1;
    view.dispatch(closeHistory(state.tr.insertText(`; ${words}`, end)));
  } else {
    const before = textBefore(state.selection.$from);
    const isApart = before === "" || /[\s([“„«]$/.test(before);
    view.dispatch(closeHistory(state.tr.insertText(`${isApart ? "" : " "}[${words}]`, from, to).scrollIntoView()));
  }
  view.focus();
}
