import { icons } from "../vendor/icons.js";

const drawings = new Map();

/// Drawings that the collection has not, or that we have not taken from it.
const own = {
  pin: '<path d="M8.5 4h7l-1 6.5 3 3.5h-11l3-3.5z" /> <path d="M12 14v6.5" />',
  map: '<circle cx="6" cy="7" r="2.5" /> <circle cx="18" cy="5.5" r="2" /> <circle cx="16" cy="17.5" r="3" /> <path d="M8.5 6.7 16 5.7" /> <path d="m7.6 9 6.2 6.3" /> <path d="m17.6 7.5-1 7" />',
  die: '<rect width="16" height="16" x="4" y="4" rx="3" /> <path d="M8.5 8.5h.01M15.5 15.5h.01M12 12h.01M15.5 8.5h.01M8.5 15.5h.01" />',
  devices: '<rect width="12" height="9" x="3" y="5" rx="1.5" /> <path d="M2 18h10" /> <rect width="6" height="11" x="16" y="9" rx="1.5" />',
  bars: '<path d="M5 20v-7M12 20V5M19 20v-10" />',
  columns: '<rect width="18" height="15" x="3" y="4.5" rx="2" /> <path d="M12 4.5v15" />',
  square: '<rect width="18" height="15" x="3" y="4.5" rx="2" />',
  globe: '<circle cx="12" cy="12" r="9" /> <path d="M3 12h18" /> <path d="M12 3c3.5 3.5 3.5 14.5 0 18" /> <path d="M12 3c-3.5 3.5-3.5 14.5 0 18" />',
  printer: '<path d="M7 9V4h10v5" /> <rect width="18" height="8" x="3" y="9" rx="2" /> <path d="M7 14h10v6H7z" />',
};

/// A drawing that says nothing to a screen reader: the control around it has the name.
export function icon(name) {
  let drawing = drawings.get(name);
  if (!drawing) {
    const source =
      `<svg class="icon icon-${name}" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor"` +
      ` stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${own[name] ?? icons[name] ?? ""}</svg>`;
    drawings.set(name, (drawing = { strings: [source], values: [] }));
  }
  return drawing;
}
