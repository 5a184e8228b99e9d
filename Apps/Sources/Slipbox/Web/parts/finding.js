// Ctrl/⌘ F in a note: a small bar above it, what matches is marked, Enter goes from one to the next.

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { dismiss, toast } from "../view/toast.js";
import { count, counted } from "../view/words.js";

export const isFinding = ({ note, finding, opening }) => note !== null && finding.opening === opening;

/// Opens the bar of a pane, with what is selected in it; if it is open, its text is selected.
export async function openFinding(pane) {
  const { field, finding } = pane;
  if (!isFinding(pane)) {
    finding.opening = pane.opening;
    field.settle();
    finding.text = field.selectedText() || finding.text;
    field.find(finding.text);
    changed();
    await null;
    await null;
  }
  finding.input?.focus();
  finding.input?.select();
}

/// Back to the text, where the match is.
function closeFinding(pane) {
  if (!isFinding(pane)) return;
  pane.finding.opening = null;
  pane.field.endFinding();
  changed();
}

export function findNext(pane, by) {
  pane.field.step(by);
  changed();
}

function type(event, pane) {
  pane.finding.text = event.target.value;
  pane.field.find(pane.finding.text);
  changed();
}

function press(event, pane) {
  if (isComposing(event)) return;
  if (event.key === "Enter" && event.target === pane.finding.input) findNext(pane, event.shiftKey ? -1 : 1);
  else if (event.key === "Escape") closeFinding(pane);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function replace(pane, isAll) {
  const { field, finding } = pane;
  if (!isAll) field.replaceChosen(finding.words);
  else {
    const count = field.replaceAll(finding.words);
    if (count > 0) tell(field, count);
    // The button that was pressed has nothing to do any more, and with it Escape would be heard by nobody.
    finding.input?.focus({ preventScroll: true });
  }
  changed();
}

/// Undo is offered as long as it undoes this: not after another edit, and not in another note.
function tell(field, count) {
  const run = field.undoOfLast(() => dismiss(told));
  const told = toast(counted(count, "match replaced", "matches replaced"), { act: { name: say`Undo`, run } });
}

function pressReplace(event, pane) {
  if (event.key !== "Enter" || isComposing(event)) return;
  event.preventDefault();
  event.stopPropagation();
  replace(pane, event.ctrlKey || event.metaKey);
}

const replaceView = (pane, found) => html`
  <div class="find-bar replace-bar" role="group" aria-label=${say`Replace in this note`} @keydown=${(event) => press(event, pane)}>
    ${icon("pencil")}
    <input type="text" class="find-field" aria-label=${say`Replace with`} placeholder=${say`Replace with`} autocomplete="off" .value=${pane.finding.words}
      @input=${(event) => (pane.finding.words = event.target.value)} @keydown=${(event) => pressReplace(event, pane)} />
    <button class="small-text" ?disabled=${found === 0} title="Enter" @click=${() => replace(pane, false)}>${say`Replace`}</button>
    <button class="small-text" ?disabled=${found === 0} title="Ctrl Enter" @click=${() => replace(pane, true)}>${say`All`}</button>
  </div>`;

export function findingView(pane) {
  if (!isFinding(pane)) return null;
  const { finding } = pane;
  const { count: found, place } = pane.field.tally();
  const told = finding.text === "" ? "" : found === 0 ? say`Not here` : say`${count(place)} of ${count(found)}`;
  return html`
    <search class="find-bar" aria-label=${say`Find in this note`} @keydown=${(event) => press(event, pane)}>
      ${icon("search")}
      <input type="text" class="find-field" enterkeyhint="next" aria-label=${say`Find in this note`} placeholder=${say`Find in this note`} autocomplete="off"
        autocapitalize="off" spellcheck="false" .value=${finding.text} ref=${(element) => (finding.input = element)} @input=${(event) => type(event, pane)} />
      <span class=${found === 0 && finding.text ? "find-count none" : "find-count"} role="status">${told}</span>
      <button class="plain small" aria-label=${say`Previous match`} title=${say`Previous (Shift Enter)`} ?disabled=${found === 0} @click=${() => findNext(pane, -1)}>${icon("arrow-up")}</button>
      <button class="plain small" aria-label=${say`Next match`} title=${say`Next (Enter)`} ?disabled=${found === 0} @click=${() => findNext(pane, 1)}>${icon("arrow-down")}</button>
      ${pane.note.trashed ? null : html`<button class="plain small" aria-label=${say`Replace`} title=${say`Replace`} aria-pressed=${String(finding.isReplacing)}
        @click=${() => { finding.isReplacing = !finding.isReplacing; changed(); }}>${icon("pencil")}</button>`}
      <button class="plain small" aria-label=${say`Close the find bar`} title=${say`Close (Esc)`} @click=${() => closeFinding(pane)}>${icon("x")}</button>
    </search>
    ${finding.isReplacing && !pane.note.trashed ? replaceView(pane, found) : null}`;
}
