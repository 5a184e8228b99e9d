// Words that were written since the page was opened, and how many somebody wants to write.

import { changed } from "../view/drawing.js";

/// How many words each note had when it was opened here, and how many it has.
const counts = new Map();
let goal = null;

export function countOf(note, words) {
  const known = counts.get(note);
  counts.set(note, { first: known?.first ?? words, last: words });
}

/// Words that others write in between, or that are taken back, do not count below nothing.
export const writtenWords = () => [...counts.values()].reduce((sum, { first, last }) => sum + Math.max(0, last - first), 0);

export const wordGoal = () => goal;

/// Sets the goal and counts from zero; `null` removes it.
export function setGoal(words) {
  goal = words;
  for (const [note, { last }] of counts) counts.set(note, { first: last, last });
  changed();
}
