// The signs by which other programs name paragraphs, at their ends: `The first slip. ^a1b2`.
//
// They are words of the text, so that they go out as they came in; what is seen of them is a small mark, and the whole
// sign where the caret is. `[[Note#^a1b2]]` leads to the paragraph, or to the block above a sign that is alone in its paragraph.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";

const { Plugin, PluginKey } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("blockSigns");
/// A name without a letter is rather a power: 2 ^10.
const SIGN = /(^|\s)\^(?=[\d-]*[a-z])[a-z\d-]{2,100}$/i;

export function blockSigns() {
  return new Plugin({
    key,
    state: {
      init: (_, state) => decorate(state),
      apply: (transaction, value, _, state) => (transaction.docChanged || transaction.selectionSet ? decorate(state) : value),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

const seen = new WeakMap();

/// The sign of a block: {sign, from, to}, by places in it.
export function signOf(block) {
  if (!seen.has(block)) seen.set(block, find(block));
  return seen.get(block);
}

function find(block) {
  const last = block.lastChild;
  if (block.type.spec.code || !last?.isText || last.marks.some((mark) => mark.type.name === "link" || mark.type.spec.code)) return null;
  const match = SIGN.exec(last.text);
  if (!match) return null;
  const isAfterWord = match.index === 0 && match[1] === "" && block.childCount > 1 && /\S$/.test(block.child(block.childCount - 2).text ?? "");
  if (isAfterWord) return null;
  const to = block.content.size;
  return { sign: match[0].trim(), from: to - match[0].length + match[1].length, to };
}

function decorate({ doc, selection }) {
  const decorations = [];
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    const found = signOf(node);
    if (!found) return false;
    const isNear = selection.from <= position + node.nodeSize - 1 && selection.to > position;
    decorations.push(Decoration.inline(position + 1 + found.from, position + 1 + found.to, {
      class: isNear ? "block-sign near" : "block-sign",
      title: say`Links to ${found.sign} lead here`,
    }));
    return false;
  });
  return DecorationSet.create(doc, decorations);
}

/// Where the block of a sign begins; null where there is none.
export function placeOfSign(doc, sign) {
  let place = null;
  doc.descendants((node, position) => {
    if (place !== null) return false;
    if (!node.isTextblock) return true;
    const found = signOf(node);
    if (found?.sign.toLowerCase() !== sign.toLowerCase()) return false;
    const before = found.from === 0 ? doc.resolve(position).nodeBefore : null;
    place = before ? position - before.nodeSize : position;
    return false;
  });
  return place;
}
