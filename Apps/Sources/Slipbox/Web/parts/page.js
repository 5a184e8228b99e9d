// The third column: one note, to read and to write.

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { keepText } from "../view/keptTexts.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { html } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { askLines } from "../view/dialog.js";
import { commandKey, counted, fullDate, letterOf, longDate, shortDate, titleOf } from "../view/words.js";
import { textActs, toolbarView } from "../editor/toolbar.js";
import { post, Refused, Unreachable } from "../server/call.js";
import { list } from "../model/list.js";
import { MARKS, markItems } from "../model/marks.js";
import { backToList, go } from "../model/route.js";
import { savingText } from "../model/saving.js";
import { search } from "../model/searching.js";
import { state, STATUSES } from "../model/state.js";
import { areTabsShown, hasRoomForTabs } from "../model/tabs.js";
import { restoreNote, trashNotes } from "../acts/acts.js";
import { askDeleteForever, askWhere } from "../acts/asking.js";
import { download } from "../acts/downloading.js";
import { hasFolder } from "../acts/dropping.js";
import { importDropped, isNotes } from "../acts/importing.js";
import { copyOf } from "../acts/kit.js";
import { findingView, openFinding } from "./finding.js";
import { openHistory } from "./history.js";
import { keywordEditor, keywordMenu } from "./keywords.js";
import { linksView } from "./links.js";
import { openMap } from "./map.js";
import { leaveMode, setMode } from "./modes.js";
import { addFiles, addKeyword, change, dismissConflict, fieldElement, leaveOutRefused, openDraft, openEditor, openField, page, removeKeyword, saveNow, showRefused, writeText } from "./note.js";
import { openOutline } from "./outline.js";
import { addProperty, addPropertyButton, propertiesView } from "./properties.js";
import { takeActs } from "./switcher.js";
import { leaveOpen, openInTab, tabsView } from "./tabs.js";
import { editTitle, pasteTitle, stepTitle, takeTitleField } from "./title.js";
import { wordsTold, writingFootView } from "./writingFoot.js";
import { chooseFilesFor, choosePicture, filesProgressView, pictureView, PICTURES, progressView } from "./picture.js";
import { wordingsView } from "./wordings.js";

export const pageView = () => html`${tabsView()}${noteView()}`;

function noteView() {
  const { note } = page;
  const draft = openDraft();
  if (!note) return noNoteView();
  const isWritten = !note.trashed;
  return html`
    ${state.mode ? html`<button class="leave-mode" title="Esc" @click=${leaveMode}>${icon("x")}${state.mode === "focus" ? "Leave focus" : "Stop reading"}</button>` : null}
    <header class="page-head">
      <button class="plain back" aria-label="Back to the list" @click=${backToList}>${icon("chevron-left")}</button>
      ${state.isWriting ? html`<button class="plain" aria-label="Show folders and list" title=${`Show folders and list (${commandKey} \\)`} @click=${showColumns}>${icon("chevron-left")}</button>` : null}
      <span class=${`saving ${draft?.state}`} role="status">${savingText(draft)}</span>
      ${page.isLoading ? html`<span class="spinner small" role="status"><span class="sr">Loading</span></span>` : null}
      <span class="grow"></span>
      ${isWritten ? html`
        ${MARKS.filter(({ isButton }) => isButton).map((mark) => markButton(note, mark))}
        <button class="plain wide-only" aria-label="Add a picture" title="Picture" @click=${() => choosePicture(note)}>${icon("image-plus")}</button>
        <button class="plain wide-only" aria-label="History of the note" title="History" @click=${() => openHistory(note)}>${icon("history")}</button>` : null}
      <button class="plain" aria-label="More for this note" aria-haspopup="menu" title="More" @click=${openMore}>${icon("ellipsis")}</button>
    </header>
    ${findingView()}
    ${note.trashed ? trashedNotice(note) : null}
    ${page.conflict ? conflictNotice() : null}
    ${draft?.refusal ? refusalNotice(draft.refusal) : null}
    <div class="page-scroll" id="open-note" role=${areTabsShown() ? "tabpanel" : null} aria-label=${areTabsShown() ? titleOf(note) : null} @dragover=${(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()} @drop=${dropPicture}>
      <article class="sheet" aria-label=${titleOf(note)}>
        <h1 class="sr">${titleOf(note)}</h1>
        <div class="title-line">
          <textarea class="title-field" rows="1" aria-label="Title" placeholder="Untitled" maxlength="1000" ?readonly=${!isWritten || state.mode === "reading"} .value=${note.title ?? ""}
            ref=${takeTitleField} @input=${editTitle} @compositionend=${editTitle} @paste=${pasteTitle} @beforeinput=${undoTitle} @keydown=${pressTitle} spellcheck="true"></textarea>
          <button class="facts-line" aria-expanded=${String(page.isTold)} aria-controls="facts" @click=${tellFacts}>
            <span class=${`status ${note.status}`}>${STATUSES.find((status) => status.id === note.status)?.name}</span><span class="facts-words">${note.folder?.name ?? "Unfiled"}${note.keywords.length > 0 ? ` · ${note.keywords.map((keyword) => keyword.name).join(", ")}` : ""}${note.properties?.length ? ` · ${counted(note.properties.length, "property", "properties")}` : ""}</span>${icon("chevron-down")}</button>
        </div>
        <div id="facts" class=${page.isTold ? "facts told" : "facts"}>
          <div class="segments status-segments" role="group" aria-label="Status">
            ${STATUSES.map((status) => html`<button class=${status.id} aria-pressed=${String(note.status === status.id)} ?disabled=${!isWritten}
              @click=${() => note.status === status.id || change({ status: status.id })}>${status.name}</button>`)}
          </div>
          <button class="fact" title="Move to…" ?disabled=${!isWritten} @click=${() => askWhere([note])}>${icon(note.folder ? "folder" : "inbox")}${note.folder?.name ?? "Unfiled"}</button>
          <span class="fact" title=${`Created ${fullDate(note.created)}, changed ${fullDate(note.modified)}`}>${icon("calendar")}${longDate(note.created)}</span>
          <span class="fact">${wordsTold()}</span>
        </div>
        <div class=${page.isTold ? "note-keywords told" : "note-keywords"} role="group" aria-label="Keywords of the note">
          ${note.keywords.map((keyword) => html`
            <span class="chip" @contextmenu=${contextMenu(() => keywordMenu(keyword, () => removeKeyword(keyword)), `Keyword ${keyword.name}`)}>
              <i class="dot" $--dot=${keyword.color}></i><a href=${`#/keyword:${keyword.id}`}>${keyword.name}</a>
              ${isWritten ? html`<button class="plain tiny" aria-label=${`Remove the keyword ${keyword.name}`} @click=${() => removeKeyword(keyword)}>${icon("x")}</button>` : null}</span>`)}
          ${isWritten ? keywordEditor(note, addKeyword) : null}
          ${isWritten ? addPropertyButton() : null}
        </div>
        ${propertiesView(note)}
        ${isWritten ? toolbarView(openEditor(), [
          { label: "Picture", drawing: "image-plus", act: () => chooseFilesFor(addFiles, PICTURES) },
          { label: "File", drawing: "paperclip", act: () => chooseFilesFor(addFiles) },
        ]) : null}
        ${wordingsView(note)}
        ${fieldElement}
        ${progressView(note)}
        ${filesProgressView()}
        ${pictureView(note)}
        ${linksView(note)}
      </article>
    </div>
    ${writingFootView()}`;
}

const markButton = (note, { id, name, icon: sign }) => html`
  <button class=${note[id] ? "plain starred" : "plain"} aria-pressed=${String(Boolean(note[id]))} aria-label=${name} title=${name} @click=${() => change({ [id]: !note[id] })}>${icon(sign)}</button>`;

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
    <button class="small-text" @click=${dismissConflict}>Dismiss</button></div>`;

const refusalNotice = ({ words }) => html`
  <div class="notice warn" role="alert"><span>${icon("circle-alert")}${words}</span>
    <button class="small-text" @click=${showRefused}>Show</button>
    <button class="small-text" @click=${leaveOutRefused}>Leave it out</button></div>`;

/// Unfolds the facts of the note, or folds them, in all notes from now on.
function tellFacts() {
  page.isTold = !page.isTold;
  keepText("facts", page.isTold ? "told" : "folded");
  changed();
}

function showColumns() {
  state.isWriting = false;
  changed();
}

/// The menu of the browser and keys of some systems ask in this way.
function undoTitle(event) {
  const by = { historyUndo: -1, historyRedo: 1 }[event.inputType];
  if (!by) return;
  event.preventDefault();
  stepTitle(by);
}

function pressTitle(event) {
  if (isComposing(event)) return;
  const letter = (event.ctrlKey || event.metaKey) && !event.altKey ? letterOf(event) : "";
  if (letter === "Z" || letter === "Y") {
    event.preventDefault();
    stepTitle(letter === "Y" || event.shiftKey ? 1 : -1);
    return;
  }
  if (event.key !== "Enter" && event.key !== "ArrowDown") return;
  if (event.key === "ArrowDown" && event.target.selectionEnd < event.target.value.length) return;
  event.preventDefault();
  writeText();
}

function dropPicture(event) {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (files.length > 0 && (hasFolder(event.dataTransfer) || files.every(isNotes))) importDropped(event.dataTransfer);
  else if (files.length > 0 && !page.note.trashed) addFiles(files);
}

// MARK: - Menu

const openMore = (event) => openMenu(event.currentTarget, noteMenu(), "Note");

/// What can be done with the open note; the palette has all of it, too.
function noteMenu() {
  const { note } = page;
  if (!note) return [];
  if (note.trashed) {
    return [
      { name: "Find in this note…", icon: "search", keys: `${commandKey} F`, run: openFinding },
      { name: "Restore", icon: "rotate-ccw", run: () => restoreNote(note) },
      { name: "Delete for good…", icon: "trash-2", isBad: true, run: () => askDeleteForever(note) },
    ];
  }
  const save = (as, metadata) => () => exportNote(note, as, metadata);
  // A picture may say where and when it was taken; it leaves without that, unless somebody asks for it.
  const whole = note.attachment ? [{ name: "Export as HTML, with the picture's place and date", icon: "file-down", run: save("html", "keep") }] : [];
  return [
    { name: "Save now", icon: "check", keys: `${commandKey} S`, run: saveNow },
    { name: "Find in this note…", icon: "search", keys: `${commandKey} F`, run: openFinding },
    { name: "Headings…", icon: "heading", keys: "Alt O", run: () => openOutline() },
    { name: "Map around this note…", icon: "map", run: () => openMap(note) },
    hasRoomForTabs() && { name: "Open in a new tab", icon: "plus", run: () => openInTab(note.id, { title: note.title }) },
    { name: "Write without distraction", icon: "pencil", keys: "Alt F", run: () => setMode("focus") },
    { name: "Read", icon: "eye", keys: "Alt L", run: () => setMode("reading") },
    "line",
    ...markItems(note, MARKS.filter(({ isButton }) => !isButton), (edit, said) => change(edit, said, note)),
    { name: "Move to…", icon: "folder-input", run: () => askWhere([note]) },
    { name: note.attachment ? "Replace the picture…" : "Add a picture…", icon: "image-plus", run: () => choosePicture(note) },
    { name: "History…", icon: "history", run: () => openHistory(note) },
    { name: "Other names…", icon: "tag", run: () => askNames(note) },
    { name: "Add a property", icon: "list", keys: "Alt P", run: addProperty },
    { name: "Make a copy", icon: "copy", run: async () => { await saveNow(); copyOf(note); } },
    { name: "Copy link to this note", icon: "link-2", run: () => copyLink(note) },
    { name: "Copy as Markdown", icon: "copy", run: copyMarkdown },
    "line",
    { name: "Export as Markdown", icon: "file-down", run: save("markdown") },
    { name: "Export as HTML", icon: "file-down", run: save("html") },
    ...whole,
    { name: "Print…", icon: "printer", run: () => print() },
    { name: "Export as RTF", icon: "file-down", run: save("rtf") },
    "line",
    { name: "Move to trash", icon: "trash-2", isBad: true, run: () => trashOpen(note) },
  ];
}

takeActs(noteMenu);
takeActs(() => (page.note && !page.note.trashed && openField()?.editor.isEditable ? textActs(openField().editor) : []));

async function trashOpen(note) {
  await saveNow();
  // Another may have been opened while it was saved.
  if (state.noteID === note.id) leaveOpen();
  await trashNotes([note]);
}

async function exportNote(note, as, metadata) {
  await saveNow();
  try {
    await download(`/notes/${note.id}/export?as=${as}${metadata ? `&metadata=${metadata}` : ""}`);
  } catch (error) {
    return complain(error);
  }
  if (note.attachment && !takesPicture(as, note.attachment)) sayLeftOut(note);
}

/// Markdown comes with its pictures beside it; RTF takes two kinds.
const takesPicture = (as, { type }) => as !== "rtf" || (as === "rtf" && ["image/jpeg", "image/png", "image/heic"].includes(type));

function sayLeftOut(note) {
  const save = () => {
    const link = document.createElement("a");
    link.href = `/api/notes/${note.id}/attachment`;
    link.download = note.attachment.name;
    link.click();
  };
  toast("The file has no place for the picture of the note.", { act: { name: "Save the picture", run: save } });
}

/// Other names by which texts can link to the note.
async function askNames(note) {
  const aliases = await askLines({ title: "Other names of the note", label: "Names, each on a line of its own", lines: note.aliases ?? [], yes: "Save" });
  if (aliases) change({ aliases }, undefined, note);
}

/// The selected text, or all of it.
async function copyMarkdown() {
  try {
    const { markdown } = await post("/markdown/written", { document: openField().selectedDocument() });
    await navigator.clipboard.writeText(markdown);
    toast("Copied as Markdown");
  } catch (error) {
    // Without HTTPS a browser has no clipboard at all.
    complain(error instanceof Refused || error instanceof Unreachable ? error : new Error("The browser does not allow copying."));
  }
}

async function copyLink(note) {
  try {
    await navigator.clipboard.writeText(`${location.origin}/#/all/${note.id}`);
    toast("Link copied");
  } catch {
    toast("The browser does not allow copying.", { kind: "bad" });
  }
}
