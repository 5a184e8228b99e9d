// The keys, what they do, and the page that tells. Browsers keep Ctrl N, T and W for themselves.

import { html } from "../view/template.js";
import { openDialog } from "../view/dialog.js";
import { commandKey } from "../view/words.js";
import { changed, state } from "./state.js";
import { findNext, isFinding, openFinding } from "./finding.js";
import { newFolder } from "./filing.js";
import { newNote, page, saveNow } from "./note.js";
import { openSwitcher } from "./switcher.js";
import { focusSearch } from "./search.js";
import { redoLast, undoLast } from "./acts.js";
import { toast } from "../view/toast.js";

const SHORTCUTS = [
  ["Everywhere", [
    [["Alt", "N"], "New note"], [["Alt", "Shift", "N"], "New folder"], [[commandKey, "K"], "Go to a note, folder, keyword (also P)"],
    [[commandKey, "F"], "Search the list; in a note: find in it"], [[commandKey, "Shift", "F"], "Search everywhere"], [[commandKey, "S"], "Save now"],
    [[commandKey, "Z"], "Take back the last act"], [[commandKey, "Shift", "Z"], "Do it again"], [[commandKey, "\\"], "Only the note"],
    [["Alt", "1–3"], "Folders, list, note"], [["?"], "This page"],
  ]],
  ["List", [
    [["↑", "↓"], "Next note"], [["Home", "End"], "First and last"], [["Enter"], "Write"], [["F2"], "Rename"], [["Del"], "To the trash"],
    [["Shift", "↓"], "Choose several"], [[commandKey, "A"], "Choose all"], [["Shift", "F10"], "Menu"],
  ]],
  ["Folders", [
    [["→", "←"], "Open and close"], [["F2"], "Rename"], [["Del"], "Delete"], [["Alt", "↑"], "Move up (↓ down)"], [["Shift", "F10"], "Menu, with Move to…"],
  ]],
  ["Writing", [
    [[commandKey, "F"], "Find in this note"], [["F3"], "Next match (Shift F3 the one before)"],
    [["#", "Space"], "Title (## and ### smaller)"], [["-", "Space"], "List (1. numbered, [ ] tasks)"], [[">", "Space"], "Quote"], [["```"], "Code"],
    [["**bold**"], "Bold (_italic_ ~~strike~~ ==mark==)"], [["[["], "Link to a note, or make it"], [["Alt", "Enter"], "To the link at the caret"],
    [["Tab"], "Nest in a list, indent code (Shift Tab back)"], [["Esc", "Tab"], "Leave the text"], [[commandKey, "B"], "Bold (I italic, U underlined)"],
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

const isTyping = (target) => target.matches?.("input, textarea, select, [contenteditable=true], .ProseMirror, .ProseMirror *") ?? false;

export function listenToKeys() {
  addEventListener("keydown", press, { capture: true });
}

function press(event) {
  if (document.querySelector("dialog[open]") && !(isCommand(event) && letterOf(event) === "S")) return;
  const act = actFor(event);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

const isCommand = (event) => (event.ctrlKey || event.metaKey) && !event.altKey;

/// The letter on the key: a German Z lies where others have Y. Where no Latin letter comes, its place counts.
export const letterOf = ({ key, code }) => (/^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key/, ""));

function actFor(event) {
  const { code, shiftKey } = event;
  const letter = letterOf(event);
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (letter === "N") return shiftKey ? () => newFolder() : () => newNote();
    if (code === "Digit1") return () => focusColumn("side");
    if (code === "Digit2") return () => focusColumn("list");
    if (code === "Digit3") return () => focusColumn("page");
    return null;
  }
  if (isCommand(event)) {
    if (letter === "K" || letter === "P") return shiftKey ? null : () => openSwitcher();
    if (letter === "F") return !shiftKey && isInNote() ? openFinding : () => focusSearch(shiftKey ? "all" : "here");
    if (letter === "G" && isFinding()) return () => findNext(shiftKey ? -1 : 1);
    if (letter === "S" && !shiftKey) return save;
    if (code === "Backslash") return onlyTheNote;
    if (isTyping(event.target)) return null;
    if (letter === "Z") return shiftKey ? redoLast : undoLast;
    if (letter === "Y") return redoLast;
    return null;
  }
  if (event.key === "F3" && isFinding()) return () => findNext(shiftKey ? -1 : 1);
  if (/^Arrow(Up|Down)$/.test(event.key) && event.target === document.body) return () => intoList(event.key);
  if (isTyping(event.target)) return null;
  return event.key === "?" ? () => openKeys() : null;
}

/// Where nothing has the focus, arrows are for the list.
function intoList(key) {
  const rows = document.querySelector(".rows");
  rows?.focus();
  rows?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/// Where the note has the focus, or is all there is to see.
function isInNote() {
  if (!page.note) return false;
  return Boolean(document.activeElement?.closest(".page")) || !document.querySelector(".list").checkVisibility();
}

async function save() {
  await saveNow();
  if (page.note) toast("Saved");
}

function onlyTheNote() {
  state.isWriting = !state.isWriting;
  changed();
}

function focusColumn(name) {
  state.isWriting = false;
  changed();
  const target = { side: '.tree [tabindex="0"], .places a', list: ".rows", page: ".ProseMirror" }[name];
  queueMicrotask(() => document.querySelector(target)?.focus());
}
