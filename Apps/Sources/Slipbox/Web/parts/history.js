// What a note was before: its versions on the left, one of them on the right, and the way back to it.

import { openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { diffOf, linesOf } from "../view/wordDiff.js";
import { longDate, titleOf } from "../view/words.js";
import { readOnlyEditor } from "../editor/editor.js";
import { get, readings } from "../server/call.js";
import { perform } from "../acts/acts.js";
import { takeRestored } from "./others.js";
import { paneOf } from "./panes.js";

export function openHistory(note) {
  let versions = null;
  let shown = null;
  let problem = null;
  let said = null;
  let redraw = () => {};
  let reader;
  let showsChanges = false;
  let now = note;
  const sheet = document.createElement("div");
  sheet.className = "text";
  const beginReading = readings();
  const look = async (version) => {
    const isLatest = beginReading();
    try {
      const read = await get(`/notes/${note.id}/versions/${version.id}`);
      if (!isLatest()) return;
      shown = read;
      said = null;
      reader ??= readOnlyEditor(sheet);
      reader.show(shown.document);
      redraw();
    } catch (error) {
      if (!isLatest()) return;
      // It is about what is asked for here, and stays until something else is.
      said = error.message;
      redraw();
    }
  };
  const load = async () => {
    try {
      await paneOf(note.id)?.saveNow();
      now = await get(`/notes/${note.id}`);
      versions = await get(`/notes/${note.id}/versions`);
      redraw();
      if (versions[0]) await look(versions[0]);
    } catch (error) {
      problem = error.message;
      redraw();
    }
  };
  load();
  return openDialog({
    title: say`History of “${titleOf(note)}”`,
    kind: "wide",
    onClose: () => reader?.destroy(),
    content: (close, draw) => {
      redraw = draw;
      if (problem) return html`<p class="dialog-text" role="alert">${problem}</p>`;
      if (versions?.length === 0) return html`<p class="dialog-text">${say`There are no earlier versions yet. A version is saved when you come back to a note and continue writing.`}</p>`;
      return html`
        <div class="history">
          <ul class="versions" aria-label=${say`Versions`}>${versions === null ? html`<li class="spinner"></li>` : versions.map((version) => keyed(version.id, html`
            <li><button class="version" aria-current=${version.id === shown?.id ? "true" : null} @click=${() => look(version)}>
              <strong>${longDate(version.date)}</strong><span class="faint">${version.excerpt || titleOf(version)}</span></button></li>`))}</ul>
          <div class="version-text">${shown ? html`<h3 class="version-title">${titleOf(shown)}</h3>` : null}${showsChanges && shown ? changesView(shown, now) : sheet}</div>
        </div>
        ${said ? html`<p class="dialog-text" role="alert">${said}</p>` : null}
        <footer class="dialog-foot">
          <button aria-pressed=${String(showsChanges)} ?disabled=${!shown} @click=${() => { showsChanges = !showsChanges; draw(); }}>${say`Show changes`}</button>
          <span class="grow"></span>
          <button @click=${() => close()}>${say`Close`}</button>
          <button class="main" ?disabled=${!shown} @click=${() => { close(); restore(note, shown); }}>${say`Restore this version`}</button>
        </footer>`;
    },
  });
}

/// What the note says now, and what it has said in the version: gone is struck through, new is underlined.
function changesView(version, now) {
  // A title that is the same stands above already.
  const titles = titleOf(version) === titleOf(now) ? [[], []] : [[titleOf(version)], [titleOf(now)]];
  const rows = diffOf([...titles[0], ...linesOf(version.document)], [...titles[1], ...linesOf(now.document)]);
  if (rows.every((row) => row.kind === "same")) return html`<p class="faint">${say`This version is the same as the note is now.`}</p>`;
  return html`<div class="changes" role="document" aria-label=${say`Changes since this version`} tabindex="0">${rows.map((row) => html`
    <p class=${`change-${row.kind}`}>${row.pieces.map((piece) => (piece.kind === "gone" ? html`<del>${piece.text}</del>` : piece.kind === "new" ? html`<ins>${piece.text}</ins>` : piece.text))}</p>`)}</div>`;
}

async function restore(note, version) {
  const result = await perform({ method: "POST", path: `/notes/${note.id}/versions/${version.id}/restore`, note: note.id }, say`Version of ${longDate(version.date)} restored`);
  const pane = result?.note && paneOf(note.id);
  if (pane) takeRestored(pane, result.note);
}
