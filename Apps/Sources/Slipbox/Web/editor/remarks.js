// What a writer says to herself, as Obsidian has it: `The hive hums. %%Ask Anna.%%`
//
// It is words of the text, so that it goes out as it came in. Whoever writes sees it faintly; whoever reads, and paper,
// does not.

import { shownWords } from "./shownWords.js";

/// `100%%` and `%%d` are none.
const REMARK = /(?<=^|\s)%%(?!%)[^]+?%%(?=$|[\s.,;:!?)\]])/g;

export const remarks = () => shownWords("remarks", {
  reads: (node) => node.isTextblock && !node.type.spec.code,
  find,
  look: () => ({ class: "remark", title: "A remark: who reads or prints does not see it" }),
});

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
