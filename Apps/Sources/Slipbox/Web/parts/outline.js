// The headings of the open note, to go to one of them.

import { openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { front } from "./panes.js";

/// Blanks at the beginning of a line are not drawn.
const INDENT = "\u2003";

export function openOutline() {
  const { note, field, element } = front();
  if (!note) return;
  const headings = field.headings();
  if (headings.length === 0) return toast(say`This note has no headings.`);
  const top = Math.min(...headings.map(({ level }) => level));
  openMenu(element.querySelector(".page-head"), headings.slice(0, 200).map(({ level, text, at }) => ({
    name: `${INDENT.repeat(level - top)}${text}`, run: () => field.showHeading(at),
  })), say`Headings of the note`);
}
