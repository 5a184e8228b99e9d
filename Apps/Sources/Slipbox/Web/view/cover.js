// Takes everything of the notes out of sight while the page still has something to save.

import { drawWith } from "./drawing.js";

export function coverPage() {
  drawWith(() => {});
  document.title = "Slipbox";
  document.getElementById("app").hidden = true;
  // Dialogs, menus and messages are beside it. They are hidden, not taken away: somebody may have typed into them.
  for (const element of document.body.children) element.hidden = true;
}
