import { icons } from "../vendor/icons.js";

const drawings = new Map();

/// A drawing that says nothing to a screen reader: the control around it has the name.
export function icon(name) {
  let drawing = drawings.get(name);
  if (!drawing) {
    const source =
      `<svg class="icon icon-${name}" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor"` +
      ` stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${icons[name] ?? ""}</svg>`;
    drawings.set(name, (drawing = { strings: [source], values: [] }));
  }
  return drawing;
}
