// Tables: cells of one line, the first row may say what is in the columns. Tab goes from cell to cell, and makes a row
// at the end; Enter goes down. A bar above the table has the rest, for fingers too. `| a | b |` and `|---|---|` below it,
// as they are typed, make one.

import { say } from "../view/say.js";
import { InputRule, pm, Table, TableCell, TableHeader, TableRow } from "../vendor/editor.js";
import { html, render } from "../view/template.js";
import { icon } from "../view/icon.js";

const { Plugin, TextSelection } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const SIDES = ["left", "center", "right"];

/// Styles are blocked by our policy: a class says on which side the text stands.
const align = {
  align: {
    default: null,
    parseHTML: (element) => SIDES.find((side) => [element.dataset.align, element.getAttribute("align")].includes(side)) ?? null,
    renderHTML: ({ align }) => (align ? { "data-align": align } : {}),
  },
};

/// The vendor's tables count what cells go over; ours go over nothing.
const plain = () => ({ default: 1, rendered: false, parseHTML: () => 1 });
const cell = { content: "paragraph", addAttributes: () => ({ colspan: plain(), rowspan: plain(), colwidth: { default: null, rendered: false, parseHTML: () => null }, ...align }) };

const NoteTable = Table.extend({
  addMenuItems: null,
  renderHTML: () => ["div", { class: "table-frame" }, ["table", ["tbody", 0]]],
  // The first column stands where writing begins.
  addNodeView() {
    const make = this.parent();
    return (place) => {
      const shown = make(place);
      shown.dom.dir = "auto";
      return shown;
    };
  },
  addKeyboardShortcuts() {
    return { ...this.parent?.(), Enter: () => endDashes(this.editor) || goDown(this.editor) };
  },
  addInputRules: () => [new InputRule({ find: /^\s*\|(?:\s*:?-+:?\s*\|)+$/, handler: ({ state, range, match }) => (makeTable(state.tr, range.to, match[0]) ? undefined : null) })],
  addProseMirrorPlugins() {
    return [...this.parent(), barPlugin(this.editor)];
  },
});

export const tables = [
  NoteTable, TableRow.extend({ content: "(tableCell | tableHeader)+" }),
  TableHeader.extend({ ...cell, parseHTML: () => [{ tag: "th" }], renderHTML: ({ HTMLAttributes }) => ["th", HTMLAttributes, 0] }),
  TableCell.extend({ ...cell, parseHTML: () => [{ tag: "td" }], renderHTML: ({ HTMLAttributes }) => ["td", HTMLAttributes, 0] }),
];

export const insertTable = (chain) => chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true });

/// Where the selection is in a table: {table, at, row, column}.
export function placeInTable({ $from }) {
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name !== "table") continue;
    return { table: $from.node(depth), at: $from.before(depth), row: $from.index(depth), column: $from.depth > depth ? $from.index(depth + 1) : 0 };
  }
  return null;
}

// MARK: - Typing one

/// More columns than the server keeps are none.
const MOST_COLUMNS = 64;

/// A row of dashes, at whose end the caret is, and the paragraph before it become a table with a row to write in.
/// False where they are none.
function makeTable(transaction, caret, dashes) {
  const $caret = transaction.doc.resolve(caret);
  const { paragraph, table, tableCell, tableHeader, tableRow } = $caret.parent.type.schema.nodes;
  const index = $caret.index(-1);
  if ($caret.parent.type !== paragraph || $caret.parentOffset < $caret.parent.content.size || index === 0) return false;
  const before = $caret.node(-1).child(index - 1);
  const sides = sidesOf(dashes);
  const heads = before.type === paragraph ? cellsOf(before) : [];
  if (!sides || heads.length !== sides.length || heads.length > MOST_COLUMNS) return false;
  if (!$caret.node(-1).canReplaceWith(index - 1, index + 1, table)) return false;
  const first = tableRow.create(null, heads.map((words, at) => tableHeader.create({ align: sides[at] }, paragraph.create(null, words))));
  const second = tableRow.create(null, sides.map((align) => tableCell.create({ align }, paragraph.create())));
  const start = $caret.before() - before.nodeSize;
  transaction.replaceWith(start, $caret.after(), table.create(null, [first, second]));
  // Into the table, the row, the cell and its paragraph.
  transaction.setSelection(TextSelection.create(transaction.doc, start + first.nodeSize + 4));
  return true;
}

/// Enter behind dashes that no bar ends.
function endDashes({ state, view }) {
  const { empty, $from } = state.selection;
  if (!empty || $from.depth === 0 || !/^\s*\|[\s:|-]+$/.test($from.parent.textContent)) return false;
  const transaction = state.tr;
  if (!makeTable(transaction, $from.pos, $from.parent.textContent)) return false;
  view.dispatch(transaction.scrollIntoView());
  return true;
}

/// On which side the text of each column stands: `|:--|--:|`; null where it is no row of dashes.
function sidesOf(dashes) {
  const columns = dashes.trim().replace(/^\|/, "").replace(/\|$/, "").split("|").map((column) => column.trim());
  if (!columns.every((column) => /^:?-+:?$/.test(column))) return null;
  return columns.map((column) => ({ "true,true": "center", "true,false": "left", "false,true": "right" })[[column.startsWith(":"), column.endsWith(":")]] ?? null);
}

/// What stands between the bars of a line, as it looks there; nothing where there are none.
function cellsOf(line) {
  // Whatever is no letter is one place, too.
  const text = line.textBetween(0, line.content.size, "", "\ufffc");
  const bars = [...text.matchAll(/(?<!\\)\|/g)].map((bar) => bar.index);
  if (bars.length === 0) return [];
  const edges = [-1, ...bars, text.length];
  const cells = edges.slice(1).map((end, at) => ({ from: edges[at] + 1, to: end }));
  if (/^\s*\|/.test(text)) cells.shift();
  if (/(?<!\\)\|\s*$/.test(text)) cells.pop();
  return cells.map(({ from, to }) => {
    const words = text.slice(from, to);
    const start = from + words.length - words.trimStart().length;
    return line.content.cut(start, Math.max(start, from + words.trimEnd().length));
  });
}

/// Into the cell below; from the last row out of the table.
function goDown(editor) {
  const { state, view } = editor;
  const place = placeInTable(state.selection);
  if (!place) return false;
  const { table, at, row, column } = place;
  const transaction = state.tr;
  if (row + 1 < table.childCount) {
    let position = at + 1;
    for (let index = 0; index <= row; index++) position += table.child(index).nodeSize;
    position += 1;
    const next = table.child(row + 1);
    for (let index = 0; index < Math.min(column, next.childCount - 1); index++) position += next.child(index).nodeSize;
    transaction.setSelection(TextSelection.near(transaction.doc.resolve(position + 2)));
  } else {
    const end = at + table.nodeSize;
    if (!transaction.doc.resolve(end).nodeAfter?.isTextblock) transaction.insert(end, state.schema.nodes.paragraph.create());
    transaction.setSelection(TextSelection.near(transaction.doc.resolve(end + 1)));
  }
  view.dispatch(transaction.scrollIntoView());
  return true;
}

// MARK: - The bar

const TOOLS = [
  [say`Row above`, "between-horizontal-start", (chain) => chain.addRowBefore()],
  [say`Row below`, "between-horizontal-end", (chain) => chain.addRowAfter()],
  [say`Column before`, "between-vertical-start", (chain) => chain.addColumnBefore()],
  [say`Column behind`, "between-vertical-end", (chain) => chain.addColumnAfter()],
  [say`Headings in the first row`, "heading", (chain) => chain.toggleHeaderRow()],
  [say`Next side of the column`, "text-align-center", (chain, editor) => chain.command(({ tr }) => turnColumn(tr, editor))],
  [say`Delete the row`, "fold-vertical", (chain) => chain.deleteRow()],
  [say`Delete the column`, "fold-horizontal", (chain) => chain.deleteColumn()],
  [say`Delete the table`, "trash-2", (chain) => chain.deleteTable()],
];

/// The same where the caret is in a table, for the palette.
export const tableActs = (editor) => (placeInTable(editor.state.selection)
  ? TOOLS.map(([name, drawing, run]) => ({ name, icon: drawing, run: () => run(editor.chain().focus(), editor).run() })) : []);

/// Left, middle, right, and as before: all cells of the column.
function turnColumn(transaction, editor) {
  const place = placeInTable(editor.state.selection);
  if (!place) return false;
  const { table, at, column } = place;
  const sides = [null, ...SIDES.slice(1)];
  const now = table.child(0).maybeChild(column)?.attrs.align ?? null;
  const side = sides[(sides.indexOf(now === "left" ? null : now) + 1) % sides.length];
  table.forEach((row, offset) => {
    let position = at + 1 + offset + 1;
    for (let index = 0; index < column && index < row.childCount; index++) position += row.child(index).nodeSize;
    if (column < row.childCount) transaction.setNodeAttribute(position, "align", side);
  });
  return true;
}

function barPlugin(editor) {
  const bar = document.createElement("div");
  bar.className = "table-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", say`Table`);
  bar.contentEditable = "false";
  const draw = () => render(html`${TOOLS.map(([name, drawing, run]) => html`
    <button class="plain small" type="button" aria-label=${name} title=${name} @pointerdown=${(event) => event.preventDefault()}
      @click=${() => run(editor.chain().focus(), editor).run()}>${icon(drawing)}</button>`)}`, bar);
  return new Plugin({
    view: () => ({
      update(view) {
        const place = view.editable && view.hasFocus() ? placeInTable(view.state.selection) : null;
        const frame = place && view.nodeDOM(place.at);
        if (!frame) return bar.remove();
        if (!bar.firstChild) draw();
        const field = view.dom.parentElement;
        if (bar.parentElement !== field) field.append(bar);
        const around = field.getBoundingClientRect();
        const box = frame.getBoundingClientRect();
        bar.style.top = `${box.bottom - around.top + 6}px`;
        bar.style.left = `${Math.max(0, box.left - around.left)}px`;
      },
      destroy: () => bar.remove(),
    }),
    props: {
      /// Room for the bar.
      decorations(state) {
        const place = editor.isEditable && editor.isFocused ? placeInTable(state.selection) : null;
        return place && DecorationSet.create(state.doc, [Decoration.node(place.at, place.at + place.table.nodeSize, { class: "with-bar" })]);
      },
      handleDOMEvents: { blur: (view, event) => { if (!bar.contains(event.relatedTarget)) bar.remove(); return false; } },
    },
  });
}
