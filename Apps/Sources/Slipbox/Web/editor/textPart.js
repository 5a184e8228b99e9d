// A part of a text, as links name it: the section of a heading, or the block that ends with a sign; see RichText/Embed.swift.

import { signOf } from "./blockSigns.js";

/// A document of the part alone, with its footnotes; the text itself without a place, and null where the part is missing.
export function partOf(doc, place) {
  if (!place) return doc;
  const found = place.startsWith("^") ? marked(doc, place.toLowerCase()) : section(doc, place);
  if (!found) return null;
  return doc.type.create(null, [...found, ...footnotesOf(doc, found)]);
}

/// The footnotes of a text that the marks in some blocks lead to, and those that these lead to.
export function footnotesOf(doc, blocks) {
  const labels = new Set();
  const waiting = [...blocks];
  for (let block = waiting.shift(); block; block = waiting.shift()) {
    block.descendants(({ type, attrs }) => {
      if (type.name !== "footnoteMark" || labels.has(attrs.label)) return;
      labels.add(attrs.label);
      waiting.push(...doc.children.filter((other) => other.type.name === "footnote" && other.attrs.label === attrs.label));
    });
  }
  return doc.children.filter(({ type, attrs }) => type.name === "footnote" && labels.has(attrs.label));
}

/// The blocks from a heading to the next one of its level, or of a higher one.
function section(parent, words) {
  const blocks = blocksIn(parent);
  for (const [index, block] of blocks.entries()) {
    if (block.type.name === "heading" && isSameHeading(block.textContent, words)) {
      const end = blocks.findIndex((other, at) => at > index && other.type.name === "heading" && other.attrs.level <= block.attrs.level);
      return blocks.slice(index, end < 0 ? undefined : end);
    }
    const inside = block.isTextblock ? null : section(block, words);
    if (inside) return inside;
  }
  return null;
}

/// The block that ends with a sign, the one above a sign that is alone, or a list of the one item that it is in.
function marked(parent, sign) {
  const blocks = blocksIn(parent);
  for (const [index, block] of blocks.entries()) {
    if (block.isTextblock) {
      const found = signOf(block);
      if (found?.sign.toLowerCase() === sign) return [found.from === 0 && index > 0 ? blocks[index - 1] : block];
      continue;
    }
    const item = block.children.find(({ type, firstChild }) => /Item$/.test(type.name) && signOf(firstChild)?.sign.toLowerCase() === sign);
    if (item) return [block.type.create({ ...block.attrs, ...("start" in block.attrs ? { start: block.attrs.start + block.children.indexOf(item) } : {}) }, item)];
    const inside = marked(block, sign);
    if (inside) return inside;
  }
  return null;
}

const blocksIn = (parent) => parent.children.filter(({ type }) => type.name !== "footnote");

/// Programs that know no signs in links leave them out.
export const isSameHeading = (one, other) => letters(one) === letters(other);
const letters = (text) => text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
