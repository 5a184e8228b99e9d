// The third column: one note, to read and to write.

import { html } from "../view/template.js";
import { icon } from "../view/icon.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { complain, toast } from "../view/toast.js";
import { count, fullDate, longDate, shortDate, titleOf, wordCount, commandKey } from "../view/words.js";
import { get, newID, patch, Refused, Unreachable } from "../server/call.js";
import { send, waitingCount, waitingNotes, withWaiting } from "../server/outbox.js";
import { noteEditor } from "../editor/editor.js";
import { toolbarView } from "../editor/toolbar.js";
import { changed, state, STATUSES } from "./state.js";
import { backToList, go } from "./route.js";
import { Draft, savingText } from "./saving.js";
import { changeNote, refreshAll, restoreNote, trashNotes } from "./acts.js";
import { askDeleteForever, askWhere } from "./rows.js";
import { closeEditor, keywordEditor, keywordMenu } from "./keywords.js";
import { isSearching } from "./list.js";
import { search } from "./search.js";
import { linksView } from "./links.js";
import { addPicture, choosePicture, pictureView, progressView } from "./picture.js";
import { importFiles } from "./import.js";
import { openHistory } from "./history.js";

export const page = { note: null, isLoading: false, problem: null, conflict: null, words: 0 };

let draft = null;
let field = null;
let titleField;
const fieldElement = document.createElement("div");
fieldElement.className = "text";

// MARK: - Opening

export async function openNote(id) {
  draft?.leave();
  closeEditor();
  if (!id) return forget();
  page.isLoading = true;
  page.problem = null;
  changed();
  try {
    const note = waitingNotes().find((one) => one.id === id) ?? withWaiting(await get(`/notes/${id}`));
    if (state.noteID === id) show(note);
  } catch (error) {
    if (state.noteID !== id) return;
    forget();
    if (error instanceof Unreachable) page.problem = "This note was not read lately, and Slipbox cannot be reached.";
    else if (error instanceof Refused) page.problem = error.status === 404 ? "This note is not there any more." : error.message;
    else throw error;
  } finally {
    if (state.noteID === id) page.isLoading = false;
    changed();
  }
}

function forget() {
  draft?.leave();
  draft = null;
  Object.assign(page, { note: null, conflict: null, problem: null, isLoading: false });
  document.title = "Slipbox";
  changed();
}

function show(note) {
  // What was typed while this note was on its way belongs to the one before.
  draft?.leave();
  field ??= noteEditor(fieldElement, { change: edited, look: changed, openNote: (id) => go(state.place, id), pictures: addPictures, findNotes, createNote });
  Object.assign(page, { note, conflict: null, problem: null });
  draft = new Draft(note, () => ({ title: page.note.title, document: field.document() }), { saved, conflict });
  field.open(note.document);
  field.setEditable(!note.trashed);
  field.mark(isSearching() ? search.text.split(/\s+/).filter(Boolean) : []);
  document.title = `${titleOf(note)} — Slipbox`;
  document.querySelector(".page-scroll")?.scrollTo(0, 0);
  countWords();
  changed();
  queueMicrotask(() => queueMicrotask(fitTitle));
}

export async function newNote() {
  const id = newID();
  const folder = state.place.startsWith("folder:") ? state.place.slice(7) : null;
  const body = { id, title: "", ...(folder ? { folder } : {}), ...(state.place === "favourites" ? { favourite: true } : {}) };
  await makeNote(body);
  if (state.place.startsWith("keyword:")) await changeNote({ id }, { addKeywords: [{ id: state.place.slice(8) }] });
  go(state.place === "trash" ? "all" : state.place, id);
  refreshAll();
  await whenShown(id);
  titleField?.focus();
}

async function makeNote(body) {
  try {
    return (await send({ kind: "create", method: "POST", path: "/notes", body, note: body.id })) ?? { ...body };
  } catch (error) {
    complain(error);
    throw error;
  }
}

async function whenShown(id) {
  for (let tries = 0; tries < 100 && page.note?.id !== id; tries++) await new Promise((done) => setTimeout(done, 20));
}

// MARK: - Writing

let countTimer;

function edited() {
  if (!draft) return;
  draft.change();
  clearTimeout(countTimer);
  countTimer = setTimeout(countWords, 300);
}

function countWords() {
  page.words = wordCount(`${field.text()}`);
  changed();
}

function editTitle(event) {
  const title = event.target.value.replace(/\n/g, " ");
  page.note = { ...page.note, title };
  document.title = `${titleOf(page.note)} — Slipbox`;
  fitTitle();
  draft.change();
}

function fitTitle() {
  if (!titleField || CSS.supports("field-sizing", "content")) return;
  titleField.style.height = "auto";
  titleField.style.height = `${titleField.scrollHeight}px`;
}

export const saveNow = () => draft?.save();
export function flush() {
  field?.settle();
  draft?.flush();
}

export const isBusy = () => draft?.isBusy ?? false;
export const savingState = () => draft?.state;

function saved(note) {
  if (page.note?.id !== note.id) return;
  // The title and the text are the writer's; the rest is the server's.
  const { title, document: _, ...rest } = note;
  page.note = { ...page.note, ...rest };
  changed();
}

async function conflict({ newer, copy }, later) {
  if (later) saveInto(copy, later);
  toast(`“${titleOf(newer)}” was changed elsewhere: both texts are kept.`);
  if (page.note?.id === newer.id) {
    page.conflict = copy;
    take(newer);
  }
  refreshAll();
}

async function saveInto(copy, text) {
  try {
    const note = await get(`/notes/${copy.id}`);
    await patch(`/notes/${copy.id}`, { base: note.revision, document: text.document });
  } catch (error) {
    complain(error);
  }
}

/// An edit that waited has gone out.
export function answered(edit, result) {
  const isOpen = page.note?.id === edit.note && draft;
  if (result instanceof Refused) {
    if (result.status === 409 && result.body.newer) isOpen ? draft.conflicted(result.body) : conflict(result.body, null);
    else complain(result);
  } else if (isOpen && (result?.note ?? result)?.revision !== undefined) {
    draft.arrived(result.note ?? result);
  }
}

/// Nothing waits any more: another tab may have sent what was ours.
export function settled() {
  if (draft?.state !== "waiting" || waitingCount(draft.id) > 0) return;
  draft.show("saved");
  refreshNote();
}

// MARK: - Others write too

/// Reads the open note again, unless we are in the middle of writing it: then the server decides.
export async function refreshNote() {
  const id = page.note?.id;
  if (!id || waitingNotes().some((note) => note.id === id)) return;
  try {
    const note = await get(`/notes/${id}`);
    if (page.note?.id !== id) return;
    if (draft.isBusy || draft.state === "waiting") saved(note);
    else take(withWaiting(note));
  } catch (error) {
    if (error instanceof Refused && error.status === 404 && page.note?.id === id) {
      forget();
      page.problem = "This note was deleted.";
      changed();
    } else if (!(error instanceof Unreachable || error instanceof Refused)) {
      throw error;
    }
  }
}

/// The server's version into the page, without moving what the reader holds.
function take(note) {
  if (draft.base !== note.revision || page.conflict) field.adopt(note.document);
  draft.base = note.revision;
  page.note = note;
  field.setEditable(!note.trashed);
  document.title = `${titleOf(note)} — Slipbox`;
  countWords();
  changed();
  queueMicrotask(() => queueMicrotask(fitTitle));
}

/// A version from the history became the text.
export const takeRestored = (note) => page.note?.id === note.id && (field.adopt(note.document), take(note));

// MARK: - Links and pictures

async function findNotes(text) {
  const { notes } = await get(`/suggest?text=${encodeURIComponent(text)}&limit=8`);
  return notes.filter((note) => note.id !== page.note?.id);
}

async function createNote(title) {
  const note = await makeNote({ id: newID(), title, ...(page.note?.folder ? { folder: page.note.folder.id } : {}) }).catch(() => null);
  if (note) toast(`Note “${title}” created`);
  refreshAll();
  return note;
}

function addPictures(files) {
  addPicture(page.note, files[0]);
  if (files.length > 1) toast("A note has one picture: the first was taken.");
}

// MARK: - Small changes

function change(body, said) {
  const { addKeywords, removeKeywords, ...plain } = body;
  page.note = { ...page.note, ...plain };
  changed();
  return changeNote(page.note, body, said).then((result) => result?.note && saved(result.note));
}

export const toggleFavourite = () => page.note && change({ favourite: !page.note.favourite });

function addKeyword(keyword) {
  return changeNote(page.note, { addKeywords: [keyword] }).then((result) => result?.note && saved(result.note));
}

function removeKeyword(keyword) {
  page.note = { ...page.note, keywords: page.note.keywords.filter((one) => one.id !== keyword.id) };
  return change({ removeKeywords: [keyword.id] }, `Keyword “${keyword.name}” removed from the note`);
}

// MARK: - The page

export function pageView() {
  const { note } = page;
  if (!note) return noNoteView();
  const isWritten = !note.trashed;
  return html`
    <header class="page-head">
      <button class="plain back" aria-label="Back to the list" @click=${backToList}>${icon("chevron-left")}</button>
      <span class=${`saving ${draft?.state}`} role="status">${savingText(draft)}</span>
      ${page.isLoading ? html`<span class="spinner small" role="status"><span class="sr">Loading</span></span>` : null}
      <span class="grow"></span>
      ${isWritten ? html`
        <button class=${note.favourite ? "plain starred" : "plain"} aria-pressed=${String(note.favourite)} aria-label="Favourite" title="Favourite" @click=${toggleFavourite}>${icon("star")}</button>
        <button class="plain wide-only" aria-label="Add a picture" title="Picture" @click=${() => choosePicture(note)}>${icon("image-plus")}</button>
        <button class="plain wide-only" aria-label="History of the note" title="History" @click=${() => openHistory(note)}>${icon("history")}</button>` : null}
      <button class="plain" aria-label="More for this note" aria-haspopup="menu" title="More" @click=${openMore}>${icon("ellipsis")}</button>
    </header>
    ${note.trashed ? trashedNotice(note) : null}
    ${page.conflict ? conflictNotice() : null}
    <div class="page-scroll" @dragover=${(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()} @drop=${dropPicture}>
      <article class="sheet" aria-label=${titleOf(note)}>
        <h1 class="sr">${titleOf(note)}</h1>
        <textarea class="title-field" rows="1" aria-label="Title" placeholder="Untitled" maxlength="1000" ?readonly=${!isWritten} .value=${note.title ?? ""}
          ref=${(element) => (titleField = element)} @input=${editTitle} @keydown=${pressTitle} spellcheck="true"></textarea>
        <div class="facts">
          <div class="segments status-segments" role="group" aria-label="Status">
            ${STATUSES.map((status) => html`<button class=${status.id} aria-pressed=${String(note.status === status.id)} ?disabled=${!isWritten}
              @click=${() => note.status === status.id || change({ status: status.id })}>${status.name}</button>`)}
          </div>
          <button class="fact" title="Move to…" ?disabled=${!isWritten} @click=${() => askWhere([note])}>${icon(note.folder ? "folder" : "inbox")}${note.folder?.name ?? "Unfiled"}</button>
          <span class="fact" title=${`Created ${fullDate(note.created)}, changed ${fullDate(note.modified)}`}>${icon("calendar")}${longDate(note.created)}</span>
          <span class="fact">${page.words === 1 ? "1 word" : `${count(page.words)} words`}</span>
        </div>
        <div class="note-keywords" role="group" aria-label="Keywords of the note">
          ${note.keywords.map((keyword) => html`
            <span class="chip" @contextmenu=${contextMenu(() => keywordMenu(keyword, () => removeKeyword(keyword)), `Keyword ${keyword.name}`)}>
              <i class="dot" $--dot=${keyword.color}></i><a href=${`#/keyword:${keyword.id}`}>${keyword.name}</a>
              ${isWritten ? html`<button class="plain tiny" aria-label=${`Remove the keyword ${keyword.name}`} @click=${() => removeKeyword(keyword)}>${icon("x")}</button>` : null}</span>`)}
          ${isWritten ? keywordEditor(note, addKeyword) : null}
        </div>
        ${isWritten ? toolbarView(field.editor, [{ label: "Picture", drawing: "image-plus", act: () => choosePicture(note) }]) : null}
        ${fieldElement}
        ${progressView(note)}
        ${pictureView(note)}
        ${linksView(note)}
      </article>
    </div>`;
}

function noNoteView() {
  return html`
    <header class="page-head"><button class="plain back" aria-label="Back to the list" @click=${backToList}>${icon("chevron-left")}</button></header>
    <div class="empty page-empty">
      ${page.isLoading ? html`<div class="spinner" role="status"><span class="sr">Loading the note</span></div>` : page.problem
        ? html`${icon("circle-alert")}<h2>${page.problem}</h2>`
        : html`${icon("notebook-text")}<h2>Select a note</h2><p>Or press <kbd>Alt</kbd> <kbd>N</kbd> to write one, <kbd>${commandKey}</kbd> <kbd>K</kbd> to find one.</p>`}
    </div>`;
}

const trashedNotice = (note) => html`
  <div class="notice"><span>${icon("trash-2")}In the trash since ${shortDate(note.trashed)}.</span>
    <button class="small-text" @click=${() => restoreNote(note)}>Restore</button>
    <button class="small-text" @click=${() => askDeleteForever(note)}>Delete for good…</button></div>`;

const conflictNotice = () => html`
  <div class="notice warn" role="alert"><span>${icon("circle-alert")}This note was changed elsewhere while you wrote. Here is the newer text; yours is kept as “${titleOf(page.conflict)}”.</span>
    <button class="small-text" @click=${() => go(state.place, page.conflict.id)}>Open mine</button>
    <button class="small-text" @click=${() => { page.conflict = null; draft.show("saved"); }}>Dismiss</button></div>`;

function pressTitle(event) {
  if (event.key !== "Enter" && event.key !== "ArrowDown") return;
  if (event.key === "ArrowDown" && event.target.selectionEnd < event.target.value.length) return;
  event.preventDefault();
  field.focusStart();
}

function dropPicture(event) {
  const pictures = [...event.dataTransfer.files].filter((file) => file.type.startsWith("image/"));
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (pictures.length > 0) addPictures(pictures);
  else if (event.dataTransfer.files.length > 0) importFiles([...event.dataTransfer.files]);
}

function openMore(event) {
  const { note } = page;
  if (note.trashed) {
    return openMenu(event.currentTarget, [
      { name: "Restore", icon: "rotate-ccw", run: () => restoreNote(note) },
      { name: "Delete for good…", icon: "trash-2", isBad: true, run: () => askDeleteForever(note) },
    ], "Note");
  }
  const save = (as) => () => exportNote(note, as);
  openMenu(event.currentTarget, [
    { name: "Save now", icon: "check", keys: `${commandKey} S`, run: saveNow },
    { name: "Move to…", icon: "folder-input", run: () => askWhere([note]) },
    { name: note.attachment ? "Replace the picture…" : "Add a picture…", icon: "image-plus", run: () => choosePicture(note) },
    { name: "History…", icon: "history", run: () => openHistory(note) },
    { name: "Copy link to this note", icon: "link-2", run: () => copyLink(note) },
    "line",
    { name: "Export as Markdown", icon: "file-down", run: save("markdown") },
    { name: "Export as HTML", icon: "file-down", run: save("html") },
    { name: "Export as RTF", icon: "file-down", run: save("rtf") },
    "line",
    { name: "Move to trash", icon: "trash-2", isBad: true, run: () => trashOpen(note) },
  ], "Note");
}

export async function trashOpen(note) {
  await draft?.save();
  go(state.place);
  await trashNotes([note]);
}

async function exportNote(note, as) {
  await draft?.save();
  const link = document.createElement("a");
  link.href = `/api/notes/${note.id}/export?as=${as}`;
  link.download = "";
  link.click();
}

async function copyLink(note) {
  try {
    await navigator.clipboard.writeText(`${location.origin}/#/all/${note.id}`);
    toast("Link copied");
  } catch {
    toast("The browser does not let us copy.", { kind: "bad" });
  }
}
