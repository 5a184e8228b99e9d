// The page that tells the keys.

import { openDialog } from "../view/dialog.js";
import { html } from "../view/template.js";
import { commandKey } from "../view/words.js";
import { list } from "../model/list.js";

/// Most Macs have a dead key there, which is written in a text.
const newNote = commandKey === "⌘" ? "New note (in a text: ⌘ K, New note)" : "New note";

const SHORTCUTS = [
  ["Everywhere", [
    [["Alt", "N"], newNote], [["Alt", "Shift", "N"], "New folder"], [[commandKey, "K"], "Go to a note, folder, keyword (also P)"],
    [[commandKey, "F"], "Search the list; in a note: find in it"], [[commandKey, "Shift", "F"], "Search everywhere"], [[commandKey, "S"], "Save now"],
    [[commandKey, "Z"], "Undo"], [[commandKey, "Shift", "Z"], "Redo"], [[commandKey, "\\"], "Hide the other columns"],
    [["Alt", "1–3"], "Folders, list, note"], [["Alt", "T"], "The note of today"], [["Alt", "R"], "Random note"], [["Alt", "M"], "The map of links"],
    [["Alt", "F"], "Only the text (Esc leaves)"], [["Alt", "L"], "Read (Esc leaves)"], [commandKey === "⌘" ? [commandKey, "["] : ["Alt", "←"], `Back (${commandKey === "⌘" ? "]" : "→"} forth)`], [["?"], "This page"],
  ]],
  ["Tabs", [
    [["Middle click"], "Open a note of the list or a link in a tab (a link also with " + commandKey + " click)"], [["Alt", "PgDn"], "Next tab (PgUp the one before)"],
    [["Alt", "Shift", "PgDn"], "Move the tab (PgUp back)"], [["Alt", "W"], "Close the tab"], [["Alt", "Shift", "W"], "Reopen the closed tab"],
  ]],
  ["Side by side", [
    [["Alt", "B"], "Open a note beside the one that is open"], [["Shift", commandKey, "Click"], "Open a link or a note of the list beside"],
    [["Alt", "X"], "To the other side"], [["Alt", "W"], "Close this side"], [["←", "→"], "On the line between the sides: move it (Enter to the middle)"],
  ]],
  ["List", [
    [["↑", "↓"], "Next note"], [["Home", "End"], "First and last"], [["Enter"], "Write"], [["F2"], "Rename"], [["Del"], "To the trash"],
    [["Shift", "↓"], "Choose several"], [[commandKey, "A"], "Choose all"], [["Shift", "F10"], "Menu"],
  ]],
  ["Folders", [
    [["→", "←"], "Open and close"], [["F2"], "Rename"], [["Del"], "Delete"], [["Alt", "↑"], "Move up (↓ down)"], [["Shift", "F10"], "Menu, with Move to…"],
  ]],
  ["Searches", [
    [["Alt", "↑"], "Move up (↓ down)"], [["Shift", "F10"], "Menu"],
  ]],
  ["Writing", [
    [[commandKey, "F"], "Find in this note"], [["F3"], "Next match (Shift F3 the one before)"],
    [["#", "Space"], "Title (## to ###### smaller)"], [["-", "Space"], "List (1. numbered, [ ] tasks)"], [[">", "Space"], "Quote"], [["```"], "Code"], [["$x^2$"], "Formula ($$ Enter on its own line)"], [["```mermaid"], "Diagram"],
    [["**bold**"], "Bold (_italic_ ***both*** ~~strike~~ ==mark==)"], [["| a | b |"], "Table, with |---|---| in the line below"], [["/"], "Put something in"], [["Alt", "O"], "Headings of the note"], [["[["], "Link to a note, or make it (# a heading of it)"], [["#word"], "Give the note a keyword"], [["Alt", "P"], "Give the note a property"], [["Alt", "Enter"], "To the link at the caret"], [["Alt", "Click"], "Into the words of a link"],
    [["Tab"], "Nest in a list, indent code (Shift Tab back)"], [["Alt", "Shift", "↑"], "Move the block up (↓ down)"], [["Esc", "Tab"], "Leave the text"], [[commandKey, "B"], "Bold (I italic, U underlined)"], [[commandKey, "."], "Superscript (, subscript)"],
  ]],
];

export function openKeys(part) {
  const groups = part === "tree" ? SHORTCUTS.filter(([name]) => name === "Folders") : SHORTCUTS;
  return openDialog({
    title: "Keyboard shortcuts",
    kind: groups.length > 1 ? "wide" : "small",
    content: () => html`
      <div class="shortcuts" tabindex="0" role="region" aria-label="Keyboard shortcuts">${groups.map(([name, keys]) => html`
        <section><h3>${name}</h3><dl>${keys.map(([press, does]) => html`
          <div><dt>${press.map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`)}</dl></section>`)}</div>`,
  });
}
