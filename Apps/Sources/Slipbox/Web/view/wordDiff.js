// What has changed between two texts, word by word: [{kind: "same" | "gone" | "new", text}] for each line.
//
//   before   the old slip box        the [old] {new} slip box
//   after    the new slip box
//
// Lines are paired first, then the words within those that changed.

/// So many pairs are compared in one place, and in all of them: for more, nobody would wait.
const MOST = 4_000_000;
const MOST_IN_ALL = 16_000_000;

/// {kind, pieces} for each line: kind "same", "gone", "new", or "changed".
export function diffOf(before, after) {
  const rows = [];
  const pending = { gone: [], added: [] };
  const room = { left: MOST_IN_ALL };
  const settle = () => {
    const paired = Math.min(pending.gone.length, pending.added.length);
    for (let at = 0; at < paired; at++) rows.push(changedLine(pending.gone[at], pending.added[at], room));
    for (const text of pending.gone.slice(paired)) rows.push({ kind: "gone", pieces: [{ kind: "gone", text }] });
    for (const text of pending.added.slice(paired)) rows.push({ kind: "new", pieces: [{ kind: "new", text }] });
    pending.gone = [];
    pending.added = [];
  };
  for (const { kind, text } of align(before, after, room)) {
    if (kind === "gone") pending.gone.push(text);
    else if (kind === "new") pending.added.push(text);
    else {
      settle();
      rows.push({ kind: "same", pieces: [{ kind: "same", text }] });
    }
  }
  settle();
  return rows;
}

function changedLine(before, after, room) {
  const pieces = [];
  for (const { kind, text } of align(wordsOf(before), wordsOf(after), room)) {
    if (pieces.at(-1)?.kind === kind) pieces.at(-1).text += text;
    else pieces.push({ kind, text });
  }
  return { kind: "changed", pieces };
}

const wordsOf = (line) => line.match(/[\p{L}\p{N}\p{M}]+|\s+|[^\p{L}\p{N}\p{M}\s]/gu) ?? [];

/// The longest common row of two lists, with what goes and what comes between.
function align(old, now, room) {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [before, after] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const same = (list) => list.map((text) => ({ kind: "same", text }));
  const pairs = before.length * after.length;
  const fits = pairs <= Math.min(MOST, room.left);
  if (fits) room.left -= pairs;
  const middle = fits ? longest(before, after)
    : [...before.map((text) => ({ kind: "gone", text })), ...after.map((text) => ({ kind: "new", text }))];
  return [...same(old.slice(0, start)), ...middle, ...same(end > 0 ? old.slice(-end) : [])];
}

function longest(old, now) {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] = old[i] === now[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const found = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      found.push({ kind: "same", text: old[i++] });
      j += 1;
    } else if (i < old.length && (j === now.length || lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) found.push({ kind: "gone", text: old[i++] });
    else found.push({ kind: "new", text: now[j++] });
  }
  return found;
}

/// The lines of a document, as they are compared.
export function linesOf(node) {
  const lines = [];
  const walk = (one, sign = "") => {
    const isBlock = one.content?.every((child) => ["text", "hardBreak", "footnoteMark"].includes(child.type)) || ["paragraph", "heading", "codeBlock"].includes(one.type);
    if (isBlock) {
      const text = (one.content ?? []).map((child) => child.text ?? (child.type === "footnoteMark" ? `[${child.attrs?.label}]` : "\n")).join("");
      const mark = one.type === "heading" ? "#".repeat(one.attrs?.level ?? 1) + " " : sign;
      lines.push(...text.split("\n").map((line) => mark + line));
    } else if (one.type === "picture" || one.type === "file") lines.push(`[${one.attrs?.caption || one.attrs?.name || one.type}]`);
    else for (const child of one.content ?? []) walk(child, one.type === "taskItem" ? `[${one.attrs?.checked ? "x" : " "}] ` : one.type === "listItem" ? "• " : one.type === "blockquote" || one.type === "callout" ? "> " : one.type === "footnote" ? `[${one.attrs?.label}] ` : sign);
  };
  for (const block of node?.content ?? []) walk(block);
  return lines;
}
