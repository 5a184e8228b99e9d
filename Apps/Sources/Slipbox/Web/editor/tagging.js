// `#` and some letters: the keyword that is meant, and a new one if there is none. The note gets it when it is chosen;
// the word stays in the text, as programs have it that know keywords nowhere else.

import { pm } from "../vendor/editor.js";
import { html, keyed, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { placeBeside } from "../view/menu.js";
import { isCode, textBefore } from "./completion.js";

const { closeHistory } = pm.history;
const OPENING = /(?:^|[\s(])#([\p{L}\p{N}_/-]{1,60})$/u;

/// `#1` is a number, and `#c2410c` and `#fff` are colours.
const isWord = (text) => /\p{L}/u.test(text) && !isColour(text);
const isColour = (text) => /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) && (/\d/.test(text) || /^(.)\1+$/.test(text));

/// `find(text)` gives keywords, `has(name)` says whether the note has one, `add(keyword)` gives it one.
export function tagging({ find, has, add }) {
  const box = document.createElement("div");
  box.className = "completion";
  box.id = "tagging";
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Keyword");
  let open = null;
  let dismissed = null;

  async function follow(editor, { docChanged }) {
    const { $from, empty } = editor.state.selection;
    const isText = empty && editor.view.hasFocus() && !isCode($from) && !$from.marks().some((mark) => mark.type.name === "link");
    const match = isText && OPENING.exec(textBefore($from));
    if (!match) dismissed = null;
    if (!match || !isWord(match[1]) || has(match[1])) return hide();
    const from = $from.pos - match[1].length - 1;
    // It comes when somebody types, and not where a word stands already.
    if (dismissed === from || (!open && !docChanged) || (open?.from === from && open.text === match[1])) return;
    const asked = { editor, from, text: match[1], active: 0, found: open?.found ?? [], isFound: false };
    open = asked;
    draw();
    asked.found = await find(asked.text).catch(() => []);
    asked.isFound = true;
    if (open !== asked) return;
    draw();
    if (asked.isTaken) take(choices()[0]);
  }

  /// Those that begin so; whole words first.
  function choices() {
    const text = open.text.toLowerCase();
    const found = open.found.filter(({ name }) => written(name).toLowerCase().startsWith(text)).slice(0, 6)
      .sort((one, other) => isSame(other.name, open.text) - isSame(one.name, open.text));
    const isThere = found.some(({ name }) => isSame(name, open.text));
    return open.isFound && !isThere ? [...found, { name: open.text, isNew: true }] : found;
  }

  function draw() {
    const { editor } = open;
    const found = choices();
    if (found.length === 0) return box.remove();
    if (!box.isConnected) (editor.view.dom.closest("main") ?? document.body).append(box);
    open.active = Math.max(0, Math.min(open.active, found.length - 1));
    render(found.map((choice, index) => keyed(choice.isNew ? "new" : choice.id, html`
      <div class="choice" role="option" id=${`tagging-${index}`} aria-selected=${String(index === open.active)}
        @pointerdown=${(event) => { event.preventDefault(); take(choice); }}>
        ${choice.isNew ? icon("plus") : html`<i class="dot" $--dot=${choice.color}></i>`}<span class="choice-name">${choice.isNew ? `Create the keyword “${choice.name}”` : choice.name}</span></div>`)), box);
    const caret = editor.view.coordsAtPos(editor.state.selection.from);
    placeBeside(box, { x: caret.left - 8, y: caret.bottom });
    editor.view.dom.setAttribute("aria-controls", "tagging");
    editor.view.dom.setAttribute("aria-activedescendant", `tagging-${open.active}`);
  }

  function hide() {
    if (!open) return;
    const { editor } = open;
    open = null;
    box.remove();
    editor.view.dom.removeAttribute("aria-controls");
    editor.view.dom.removeAttribute("aria-activedescendant");
  }

  function take(choice) {
    const { editor: { state, view }, from } = open;
    hide();
    const to = state.selection.from;
    const isLast = !/^\s/.test(state.doc.textBetween(to, state.selection.$from.end()));
    view.dispatch(closeHistory(state.tr.insertText(`#${written(choice.name)}${isLast ? " " : ""}`, from, to)));
    view.focus();
    add(choice);
  }

  function press(event) {
    if (!open) return false;
    const found = choices();
    const isTaking = event.key === "Enter" || event.key === "Tab";
    if (event.key === "ArrowDown" && found.length > 0) open.active = (open.active + 1) % found.length;
    else if (event.key === "ArrowUp" && found.length > 0) open.active = (open.active + found.length - 1) % found.length;
    // Who types fast means what was typed, not what was found before.
    else if (isTaking && !open.isFound) open.isTaken = true;
    else if (isTaking) take(found[open.active]);
    else if (event.key === "Escape") {
      dismissed = open.from;
      hide();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    if (open) draw();
    return true;
  }

  return { follow, press, hide };
}

/// A keyword in a text has no blanks.
const written = (name) => name.trim().replace(/\s+/g, "-");
export const isSame = (name, text) => written(name).localeCompare(text, undefined, { sensitivity: "base" }) === 0;
