// Publishing a note: a link with which everybody can read it, and the list of the notes that have one.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { toast } from "../view/toast.js";
import { longDate, titleOf } from "../view/words.js";
import { call, post, Refused, remove, Unreachable } from "../server/call.js";
import { go } from "../model/route.js";
import { linkOf, onPublished, published, readPublished } from "../model/published.js";

const addressOf = ({ path }) => location.origin + path;

/// The sign of a published note among its facts, which opens its link.
export const publishedSign = (pane) => (linkOf(pane.note.id)
  ? html`<button class="fact" title=${say`Everybody with the link can read this note`} @click=${() => openPublishing(pane)}>${icon("globe")}${say`Published`}</button>`
  : null);

// MARK: - One note

/// Opens the dialog in which a note is published, gets a new link, or is published no longer.
export async function openPublishing(pane) {
  const { note } = pane;
  // Readers see what is written here.
  await pane.saveNow();
  return openWith(say`Publish “${titleOf(note)}”`, "", ({ work, isBusy, said }) => {
    const link = linkOf(note.id);
    return html`
      <p class="dialog-text">${say`Everybody with the link can read this note, without the key to your notes. They cannot change anything.`}</p>
      <p class="dialog-text">${say`The page has the title, the text, and its pictures and files, also as you change them later. It does not have other notes, not even those shown inside this one, remarks (${html`<code>%%…%%</code>`}), properties, keywords and history.`}</p>
      ${link ? html`
        <label>${say`Link`}<input class="published-link" readonly data-first value=${addressOf(link)} @focus=${(event) => event.target.select()} /></label>` : null}
      <p class="faint">${reachWords()}</p>
      <p class="faint" role="status">${link ? say`Published on ${longDate(link.since)}. A new link ends this one.` : ""}</p>
      ${saidView(said)}
      <footer class="dialog-foot">${link ? html`
        <button class="bad" ?disabled=${isBusy} @click=${() => work(() => remove(`/notes/${note.id}/publication`))}>${say`Stop publishing`}</button>
        <button ?disabled=${isBusy} @click=${() => work(() => post(`/notes/${note.id}/publication`, languageHere()))}>${say`New link`}</button>
        <button class="main" @click=${() => copy(link)}>${icon("copy")}${say`Copy link`}</button>` : html`
        <button class="main" data-first ?disabled=${isBusy} @click=${() => work(() => call("PUT", `/notes/${note.id}/publication`, languageHere()))}>${say`Publish`}</button>`}</footer>`;
  });
}

/// A note that does not name its language has that of the browser, as in the editor.
const languageHere = () => ({ language: navigator.language });

const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/// The address of links, and who reaches it.
function reachWords() {
  const { names } = published.reach;
  if (LOCAL.test(location.hostname)) {
    return names.length > 0
      ? say`Links begin with ${location.origin}, which only this machine reaches. For a link that others can open, come to this dialog at ${names[0]}.`
      : say`Links begin with ${location.origin}. The server listens on this machine only, so nobody else can open the link. “Hosting at home” in the documentation says how others reach it.`;
  }
  const words = say`Links begin with ${location.origin}. They open wherever this address can be reached.`;
  return location.protocol === "https:" ? words : `${words} ${say`The connection is not encrypted, so the network in between can read along.`}`;
}

async function copy(link) {
  try {
    await navigator.clipboard.writeText(addressOf(link));
    toast(say`Link copied`);
  } catch {
    // Without HTTPS a browser has no clipboard.
    toast(say`The browser does not allow copying. Select the link and copy it with the keyboard.`, { kind: "bad" });
  }
}

// MARK: - All of them

export const openPublishedNotes = () => openWith(say`Published notes`, "wide", ({ work, isBusy, said, close }) => html`
  <p class="dialog-text">${published.notes.size === 0
    ? say`No note is published. “Publish…” in the menu of a note makes a link with which everybody can read it.`
    : say`Everybody who has a link can read its note.`}</p>
  ${published.notes.size > 0 ? html`<p class="faint">${reachWords()}</p>` : null}
  <ul class="published-notes" aria-label=${say`Published notes`}>${[...published.notes.values()].map((link) => keyed(link.note, html`
    <li><a href=${`#/all/${link.note}`} @click=${(event) => { event.preventDefault(); close(); go(link.isInTrash ? "trash" : "all", link.note); }}>${titleOf(link)}</a>
      <span class="faint">${link.isInTrash ? say`In the trash, so the link leads to nothing until it is restored` : say`Since ${longDate(link.since)}`}</span>
      <span class="dialog-foot">
        <button aria-label=${say`Copy the link of ${titleOf(link)}`} @click=${() => copy(link)}>${say`Copy link`}</button>
        <button aria-label=${say`Stop publishing ${titleOf(link)}`} ?disabled=${isBusy} @click=${() => work(() => remove(`/notes/${link.note}/publication`))}>${say`Stop publishing`}</button></span></li>`))}</ul>
  ${saidView(said)}
  <footer class="dialog-foot"><button class="main" data-first @click=${() => close()}>${say`Done`}</button></footer>`);

// MARK: - The dialog

/// Opens a dialog that is drawn again with each change of what is published. `work` asks the server; a sentence of its stays in
/// the dialog.
function openWith(title, kind, view) {
  let redraw = () => {};
  let isBusy = false;
  let said = null;
  const work = async (act) => {
    const dialog = document.activeElement?.closest("dialog");
    [isBusy, said] = [true, null];
    redraw();
    try {
      await act();
      said = (await readPublished())?.message ?? null;
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      said = error.message;
    }
    isBusy = false;
    redraw();
    // The button that was pressed may be gone, or took no keys for a moment.
    if (document.activeElement === document.body && dialog?.isConnected) dialog.querySelector("[data-first]")?.focus({ preventScroll: true });
  };
  const forget = onPublished(() => redraw());
  const opened = openDialog({
    title,
    kind,
    onClose: forget,
    content: (close, draw) => {
      redraw = draw;
      if (published) return html`<div class="dialog-form">${view({ work, isBusy, said, close })}</div>`;
      return said
        ? html`<div class="dialog-form">${saidView(said)}<footer class="dialog-foot"><button class="main" @click=${() => work(() => {})}>${say`Try again`}</button></footer></div>`
        : html`<div class="spinner" role="status"><span class="sr">${say`Loading`}</span></div>`;
    },
  });
  readPublished().then((error) => {
    if (error) said = error.message;
    redraw();
  });
  return opened;
}

const saidView = (said) => (said ? html`<p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>` : null);
