// Tables: cells of one line, the first row may say what is in the columns. Tab goes from cell to cell, and makes a row
// at the end; Enter goes down. A bar above the table has the rest, for fingers too.

import { pm, Table, TableCell, TableHeader, TableRow } from "../vendor/editor.js";
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
  addKeyboardShortcuts() {
    return { ...this.parent?.(), Enter: () => goDown(this.editor) };
  },
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
  ["Row above", "between-horizontal-start", (chain) => chain.addRowBefore()],
  ["Row below", "between-horizontal-end", (chain) => chain.addRowAfter()],
  ["Column before", "between-vertical-start", (chain) => chain.addColumnBefore()],
  ["Column behind", "between-vertical-end", (chain) => chain.addColumnAfter()],
  ["Headings in the first row", "heading", (chain) => chain.toggleHeaderRow()],
  ["Next side of the column", "text-align-center", (chain, editor) => chain.command(({ tr }) => turnColumn(tr, editor))],
  ["Delete the row", "fold-vertical", (chain) => chain.deleteRow()],
  ["Delete the column", "fold-horizontal", (chain) => chain.deleteColumn()],
  ["Delete the table", "trash-2", (chain) => chain.deleteTable()],
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
  bar.setAttribute("aria-label", "Table");
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
