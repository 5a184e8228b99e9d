// Words of the note that two devices have changed in different ways: those in the note, the others, and the choice.

import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { diffOf } from "../view/wordDiff.js";
import { longDate } from "../view/words.js";
import { perform } from "../acts/acts.js";
import { takeRestored } from "./others.js";

/// Nothing where all is settled.
export function wordingsView(pane) {
  const { wordings = [] } = pane.note;
  if (wordings.length === 0) return null;
  return html`<section class="wordings" aria-label=${say`Changed on two devices`}>
    <h2>${icon("circle-alert")}${say`Changed on two devices at once`}</h2>
    <p class="faint">${say`Two devices changed the same words. The note has one wording. The other one is kept here, on all devices, until you choose.`}</p>
    ${wordings.map((wording) => keyed(wording.id, wordingView(pane, wording)))}
  </section>`;
}

const wordingView = (pane, wording) => html`
  <div class="wording" role="group" aria-label=${`${wording.title ? say`Title` : say`Text`}, ${longDate(wording.date)}`}>
    <div class="sides changes">
      <div><h3>${wording.title ? say`Title of the note` : say`In the note`}</h3><p tabindex="0">${sideOf(wording, "gone")}</p></div>
      <div><h3>${say`Other wording`}</h3><p tabindex="0">${sideOf(wording, "new")}</p></div>
    </div>
    ${pane.note.trashed ? null : html`<div class="dialog-foot">
      <button @click=${() => settle(pane, wording, "DELETE")}>${say`Keep the note as it is`}</button>
      <button @click=${() => settle(pane, wording, "POST")}>${say`Use the other wording`}</button>
    </div>`}
  </div>`;

/// The lines of one side, with its own words marked.
function sideOf({ kept, lost }, kind) {
  const rows = diffOf(kept.trimEnd().split("\n"), lost.trimEnd().split("\n"));
  const lines = rows.map(({ pieces }) => pieces.filter((piece) => piece.kind === "same" || piece.kind === kind)).filter((pieces) => pieces.length > 0);
  return lines.flatMap((pieces, at) => [at > 0 ? "\n" : "", ...pieces.map(({ kind: is, text }) => (is === "same" ? text : is === "gone" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`))]);
}

async function settle(pane, wording, method) {
  const { id } = pane.note;
  // Saves the words that were typed before.
  await pane.saveNow();
  const said = method === "POST" ? say`Other wording used` : say`Other wording dismissed`;
  const result = await perform({ method, path: `/notes/${id}/wordings/${wording.id}`, note: id }, said);
  if (result?.note && pane.note?.id === id) takeRestored(pane, result.note);
}
