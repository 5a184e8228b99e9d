// What a note's text is made of. The server checks against the same list (RichText, in Swift).

import { say } from "../view/say.js";
import {
  Blockquote, Bold, BulletList, Code, HardBreak, Heading, Highlight, HorizontalRule, InputRule, Italic,
  ListItem, Mark, Node, OrderedList, Paragraph, Strike, Text, Underline, markPasteRule, mergeAttributes, pm, wrappingInputRule,
} from "../vendor/editor.js";
import { Callout } from "./callouts.js";
import { filesOf } from "./files.js";
import { footnotes, NoteDocument } from "./footnotes.js";
import { IndentedCode } from "./indenting.js";
import { placeInTable, tables } from "./tables.js";

const { Fragment } = pm.model;
const { TextSelection } = pm.state;

// Marker, box and bar stand where the writing beside them begins.
const OWN_SIDE = { dir: "auto" };

const SAFE = /^(https?:|mailto:)/i;
/// An address of another program, `zotero:…`, which is kept and never followed; RichText refuses the same schemes.
const FOREIGN = /^(?!(?:https?|mailto|javascript|vbscript|livescript|mocha|data|blob|filesystem|about|view-source|note|picture|attachment|slipbox):)[a-z][a-z0-9+.-]{1,38}:[^\s\0-\x20]/i;
/// Without what ends the sentence it stands in; parentheses that close are its own: `https://example.org/Slip_(box)`.
const ADDRESS = String.raw`https?:\/\/(?:\([^\s<>"()]*\)|\((?![^\s<>"()]*\))|[^\s<>"(])+(?:\([^\s<>"()]*\)|[^\s<>".,;:!?()])`;
const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const NOTE = new RegExp(`^note:(${ID})(?:#(.+))?$`, "i");
const OWN = new RegExp(`^#/[^/]+/(${ID})$`, "i");
/// The server takes no longer one.
const LONGEST = 8000;

export const noteOf = (href) => NOTE.exec(href ?? "")?.[1] ?? null;

/// The words of the heading that a link leads to; null where it leads to the note.
export const headingOf = (href) => {
  const words = NOTE.exec(href ?? "")?.[2];
  return words ? decoded(words) : null;
};
export const noteHref = (note, heading = null) => (heading ? `note:${note}#${encodeURIComponent(heading)}` : `note:${note}`);

function decoded(words) {
  try {
    return decodeURIComponent(words);
  } catch {
    return words;
  }
}

/// Whether a page may follow it.
export const isSafe = (href) => SAFE.test(href) || NOTE.test(href);

/// Whether a text may have it.
export const isKept = (href) => isSafe(href) || (FOREIGN.test(href) && lengthOf(href) <= LONGEST);

function lengthOf(href) {
  try {
    return encodeURI(href).length;
  } catch {
    // Half a sign, which no text can have.
    return Infinity;
  }
}

/// A link out, to a note, or to a heading in it: `note:<id>`, `note:<id>#<heading>`.
const Link = Mark.create({
  name: "link",
  priority: 1000,
  inclusive: false,
  // An attribute that does not say how it is read is read by Tiptap from the attribute of its name, whatever `getAttrs` gives.
  addAttributes: () => ({ href: { default: null, parseHTML: hrefOf } }),
  parseHTML: () => [{ tag: "a[href], a[data-href]", getAttrs: (element) => (hrefOf(element) ? null : false) }, { tag: "cite[data-note]", getAttrs: (element) => (hrefOf(element) ? null : false) }],
  renderHTML({ HTMLAttributes: { href } }) {
    const note = noteOf(href);
    if (note) return ["a", { class: "note-link", href: `#/all/${note}`, "data-heading": headingOf(href) }, 0];
    if (!isSafe(href ?? "")) return ["a", { class: "foreign-link", "data-href": href, title: href }, 0];
    return ["a", { href, rel: "noopener noreferrer", target: "_blank" }, 0];
  },
  addPasteRules() {
    return [markPasteRule({ find: new RegExp(ADDRESS, "g"), type: this.type, getAttributes: ([href]) => ({ href }) })];
  },
  addInputRules() {
    return [typedLink(this.type), new InputRule({
      find: new RegExp(String.raw`(?:^|\s)(${ADDRESS})[.,;:!?)]*\s$`),
      handler: ({ state, range, match }) => {
        const start = range.from + match[0].indexOf(match[1]);
        const end = start + match[1].length;
        state.tr.addMark(start, end, this.type.create({ href: match[1] })).removeStoredMark(this.type);
      },
    })];
  },
});

/// `[text](https://…)` as it is typed.
const typedLink = (type) => new InputRule({
  find: /(?<!!)\[([^[\]\n]{1,500})\]\(((?:https?:\/\/|mailto:)(?:[^\s()<>"]|\([^\s()<>"]*\)){1,2000})\)$/,
  handler: ({ state, range, match: [, words, href] }) => {
    const marks = type.create({ href }).addToSet(state.doc.resolve(range.from).marks().filter((mark) => mark.type !== type));
    state.tr.replaceWith(range.from, range.to, state.schema.text(words, marks)).removeStoredMark(type);
  },
});

function hrefOf(element) {
  // As notes are exported: outside of Slipbox there is nothing to lead to.
  const { note, heading } = element.dataset;
  if (note !== undefined) return noteOf(`note:${note}`) && noteHref(note, heading);
  const href = element.getAttribute("href") ?? element.dataset.href;
  // As it is written in the page, and as browsers complete it when they copy it.
  const own = OWN.exec(href.startsWith(`${location.origin}/#/`) ? href.slice(location.origin.length + 1) : href);
  if (own) return noteHref(own[1], element.dataset.heading);
  return isKept(href) ? href : null;
}

const NoteBold = Bold.extend({
  addInputRules() {
    return [...this.parent(), boldAndItalic("\\*"), boldAndItalic("_")];
  },
});

/// `***both***` as it is typed.
const boldAndItalic = (sign) => new InputRule({
  find: new RegExp(`(?:^|\\s)(${sign}{3})([^${sign}\\s](?:[^${sign}]*[^${sign}\\s])?)${sign}{3}$`),
  handler: ({ state: { tr, schema }, range: { from, to }, match: [whole, signs, words] }) => {
    const start = from + whole.indexOf(signs);
    const end = start + signs.length + words.length;
    // A footnote between them is no letter.
    if (tr.doc.textBetween(start + signs.length, end) !== words) return null;
    const { bold, italic } = schema.marks;
    tr.delete(end, to).delete(start, start + signs.length);
    for (const type of [bold, italic]) tr.addMark(start, start + words.length, type.create());
    // What is typed next is plain; a step forgets what was said of it.
    tr.removeStoredMark(bold).removeStoredMark(italic);
  },
});

/// Words are marked as they are typed behind an opening sign, `(*so*)`, and not only behind a blank; the sign of a link is none.
const BEHIND_SIGN = String.raw`(?<=[("'“„‘‚«»‹›—–])(?=[*_~=]+[\p{L}\p{N}])`;

/// Nor with a blank inside the signs: `2 * 3 * 4` and `a == b and c == d` are what they are.
const tight = ({ source, flags }) => new RegExp(source.replace(/\(\(\?:\[\^(.)\]\+\)\)/, String.raw`([^$1\s](?:[^$1]*[^$1\s])?)`), flags);
const tightened = (rule) => Object.assign(rule, { find: tight(rule.find) });

const marking = (mark) => mark.extend({
  addPasteRules() {
    return this.parent().map(tightened);
  },
  addInputRules() {
    const rules = this.parent().map((rule) => (/\[\^.\]\+/.test(rule.find.source) ? tightened(rule) : rule));
    const behindSign = ({ find, handler }) => new InputRule({ find: new RegExp(find.source.replace(String.raw`(?:^|\s)`, BEHIND_SIGN), "u"), handler });
    return [...rules, ...rules.map(behindSign)];
  },
});

/// 10⁶ and H₂O; what is above the line is not below it.
const height = (name, tag, shortcut) => Mark.create({
  name,
  excludes: "superscript subscript",
  parseHTML: () => [{ tag: `${tag}:not([data-footnote-mark])` }],
  renderHTML: () => [tag, 0],
  addKeyboardShortcuts() {
    return { [shortcut]: () => this.editor.commands.toggleMark(name) };
  },
});

/// Numbers only. The list of the vendor has letters too, writes them as a style, which our policy blocks, and does
/// not hear of "1. ".
const NumberedList = OrderedList.extend({
  addAttributes() {
    return { start: { default: 1, parseHTML: ({ start }) => Math.max(0, start) } };
  },
  addNodeView: null,
  addInputRules() {
    return [wrappingInputRule({
      // A year at the start of a sentence is no number of a list.
      find: /^\s*(\d{1,3})[.)]\s$/,
      type: this.type,
      getAttributes: ([, number]) => ({ start: Number(number) }),
      joinPredicate: ([, number], before) => before.attrs.start + before.childCount === Number(number),
    })];
  },
});

const PlainItem = ListItem.extend({
  addKeyboardShortcuts() {
    return { ...this.parent?.(), Backspace: () => leaveEmpty(this.editor, this.name) };
  },
});

/// An empty item becomes a paragraph: below the list, or between its two halves.
function leaveEmpty(editor, name) {
  const { empty, $from } = editor.state.selection;
  const item = $from.depth > 0 ? $from.node(-1) : null;
  if (!empty || item?.type.name !== name || item.childCount > 1 || $from.parent.content.size > 0) return false;
  // Who did not mean a list gets the sign back that made it.
  return editor.commands.undoInputRule() || editor.commands.liftListItem(name);
}

const TaskList = Node.create({
  name: "taskList",
  group: "block list",
  content: "taskItem+",
  parseHTML: () => [{ tag: 'ul[data-type="taskList"]', priority: 60 }],
  renderHTML: () => ["ul", { "data-type": "taskList", class: "tasks" }, 0],
  addCommands() {
    return { toggleTaskList: () => ({ commands }) => commands.toggleList("taskList", "taskItem") };
  },
});

const TaskItem = Node.create({
  name: "taskItem",
  content: "paragraph block*",
  defining: true,
  addAttributes() {
    return { checked: { default: false, parseHTML: (element) => element.dataset.checked === "true",
      renderHTML: ({ checked }) => ({ "data-checked": String(checked) }) } };
  },
  parseHTML: () => [{ tag: 'li[data-type="taskItem"]', priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ["li", mergeAttributes(HTMLAttributes, { "data-type": "taskItem", ...OWN_SIDE }), 0],
  addKeyboardShortcuts() {
    return {
      // What follows a done task is to be done.
      Enter: () => this.editor.commands.splitListItem("taskItem", { checked: false }),
      Tab: () => this.editor.commands.sinkListItem("taskItem"),
      "Shift-Tab": () => this.editor.commands.liftListItem("taskItem"),
      Backspace: () => leaveEmpty(this.editor, "taskItem"),
    };
  },
  addInputRules() {
    const find = /^\s*\[([ xX]?)\]\s$/;
    const getAttributes = ([, sign]) => ({ checked: sign.toLowerCase() === "x" });
    return [
      new InputRule({ find, handler: ({ state, range, match }) => checkTask(state, range, getAttributes(match)) }),
      new InputRule({ find, handler: ({ state, range, match }) => bulletToTask(state, range, getAttributes(match)) }),
      wrappingInputRule({ find, type: this.type, getAttributes }),
    ];
  },
  addNodeView() {
    return ({ node, getPos, editor }) => {
      const item = document.createElement("li");
      item.dir = OWN_SIDE.dir;
      const box = document.createElement("input");
      const content = document.createElement("div");
      box.type = "checkbox";
      box.contentEditable = "false";
      box.setAttribute("aria-label", say`Done`);
      box.addEventListener("mousedown", (event) => event.preventDefault());
      box.addEventListener("change", () => {
        if (!editor.isEditable) return;
        editor.view.dispatch(editor.state.tr.setNodeAttribute(getPos(), "checked", box.checked));
      });
      item.append(box, content);
      const show = (shown) => {
        item.dataset.checked = String(shown.attrs.checked);
        box.checked = shown.attrs.checked;
      };
      show(node);
      return {
        dom: item,
        contentDOM: content,
        update: (updated) => updated.type === node.type && (show(updated), true),
        ignoreMutation: (mutation) => !content.contains(mutation.target),
      };
    };
  },
});

/// Three dashes in a cell are what it says.
const Rule = HorizontalRule.extend({
  addInputRules() {
    const isInCell = ({ state, range }) => placeInTable({ $from: state.doc.resolve(range.from) }) !== null;
    return this.parent().map(({ find, handler }) => new InputRule({ find, handler: (typed) => (isInCell(typed) ? null : handler(typed)) }));
  },
});

/// "[x] " before the words of a task: its box has the mark from then on, or loses it.
function checkTask({ tr, schema }, { from, to }, { checked }) {
  const $from = tr.doc.resolve(from);
  const item = $from.depth > 1 ? $from.node(-1) : null;
  if (item?.type !== schema.nodes.taskItem || $from.index(-1) > 0) return null;
  tr.delete(from, to).setNodeAttribute($from.before(-1), "checked", checked);
}

/// "- [ ] a": the item becomes a task; those before and after it stay what they are.
function bulletToTask({ tr, schema }, { from, to }, attributes) {
  const { bulletList, taskList, taskItem } = schema.nodes;
  const $from = tr.doc.resolve(from);
  const list = $from.depth > 2 ? $from.node(-2) : null;
  if (list?.type !== bulletList || $from.index(-1) > 0) return null;
  const at = $from.index(-2);
  const start = $from.before(-2);
  tr.delete(from, to);
  const items = tr.doc.nodeAt(start).children;
  const task = taskList.create(null, taskItem.create(attributes, items[at].content));
  const before = at > 0 ? [list.copy(Fragment.from(items.slice(0, at)))] : [];
  const after = at < items.length - 1 ? [list.copy(Fragment.from(items.slice(at + 1)))] : [];
  tr.replaceWith(start, start + tr.doc.nodeAt(start).nodeSize, [...before, task, ...after]);
  tr.setSelection(TextSelection.create(tr.doc, start + (before[0]?.nodeSize ?? 0) + 3));
  if (at === 0 && tr.doc.resolve(start).nodeBefore?.type === taskList) tr.join(start);
}

/// `told` knows the files that a text names; see files.js.
export const extensionsFor = (told) => [
  NoteDocument, Paragraph, Text, Heading.configure({ levels: [1, 2, 3, 4, 5, 6] }), BulletList, NumberedList, PlainItem.configure({ HTMLAttributes: OWN_SIDE }), TaskList, TaskItem,
  Blockquote.configure({ HTMLAttributes: OWN_SIDE }), IndentedCode, Rule, HardBreak, ...tables, ...filesOf(told), Callout, ...footnotes,
  // Marks in the order the server keeps them in.
  Link, marking(NoteBold), marking(Italic), Underline, marking(Strike), marking(Highlight),
  height("superscript", "sup", "Mod-."), height("subscript", "sub", "Mod-,"), Code,
];

// MARK: - JSON, in and out

/// The version of texts that is written; whoever reads kept ones takes this and all before.
export const VERSION = 5;

/// Without what is only a default, so that the same text is always the same JSON.
export function toJSON(doc) {
  return { version: VERSION, ...clean(doc.toJSON()) };
}

const KEPT = { heading: ["level"], orderedList: ["start"], taskItem: ["checked"], codeBlock: ["language"], callout: ["kind", "fold"], footnote: ["label"], footnoteMark: ["label"], link: ["href"], picture: ["file", "caption", "width"], file: ["file", "name"], tableCell: ["align"], tableHeader: ["align"] };

function clean({ type, attrs, marks, content, text }) {
  const kept = {};
  for (const name of KEPT[type] ?? []) {
    const value = attrs?.[name];
    if (value !== null && value !== undefined && !(name === "start" && value === 1) && !(name === "caption" && value === "")) kept[name] = value;
  }
  return {
    type,
    ...(Object.keys(kept).length > 0 ? { attrs: kept } : {}),
    ...(marks ? { marks: marks.map((mark) => clean(mark)) } : {}),
    ...(content ? { content: content.map(clean) } : {}),
    ...(text === undefined ? {} : { text }),
  };
}

/// The text as a document of the editor; what the editor does not know gives way to what is in it.
export function fromJSON(schema, json) {
  const empty = () => schema.node("doc", null, [schema.node("paragraph")]);
  if (!json?.content?.length) return empty();
  const known = { type: "doc", content: json.content.flatMap((node) => knownNodes(schema, node)) };
  try {
    const doc = schema.nodeFromJSON(known);
    doc.check();
    return doc;
  } catch {
    // Better the words without their form than nothing.
    const lines = known.content.map((node) => words(node)).filter(Boolean);
    return lines.length ? schema.node("doc", null, lines.map((line) => schema.node("paragraph", null, [schema.text(line)]))) : empty();
  }
}

function knownNodes(schema, node) {
  const content = node.content?.flatMap((child) => knownNodes(schema, child));
  if (!schema.nodes[node.type]) return content ?? [];
  if (node.type === "text" && !node.text) return [];
  const marks = node.marks?.filter((mark) => schema.marks[mark.type]);
  return [{ ...node, ...(content ? { content } : {}), ...(marks ? { marks } : {}) }];
}

const words = (node) => node.text ?? (node.content ?? []).map(words).join("");
