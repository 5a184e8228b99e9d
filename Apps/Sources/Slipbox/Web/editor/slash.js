// `/` at the start of a line, or behind a blank, and some letters: what can be put in there. Arrows, Enter, Escape, or a tap.

import { say } from "../view/say.js";
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
  { name: say`Title`, drawing: "heading-1", words: say`heading 1 h1`, run: (chain) => outOfItems(chain).setNode("heading", { level: 1 }) },
  { name: say`Heading`, drawing: "heading-2", words: say`heading 2 h2`, run: (chain) => outOfItems(chain).setNode("heading", { level: 2 }) },
  { name: say`Subheading`, drawing: "heading-3", words: say`heading 3 h3`, run: (chain) => outOfItems(chain).setNode("heading", { level: 3 }) },
  { name: say`Heading 4`, drawing: "heading-4", words: say`h4 small`, run: (chain) => outOfItems(chain).setNode("heading", { level: 4 }) },
  { name: say`Heading 5`, drawing: "heading-5", words: say`h5 small`, run: (chain) => outOfItems(chain).setNode("heading", { level: 5 }) },
  { name: say`Heading 6`, drawing: "heading-6", words: say`h6 small`, run: (chain) => outOfItems(chain).setNode("heading", { level: 6 }) },
  { name: say`Text`, drawing: "pilcrow", words: say`paragraph plain`, run: (chain) => outOfItems(chain).setNode("paragraph") },
  { name: say`Bullet list`, drawing: "list", words: say`points`, run: (chain) => chain.toggleList("bulletList", "listItem") },
  { name: say`Numbered list`, drawing: "list-ordered", words: say`ordered`, run: (chain) => chain.toggleList("orderedList", "listItem") },
  { name: say`Task list`, drawing: "list-checks", words: say`todo checkbox`, run: (chain) => chain.toggleList("taskList", "taskItem") },
  { name: say`Quote`, drawing: "text-quote", words: say`blockquote`, run: (chain) => chain.toggleWrap("blockquote") },
  { name: say`Code block`, drawing: "square-code", words: say`fence program`, run: (chain) => outOfItems(chain).toggleNode("codeBlock", "paragraph") },
  { name: say`Table`, drawing: "table", words: say`rows columns`, run: (chain) => insertTable(chain) },
  { name: say`Callout`, drawing: "info", words: say`box note tip warning info remark`, run: (chain) => insertCallout(chain) },
  { name: say`Footnote`, drawing: "hash", words: say`reference note [^`, isInLine: true, act: (editor) => insertFootnote(editor) },
  { name: say`Formula`, drawing: "sigma", words: say`math maths latex katex equation $`, isInLine: true, act: (editor) => insertFormula(editor) },
  { name: say`Formula block`, drawing: "square-sigma", words: say`math maths latex katex equation large $$`, run: (chain) => insertDrawn(chain, "math", "x^2 + y^2 = z^2") },
  { name: say`Diagram`, drawing: "workflow", words: say`mermaid flowchart graph`, run: (chain) => insertDrawn(chain, "mermaid", "flowchart LR\n  A[Idea] --> B[Note]") },
  { name: say`Line`, drawing: "minus", words: say`rule divider`, run: (chain) => insertRule(chain) },
  { name: say`Link to a note`, drawing: "link-2", words: say`[[ wiki`, isInLine: true, run: (chain) => chain.insertContent("[[") },
  { name: say`Embed a note`, drawing: "file-text", words: say`transclusion include show ![[`, run: (chain) => chain.insertContent("![[") },
  { name: say`Today’s date`, drawing: "calendar", words: say`now day`, isInLine: true, run: (chain) => chain.insertContent(today()) },
];

/// What can be put in, without a slash.
export const putInActs = (editor) => CHOICES.map(({ name, drawing, run, act }) => ({
  name, icon: drawing, run: () => (act ? act(editor) : run(editor.chain().focus()).run()),
}));

const today = () => new Date().toLocaleDateString("sv");

/// `more()` gives further choices: {name, drawing, act}.
export function slashMenu({ more }) {
  const menu = caretMenu({
    id: "slash", label: say`Put in`, look: "completion slash", scrolls: true, choices, take,
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
