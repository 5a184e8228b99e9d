// `#` and some letters: the keyword that is meant, and a new one if there is none. The note gets it when it is chosen, or
// when the word is ended by a blank, a sign or a new line; one Ctrl Z takes it back. The word stays in the text, as programs
// have it that know keywords nowhere else.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { html } from "../view/template.js";
import { icon } from "../view/icon.js";
import { plain } from "../view/words.js";
import { isComposing } from "../view/composing.js";
import { caretMenu, isCode, textBefore } from "./caretMenu.js";

const { closeHistory } = pm.history;
const ENDED = /(?:^|[\s(])#([\p{L}\p{N}_/-]{1,60})[\s.,;:!?)]$/u;
const OPENING = /(?:^|[\s(])#([\p{L}\p{N}_/-]{1,60})$/u;

/// `#1` is a number, and `#c2410c` and `#fff` are colours.
const isWord = (text) => /\p{L}/u.test(text) && !isColour(text);
const isColour = (text) => /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) && (/\d/.test(text) || /^(.)\1+$/.test(text));

/// `find(text)` gives keywords, `has(name)` says whether the note has one, `add(keyword)` gives it one, and `takeBack(name)` takes it
/// away; false where the note does not have it.
export function tagging({ find, has, add, takeBack }) {
  /// The keyword that was given last without being chosen, and the text just after that.
  let given = null;
  const menu = caretMenu({
    id: "tagging", label: say`Keyword`, choices, take,
    key: ({ id, isNew }) => (isNew ? "new" : id),
    line: ({ name, color, isNew }) => html`
      ${isNew ? icon("plus") : html`<i class="dot" $--dot=${color}></i>`}<span class="choice-name">${isNew ? say`Create the keyword “${name}”` : name}</span>`,
  });

  async function follow(editor, transaction) {
    menu.move(transaction);
    if (transaction.docChanged && given?.doc === null) given.doc = transaction.doc;
    const { $from, empty } = editor.state.selection;
    const isText = empty && editor.view.hasFocus() && !isCode($from) && !$from.marks().some((mark) => mark.type.name === "link");
    const match = isText && OPENING.exec(textBefore($from));
    if (!match) {
      const word = menu.asked && transaction.docChanged && isText && ENDED.exec(textBefore($from))?.[1];
      if (word && word === menu.asked.text && menu.asked.from === $from.pos - word.length - 2) give(editor, word, editor.state.doc);
      return menu.leave();
    }
    const [, text] = match;
    if (!isWord(text) || has(text)) return menu.hide();
    const from = $from.pos - text.length - 1;
    const before = menu.asked;
    if (!menu.mayShow(from, transaction) || (before?.from === from && before.text === text)) return;
    const asked = menu.show({ editor, from, text, found: before?.found ?? [], isAwaited: true });
    menu.fill(asked, { found: await find(text).catch(() => []) });
  }

  /// Those that begin so; whole words first.
  function choices(asked) {
    const text = plain(asked.text);
    const found = asked.found.filter(({ name }) => plain(written(name)).startsWith(text)).slice(0, 6)
      .sort((one, other) => isSame(other.name, asked.text) - isSame(one.name, asked.text));
    const isThere = found.some(({ name }) => isSame(name, asked.text));
    return asked.isAwaited || isThere ? found : [...found, { name: asked.text, isNew: true }];
  }

  function take(choice, { editor: { state, view }, from, to }) {
    const isLast = !/^\s/.test(state.doc.textBetween(to, state.doc.resolve(to).end()));
    view.dispatch(closeHistory(state.tr.insertText(`#${written(choice.name)}${isLast ? " " : ""}`, from, to)));
    add(choice);
  }

  /// The keyword of a word that was typed to its end. `doc` is the text then; null where it is about to change once more.
  async function give(editor, word, doc) {
    const { opened } = editor;
    given = { word, doc };
    const found = await find(word).catch(() => []);
    const known = found.find(({ name }) => isSame(name, word));
    if (has(word) || editor.opened !== opened) return;
    add(known ?? { name: word, isNew: true });
  }

  /// Whether Enter ends a word that means itself: then the new line comes as well.
  function isWhole() {
    const { asked } = menu;
    if (!asked) return false;
    return asked.isAwaited || isSame(choices(asked)[asked.active]?.name ?? "", asked.text);
  }

  function press(event) {
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey && !isComposing(event);
    if (event.key === "Enter" && isPlain && isWhole()) {
      const { editor, text } = menu.asked;
      menu.hide();
      give(editor, text, null);
      return false;
    }
    return menu.press(event);
  }

  /// Ctrl Z just behind it.
  function undo(doc) {
    if (!given || given.doc !== doc) return false;
    const { word } = given;
    given = null;
    return takeBack(word);
  }

  return { follow, press, undo, hide: menu.hide };
}

/// A keyword in a text has no blanks.
const written = (name) => name.trim().replace(/\s+/g, "-");
export const isSame = (name, text) => written(name).localeCompare(text, undefined, { sensitivity: "base" }) === 0;
