// A box with a sign, a title and blocks. `> [!tip] ` makes one; the sign in it is a menu of what it can be.
//
//   {"type": "callout", "attrs": {"kind": "tip", "fold": "closed"}, "content": [title, …]}

import { say } from "../view/say.js";
import { InputRule, Node, mergeAttributes, pm } from "../vendor/editor.js";
import { html, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { openMenu } from "../view/menu.js";

const { TextSelection } = pm.state;

/// What other programs know too, and the looks of each: {name, drawing, tone}.
const KINDS = new Map([
  ["note", { name: say`Note`, drawing: "pencil", tone: "note" }],
  ["info", { name: say`Info`, drawing: "info", tone: "note" }],
  ["tip", { name: say`Tip`, drawing: "star", tone: "good" }],
  ["question", { name: say`Question`, drawing: "search", tone: "mind" }],
  ["warning", { name: say`Warning`, drawing: "circle-alert", tone: "mind" }],
  ["danger", { name: say`Danger`, drawing: "circle-alert", tone: "bad" }],
  ["success", { name: say`Success`, drawing: "check", tone: "good" }],
  ["todo", { name: say`To do`, drawing: "list-checks", tone: "note" }],
  ["abstract", { name: say`Summary`, drawing: "file-text", tone: "note" }],
  ["example", { name: say`Example`, drawing: "list", tone: "plain" }],
  ["quote", { name: say`Quote`, drawing: "quote", tone: "plain" }],
]);

const SAME = { summary: "abstract", tldr: "abstract", hint: "tip", important: "tip", check: "success", done: "success", help: "question", faq: "question", caution: "warning", attention: "warning", failure: "danger", fail: "danger", missing: "danger", error: "danger", bug: "danger", cite: "quote" };

const looksOf = (kind) => {
  const known = KINDS.get(SAME[kind] ?? kind);
  const words = kind.replaceAll(/[-_]/g, " ");
  return { ...(known ?? { drawing: "info", tone: "note" }), name: KINDS.get(kind)?.name ?? words.charAt(0).toUpperCase() + words.slice(1) };
};

const isKind = (word) => /^[a-z0-9_-]{1,40}$/.test(word);
const FOLDS = ["open", "closed"];

function kindOf({ dataset }) {
  const kind = dataset.callout.toLowerCase();
  return isKind(kind) ? kind : "note";
}

function foldOf(element) {
  const told = element.localName === "details" ? (element.hasAttribute("open") ? "open" : "closed") : element.dataset.fold;
  return FOLDS.includes(told) ? told : null;
}

export const Callout = Node.create({
  name: "callout",
  group: "block",
  content: "paragraph block*",
  defining: true,
  addAttributes: () => ({ kind: { default: "note", parseHTML: kindOf }, fold: { default: null, parseHTML: foldOf } }),
  parseHTML: () => [{ tag: "[data-callout]", priority: 60 }],
  renderHTML: ({ node: { attrs } }) => ["div", mergeAttributes({ class: "callout", "data-callout": attrs.kind }, attrs.fold ? { "data-fold": attrs.fold } : {}), 0],
  addNodeView: () => calloutNode,
  addKeyboardShortcuts() {
    return { Enter: () => intoCallout(this.editor) };
  },
  addInputRules() {
    return [new InputRule({ find: /^\[!([A-Za-z0-9_-]{1,40})\]([+-]?)\s$/, handler: ({ state, range, match }) => make(state, range, match) })];
  },
});

let isBeingMade = false;

/// Around the paragraph or quote that the caret is in; below it where a paragraph has to stay, as at the beginning of an item of a list.
export const insertCallout = (chain) => chain.command(({ tr }) => {
  const { callout, paragraph } = tr.doc.type.schema.nodes;
  const { $from } = tr.selection;
  if (!$from.parent.isTextblock) return false;
  if ($from.parent.type !== paragraph) tr.setBlockType($from.pos, $from.pos, paragraph);
  const block = tr.selection.$from.blockRange();
  const wrapping = block && pm.transform.findWrapping(block, callout, { kind: "note" });
  if (wrapping) {
    tr.wrap(block, wrapping);
    return true;
  }
  const below = tr.selection.$from.after();
  const $below = tr.doc.resolve(below);
  if (!$below.parent.canReplaceWith($below.index(), $below.index(), callout)) return false;
  tr.insert(below, callout.create({ kind: "note" }, paragraph.create()));
  tr.setSelection(TextSelection.create(tr.doc, below + 2));
  return true;
});

/// `[!tip] ` at the beginning of a quote makes a callout of it, elsewhere of the paragraph.
function make({ tr, schema }, { from, to }, [, kind, sign]) {
  const $from = tr.doc.resolve(from);
  if ($from.parent.type !== schema.nodes.paragraph) return null;
  const attributes = { kind: kind.toLowerCase(), fold: { "+": "open", "-": "closed" }[sign] ?? null };
  const isInQuote = $from.depth > 1 && $from.node(-1).type === schema.nodes.blockquote && $from.index(-1) === 0;
  if (isInQuote) {
    tr.setNodeMarkup($from.before(-1), schema.nodes.callout, attributes).delete(from, to);
  } else {
    tr.delete(from, to);
    const block = tr.doc.resolve(from).blockRange();
    const wrapping = block && pm.transform.findWrapping(block, schema.nodes.callout, attributes);
    if (!wrapping) return null;
    tr.wrap(block, wrapping);
  }
  isBeingMade = true;
}

/// From the end of the title into what stands below it.
function intoCallout(editor) {
  const { state, view } = editor;
  const { $from, empty } = state.selection;
  if (!empty || $from.depth < 2 || $from.node(-1).type.name !== "callout" || $from.index(-1) > 0 || $from.parentOffset < $from.parent.content.size) return false;
  const after = $from.after();
  const transaction = state.tr;
  if (!transaction.doc.resolve(after).nodeAfter?.isTextblock) transaction.insert(after, state.schema.nodes.paragraph.create());
  else if ($from.parent.content.size > 0) transaction.insert(after, state.schema.nodes.paragraph.create());
  view.dispatch(transaction.setSelection(TextSelection.near(transaction.doc.resolve(after + 1))).scrollIntoView());
  return true;
}

function calloutNode({ node, getPos, editor }) {
  const dom = document.createElement("div");
  const head = document.createElement("div");
  const content = document.createElement("div");
  head.className = "callout-head";
  head.contentEditable = "false";
  content.className = "callout-text";
  // The sign stands where its words begin; the name of the kind is no part of them.
  content.dir = "auto";
  dom.append(head, content);
  let shown = node;
  // Who has just made it writes into it.
  let isFolded = node.attrs.fold === "closed" && !isBeingMade;
  isBeingMade = false;

  function show() {
    const { kind, fold } = shown.attrs;
    const { name, drawing, tone } = looksOf(kind);
    dom.className = `callout tone-${tone}${shown.firstChild.content.size === 0 ? " is-mute" : ""}`;
    dom.dataset.callout = kind;
    dom.dataset.folded = String(Boolean(fold) && isFolded);
    render(html`
      <button class="plain callout-kind" type="button" aria-label=${editor.isEditable ? say`Kind: ${name}` : name} aria-haspopup=${editor.isEditable ? "menu" : null} title=${name}
        @pointerdown=${(event) => event.preventDefault()} @click=${(event) => chooseKind(event.currentTarget)}>${icon(drawing)}</button>
      <span class="callout-name">${name}</span>
      ${fold ? html`<button class="plain callout-fold" type="button" aria-expanded=${String(!isFolded)} aria-label=${isFolded ? say`Unfold` : say`Fold up`}
        @pointerdown=${(event) => event.preventDefault()} @click=${turn}>${icon(isFolded ? "chevron-right" : "chevron-down")}</button>` : null}`, head);
  }

  const set = (name, value) => editor.view.dispatch(editor.state.tr.setNodeAttribute(getPos(), name, value));

  /// Who reads may fold it up for himself; who writes says how it is shown.
  function turn() {
    isFolded = !isFolded;
    show();
    const fold = isFolded ? "closed" : "open";
    if (editor.isEditable && shown.attrs.fold !== fold) set("fold", fold);
  }

  function chooseKind(button) {
    if (!editor.isEditable) return;
    openMenu(button, [
      ...[...KINDS].map(([kind, { name }]) => ({ name, isOn: kind === shown.attrs.kind, run: () => set("kind", kind) })),
      "line",
      { name: say`Can be folded up`, isOn: shown.attrs.fold !== null, run: () => set("fold", shown.attrs.fold ? null : "open") },
      { name: say`No box`, icon: "x", run: () => unwrap(editor, getPos()) },
    ], say`Kind of the box`);
  }

  show();
  return {
    dom,
    contentDOM: content,
    update(updated) {
      if (updated.type !== shown.type) return false;
      if (updated.attrs.fold !== shown.attrs.fold) isFolded = updated.attrs.fold === "closed";
      shown = updated;
      show();
      return true;
    },
    stopEvent: (event) => head.contains(event.target),
    ignoreMutation: (mutation) => mutation.type !== "selection" && !content.contains(mutation.target),
  };
}

/// What is in the box stands without it, and the caret where it was.
function unwrap(editor, position) {
  const { tr, doc } = editor.state;
  const box = doc.nodeAt(position);
  const range = box && doc.resolve(position + 1).blockRange(doc.resolve(position + box.nodeSize - 1));
  if (range) editor.view.dispatch(tr.lift(range, range.depth - 1));
}
