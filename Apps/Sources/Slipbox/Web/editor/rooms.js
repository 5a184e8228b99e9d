// A cell has room for a line. Of several that are put there, each begins a row in it; what is no words comes below the table.
//
//   Pears              | Pears<br>sweet | 14 |
//   sweet        →

import { pm } from "../vendor/editor.js";
import { placeInTable } from "./tables.js";

const { Fragment, Slice } = pm.model;

/// How many lists in one another somebody leaves at once.
const MOST_LISTS = 8;

/// Where a slice goes that is to come to a place, and as what: {at, slice}.
export function roomFor($place, slice) {
  const place = placeInTable({ $from: $place });
  if (!place || isLine(slice)) return { at: $place.pos, slice };
  const rows = rowsOf(slice.content);
  if (!rows) return { at: place.at + place.table.nodeSize, slice };
  const { hardBreak, paragraph } = $place.doc.type.schema.nodes;
  const line = rows.flatMap((row, index) => (index > 0 ? [hardBreak.create(), ...row] : row));
  return { at: $place.pos, slice: new Slice(Fragment.from(paragraph.create(null, line)), 1, 1) };
}

/// Whether it cannot be put in as it is. Cells come into cells by the editor's own tables.
export function isTooMuch($place, slice) {
  const isOfCells = slice.content.childCount === 1 && Boolean(slice.content.firstChild.type.spec.tableRole);
  const room = roomFor($place, slice);
  return !isOfCells && (room.slice !== slice || room.at !== $place.pos);
}

function isLine({ content: { childCount, firstChild }, openStart, openEnd }) {
  if (!firstChild || firstChild.isInline) return true;
  return childCount === 1 && openStart > 0 && openEnd > 0 && (firstChild.isTextblock || Boolean(firstChild.type.spec.tableRole));
}

/// A line between paragraphs, which has no room in a cell.
export const insertRule = (chain) => chain.command(({ commands, state }) => !placeInTable(state.selection) && commands.insertContent({ type: "horizontalRule" }));

/// Out of the items of lists whose first paragraph the caret is in, where more is below it: Tiptap does not take it out of those, and an item
/// begins with a paragraph.
export function outOfItems(chain) {
  for (let level = 0; level < MOST_LISTS; level++) {
    chain.command(({ state: { selection: { $from } }, commands }) => {
      const item = $from.depth > 1 && $from.index(-1) === 0 && $from.node(-1).childCount > 1 ? $from.node(-1).type.name : "";
      return !/Item$/.test(item) || commands.liftListItem(item);
    });
  }
  return chain;
}

/// The words of all paragraphs that have some; null where there is something else.
function rowsOf(content) {
  const rows = [];
  let isWords = true;
  content.descendants((node) => {
    if (!node.isTextblock) return (isWords &&= !["picture", "file", "table"].includes(node.type.name));
    if (node.content.size > 0) rows.push(...(node.type.spec.code ? linesOf(node) : [node.content.content]));
    return false;
  });
  return isWords && rows.length > 0 ? rows : null;
}

const linesOf = (code) => code.textContent.split("\n").filter(Boolean).map((line) => [code.type.schema.text(line)]);
