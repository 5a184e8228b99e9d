// A text with what was found in it marked.

import { html } from "./template.js";

/// `hits` are [start, length] in UTF-16.
export function marked(text, hits) {
  if (!hits || hits.length === 0) return text;
  const pieces = [];
  let at = 0;
  for (const [start, length] of hits) {
    if (start < at || start + length > text.length) continue;
    pieces.push(text.slice(at, start), html`<mark>${text.slice(start, start + length)}</mark>`);
    at = start + length;
  }
  pieces.push(text.slice(at));
  return pieces;
}
