// Ctrl/⌘ F in a note: a small bar above it, what matches is marked, Enter goes from one to the next.

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { html } from "../view/template.js";
import { dismiss, toast } from "../view/toast.js";
import { count, counted } from "../view/words.js";
import { search } from "../model/searching.js";
import { openField, page } from "./note.js";

/// A search belongs to one opening of a note.
const finding = { opening: null, text: "", words: "", isReplacing: false };
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
function closeFinding() {
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
  if (isComposing(event)) return;
  if (event.key === "Enter" && event.target === input) findNext(event.shiftKey ? -1 : 1);
  else if (event.key === "Escape") closeFinding();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function replace(isAll) {
  if (!isAll) openField().replaceChosen(finding.words);
  else {
    const count = openField().replaceAll(finding.words);
    if (count > 0) tell(count);
    // The button that was pressed has nothing to do any more, and with it Escape would be heard by nobody.
    input?.focus({ preventScroll: true });
  }
  changed();
}

/// Undo is offered as long as it undoes this: not after another edit, and not in another note.
function tell(count) {
  const run = openField().undoOfLast(() => dismiss(told));
  const told = toast(`${counted(count, "match", "matches")} replaced`, { act: { name: "Undo", run } });
}

function pressReplace(event) {
  if (event.key !== "Enter" || isComposing(event)) return;
  event.preventDefault();
  event.stopPropagation();
  replace(event.ctrlKey || event.metaKey);
}

const replaceView = (found) => html`
  <div class="find-bar replace-bar" role="group" aria-label="Replace in this note" @keydown=${press}>
    ${icon("pencil")}
    <input type="text" class="find-field" aria-label="Replace with" placeholder="Replace with" autocomplete="off" .value=${finding.words}
      @input=${(event) => (finding.words = event.target.value)} @keydown=${pressReplace} />
    <button class="small-text" ?disabled=${found === 0} title="Enter" @click=${() => replace(false)}>Replace</button>
    <button class="small-text" ?disabled=${found === 0} title="Ctrl Enter" @click=${() => replace(true)}>All</button>
  </div>`;

export function findingView() {
  if (!isFinding()) return null;
  const { count: found, place } = openField().tally();
  const told = finding.text === "" ? "" : found === 0 ? "Not here" : `${count(place)} of ${count(found)}`;
  return html`
    <search class="find-bar" aria-label="Find in this note" @keydown=${press}>
      ${icon("search")}
      <input type="text" class="find-field" enterkeyhint="next" aria-label="Find in this note" placeholder="Find in this note" autocomplete="off"
        autocapitalize="off" spellcheck="false" .value=${finding.text} ref=${(element) => (input = element)} @input=${type} />
      <span class=${found === 0 && finding.text ? "find-count none" : "find-count"} role="status">${told}</span>
      <button class="plain small" aria-label="Previous match" title="Previous (Shift Enter)" ?disabled=${found === 0} @click=${() => findNext(-1)}>${icon("arrow-up")}</button>
      <button class="plain small" aria-label="Next match" title="Next (Enter)" ?disabled=${found === 0} @click=${() => findNext(1)}>${icon("arrow-down")}</button>
      ${page.note.trashed ? null : html`<button class="plain small" aria-label="Replace" title="Replace" aria-pressed=${String(finding.isReplacing)}
        @click=${() => { finding.isReplacing = !finding.isReplacing; changed(); }}>${icon("pencil")}</button>`}
      <button class="plain small" aria-label="Close the find bar" title="Close (Esc)" @click=${closeFinding}>${icon("x")}</button>
    </search>
    ${finding.isReplacing && !page.note.trashed ? replaceView(found) : null}`;
}
