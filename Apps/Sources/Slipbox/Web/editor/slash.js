// `/` at the start of a line, or behind a blank, and some letters: what can be put in there. Arrows, Enter, Escape, or a tap.

import { html, keyed, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { placeBeside } from "../view/menu.js";
import { insertCallout } from "./callouts.js";
import { insertFootnote } from "./footnotes.js";
import { insertTable, placeInTable } from "./tables.js";

const OPENING = /(?:^|\s)\/([\p{L}\p{N} ]{0,30})$/u;

const CHOICES = [
  { name: "Title", drawing: "heading-1", words: "heading 1 h1", run: (chain) => chain.setNode("heading", { level: 1 }) },
  { name: "Heading", drawing: "heading-2", words: "heading 2 h2", run: (chain) => chain.setNode("heading", { level: 2 }) },
  { name: "Subheading", drawing: "heading-3", words: "heading 3 h3", run: (chain) => chain.setNode("heading", { level: 3 }) },
  { name: "Text", drawing: "pilcrow", words: "paragraph plain", run: (chain) => chain.setNode("paragraph") },
  { name: "Bullet list", drawing: "list", words: "points", run: (chain) => chain.toggleList("bulletList", "listItem") },
  { name: "Numbered list", drawing: "list-ordered", words: "ordered", run: (chain) => chain.toggleList("orderedList", "listItem") },
  { name: "Task list", drawing: "list-checks", words: "todo checkbox", run: (chain) => chain.toggleList("taskList", "taskItem") },
  { name: "Quote", drawing: "text-quote", words: "blockquote", run: (chain) => chain.toggleWrap("blockquote") },
  { name: "Code block", drawing: "square-code", words: "fence program", run: (chain) => chain.toggleNode("codeBlock", "paragraph") },
  { name: "Table", drawing: "table", words: "rows columns", run: (chain) => insertTable(chain) },
  { name: "Callout", drawing: "info", words: "box note tip warning info remark", run: (chain) => insertCallout(chain) },
  { name: "Footnote", drawing: "hash", words: "reference citation [^", isInLine: true, act: (editor) => insertFootnote(editor) },
  { name: "Line", drawing: "minus", words: "rule divider", run: (chain) => chain.insertContent({ type: "horizontalRule" }) },
  { name: "Link to a note", drawing: "link-2", words: "[[ wiki", isInLine: true, run: (chain) => chain.insertContent("[[") },
  { name: "Today’s date", drawing: "calendar", words: "now day", isInLine: true, run: (chain) => chain.insertContent(today()) },
];

/// What can be put in, without a slash.
export const putInActs = (editor) => CHOICES.map(({ name, drawing, run, act }) => ({
  name, icon: drawing, run: () => (act ? act(editor) : run(editor.chain().focus()).run()),
}));

const today = () => new Date().toLocaleDateString("sv");

/// `more()` gives further choices: {name, drawing, act}.
export function slashMenu({ more }) {
  const box = document.createElement("div");
  box.className = "completion slash";
  box.id = "slash";
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Put in");
  // It scrolls, and whoever hears the page may want to.
  box.tabIndex = 0;
  let open = null;
  let dismissed = null;

  function follow(editor, { docChanged }) {
    const { selection } = editor.state;
    const { $from } = selection;
    const isText = selection.empty && editor.view.hasFocus() && !$from.parent.type.spec.code && !$from.marks().some((mark) => mark.type.spec.code);
    const match = isText && OPENING.exec($from.parent.textBetween(0, $from.parentOffset, undefined, "￼"));
    if (!match) {
      dismissed = null;
      return hide();
    }
    const from = $from.pos - match[1].length - 1;
    // It comes when somebody types, and not where a path stands already.
    if (dismissed === from || (!open && !docChanged)) return;
    // A cell has room for a line only.
    const isInCell = placeInTable(selection) !== null;
    open = { editor, from, isInCell, text: match[1].trim().toLowerCase(), active: open?.from === from ? open.active : 0 };
    if (choices().length === 0) return hide();
    draw();
  }

  const choices = () => [...CHOICES.filter(({ isInLine }) => isInLine || !open.isInCell), ...more()].filter(({ name, words = "" }) =>
    `${name} ${words}`.toLowerCase().split(" ").some((word) => word.startsWith(open.text)) || name.toLowerCase().startsWith(open.text));

  function draw() {
    const { editor } = open;
    if (!box.isConnected) (editor.view.dom.closest("main") ?? document.body).append(box);
    const found = choices();
    open.active = Math.max(0, Math.min(open.active, found.length - 1));
    render(found.map((choice, index) => keyed(choice.name, html`
      <div class="choice" role="option" id=${`slash-${index}`} aria-selected=${String(index === open.active)}
        @pointerdown=${(event) => { event.preventDefault(); take(choice); }}>${icon(choice.drawing)}<span class="choice-name">${choice.name}</span></div>`)), box);
    const caret = editor.view.coordsAtPos(editor.state.selection.from);
    placeBeside(box, { x: caret.left - 8, y: caret.bottom });
    document.getElementById(`slash-${open.active}`)?.scrollIntoView({ block: "nearest" });
    editor.view.dom.setAttribute("aria-controls", "slash");
    editor.view.dom.setAttribute("aria-activedescendant", `slash-${open.active}`);
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
    const { editor, from } = open;
    const { state, view } = editor;
    hide();
    view.dispatch(state.tr.delete(from, state.selection.from));
    view.focus();
    if (choice.act) choice.act(editor);
    else choice.run(editor.chain().focus()).run();
  }

  function press(event) {
    if (!open) return false;
    const found = choices();
    if (event.key === "ArrowDown") open.active = (open.active + 1) % found.length;
    else if (event.key === "ArrowUp") open.active = (open.active + found.length - 1) % found.length;
    else if (event.key === "Enter" || event.key === "Tab") take(found[open.active]);
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
