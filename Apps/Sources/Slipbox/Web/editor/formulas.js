// The formulas in a text: words between signs, as in Obsidian. RichText finds the same ones, in Swift.
//
//   so $e^{i\pi} = -1$ is       in the line
//   $$\int_0^1 x\,dx$$          in large, in the middle of the page
//   $5 and $6, \$x\$            no formulas: a sign touches its formula, and no digit follows the second one
//
// They stay words of the text, and so go out as they came in. A block of code in the language "math" is a formula, too.

/// Longer ones stay words; a block may be longer.
const LONGEST = 2000;
export const LONGEST_BLOCK = 10_000;

/// Invisible, behind the first sign: what follows is no formula. Markdown has a backslash before the sign instead.
export const LITERAL = "\u2060";

const LINK = /\[\[[^[\]\n]{1,1000}\]\]/g;
const seen = new WeakMap();

/// The formulas of a paragraph, by places in it: {from, to, tex, isDisplay}.
export function formulasIn(block) {
  if (!seen.has(block)) seen.set(block, block.type.spec.code || !block.textContent.includes("$") ? [] : look(block));
  return seen.get(block);
}

function look(block) {
  const found = [];
  block.forEach((node, offset) => {
    if (!node.isText || node.marks.some((mark) => mark.type.name === "link" || mark.type.spec.code)) return;
    for (const formula of formulasOf(node.text)) found.push({ ...formula, from: offset + formula.from, to: offset + formula.to });
  });
  return found;
}

/// The formulas of a text without marks. `[[$b$]]` is a link to a note, which comes first.
export function formulasOf(text) {
  const found = [];
  const links = [...text.matchAll(LINK)].map(({ index, 0: link }) => [index, index + link.length]);
  let at = text.indexOf("$");
  while (at >= 0) {
    const link = links.find(([from, to]) => from < at && at < to);
    if (link) {
      at = text.indexOf("$", link[1]);
      continue;
    }
    const count = signsAt(text, at);
    const length = lengthAt(text, at, count);
    if (length > 0) found.push({ from: at, to: at + length, tex: text.slice(at + count, at + length - count), isDisplay: count === 2 });
    at = text.indexOf("$", at + (length || count));
  }
  return found;
}

function signsAt(text, start) {
  let end = start;
  while (text[end] === "$") end += 1;
  return end - start;
}

/// The length of the formula at a place, with its signs; 0 where there is none.
function lengthAt(text, start, count) {
  if (count > 2) return 0;
  const inside = start + count;
  for (let at = inside; at < text.length && at - inside <= LONGEST; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] !== "$") continue;
    const isEnd = at > inside && signsAt(text, at) === count && isFormula(text.slice(inside, at), text[at + 1], count);
    return isEnd ? at + count - start : 0;
  }
  return 0;
}

const isBlank = (sign) => sign === LITERAL || /\s/.test(sign);

function isFormula(tex, behind = " ", count) {
  // Signs that lead elsewhere are not only signs.
  if (/\[\[|\]\]|\]\(/.test(tex) || isBlank(tex[0]) && (count === 1 || !tex.trim())) return false;
  if (count === 2) return tex[0] !== LITERAL;
  return !isBlank(tex.at(-1)) && !/[0-9]/.test(behind);
}
