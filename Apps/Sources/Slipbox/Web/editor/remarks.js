// What a writer says to herself, as Obsidian has it: `The hive hums. %%Ask Anna.%%`
//
// One may go over several blocks, from a paragraph that begins with `%%` to one that ends with it; see Remark.swift.
//
// It is words of the text, so that it goes out as it came in. Whoever writes sees it faintly; whoever reads, and paper,
// does not.

import { say } from "../view/say.js";
import { shownWords } from "./shownWords.js";

/// `100%%` and `%%d` are none.
const REMARK = /(?<=^|\s)%%(?!%)[^]+?%%(?=$|[\s.,;:!?)\]])/g;

export const remarks = () => shownWords("remarks", {
  reads: (node) => node.isTextblock,
  find: (block) => remarksIn(block).remarks,
  across: overSeveral,
  look: () => ({ class: "remark", title: say`A remark: who reads or prints does not see it` }),
});

const seen = new WeakMap();
const NOTHING = { remarks: [], opens: false, closes: false };

/// What a block has of remarks: {remarks: [{from, to}] by places in it, opens, closes: one that goes over several blocks}.
function remarksIn(block) {
  if (!seen.has(block)) seen.set(block, block.type.spec.code || !block.textContent.includes("%%") ? NOTHING : look(block));
  return seen.get(block);
}

function look(block) {
  let letters = "";
  block.forEach((node) => {
    const isPlain = !node.marks.some((mark) => mark.type.name === "link" || mark.type.spec.code);
    if (node.isText) letters += isPlain ? node.text : "\uFFFC".repeat(node.nodeSize);
    else letters += node.type.name === "hardBreak" ? "\n" : "\uFFFC".repeat(node.nodeSize);
  });
  const remarks = [...letters.matchAll(REMARK)].map(({ index, 0: words }) => ({ from: index, to: index + words.length }));
  const isParagraph = block.type.name === "paragraph";
  const opens = isParagraph && /^%%(?!%)/.test(letters) && remarks[0]?.from !== 0;
  const end = letters.trimEnd().length;
  return { remarks, opens, closes: isParagraph && letters.slice(0, end).endsWith("%%") && remarks.at(-1)?.to !== end };
}

/// The places of all remarks of a text: [{from, to}].
export function remarkPlaces(doc) {
  const places = overSeveral(doc);
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true;
    for (const { from, to } of remarksIn(node).remarks) places.push({ from: position + 1 + from, to: position + 1 + to });
    return false;
  });
  return places;
}

function overSeveral(doc) {
  const found = [];
  let open = null;
  doc.forEach((block, from) => {
    const { opens, closes } = block.isTextblock ? remarksIn(block) : NOTHING;
    if (open !== null && closes) {
      found.push({ from: open, to: from + block.nodeSize });
      open = null;
    } else if (open === null && opens) {
      open = from;
    }
  });
  return found;
}
