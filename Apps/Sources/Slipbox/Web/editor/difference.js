// Another version of the text comes in while one reads or writes: only what differs is replaced, so that
// the caret, the selection and the scroll position stay where they are.
//
//   here   a b c d        c is replaced by x, from the first letter that differs to the last
//   new    a b x d

/// A transaction that makes the document of `state` equal to `doc`; null when it is.
///
/// With `since`, the document that both have begun from: a transaction that makes the changes from there to `doc`;
/// false where blocks would be changed that are not what they were.
///
///   since  a b c d        here: a! b c d        doc: a b x d        then: a! b x d
export function difference(state, doc, since = state.doc) {
  const steps = blockChanges(children(since), children(doc));
  if (steps.length === 0) return null;
  const here = since === state.doc ? [] : blockChanges(children(since), children(state.doc));
  if (steps.some((step) => here.some((change) => meets(step, change)))) return false;
  for (const step of steps) {
    const moved = here.filter((change) => change.to <= step.from).reduce((sum, { from, to, now }) => sum + sizeOf(now) - (to - from), 0);
    step.from += moved;
    step.to += moved;
  }
  const transaction = state.tr;
  // From the end to the start, so that positions before stay true.
  for (const step of steps.reverse()) replaceBlocks(transaction, 0, step);
  return transaction.setMeta("addToHistory", false).setMeta("fromServer", true);
}

/// Whether two changes are about the same blocks, or the same place between two blocks.
const meets = (one, other) => (one.from < other.to && other.from < one.to) || (one.from === other.from && one.to === other.to);

const sizeOf = (blocks) => blocks.reduce((sum, block) => sum + block.nodeSize, 0);

function children(node) {
  const all = [];
  node.forEach((child, offset) => all.push({ child, offset }));
  return all;
}

/// The runs of blocks that differ, by the longest common row of blocks.
function blockChanges(old, now) {
  let start = 0;
  while (start < old.length && start < now.length && old[start].child.eq(now[start].child)) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end).child.eq(now.at(-1 - end).child)) end += 1;
  const before = old.slice(start, old.length - end);
  const after = now.slice(start, now.length - end);
  const at = before[0]?.offset ?? endOf(old[start - 1]);
  const changes = [];
  let run = { from: at, to: at, old: [], now: [] };
  const finish = (next) => {
    if (run.old.length > 0 || run.now.length > 0) changes.push(run);
    run = { from: next, to: next, old: [], now: [] };
  };
  for (const [from, to] of alignment(before, after)) {
    if (from && to) {
      finish(endOf(from));
    } else if (from) {
      run.old.push(from.child);
      run.to = endOf(from);
    } else {
      run.now.push(to.child);
    }
  }
  finish(0);
  return changes;
}

const endOf = (block) => (block ? block.offset + block.child.nodeSize : 0);

/// Pairs [old, new] with what is equal side by side, [old, null] for what goes, [null, new] for what comes.
function alignment(old, now) {
  // Whole books are not compared block by block.
  if (old.length * now.length > 250_000) return [...old.map((block) => [block, null]), ...now.map((block) => [null, block])];
  const longest = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i][j] = old[i].child.eq(now[j].child) ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const pairs = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i].child.eq(now[j].child)) pairs.push([old[i++], now[j++]]);
    else if (i < old.length && (j === now.length || longest[i + 1][j] >= longest[i][j + 1])) pairs.push([old[i++], null]);
    else pairs.push([null, now[j++]]);
  }
  return pairs;
}

/// Block by block, where as many come as go.
function replaceBlocks(transaction, start, { from, to, old, now }) {
  const isInPairs = old.length === now.length && old.every((block, index) => block.sameMarkup(now[index]) && !block.isLeaf);
  if (!isInPairs) return void transaction.replaceWith(start + from, start + to, now);
  let at = start + to;
  for (let index = old.length - 1; index >= 0; index--) {
    at -= old[index].nodeSize;
    replaceInside(transaction, at, old[index], now[index]);
  }
}

/// Within one block: the blocks in it that differ, or the letters from the first that differs to the last.
function replaceInside(transaction, at, old, now) {
  if (!old.isTextblock) {
    for (const step of blockChanges(children(old), children(now)).reverse()) replaceBlocks(transaction, at + 1, step);
    return;
  }
  const start = old.content.findDiffStart(now.content);
  if (start === null) return;
  let { a, b } = old.content.findDiffEnd(now.content);
  // "aa" to "aaa": both ends claim the same letter.
  const overlap = start - Math.min(a, b);
  if (overlap > 0) {
    a += overlap;
    b += overlap;
  }
  transaction.replace(at + 1 + start, at + 1 + a, now.slice(start, b));
}
