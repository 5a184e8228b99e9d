// `/` at the start of a line, or behind a blank, and some letters: what can be put in there. Arrows, Enter, Escape, or a tap.

import { html } from "../view/template.js";
import { icon } from "../view/icon.js";
import { insertCallout } from "./callouts.js";
import { insertDrawn, insertFormula } from "./drawnTyping.js";
import { caretMenu, isMarkedCode, textBefore } from "./caretMenu.js";
import { insertFootnote } from "./footnotes.js";
import { insertRule, outOfItems } from "./rooms.js";
import { insertTable, placeInTable } from "./tables.js";

const OPENING = /(?:^|\s)\/([\p{L}\p{N} ]{0,30})$/u;

const CHOICES = [
  { name: "Title", drawing: "heading-1", words: "heading 1 h1", run: (chain) => outOfItems(chain).setNode("heading", { level: 1 }) },
  { name: "Heading", drawing: "heading-2", words: "heading 2 h2", run: (chain) => outOfItems(chain).setNode("heading", { level: 2 }) },
  { name: "Subheading", drawing: "heading-3", words: "heading 3 h3", run: (chain) => outOfItems(chain).setNode("heading", { level: 3 }) },
  { name: "Heading 4", drawing: "heading-4", words: "h4 small", run: (chain) => outOfItems(chain).setNode("heading", { level: 4 }) },
  { name: "Heading 5", drawing: "heading-5", words: "h5 small", run: (chain) => outOfItems(chain).setNode("heading", { level: 5 }) },
  { name: "Heading 6", drawing: "heading-6", words: "h6 small", run: (chain) => outOfItems(chain).setNode("heading", { level: 6 }) },
  { name: "Text", drawing: "pilcrow", words: "paragraph plain", run: (chain) => outOfItems(chain).setNode("paragraph") },
  { name: "Bullet list", drawing: "list", words: "points", run: (chain) => chain.toggleList("bulletList", "listItem") },
  { name: "Numbered list", drawing: "list-ordered", words: "ordered", run: (chain) => chain.toggleList("orderedList", "listItem") },
  { name: "Task list", drawing: "list-checks", words: "todo checkbox", run: (chain) => chain.toggleList("taskList", "taskItem") },
  { name: "Quote", drawing: "text-quote", words: "blockquote", run: (chain) => chain.toggleWrap("blockquote") },
  { name: "Code block", drawing: "square-code", words: "fence program", run: (chain) => outOfItems(chain).toggleNode("codeBlock", "paragraph") },
  { name: "Table", drawing: "table", words: "rows columns", run: (chain) => insertTable(chain) },
  { name: "Callout", drawing: "info", words: "box note tip warning info remark", run: (chain) => insertCallout(chain) },
  { name: "Footnote", drawing: "hash", words: "reference note [^", isInLine: true, act: (editor) => insertFootnote(editor) },
  { name: "Formula", drawing: "sigma", words: "math maths latex katex equation $", isInLine: true, act: (editor) => insertFormula(editor) },
  { name: "Formula block", drawing: "square-sigma", words: "math maths latex katex equation large $$", run: (chain) => insertDrawn(chain, "math", "x^2 + y^2 = z^2") },
  { name: "Diagram", drawing: "workflow", words: "mermaid flowchart graph", run: (chain) => insertDrawn(chain, "mermaid", "flowchart LR\n  A[Idea] --> B[Note]") },
  { name: "Line", drawing: "minus", words: "rule divider", run: (chain) => insertRule(chain) },
  { name: "Link to a note", drawing: "link-2", words: "[[ wiki", isInLine: true, run: (chain) => chain.insertContent("[[") },
  { name: "Embed a note", drawing: "file-text", words: "transclusion include show ![[", run: (chain) => chain.insertContent("![[") },
  { name: "Today’s date", drawing: "calendar", words: "now day", isInLine: true, run: (chain) => chain.insertContent(today()) },
];

/// What can be put in, without a slash.
export const putInActs = (editor) => CHOICES.map(({ name, drawing, run, act }) => ({
  name, icon: drawing, run: () => (act ? act(editor) : run(editor.chain().focus()).run()),
}));

const today = () => new Date().toLocaleDateString("sv");

/// `more()` gives further choices: {name, drawing, act}.
export function slashMenu({ more }) {
  const menu = caretMenu({
    id: "slash", label: "Put in", look: "completion slash", scrolls: true, choices, take,
    key: ({ name }) => name,
    line: ({ name, drawing }) => html`${icon(drawing)}<span class="choice-name">${name}</span>`,
  });

  function follow(editor, transaction) {
    const { selection } = editor.state;
    const { $from } = selection;
    const isText = selection.empty && editor.view.hasFocus() && !isMarkedCode($from);
    const match = isText && OPENING.exec(textBefore($from));
    if (!match) return menu.leave();
    const from = $from.pos - match[1].length - 1;
    if (!menu.mayShow(from, transaction)) return;
    // A cell has room for a line only.
    const isInCell = placeInTable(selection) !== null;
    const active = menu.asked?.from === from ? menu.asked.active : 0;
    const asked = { editor, from, isInCell, text: match[1].trim().toLowerCase(), active };
    if (choices(asked).length === 0) menu.hide();
    else menu.show(asked);
  }

  function choices({ isInCell, text }) {
    return [...CHOICES.filter(({ isInLine }) => isInLine || !isInCell), ...more()].filter(({ name, words = "" }) =>
      `${name} ${words}`.toLowerCase().split(" ").some((word) => word.startsWith(text)) || name.toLowerCase().startsWith(text));
  }

  function take(choice, { editor, from, to }) {
    const { state, view } = editor;
    view.dispatch(state.tr.delete(from, to));
    if (choice.act) choice.act(editor);
    else choice.run(editor.chain().focus()).run();
  }

  return { follow, press: menu.press, hide: menu.hide };
}
