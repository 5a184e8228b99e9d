// A part of the text becomes a note of its own, and a link to it takes its place.
//
//   selected words of a line      these words
//   several lines selected        all blocks that they touch
//   the caret in a heading        the heading with its section, and the heading is the title
//   the caret elsewhere           the block, or the item of the list
//
// The note is made first: if the server refuses it, the text stays as it is.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { beginningOf } from "../view/titleRoom.js";
import { hasTitle, rangesOf } from "./moving.js";
import { noteHref, toJSON } from "./schema.js";
import { footnotesOf } from "./textPart.js";

const { Fragment } = pm.model;
const { NodeSelection, Selection } = pm.state;
const { closeHistory } = pm.history;
const MOST_LETTERS = 100;

/// `make({title, document})` gives the identifier of the note, or null. Gives {id, title, isReplaced}; null where nothing is
/// selected that could go, or no note was made.
export async function extract(editor, make) {
  editor.view.domObserver?.flush();
  const part = partOf(editor.state);
  if (!part) return null;
  const { opened, state: { doc } } = editor;
  const before = doc.slice(part.from, part.to).content;
  const follow = ({ transaction: { mapping } }) => Object.assign(part, { from: mapping.map(part.from), to: mapping.map(part.to, -1) });
  editor.on("transaction", follow);
  try {
    const id = await make({ title: part.title, document: toJSON(part.document) });
    if (!id) return null;
    editor.view.domObserver?.flush();
    const isSame = editor.opened === opened && editor.isEditable && part.from < part.to && editor.state.doc.slice(part.from, part.to).content.eq(before);
    if (isSame) editor.view.dispatch(leaveLink(editor.state, part, id));
    return { id, title: part.title, isReplaced: isSame };
  } finally {
    editor.off("transaction", follow);
  }
}

/// {from, to, title, document, linked}: `linked(link)` is what takes the place of the part.
function partOf(state) {
  return wordsOf(state) ?? blocksOf(state);
}

/// Words within a line. A whole line is a block, unless it is a cell's, and code has no links.
function wordsOf({ doc, schema, selection }) {
  const { $from, $to, from, to, empty } = selection;
  const line = $from.parent;
  if (empty || selection instanceof NodeSelection || !$from.sameParent($to) || !line.isTextblock || line.type.spec.code) return null;
  const isWhole = $from.parentOffset === 0 && $to.parentOffset === line.content.size;
  if (isWhole && !/^table/.test($from.node(-1).type.name)) return null;
  const words = schema.nodes.paragraph.create(null, doc.slice(from, to).content);
  return { from, to, ...newNoteOf(doc, [words]), linked: (link) => link };
}

function blocksOf({ doc, schema, selection }) {
  const range = rangesOf(selection).find((one) => !hasTitle(one));
  if (!range) return null;
  const { parent, first, last, start } = selection.empty ? withSection(range) : range;
  const blocks = parent.children.slice(first, last + 1);
  while (blocks.at(-1)?.type.name === "footnote") blocks.pop();
  if (blocks.length === 0) return null;
  const to = start + blocks.reduce((sum, block) => sum + block.nodeSize, 0);
  const line = (link) => schema.nodes.paragraph.create(null, link);
  const isOfList = /Item$/.test(blocks[0].type.name);
  const numbered = parent.type.name === "orderedList" ? { start: parent.attrs.start + first } : null;
  const nodes = isOfList ? [parent.type.create(numbered ?? parent.attrs, blocks)] : blocks;
  return { from: start, to, ...newNoteOf(doc, nodes), linked: isOfList ? (link) => blocks[0].type.create(null, line(link)) : line };
}

/// A heading goes with all that is below it.
function withSection(range) {
  const { parent, first } = range;
  const heading = parent.child(first);
  if (heading.type.name !== "heading") return range;
  const end = parent.children.findIndex(({ type, attrs }, index) =>
    index > first && (type.name === "footnote" || (type.name === "heading" && attrs.level <= heading.attrs.level)));
  return { ...range, last: end < 0 ? parent.childCount - 1 : end - 1 };
}

/// The title and the text of the new note. A heading of plain words is the title, and not in the text again.
function newNoteOf(doc, nodes) {
  const [first, ...others] = nodes;
  const isTitle = first.type.name === "heading" && first.children.every(({ isText, marks }) => isText && marks.length === 0) && lineOf(first) !== "";
  const title = beginningOf(isTitle ? lineOf(first) : shortened(lineOf(first)), "");
  const blocks = isTitle ? others : nodes;
  const { paragraph } = doc.type.schema.nodes;
  const document = doc.type.create(null, [...(blocks.length > 0 ? blocks : [paragraph.create()]), ...footnotesOf(doc, nodes)]);
  return isTitle && title !== lineOf(first) ? { title, document: doc.type.create(null, [...nodes, ...footnotesOf(doc, nodes)]) } : { title, document };
}

/// The first line of a block that has words, or what a picture or a file is called.
function lineOf(block) {
  let line = "";
  const look = (node) => {
    if (line) return false;
    if (node.isTextblock) line = node.textBetween(0, node.content.size, "\n", "\n").split("\n").map((one) => one.replace(/\s+/g, " ").trim()).find(Boolean) ?? "";
    else if (node.isLeaf) line = (node.attrs.caption || node.attrs.name || "").trim();
    return !node.isTextblock;
  };
  look(block);
  block.descendants(look);
  return line;
}

function shortened(line) {
  if (line.length <= MOST_LETTERS) return line;
  const beginning = beginningOf(line, "…", MOST_LETTERS);
  return `${beginning.replace(/\s+\S*$/, "") || beginning}…`;
}

function leaveLink({ doc, schema, tr }, { from, to, title, document, linked }, id) {
  const link = schema.text(title || say`Untitled`, [schema.marks.link.create({ href: noteHref(id) })]);
  const node = linked(link);
  tr.replaceWith(from, to, Fragment.from(node));
  const gone = new Set(document.children.filter(({ type }) => type.name === "footnote").map(({ attrs }) => attrs.label));
  const kept = footnotesOf(tr.doc, tr.doc.children.filter(({ type }) => type.name !== "footnote"));
  const places = [];
  tr.doc.forEach((block, at) => {
    if (block.type.name === "footnote" && gone.has(block.attrs.label) && !kept.includes(block)) places.push([at, at + block.nodeSize]);
  });
  for (const [start, end] of places.reverse()) tr.delete(start, end);
  return closeHistory(tr).setSelection(Selection.near(tr.doc.resolve(from + node.nodeSize), -1)).removeStoredMark(schema.marks.link).scrollIntoView();
}
