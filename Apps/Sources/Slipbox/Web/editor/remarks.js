// What a writer says to herself, as Obsidian has it: `The hive hums. %%Ask Anna.%%`
//
// It is words of the text, so that it goes out as it came in. Whoever writes sees it faintly; whoever reads, and paper,
// does not.

import { pm } from "../vendor/editor.js";

const { Plugin, PluginKey } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("remarks");
/// `100%%` and `%%d` are none.
const REMARK = /(?<=^|\s)%%(?!%)[^]+?%%(?=$|[\s.,;:!?)\]])/g;

export function remarks() {
  return new Plugin({
    key,
    state: {
      init: (_, state) => decorate(state.doc),
      apply: (transaction, value, _, state) => (transaction.docChanged ? decorate(state.doc) : value),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

const seen = new WeakMap();

/// The remarks of a block: [{from, to}], by places in it.
function remarksOf(block) {
  if (!seen.has(block)) seen.set(block, block.type.spec.code ? [] : find(block));
  return seen.get(block);
}

function find(block) {
  if (!block.textContent.includes("%%")) return [];
  let letters = "";
  block.forEach((node) => {
    const isPlain = !node.marks.some((mark) => mark.type.name === "link" || mark.type.spec.code);
    if (node.isText) letters += isPlain ? node.text : "\uFFFC".repeat(node.nodeSize);
    else letters += node.type.name === "hardBreak" ? "\n" : "\uFFFC".repeat(node.nodeSize);
  });
  return [...letters.matchAll(REMARK)].map(({ index, 0: words }) => ({ from: index, to: index + words.length }));
}

function decorate(doc) {
  const decorations = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    for (const { from, to } of remarksOf(node)) {
      decorations.push(Decoration.inline(position + 1 + from, position + 1 + to, { class: "remark", title: "A remark: who reads or prints does not see it" }));
    }
    return false;
  });
  return DecorationSet.create(doc, decorations);
}
