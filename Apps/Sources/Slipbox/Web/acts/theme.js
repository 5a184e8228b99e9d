// Light, dark, or as the system has it.

import { changed } from "../view/drawing.js";
import { dropText, keepText } from "../view/keptTexts.js";

export function setTheme(theme) {
  if (theme === "system") dropText("theme");
  else keepText("theme", theme);
  dispatchEvent(new CustomEvent("themechange", { detail: theme }));
  changed();
}
