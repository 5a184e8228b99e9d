// Takes everything of the notes out of sight while the page still has something to save.

import { changed, drawWith } from "./drawing.js";

/// Gives what uncovers the page again.
export function coverPage() {
  const former = drawWith(() => {});
  document.title = "Slipbox";
  // Dialogs, menus and messages are beside the page. They are hidden, not taken away: somebody may have typed into them.
  const covered = [...document.body.children].filter((element) => !element.hidden);
  for (const element of covered) element.hidden = true;
  return () => {
    for (const element of covered) element.hidden = false;
    drawWith(former);
    changed();
  };
}
