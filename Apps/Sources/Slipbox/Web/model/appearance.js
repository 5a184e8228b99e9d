// How texts and lists look here, and how quotation marks are written: kept in this browser, and written on <html>, from where
// the style sheets read it.

import { changed } from "../view/drawing.js";
import { dropText, keepText, keptText } from "../view/keptTexts.js";
import { say } from "../view/say.js";

/// Each choice with what it is if nobody has chosen; `look/theme.js` sets the same names before the first paint.
export const CHOICES = [
  { id: "font", name: say`Typeface of texts`, usual: "serif", values: [["serif", say`Serif`], ["sans", say`Sans serif`], ["mono", say`Typewriter`]] },
  { id: "size", name: say`Size of texts`, usual: "medium", values: [["small", say`Small`], ["medium", say`Medium`], ["large", say`Large`]] },
  { id: "width", name: say`Width of texts`, usual: "medium", values: [["narrow", say`Narrow`], ["medium", say`Medium`], ["wide", say`Wide`]] },
  { id: "lines", name: say`Lines of texts`, usual: "medium", values: [["tight", say`Tight`], ["medium", say`Medium`], ["loose", say`Loose`]] },
  { id: "rows", name: say`Rows of lists`, usual: "roomy", values: [["compact", say`Compact`], ["roomy", say`Roomy`]] },
  { id: "quotes", name: say`Quotation marks`, usual: "typed", values: [["typed", say`As typed`], ["language", say`Of the language`]] },
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
