// Ctrl/⌘ F in a note: a small bar above it, what matches is marked, Enter goes from one to the next.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { html } from "../view/template.js";
import { count } from "../view/words.js";
import { search } from "../model/searching.js";
import { openField, page } from "./note.js";

/// A search belongs to one opening of a note.
const finding = { opening: null, text: "" };
let input;

export const isFinding = () => page.note !== null && finding.opening === page.opening;

/// Opens the bar, with what is selected in it; if it is open, its text is selected.
export async function openFinding() {
  const field = openField();
  if (!isFinding()) {
    finding.opening = page.opening;
    field.settle();
    finding.text = field.selectedText() || finding.text;
    field.find(finding.text);
    changed();
    await null;
    await null;
  }
  input?.focus();
  input?.select();
}

/// Back to the text, where the match is.
export function closeFinding() {
  if (!isFinding()) return;
  finding.opening = null;
  openField().endFinding();
  changed();
}

export function findNext(by) {
  openField().step(by);
  changed();
}

function type(event) {
  finding.text = event.target.value;
  openField().find(finding.text);
  changed();
}

function press(event) {
  if (event.isComposing) return;
  if (event.key === "Enter" && event.target === input) findNext(event.shiftKey ? -1 : 1);
  else if (event.key === "Escape") closeFinding();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function findingView() {
  if (!isFinding()) return null;
  const { count: found, place } = openField().tally();
  const told = finding.text === "" ? "" : found === 0 ? "Not in this text" : `${count(place)} of ${count(found)}`;
  return html`
    <search class="find-bar" aria-label="Find in this note" @keydown=${press}>
      ${icon("search")}
      <input type="text" class="find-field" enterkeyhint="next" aria-label="Find in this note" placeholder="Find in this note" autocomplete="off"
        autocapitalize="off" spellcheck="false" .value=${finding.text} ref=${(element) => (input = element)} @input=${type} />
      <span class=${found === 0 && finding.text ? "find-count none" : "find-count"} role="status">${told}</span>
      <button class="plain small" aria-label="Previous match" title="Previous (Shift Enter)" ?disabled=${found === 0} @click=${() => findNext(-1)}>${icon("arrow-up")}</button>
      <button class="plain small" aria-label="Next match" title="Next (Enter)" ?disabled=${found === 0} @click=${() => findNext(1)}>${icon("arrow-down")}</button>
      <button class="plain small" aria-label="Close the find bar" title="Close (Esc)" @click=${closeFinding}>${icon("x")}</button>
    </search>`;
}
