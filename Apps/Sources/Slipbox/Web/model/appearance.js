// How texts and lists look here, and how quotation marks are written: kept in this browser, and written on <html>, from where
// the style sheets read it.

import { changed } from "../view/drawing.js";
import { dropText, keepText, keptText } from "../view/keptTexts.js";

/// Each choice with what it is if nobody has chosen; `look/theme.js` sets the same names before the first paint.
export const CHOICES = [
  { id: "font", name: "Typeface of texts", usual: "serif", values: [["serif", "Serif"], ["sans", "Sans serif"], ["mono", "Typewriter"]] },
  { id: "size", name: "Size of texts", usual: "medium", values: [["small", "Small"], ["medium", "Medium"], ["large", "Large"]] },
  { id: "width", name: "Width of texts", usual: "medium", values: [["narrow", "Narrow"], ["medium", "Medium"], ["wide", "Wide"]] },
  { id: "lines", name: "Lines of texts", usual: "medium", values: [["tight", "Tight"], ["medium", "Medium"], ["loose", "Loose"]] },
  { id: "rows", name: "Rows of lists", usual: "roomy", values: [["compact", "Compact"], ["roomy", "Roomy"]] },
  { id: "quotes", name: "Quotation marks", usual: "typed", values: [["typed", "As typed"], ["language", "Of the language"]] },
];

export function valueOf(id) {
  const { usual, values } = CHOICES.find((choice) => choice.id === id);
  const kept = keptText(`look-${id}`);
  return values.some(([value]) => value === kept) ? kept : usual;
}

const listeners = new Set();

/// Calls a function after each choice.
export const onLook = (listen) => listeners.add(listen);

export function choose(id, value) {
  const { usual } = CHOICES.find((choice) => choice.id === id);
  if (value === usual) dropText(`look-${id}`);
  else keepText(`look-${id}`, value);
  if (value === usual) delete document.documentElement.dataset[id];
  else document.documentElement.dataset[id] = value;
  for (const listen of listeners) listen();
  changed();
}
