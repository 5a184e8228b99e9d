// Bold, headings, lists: a toolbar of which one button is in the tab order, arrows go along it.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { html } from "../view/template.js";
import { icon } from "../view/icon.js";
import { commandKey } from "../view/words.js";
import { editLink } from "./linking.js";
import { insertRule, outOfItems } from "./rooms.js";
import { putInActs } from "./slash.js";
import { insertTable, tableActs } from "./tables.js";

const mark = (name, label, drawing, keys) =>
  ({ label, drawing, keys, isOn: (editor) => editor.isActive(name), run: (chain) => chain.toggleMark(name) });

const { redoDepth, undoDepth } = pm.history;

/// For fingers: a keyboard has keys for them, and the tools beside it need the room.
const STEPS = [
  { label: say`Undo`, drawing: "undo-2", keys: `${commandKey} Z`, isOff: (editor) => undoDepth(editor.state) === 0, run: (chain) => chain.undo() },
  { label: say`Redo`, drawing: "redo-2", keys: `${commandKey} Shift Z`, isOff: (editor) => redoDepth(editor.state) === 0, run: (chain) => chain.redo() },
];

const TOOLS = [
  { label: say`Title`, drawing: "heading-1", keys: "#", isOn: (editor) => editor.isActive("heading", { level: 1 }), run: (chain) => outOfItems(chain).toggleHeading({ level: 1 }) },
  { label: say`Heading`, drawing: "heading-2", keys: "##", isOn: (editor) => editor.isActive("heading", { level: 2 }), run: (chain) => outOfItems(chain).toggleHeading({ level: 2 }) },
  { label: say`Subheading`, drawing: "heading-3", keys: "###", isOn: (editor) => editor.isActive("heading", { level: 3 }), run: (chain) => outOfItems(chain).toggleHeading({ level: 3 }) },
  "line",
  mark("bold", say`Bold`, "bold", `${commandKey} B`),
  mark("italic", say`Italic`, "italic", `${commandKey} I`),
  mark("underline", say`Underline`, "underline", `${commandKey} U`),
  mark("strike", say`Strike`, "strikethrough", "~~"),
  mark("highlight", say`Highlight`, "highlighter", "=="),
  mark("superscript", say`Superscript`, "superscript", `${commandKey} .`),
  mark("subscript", say`Subscript`, "subscript", `${commandKey} ,`),
  mark("code", say`Code`, "code", "`"),
  "line",
  { label: say`Bullet list`, drawing: "list", keys: "-", isOn: (editor) => editor.isActive("bulletList"), run: (chain) => chain.toggleList("bulletList", "listItem") },
  { label: say`Numbered list`, drawing: "list-ordered", keys: "1.", isOn: (editor) => editor.isActive("orderedList"), run: (chain) => chain.toggleList("orderedList", "listItem") },
  { label: say`Task list`, drawing: "list-checks", keys: "[ ]", isOn: (editor) => editor.isActive("taskList"), run: (chain) => chain.toggleList("taskList", "taskItem") },
  { label: say`Quote`, drawing: "text-quote", keys: ">", isOn: (editor) => editor.isActive("blockquote"), run: (chain) => chain.toggleWrap("blockquote") },
  { label: say`Code block`, drawing: "square-code", keys: "```", isOn: (editor) => editor.isActive("codeBlock"), run: (chain) => outOfItems(chain).toggleNode("codeBlock", "paragraph") },
  { label: say`Line`, drawing: "minus", keys: "---", isOn: () => false, run: (chain) => insertRule(chain) },
  { label: say`Table`, drawing: "table", isOn: (editor) => editor.isActive("table"), run: (chain, editor) => (editor.isActive("table") ? chain : insertTable(chain)) },
  "line",
  { label: say`Link`, drawing: "link", isOn: (editor) => editor.isActive("link"), act: editLink },
];

/// The same, and what else can be put in, for the palette.
export function textActs(editor) {
  const tools = TOOLS.filter((tool) => tool !== "line").map((tool) => ({
    name: tool.label, icon: tool.drawing, keys: tool.keys, run: () => (tool.act ? tool.act(editor) : tool.run(editor.chain().focus(), editor).run()),
  }));
  const known = new Set(tools.map(({ name }) => name));
  return [...tools, ...putInActs(editor).filter(({ name }) => !known.has(name)), ...tableActs(editor)];
}

/// The first that forms something: often there is nothing to undo.
let tabStop = STEPS.length;

/// `more` are further buttons: {label, drawing, act}.
export function toolbarView(editor, more = []) {
  const tools = [...STEPS, "line", ...TOOLS, ...more];
  const buttons = tools.filter((tool) => tool !== "line");
  return html`
    <div class="toolbar" role="toolbar" aria-label=${say`Text style`} @keydown=${walk}>
      ${tools.map((tool, index) => {
        if (tool === "line") return html`<span class=${index === STEPS.length ? "toolbar-line for-fingers" : "toolbar-line"}></span>`;
        const at = buttons.indexOf(tool);
        return html`
          <button class=${STEPS.includes(tool) ? "plain for-fingers" : "plain"} tabindex=${at === tabStop ? "0" : "-1"} aria-label=${tool.label} title=${tool.keys ? `${tool.label} (${tool.keys})` : tool.label}
            aria-disabled=${tool.isOff ? String(!editor || tool.isOff(editor)) : null}
            aria-pressed=${tool.isOn ? String(Boolean(editor && tool.isOn(editor))) : null} @pointerdown=${(event) => event.preventDefault()}
            @focus=${() => (tabStop = at)}
            @click=${(event) => tool.isOff?.(editor) || (tool.act ? tool.act(editor, event) : tool.run(editor.chain().focus(), editor).run())}>${icon(tool.drawing)}</button>`;
      })}
    </div>`;
}

function walk(event) {
  const all = [...event.currentTarget.querySelectorAll("button")];
  const buttons = all.filter((button) => button.checkVisibility());
  const at = buttons.indexOf(document.activeElement);
  const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  const next = buttons.at(steps[event.key] % buttons.length);
  tabStop = all.indexOf(next);
  for (const button of all) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}
