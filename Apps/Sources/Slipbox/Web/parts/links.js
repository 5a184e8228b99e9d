// Notes this one leads to, notes that lead here, with the words around the link, and notes that only name it.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { dismiss, toast } from "../view/toast.js";
import { titleOf } from "../view/words.js";
import { get, Refused, Unreachable } from "../server/call.js";
import { pathOf } from "../model/route.js";
import { state } from "../model/state.js";
import { changeNote, perform, refreshAll } from "../acts/acts.js";
import { openSwitcher } from "./switcher.js";

/// Two notes side by side have the same parts: the title of the note tells them apart.
const labelOf = (pane, name) => `${pane.idOf(name)} ${pane.idOf("heading")}`;

export function linksView(pane) {
  const { note } = pane;
  const isWritten = !note.trashed;
  return html`
    <section class="links" aria-labelledby=${labelOf(pane, "links-title")}>
      <h2 id=${pane.idOf("links-title")}>${icon("link-2")}${say`Links`}</h2>
      <ul>
        ${(note.links ?? []).map((link) => keyed(link.id, html`
          <li class="link-line"><a class="link-card" href=${pathOf(state.place, link.id)}>${titleOf(link)}</a>
            ${isWritten ? html`<button class="plain small" aria-label=${say`Remove the link to ${titleOf(link)}`} title=${say`Remove the link`} @click=${() => removeLink(pane, link)}>${icon("x")}</button>` : null}</li>`))}
      </ul>
      ${isWritten ? html`<button class="chip-button" @click=${() => addLink(note)}>${icon("plus")}${say`Link a note`}</button>` : null}
    </section>
    <section class="links" aria-labelledby=${labelOf(pane, "backlinks-title")}>
      <h2 id=${pane.idOf("backlinks-title")}>${icon("corner-down-right")}${say`Linked from`}</h2>
      ${note.backlinks?.length ? html`<ul>${note.backlinks.map((link) => keyed(link.id, html`
        <li><a class="link-card" href=${pathOf(state.place, link.id)}><strong>${titleOf(link)}</strong>
          ${link.context ? html`<span class="context">${link.context}</span>` : null}</a></li>`))}</ul>`
        : html`<p class="faint">${say`No note links here yet.`}</p>`}
    </section>
    ${isWritten ? mentionsView(pane) : null}`;
}

// MARK: - Named without a link

/// Who names the note may change with every note that is written: it is asked when the note is opened or renamed.
function mentionsView(pane) {
  const { note, mentions } = pane;
  const names = [note.title, ...(note.aliases ?? [])].filter((name) => name.trim());
  // The server has not heard of it yet; or nobody can name it, and it may go when it is left.
  if (note.revision === 0 || names.length === 0) return null;
  const title = names.join("\n") + (note.backlinks?.length ?? 0);
  if (mentions.note !== note.id || mentions.title !== title) askMentions(mentions, note, title);
  if (mentions.note !== note.id || mentions.found.length === 0) return null;
  return html`
    <section class="links" aria-labelledby=${labelOf(pane, "mentions-title")}>
      <h2 id=${pane.idOf("mentions-title")}>${icon("text-quote")}${say`Named without a link`}</h2>
      <ul>${mentions.found.map((mention) => keyed(mention.id, html`
        <li class="mention"><a class="link-card" href=${pathOf(state.place, mention.id)}><strong>${titleOf(mention)}</strong>
          <span class="context">${mention.context}</span></a>
          <button class="small-text" aria-label=${say`Make it a link in ${titleOf(mention)}`} @click=${() => linkMention(pane, mention)}>${say`Link`}</button></li>`))}</ul>
    </section>`;
}

function askMentions(mentions, note, title) {
  if (mentions.note !== note.id) mentions.found = [];
  Object.assign(mentions, { note: note.id, title });
  clearTimeout(mentions.timer);
  // Not while the title is typed.
  mentions.timer = setTimeout(async () => {
    try {
      const found = note.isWaiting ? [] : await get(`/notes/${note.id}/mentions`);
      if (mentions.note === note.id && mentions.title === title) mentions.found = found;
      changed();
    } catch (error) {
      // Nobody has asked for it, so nobody is told; it is asked again with the next note.
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    }
  }, 300);
}

async function linkMention({ note, mentions }, mention) {
  mentions.found = mentions.found.filter((other) => other !== mention);
  await perform({ method: "POST", path: `/notes/${note.id}/mentions/${mention.id}` }, say`“${titleOf(mention)}” links here now`);
  mentions.title = null;
}

// MARK: - Links beside the text

async function addLink(note) {
  const chosen = await openSwitcher({ title: say`Link a note`, notesOnly: true, without: note.id });
  if (!chosen) return;
  await changeNote(note, { addLinks: [chosen.id] }, say`Linked with “${titleOf(chosen)}”`);
  refreshAll();
}

/// A link that the text has goes from the text, its words stay; one that was made beside the text goes as it came.
async function removeLink(pane, link) {
  const { note, field } = pane;
  if (field.unlink(link.id)) {
    const run = field.undoOfLast(() => dismiss(told));
    const told = toast(say`Link to “${titleOf(link)}” removed from the text`, { act: { name: say`Undo`, run } });
    await pane.saveNow();
    return refreshAll();
  }
  // The link of a property leaves the property empty.
  const property = note.properties?.find((one) => one.note === link.id);
  const body = property ? { properties: [{ name: property.name, kind: "link", value: "" }] } : { removeLinks: [link.id] };
  await changeNote(note, body, say`Link to “${titleOf(link)}” removed`);
  refreshAll();
}
