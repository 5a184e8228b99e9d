// Links that lead nowhere look so.
//
//   [[Title]]           stays text until a note of that title comes, and is shown as a promise: .loose-link
//   a link to a note    that is in the trash, or gone: .dead-link
//
// Blocks are looked at once: a block that stays the same keeps what was seen in it.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { noteOf } from "./schema.js";

const { Plugin, PluginKey } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("loose");
const LOOSE = /\[\[([^[\]\n|#]{1,500})(#[^[\]\n|]{1,300})?(\|[^[\]\n]{1,500})?\]\]/g;

/// `told.isDead(id)` knows which notes are not there.
export function loosePlugin(told) {
  return new Plugin({
    key,
    state: {
      init: (_, state) => decorate(state.doc, told),
      apply: (transaction, value, _, state) => (transaction.docChanged || transaction.getMeta(key) ? decorate(state.doc, told) : value),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

/// Has the links looked at again: notes came or went.
export const lookAtLinks = (view) => view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));

export const titleOfLoose = (element) => element.dataset.title;

let seen = new WeakMap();

function decorate(doc, told) {
  const decorations = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    for (const { from, to, title } of linksIn(node)) decorations.push(Decoration.inline(position + 1 + from, position + 1 + to, { class: "loose-link", "data-title": title }));
    for (const { from, to, note } of seen.get(node).notes) {
      if (told.isDead(note)) decorations.push(Decoration.inline(position + 1 + from, position + 1 + to, { class: "dead-link", title: say`This note is in the trash, or gone` }));
    }
    return false;
  });
  return DecorationSet.create(doc, decorations);
}

/// The promises of a block, by places in it.
function linksIn(block) {
  if (!seen.has(block)) seen.set(block, look(block));
  return seen.get(block).loose;
}

function look(block) {
  const found = { loose: [], notes: [] };
  if (block.type.spec.code) return found;
  block.forEach((node, offset) => {
    const link = node.marks.find((mark) => mark.type.name === "link");
    const note = link && noteOf(link.attrs.href);
    if (note) found.notes.push({ from: offset, to: offset + node.nodeSize, note });
    if (!node.isText || link || node.marks.some((mark) => mark.type.spec.code)) return;
    for (const match of node.text.matchAll(LOOSE)) {
      if (match[1].trim()) found.loose.push({ from: offset + match.index, to: offset + match.index + match[0].length, title: match[1].trim() });
    }
  });
  return found;
}

/// The promise that the caret is in: {from, to, href, title}.
export function looseAt({ selection }) {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock) return null;
  const at = $from.parentOffset;
  const link = linksIn($from.parent).find(({ from, to }) => from <= at && at <= to);
  return link ? { from: $from.start() + link.from, to: $from.start() + link.to, href: `[[${link.title}]]`, title: link.title } : null;
}
