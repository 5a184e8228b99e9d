// What is shown in a text and is no part of it: found block by block, and again in those that change.

import { pm } from "../vendor/editor.js";

const { Plugin, PluginKey } = pm.state;
const { Decoration, DecorationSet } = pm.view;

/// A plugin that gives words their looks: `find(block)` says which, as [{from, to, …}] by places in a block that
/// `reads(block)` takes, and `look(found)` the attributes. `across(doc)` says which blocks have them as a whole, as
/// [{from, to}] by places in the text.
export function shownWords(name, { reads, find, look, across = () => [] }) {
  const key = new PluginKey(name);
  const seen = new WeakMap();

  function decorate(doc) {
    const decorations = [];
    doc.descendants((node, position) => {
      if (!reads(node)) return !node.isTextblock;
      if (!seen.has(node)) seen.set(node, find(node));
      for (const found of seen.get(node)) decorations.push(Decoration.inline(position + 1 + found.from, position + 1 + found.to, look(found)));
      return false;
    });
    for (const { from, to } of across(doc)) {
      doc.nodesBetween(from, to, (node, position) => {
        decorations.push(Decoration.node(position, position + node.nodeSize, look({ from, to })));
        return false;
      });
    }
    return DecorationSet.create(doc, decorations);
  }

  return new Plugin({
    key,
    state: {
      init: (_, state) => decorate(state.doc),
      apply: (transaction, value, _, state) => (transaction.docChanged ? decorate(state.doc) : value),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}
