// The page that tells the keys.

import { openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { commandKey } from "../view/words.js";
import { list } from "../model/list.js";

/// Most Macs have a dead key there, which is written in a text.
const newNote = commandKey === "⌘" ? say`New note (in a text: ⌘ K, New note)` : say`New note`;

const SHORTCUTS = [
  [say`Everywhere`, [
    [["Alt", "N"], newNote], [["Alt", "Shift", "N"], say`New folder`], [[commandKey, "K"], say`Go to a note, folder, keyword (also P)`],
    [[commandKey, "F"], say`Search the list; in a note: find in it`], [[commandKey, "Shift", "F"], say`Search everywhere`], [[commandKey, "S"], say`Save now`],
    [[commandKey, "Z"], say`Undo`], [[commandKey, "Shift", "Z"], say`Redo`], [[commandKey, "\\"], say`Hide the other columns`],
    [["Alt", "1–3"], say`Folders, list, note`], [["Alt", "T"], say`The note of today`], [["Alt", "R"], say`Random note`], [["Alt", "M"], say`The map of links`],
    [["Alt", "F"], say`Only the text (Esc leaves)`], [["Alt", "L"], say`Read (Esc leaves)`], [commandKey === "⌘" ? [commandKey, "["] : ["Alt", "←"], say`Back (${commandKey === "⌘" ? "]" : "→"} forth)`], [["Alt", "Shift", "L"], say`Lock now, if there is a lock`], [["?"], say`This page`],
  ]],
  [say`Tabs`, [
    [[say`Middle click`], say`Open a note of the list or a link in a tab (a link also with ${commandKey} click)`], [["Alt", "PgDn"], say`Next tab (PgUp the one before)`],
    [["Alt", "Shift", "PgDn"], say`Move the tab (PgUp back)`], [["Alt", "W"], say`Close the tab`], [["Alt", "Shift", "W"], say`Reopen the closed tab`],
  ]],
  [say`Side by side`, [
    [["Alt", "B"], say`Open a note beside the one that is open`], [["Shift", commandKey, say`Click`], say`Open a link or a note of the list beside`],
    [["Alt", "X"], say`To the other side`], [["Alt", "W"], say`Close this side`], [["←", "→"], say`On the line between the sides: move it (Enter to the middle)`],
  ]],
  [say`List`, [
    [["↑", "↓"], say`Next note`], [["Home", "End"], say`First and last`], [["Enter"], say`Write`], [["F2"], say`Rename`], [[say`Del`], say`To the trash`],
    [["Shift", "↓"], say`Choose several`], [[commandKey, "A"], say`Choose all`], [["Shift", "F10"], say`Menu`],
  ]],
  [say`Folders`, [
    [["→", "←"], say`Open and close`], [["F2"], say`Rename`], [[say`Del`], say`Delete`], [["Alt", "↑"], say`Move up (↓ down)`], [["Shift", "F10"], say`Menu, with Move to…`],
  ]],
  [say`Searches`, [
    [["Alt", "↑"], say`Move up (↓ down)`], [["Shift", "F10"], say`Menu`],
  ]],
  [say`Writing`, [
    [[commandKey, "F"], say`Find in this note`], [["F3"], say`Next match (Shift F3 the one before)`],
    [["#", say`Space`], say`Title (## to ###### smaller)`], [["-", say`Space`], say`List (1. numbered, [ ] tasks)`], [[">", say`Space`], say`Quote`], [["```"], say`Code`], [["$x^2$"], say`Formula ($$ Enter on its own line)`], [["```mermaid"], say`Diagram`],
    [["**bold**"], say`Bold (_italic_ ***both*** ~~strike~~ ==mark==)`], [["| a | b |"], say`Table, with |---|---| in the line below`], [["/"], say`Put something in`], [["Alt", "O"], say`Headings of the note`], [["[["], say`Link to a note, or make it (# a heading of it)`], [["#word"], say`Give the note a keyword`], [["Alt", "P"], say`Give the note a property`], [["Alt", "Enter"], say`To the link at the caret`], [["Alt", say`Click`], say`Into the words of a link`],
    [["Tab"], say`Nest in a list, indent code (Shift Tab back)`], [["Alt", "Shift", "↑"], say`Move the block up (↓ down)`], [["Esc", "Tab"], say`Leave the text`], [[commandKey, "B"], say`Bold (I italic, U underlined)`], [[commandKey, "."], say`Superscript (, subscript)`],
  ]],
];

export function openKeys(part) {
  const groups = part === "tree" ? SHORTCUTS.filter(([name]) => name === say`Folders`) : SHORTCUTS;
  return openDialog({
    title: say`Keyboard shortcuts`,
    kind: groups.length > 1 ? "wide" : "small",
    content: () => html`
      <div class="shortcuts" tabindex="0" role="region" aria-label=${say`Keyboard shortcuts`}>${groups.map(([name, keys]) => html`
        <section><h3>${name}</h3><dl>${keys.map(([press, does]) => html`
          <div><dt>${press.map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`)}</dl></section>`)}</div>`,
  });
}
