// Light, dark, or as the system has it.

import { changed } from "../view/drawing.js";

export function setTheme(theme) {
  if (theme === "system") localStorage.removeItem("theme");
  else localStorage.setItem("theme", theme);
  dispatchEvent(new Event("themechange"));
  changed();
}
