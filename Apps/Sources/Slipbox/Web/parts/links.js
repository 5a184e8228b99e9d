// Notes this one leads to, and notes that lead here, with the words around the link.

import { icon } from "../view/icon.js";
import { html, keyed } from "../view/template.js";
import { toast } from "../view/toast.js";
import { titleOf } from "../view/words.js";
import { pathOf } from "../model/route.js";
import { state } from "../model/state.js";
import { changeNote, refreshAll } from "../acts/acts.js";
import { openField, saveNow } from "./note.js";
import { openSwitcher } from "./switcher.js";

export function linksView(note) {
  const isWritten = !note.trashed;
  return html`
    <section class="links" aria-labelledby="links-title">
      <h2 id="links-title">${icon("link-2")}Links</h2>
      <ul>
        ${(note.links ?? []).map((link) => keyed(link.id, html`
          <li class="link-line"><a class="link-card" href=${pathOf(state.place, link.id)}>${titleOf(link)}</a>
            ${isWritten ? html`<button class="plain small" aria-label=${`Remove the link to ${titleOf(link)}`} title="Remove the link" @click=${() => removeLink(note, link)}>${icon("x")}</button>` : null}</li>`))}
      </ul>
      ${isWritten ? html`<button class="chip-button" @click=${() => addLink(note)}>${icon("plus")}Link a note</button>` : null}
    </section>
    <section class="links" aria-labelledby="backlinks-title">
      <h2 id="backlinks-title">${icon("corner-down-right")}Linked from</h2>
      ${note.backlinks?.length ? html`<ul>${note.backlinks.map((link) => keyed(link.id, html`
        <li><a class="link-card" href=${pathOf(state.place, link.id)}><strong>${titleOf(link)}</strong>
          ${link.context ? html`<span class="context">${link.context}</span>` : null}</a></li>`))}</ul>`
        : html`<p class="faint">No note links here yet.</p>`}
    </section>`;
}

async function addLink(note) {
  const chosen = await openSwitcher({ title: "Link a note", notesOnly: true, without: note.id });
  if (!chosen) return;
  await changeNote(note, { addLinks: [chosen.id] }, `Linked with “${titleOf(chosen)}”`);
  refreshAll();
}

/// A link that the text has goes from the text, its words stay; one that was made beside the text goes as it came.
async function removeLink(note, link) {
  if (openField().unlink(link.id)) {
    const undo = () => openField().undo();
    toast(`Link to “${titleOf(link)}” removed from the text`, { act: { name: "Undo", run: undo } });
    await saveNow();
    return refreshAll();
  }
  await changeNote(note, { removeLinks: [link.id] }, `Link to “${titleOf(link)}” removed`);
  refreshAll();
}
