// The blocks of a note to which a link can lead. A heading is named by its words, every other block by a sign (blockSigns.js),
// which it gets when it is chosen for a link: behind its words, or in a paragraph of its own behind code and tables.

import { signOf } from "./blockSigns.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const LONG = 200;

/// Each is {words, heading} or {words, sign, key, at}: `sign` is null where it has none yet, `key` says what the block is, and
/// `at` where it was.
export function blocksOf(doc) {
  const found = [];
  collect(doc, 0, found);
  return found;
}

function collect(parent, start, found) {
  parent.forEach((block, offset, index) => {
    const { name } = block.type;
    const isTitle = name === "paragraph" && index === 0 && parent.type.name === "callout";
    if (name === "footnote" || isTitle || block.isLeaf) return;
    const own = block.isTextblock ? signOf(block) : null;
    // It is the sign of the block above.
    if (own?.from === 0 && index > 0) return;
    if (!block.isTextblock && name !== "table") return collect(block, start + offset + 1, found);
    const words = wordsOf(block, own);
    if (!words) return;
    if (name === "heading") found.push({ words, heading: block.textContent.trim() });
    else found.push({ words, sign: own?.sign ?? signBelow(parent, index), key: keyOf(block), at: start + offset });
  });
}

/// The sign that is alone in the paragraph below a block, or null.
function signBelow(parent, index) {
  const below = parent.maybeChild(index + 1);
  const found = below?.isTextblock ? signOf(below) : null;
  return found?.from === 0 ? found.sign : null;
}

function wordsOf(block, own) {
  const words = block.textBetween(0, own?.from ?? block.content.size, " ", " ").replace(/\s+/g, " ").trim();
  return words.length <= LONG ? words : `${words.slice(0, LONG)}…`;
}

const keyOf = (block) => JSON.stringify(block.toJSON());

/// Gives a block its sign in a transaction, and returns it; null where the block is not there any more. One that has a sign
/// by now keeps it.
export function sign(transaction, { key, at }) {
  const { doc } = transaction;
  const blocks = blocksOf(doc);
  const same = blocks.filter((one) => one.key === key).sort((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at));
  const [block] = same;
  if (!block) return null;
  if (block.sign) return block.sign;
  const made = newSign(new Set(blocks.map((one) => one.sign?.toLowerCase())));
  const node = doc.nodeAt(block.at);
  const end = block.at + node.nodeSize;
  const { schema } = doc.type;
  if (node.type.spec.code || !node.isTextblock) transaction.insert(end, schema.nodes.paragraph.create(null, schema.text(made)));
  else transaction.insert(end - 1, schema.text(/\s$/.test(node.textContent) ? made : ` ${made}`));
  return made;
}

function newSign(taken) {
  for (;;) {
    const [first, ...others] = crypto.getRandomValues(new Uint8Array(6));
    const made = `^${LETTERS[first % 26]}${others.map((one) => (one % 36).toString(36)).join("")}`;
    if (!taken.has(made)) return made;
  }
}

/// Takes a sign out again, with the paragraph that it has for itself; false if it is gone.
export function takeSign(transaction, wanted) {
  let isDone = false;
  transaction.doc.descendants((node, at, parent) => {
    if (isDone || !node.isTextblock) return !isDone;
    const found = signOf(node);
    if (found?.sign !== wanted) return false;
    isDone = true;
    if (found.from === 0 && parent.childCount > 1) transaction.delete(at, at + node.nodeSize);
    else transaction.delete(at + 1 + node.textBetween(0, found.from, "\ufffc", "\ufffc").trimEnd().length, at + 1 + found.to);
    return false;
  });
  return isDone;
}
