// The third column: the note that is open, to read and to write, and where there is room the one beside it.
//
//   tabs
//   side │ side         each a pane (pane.js), with a head, a title, facts and a text of its own

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { keepText } from "../view/keptTexts.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { commandKey, counted, fullDate, letterOf, longDate, shortDate, titleOf } from "../view/words.js";
import { toolbarView } from "../editor/toolbar.js";
import { MARKS } from "../model/marks.js";
import { languageOf } from "../model/properties.js";
import { linkOf } from "../model/published.js";
import { backToList, go } from "../model/route.js";
import { savingText } from "../model/saving.js";
import { state, STATUSES } from "../model/state.js";
import { areTabsShown } from "../model/tabs.js";
import { restoreNote } from "../acts/acts.js";
import { askDeleteForever, askWhere } from "../acts/asking.js";
import { hasFolder } from "../acts/dropping.js";
import { importDropped, isNotes } from "../acts/importing.js";
import { closeSide, dividerView, enterSide, hiddenSide, shareOfLeft } from "./beside.js";
import { change, removeKeyword } from "./changes.js";
import { findingView } from "./finding.js";
import { openHistory } from "./history.js";
import { keywordEditor, keywordMenu } from "./keywords.js";
import { linksView } from "./links.js";
import { leaveMode } from "./modes.js";
import { noteMenu } from "./noteMenu.js";
import { dismissConflict, leaveOutRefused, showRefused } from "./others.js";
import { front, panesInSight } from "./panes.js";
import { chooseFilesFor, choosePicture, filesProgressView, pictureView, PICTURES, progressView } from "./picture.js";
import { addPropertyButton, propertiesView } from "./properties.js";
import { publishedSign } from "./publishing.js";
import { bringToFront, nameOfTab } from "./tabActs.js";
import { referencesView } from "./references.js";
import { tabsView } from "./tabs.js";
import { pasteTitle } from "./title.js";
import { wordingsView } from "./wordings.js";
import { wordsTold, writingFootView } from "./writingFoot.js";

export const pageView = () => html`${tabsView()}<div class="panes">${sidesView()}</div>`;

function sidesView() {
  const [left, right] = panesInSight();
  if (!right) return [sideView(left, null)];
  return [sideView(left, shareOfLeft()), keyed("divider", dividerView(left)), sideView(right, 100 - shareOfLeft())];
}

/// `share` is that of the width, where there are two. A finger that scrolls a side does not go there: only what is pressed is
/// heard as a mouse.
function sideView(pane, share) {
  const isOne = share === null;
  return keyed(`pane${pane.ending}`, html`
  <section class=${isOne ? "pane" : pane === front() ? "pane in-front" : "pane aside"} id=${pane.idOf("pane")} tabindex="-1" aria-label=${isOne ? null : nameOfSide(pane)}
    aria-current=${!isOne && pane === front() ? "true" : null} $--share=${isOne ? "1" : String(share)} ref=${(element) => (pane.element = element)}
    @pointerdown=${({ pointerType }) => pointerType === "mouse" && enterSide(pane)} @mousedown=${() => enterSide(pane)} @focusin=${() => enterSide(pane)}>${noteView(pane, !isOne)}</section>`);
}

/// On a phone, and in a narrow window, the other side is behind this one.
function otherSideButton() {
  const tab = hiddenSide();
  if (!tab) return null;
  return html`<button class="plain" aria-label=${say`Other side: ${nameOfTab(tab)}`} title=${say`Other side (Alt X)`} @click=${() => bringToFront(tab)}>${icon("columns")}</button>`;
}

const keysView = (...keys) => keys.map((key, index) => html`${index > 0 ? " " : null}<kbd>${key}</kbd>`);

const nameOfSide = ({ note }) => (note ? say`Side of ${titleOf(note)}` : say`Empty side`);

function noteView(pane, hasNeighbour) {
  const { note, draft } = pane;
  if (!note) return noNoteView(pane, hasNeighbour);
  const isWritten = !note.trashed;
  return html`
    ${state.mode ? html`<button class="leave-mode" title="Esc" @click=${leaveMode}>${icon("x")}${state.mode === "focus" ? say`Leave focus` : say`Stop reading`}</button>` : null}
    <header class="page-head">
      <button class="plain back" aria-label=${say`Back to the list`} @click=${backToList}>${icon("chevron-left")}</button>
      ${state.isWriting && pane === panesInSight()[0] ? html`<button class="plain" aria-label=${say`Show folders and list`} title=${say`Show folders and list (${commandKey} \\)`} @click=${showColumns}>${icon("chevron-left")}</button>` : null}
      <span class=${`saving ${draft?.state}`} role="status">${savingText(draft)}</span>
      ${pane.isLoading ? html`<span class="spinner small" role="status"><span class="sr">${say`Loading`}</span></span>` : null}
      <span class="grow"></span>
      ${isWritten ? html`
        ${MARKS.filter(({ isButton }) => isButton).map((mark) => markButton(pane, mark))}
        <button class="plain wide-only" aria-label=${say`Add a picture`} title=${say`Picture`} @click=${() => choosePicture(note)}>${icon("image-plus")}</button>
        <button class="plain wide-only" aria-label=${say`History of the note`} title=${say`History`} @click=${() => openHistory(note)}>${icon("history")}</button>` : null}
      ${otherSideButton()}
      <button class="plain" aria-label=${say`More for this note`} aria-haspopup="menu" title=${say`More`} @click=${(event) => openMenu(event.currentTarget, noteMenu(pane), say`Note`)}>${icon("ellipsis")}</button>
      ${hasNeighbour ? closeButton(pane) : null}
    </header>
    ${findingView(pane)}
    ${note.trashed ? trashedNotice(note) : null}
    ${pane.conflict ? conflictNotice(pane) : null}
    ${draft?.refusal ? refusalNotice(pane) : null}
    <div class="page-scroll" id=${pane.idOf("open-note")} ref=${(element) => pane.takeScroller(element)} @scroll=${(event) => (pane.top = event.currentTarget.scrollTop)} role=${areTabsShown() ? "tabpanel" : null} aria-label=${areTabsShown() ? titleOf(note) : null} @dragover=${(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()} @drop=${(event) => dropPicture(event, pane)}>
      <article class="sheet" aria-label=${titleOf(note)}>
        <h1 class="sr" id=${pane.idOf("heading")}>${titleOf(note)}</h1>
        <div class="title-line">
          <textarea class="title-field" rows="1" aria-label=${say`Title`} placeholder=${say`Untitled`} maxlength="1000" ?readonly=${!isWritten || state.mode === "reading"} .value=${note.title ?? ""}
            ref=${(element) => pane.title.take(element)} @input=${(event) => pane.title.edit(event)} @compositionend=${(event) => pane.title.edit(event)} @paste=${pasteTitle}
            @beforeinput=${(event) => undoTitle(event, pane)} @keydown=${(event) => pressTitle(event, pane)} spellcheck="true" lang=${languageOf(note)}></textarea>
          <button class="facts-line" aria-expanded=${String(state.areFactsTold)} aria-controls=${pane.idOf("facts")} @click=${tellFacts}>
            <span class=${`status ${note.status}`}>${STATUSES.find((status) => status.id === note.status)?.name}</span><span class="facts-words">${linkOf(note.id) ? `${say`Published`} · ` : ""}${note.folder?.name ?? say`Unfiled`}${note.keywords.length > 0 ? ` · ${note.keywords.map((keyword) => keyword.name).join(", ")}` : ""}${note.properties?.length ? ` · ${counted(note.properties.length, "property", "properties")}` : ""}</span>${icon("chevron-down")}</button>
        </div>
        <div id=${pane.idOf("facts")} class=${state.areFactsTold ? "facts told" : "facts"}>
          <div class="segments status-segments" role="group" aria-label=${say`Status`}>
            ${STATUSES.map((status) => html`<button class=${status.id} aria-pressed=${String(note.status === status.id)} ?disabled=${!isWritten}
              @click=${() => note.status === status.id || change(pane, { status: status.id })}>${status.name}</button>`)}
          </div>
          <button class="fact" title=${say`Move to…`} ?disabled=${!isWritten} @click=${() => askWhere([note])}>${icon(note.folder ? "folder" : "inbox")}${note.folder?.name ?? say`Unfiled`}</button>
          <span class="fact" title=${say`Created ${fullDate(note.created)}, changed ${fullDate(note.modified)}`}>${icon("calendar")}${longDate(note.created)}</span>
          <span class="fact">${wordsTold(pane)}</span>
          ${publishedSign(pane)}
        </div>
        <div class=${state.areFactsTold ? "note-keywords told" : "note-keywords"} role="group" aria-label=${say`Keywords of the note`}>
          ${note.keywords.map((keyword) => html`
            <span class="chip" @contextmenu=${contextMenu(() => keywordMenu(keyword, () => removeKeyword(pane, keyword)), say`Keyword ${keyword.name}`)}>
              <i class="dot" $--dot=${keyword.color}></i><a href=${`#/keyword:${keyword.id}`}>${keyword.name}</a>
              ${isWritten ? html`<button class="plain tiny" aria-label=${say`Remove the keyword ${keyword.name}`} @click=${() => removeKeyword(pane, keyword)}>${icon("x")}</button>` : null}</span>`)}
          ${isWritten ? keywordEditor(pane) : null}
          ${isWritten ? addPropertyButton(pane) : null}
        </div>
        ${propertiesView(pane)}
        ${isWritten ? toolbarView(pane.editor, [
          { label: say`Picture`, drawing: "image-plus", act: () => chooseFilesFor((files) => pane.addFiles(files), PICTURES) },
          { label: say`File`, drawing: "paperclip", act: () => chooseFilesFor((files) => pane.addFiles(files)) },
        ]) : null}
        ${wordingsView(pane)}
        ${inLanguage(pane)}
        ${referencesView(pane)}
        ${progressView(note)}
        ${filesProgressView(note)}
        ${pictureView(note)}
        ${linksView(pane)}
      </article>
    </div>
    ${writingFootView(pane)}`;
}

/// Spelling, hyphens and voices are those of the language.
function inLanguage({ text, note }) {
  const language = languageOf(note);
  if (language) text.lang = language;
  else text.removeAttribute("lang");
  return text;
}

const markButton = (pane, { id, name, icon: sign }) => html`
  <button class=${pane.note[id] ? "plain starred" : "plain"} aria-pressed=${String(Boolean(pane.note[id]))} aria-label=${name} title=${name} @click=${() => change(pane, { [id]: !pane.note[id] })}>${icon(sign)}</button>`;

const closeButton = (pane) => html`
  <button class="plain" aria-label=${pane.note ? say`Close the side of ${titleOf(pane.note)}` : say`Close the empty side`} title=${say`Close this side (Alt W)`} @click=${() => closeSide(pane)}>${icon("x")}</button>`;

function noNoteView(pane, hasNeighbour) {
  return html`
    <header class="page-head"><button class="plain back" aria-label=${say`Back to the list`} @click=${backToList}>${icon("chevron-left")}</button>
      <span class="grow"></span>${otherSideButton()}${hasNeighbour ? closeButton(pane) : null}</header>
    <div class="empty page-empty">
      ${pane.isLoading ? html`<div class="spinner" role="status"><span class="sr">${say`Loading the note`}</span></div>` : pane.problem
        ? html`${icon("circle-alert")}<h2>${pane.problem}</h2>`
        : html`${icon("notebook-text")}<h2>${say`Select a note`}</h2><p>${say`Or press ${keysView("Alt", "N")} to write one, ${keysView(commandKey, "K")} to find one.`}</p>`}
    </div>`;
}

const trashedNotice = (note) => html`
  <div class="notice"><span>${icon("trash-2")}${say`In the trash since ${shortDate(note.trashed)}.`}</span>
    <button class="small-text" @click=${() => restoreNote(note)}>${say`Restore`}</button>
    <button class="small-text" @click=${() => askDeleteForever(note)}>${say`Delete for good…`}</button></div>`;

const conflictNotice = (pane) => html`
  <div class="notice warn" role="alert"><span>${icon("circle-alert")}${say`This note was changed elsewhere while you wrote. Here is the newer text; yours is kept as “${titleOf(pane.conflict)}”.`}</span>
    <button class="small-text" @click=${() => go(state.place, pane.conflict.id)}>${say`Open mine`}</button>
    <button class="small-text" @click=${() => dismissConflict(pane)}>${say`Dismiss`}</button></div>`;

const refusalNotice = (pane) => html`
  <div class="notice warn" role="alert"><span>${icon("circle-alert")}${pane.draft.refusal.words}</span>
    <button class="small-text" @click=${() => showRefused(pane)}>${say`Show`}</button>
    <button class="small-text" @click=${() => leaveOutRefused(pane)}>${say`Leave it out`}</button></div>`;

/// Unfolds the facts of the note, or folds them, in all notes from now on.
function tellFacts() {
  state.areFactsTold = !state.areFactsTold;
  keepText("facts", state.areFactsTold ? "told" : "folded");
  changed();
}

function showColumns() {
  state.isWriting = false;
  changed();
}

/// The menu of the browser and keys of some systems ask in this way.
function undoTitle(event, pane) {
  const by = { historyUndo: -1, historyRedo: 1 }[event.inputType];
  if (!by) return;
  event.preventDefault();
  pane.title.step(by);
}

function pressTitle(event, pane) {
  if (isComposing(event)) return;
  const letter = (event.ctrlKey || event.metaKey) && !event.altKey ? letterOf(event) : "";
  if (letter === "Z" || letter === "Y") {
    event.preventDefault();
    pane.title.step(letter === "Y" || event.shiftKey ? 1 : -1);
    return;
  }
  if (event.key !== "Enter" && event.key !== "ArrowDown") return;
  if (event.key === "ArrowDown" && event.target.selectionEnd < event.target.value.length) return;
  event.preventDefault();
  pane.field.focusStart();
}

function dropPicture(event, pane) {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const files = [...event.dataTransfer.files];
  if (files.length > 0 && (hasFolder(event.dataTransfer) || files.every(isNotes))) importDropped(event.dataTransfer);
  else if (files.length > 0 && !pane.note.trashed) pane.addFiles(files);
}
