// The open note: how it comes, how it is written, and what happens when others write too.

import { changed } from "../view/drawing.js";
import { titleWith } from "../view/titleRoom.js";
import { keptText } from "../view/keptTexts.js";
import { complain, toast } from "../view/toast.js";
import { takeKeys, takeKeysAgain } from "../view/takeKeys.js";
import { titleOf, utcOffset, wordCount } from "../view/words.js";
import { noteEditor } from "../editor/editor.js";
import { isSame } from "../editor/tagging.js";
import { blankNote } from "../server/blankNote.js";
import { propertiesAfter } from "../server/properties.js";
import { get, newID, readings, Refused, Unreachable } from "../server/call.js";
import { hasActsInMemory, send, waitingCount, waitingNotes, withWaiting } from "../server/outbox.js";
import { marksIn } from "../model/marks.js";
import { go } from "../model/route.js";
import { asideMayBeLost, forgetHidden, keepHidden, setAsideWords } from "../model/recovering.js";
import { Draft, flushLeft, hideLeft, leftMayBeLost, takeUnsent } from "../model/saving.js";
import { watchEmbedded } from "../model/embedded.js";
import { countOf } from "../model/goal.js";
import { isSearching, search, wordsOf } from "../model/searching.js";
import { keywordOf, nameOf, state } from "../model/state.js";
import { notesBehind } from "../model/tabs.js";
import { hold, isGone, release, remember, takeAwayUntouched, touch } from "../model/untouched.js";
import { changeNote, refreshAll } from "../acts/acts.js";
import { openToday } from "../acts/kit.js";
import { notesIn } from "./dragging.js";
import { helpFor, rememberKept } from "./inText.js";
import { madeMayBeLost } from "./keptFile.js";
import { anyColour, closeEditor } from "./keywords.js";
import { chooseFilesFor, openPictureOf, PICTURES } from "./picture.js";
import { offerSetAside } from "./setAside.js";
import { endOfTitle, fitTitle, fitTitleSoon, focusTitle, openTitle } from "./title.js";

export const page = { opening: 0, note: null, isLoading: false, problem: null, conflict: null, words: 0, isTold: keptText("facts") === "told" };

let draft = null;
let field = null;
let marked = "";
/// The note in which somebody was writing when it went to the trash, and when that was.
let takenFromWriter = null;
/// In milliseconds: who finds a note again later has done something else meanwhile.
const STILL_TYPING = 60_000;

export const fieldElement = document.createElement("div");
fieldElement.className = "text";

/// The text under way, and the editor it is in.
export const openDraft = () => draft;
export const openEditor = () => field.editor;
export const openField = () => field;

/// What the editor tells and asks.
const told = {
  ...helpFor(() => page.note),
  change: edited, look: changed, goAbove: endOfTitle, isAlone: () => state.mode === "focus",
  openNote: openLinked, createNote, makeNote: makeLoose, titleOfNote, isDead,
  hasKeyword, tag, untag, showPicture: openPictureOf, editDrawing: changeDrawing, moreToPutIn, notesIn,
  embedded: watchEmbedded, ownID: () => page.note?.id,
  ownNames: () => [page.note?.title, ...(page.note?.aliases ?? [])],
};

// MARK: - Opening

export async function openNote(id) {
  // A new note is open before its address is; and one may come back before the other note is there.
  if (id && page.note?.id === id) return stay();
  field?.settle();
  draft?.leave();
  closeEditor();
  const wasInNote = document.activeElement?.closest(".page") !== null;
  if (!id) return forget();
  // Back leads to a note that nobody wrote in.
  if (isGone(id)) return go(state.place, null, { replace: true });
  const mine = ++asked;
  const isWanted = () => mine === asked && state.noteID === id;
  page.isLoading = true;
  page.problem = null;
  changed();
  try {
    // The server may answer before it has heard of the last words.
    await parting.get(id);
    const note = waitingNotes().find((one) => one.id === id) ?? withWaiting(await get(`/notes/${encodeURIComponent(id)}`));
    if (isWanted()) show(note);
  } catch (error) {
    if (!isWanted()) return;
    forget();
    if (error instanceof Unreachable) page.problem = "This note was not read lately, and Slipbox cannot be reached.";
    else if (error instanceof Refused) page.problem = error.status === 404 ? "This note is not there any more." : error.message;
    else throw error;
  } finally {
    if (isWanted()) page.isLoading = false;
    changed();
    if (wasInNote || wanted?.id === id) requestAnimationFrame(() => focusNote(id));
  }
}

/// Counts what is asked for: an answer that comes behind another would bring back a text that was written on since.
let asked = 0;

function stay() {
  asked += 1;
  draft.isLeft = false;
  page.isLoading = false;
  changed();
}

/// The note in which somebody wants to write on as soon as it is open, and what takes the keys until then: {id, keys,
/// isAtCaret?}.
let wanted = null;
/// Where a note shall be shown when it opens: {note, heading?, top?}.
let wantedPlace = null;

/// A note that comes to the front with another tab is shown where it was left.
export const showAt = (place) => {
  wantedPlace = place;
  wantedHeading = place.heading ? place : null;
};

/// Goes with `leave()` to another note; who writes in this one writes on in that one, from the next key on.
export function switchWriting(id, leave) {
  // Keys that were typed for a note that is still loading go into it first, later ones into the next note.
  const last = queue.at(-1) ?? wanted;
  if (last?.isAtCaret && (last !== wanted || last.keys.hasWords())) {
    last.keys = frozen(last.keys);
    return void queue.push({ id, leave, keys: takeKeys(), isAtCaret: true });
  }
  const isWriting = field?.hasKeys() || Boolean(wanted?.isAtCaret);
  wanted?.keys?.end();
  wanted = null;
  const isOther = id !== null && page.note?.id !== id;
  if (isWriting && isOther) {
    field.settle();
    wanted = { id, keys: takeKeys(), isAtCaret: true };
  }
  leave();
  if (isWriting && id !== null && !isOther) field.focus();
}

/// The switches that wait until what was typed before them is in its note: like `wanted`, with `leave`.
const queue = [];

/// Keys that are taken no longer; what was typed until now is known still.
function frozen(keys) {
  const words = keys.end();
  return { end: () => words, hasWords: () => words !== "" };
}

function switchNext() {
  const next = queue.shift();
  if (!next) return;
  const { id, leave, keys } = next;
  wanted = { id, keys, isAtCaret: true };
  // The text had the focus for a moment.
  takeKeysAgain();
  leave();
  if (id === null || page.note?.id === id) focusNote(id);
}

/// Opens the note of today with the caret at its end, where what is typed from now on will stand.
export async function writeToday() {
  // Asked for twice, it is on its way.
  if (takeKeysAgain()) return;
  leaveReading();
  const keys = matchMedia("(min-width: 45rem)").matches ? takeKeys(wanted?.keys?.end()) : null;
  const id = await openToday();
  if (!id) return void keys?.giveBack((words) => page.note && field.write(words));
  wanted = { id, keys };
  if (page.note?.id === id || (state.noteID === id && !page.isLoading)) focusNote(id);
}

/// The focus stays in the note when another one opens there: what had it is not there any more.
function focusNote(id) {
  const isOpen = page.note?.id === id;
  if (wanted?.id === id) {
    const { keys, isAtCaret } = wanted;
    wanted = null;
    const typed = keys?.end();
    if (isAtCaret) {
      if (isOpen) field.write(typed);
      else if (typed) keepTyped(id, typed);
      return switchNext();
    }
    if (isOpen && keys && !page.note.trashed) return field.writeAtEnd(typed);
    // Another note came in between: what was typed goes where it belongs.
    if (!isOpen && typed) {
      wanted = { id, keys: { end: () => typed } };
      return go("all", id);
    }
  }
  if (isOpen && document.activeElement === document.body) document.querySelector(".page")?.focus({ preventScroll: true });
}

/// The note of another tab could not be opened: what was typed for it is shown with the other words that were set aside.
function keepTyped(id, typed) {
  setAsideWords(id, { title: "", document: { content: [{ type: "paragraph", content: [{ type: "text", text: typed }] }] } }, "The note could not be opened.");
  offerSetAside();
}

function forget() {
  leaveNote();
  field?.close();
  draft = null;
  Object.assign(page, { note: null, conflict: null, problem: null, isLoading: false });
  document.title = "Slipbox";
  changed();
}

/// The notes that were left, until what was typed in them was sent or waits.
const parting = new Map();

/// What was typed until now belongs to the note that is left; if nothing ever was, it goes.
async function leaveNote() {
  const left = draft;
  const isFree = release();
  if (left) await part(left);
  await isFree;
  if (await takeAwayUntouched([page.note?.id, ...notesBehind()])) refreshAll();
}

function part(left) {
  const sending = left.part();
  // What went wrong is said by whoever waits for the first of the two.
  const ended = sending.catch(() => {}).then(() => parting.get(left.id) === ended && parting.delete(left.id));
  parting.set(left.id, ended);
  return sending;
}

function show(found) {
  leaveNote();
  const unsent = takeUnsent(found.id);
  const note = { ...found, ...unsent };
  closeEditor();
  page.opening += 1;
  field ??= noteEditor(fieldElement, told);
  Object.assign(page, { note, conflict: null, problem: null });
  hold(note.id);
  draft = new Draft(note, () => ({ title: page.note.title, document: field.document() }), { saved, conflict, madeAgain, merged });
  field.open(note.document, note.id);
  if (unsent) draft.change();
  openTitle(note, setTitle);
  showWhetherWritable();
  marked = "";
  markFound();
  document.title = `${titleOf(note)} — Slipbox`;
  scrollToPlace(note.id);
  countWords();
  changed();
  fitTitleSoon();
  if (wantedHeading?.note === note.id) goToHeading();
}

/// At the top, or where the note was left in its tab, once it is drawn.
function scrollToPlace(id) {
  const top = wantedPlace?.note === id ? wantedPlace.top ?? 0 : 0;
  wantedPlace = null;
  const scroll = () => document.querySelector(".page-scroll")?.scrollTo(0, top);
  scroll();
  if (top > 0) queueMicrotask(() => queueMicrotask(scroll));
}

/// The heading that a link to this note has named.
let wantedHeading = null;

function goToHeading() {
  const { heading } = wantedHeading;
  wantedHeading = null;
  requestAnimationFrame(() => field.showHeading(heading) || toast(`There is no ${heading.startsWith("^") ? "paragraph" : "heading"} “${heading}” in this note.`));
}

/// The words that are searched for, in the open text, as long as they are searched for.
export function markFound() {
  const words = isSearching() ? search.text.trim() : "";
  if (!field || !page.note || words === marked) return;
  marked = words;
  field.mark(wordsOf(words));
}

export async function newNote() {
  leaveReading();
  const id = newID();
  const { place } = state;
  const folder = place.startsWith("folder:") ? place.slice(7) : null;
  const marks = marksIn(place);
  const body = { id, title: "", ...(folder ? { folder } : {}), ...marks };
  const keyword = place.startsWith("keyword:") ? place.slice(8) : null;
  remember(id, { folder, keyword, ...marks });
  const making = makeWithKeyword(body, keyword);
  // It is written from this moment on: what is typed while the server hears of it must not go elsewhere, and no note
  // that was asked for before it may take its place.
  asked += 1;
  page.isLoading = false;
  show(blankNote({ id, folder: folder ? { id: folder, name: nameOf(place) } : null, marks }));
  draft.begin(making);
  state.column = "page";
  go(place === "trash" ? "all" : place, id);
  await null;
  focusTitle();
  await making;
  refreshAll();
}

/// In the list of a keyword a new note has it from the start.
async function makeWithKeyword(body, keyword) {
  const made = await makeNote(body);
  if (!keyword) return made;
  try {
    const { name, color } = keywordOf(`keyword:${keyword}`) ?? {};
    const addKeywords = [{ id: keyword, name, color }];
    const edit = { kind: "act", method: "PATCH", path: `/notes/${body.id}`, body: { addKeywords }, note: body.id };
    return (await send(edit))?.note ?? made;
  } catch (error) {
    complain(error);
    return made;
  }
}

async function makeNote(body) {
  try {
    return (await send({ kind: "create", method: "POST", path: "/notes", body, note: body.id, line: body.id })) ?? { ...body };
  } catch (error) {
    complain(error);
    throw error;
  }
}

// MARK: - Writing

let countTimer;

function edited() {
  if (!draft) return;
  touch(draft.id);
  draft.change();
  clearTimeout(countTimer);
  countTimer = setTimeout(countWords, 300);
}

function countWords() {
  page.words = wordCount(`${field.text()}`);
  countOf(page.note?.id, page.words);
  changed();
}

function setTitle(title) {
  page.note = { ...page.note, title };
  changed();
  document.title = `${titleOf(page.note)} — Slipbox`;
  fitTitle();
  touch(draft.id);
  draft.change();
}

export const writeText = () => field.focusStart();
export const tidyUp = async () => (await takeAwayUntouched([page.note?.id ?? state.noteID, ...notesBehind()])) && refreshAll();
export function saveNow() {
  // What was typed this very moment is meant, too.
  field?.settle();
  return draft?.save();
}

/// The tab is hidden: what is not saved in a moment may never be.
export function hide() {
  saveNow();
  // Of two texts of one note, that in the editor is the later.
  hideLeft();
  draft?.hide();
}

export function flush() {
  field?.settle();
  flushLeft();
  draft?.flush();
}

/// Whether something ends with the page that is neither at the server nor kept by the browser.
export const mayBeLost = () => draft?.mayBeLost || madeMayBeLost() || leftMayBeLost() || asideMayBeLost() || hasActsInMemory();

function saved(note) {
  if (page.note?.id !== note.id) return;
  // The title and the text are the writer's; the rest is the server's, and what waits to be sent to it.
  const { title, document: _, ...rest } = withWaiting(note);
  page.note = { ...page.note, ...rest };
  showWhetherWritable();
  field.lookAtLinks();
  changed();
}

function showWhetherWritable() {
  const { id, trashed } = page.note;
  if (trashed && field.hasKeys()) takenFromWriter = { id, at: performance.now() };
  field.setEditable(!trashed && state.mode !== "reading");
  if (trashed) return;
  // What is typed on goes into it again, unless the writer has gone elsewhere.
  const isWriting = takenFromWriter?.id === id && performance.now() - takenFromWriter.at < STILL_TYPING;
  if (isWriting && state.mode !== "reading" && document.activeElement === document.body) field.focus();
  takenFromWriter = null;
}

/// Whoever asks for a note to write in does not only read.
function leaveReading() {
  if (state.mode !== "reading") return;
  state.mode = null;
  if (page.note) showWhetherWritable();
  changed();
}

/// What others wrote in other places comes into the editor; false where one is typing just there.
function merged(note, sent) {
  if (page.note?.id !== note.id || draft.isLeft || !sent.document) return false;
  const isRenamed = note.title !== sent.title?.trim();
  if (isRenamed && page.note.title !== sent.title) return false;
  if (!field.adopt(note.document, sent.document)) return false;
  if (isRenamed) page.note = { ...page.note, title: note.title };
  document.title = `${titleOf(page.note)} — Slipbox`;
  countWords();
  return true;
}

function conflict({ newer, copy }, later, sent) {
  if (later) saveInto(copy, later, sent);
  if (page.note?.id === newer.id) {
    page.conflict = copy;
    take(newer);
  }
  tellOfCopy(newer);
}

function tellOfCopy(newer) {
  toast(`“${titleOf(newer)}” was changed elsewhere: both texts are kept.`);
  refreshAll();
}

/// What was typed since is nowhere else by now: it waits where nobody answers, and outlives a tab that closes.
async function saveInto(copy, text, sent) {
  // Nobody has changed the copy yet.
  const body = { base: 1, utcOffset: utcOffset(), title: titleOfCopy(copy, text, sent), document: text.document };
  keepHidden(copy.id, body);
  try {
    await send({ kind: "text", method: "PATCH", path: `/notes/${copy.id}`, note: copy.id, line: newID(), mark: newID(), body });
  } catch (error) {
    complain(error);
    // With another conflict, the server has kept the words.
    if (error.status !== 409) setAsideWords(copy.id, body, error.message);
    offerSetAside();
  }
  forgetHidden(copy.id);
}

/// Behind its title stands whose version it is: what was typed into the title comes before that.
function titleOfCopy(copy, text, sent) {
  const before = sent?.title.trim();
  if (before === undefined || text.title.trim() === before || !copy.title.startsWith(before)) return copy.title;
  return titleWith(text.title.trim(), ` ${copy.title.slice(before.length).trim()}`);
}

function madeAgain(text) {
  toast(`“${titleOf(text)}” was deleted elsewhere: what you wrote is kept.`);
  if (!page.note && state.noteID) openNote(state.noteID);
  refreshAll();
}

export function dismissConflict() {
  page.conflict = null;
  draft.show("saved");
}

/// The text is saved without what the server cannot keep.
export function leaveOutRefused() {
  field.leaveOut(draft.refusal);
  draft.refusal = null;
  draft.change();
  saveNow();
}

export function showRefused() {
  // If the piece is gone already, the text can be saved.
  if (!field.showRefused(draft.refusal)) saveNow();
}

/// An edit that waited has gone out.
export function answered(edit, result) {
  const isOpen = page.note?.id === edit.note && draft;
  if (result instanceof Refused) {
    if (result.status === 409 && result.body.newer) {
      if (!isOpen) conflict(result.body, null);
      else if (draft.has(edit)) draft.conflicted(result.body);
      // Another tab has written it, and what is typed here has nothing to do with its copy.
      else tellOfCopy(result.body.newer);
    }
    // In the open text the words stand still, and are tried again.
    else if (isOpen && edit.kind !== "act" && draft.has(edit)) draft.refused(result, edit.body);
    else {
      complain(result);
      if (!edit.body?.document) return;
      setAsideWords(edit.note, edit.body, result.message);
      offerSetAside();
    }
  } else if (isOpen && (result?.note ?? result)?.revision !== undefined) {
    // An act is about something else than the text, which may have been changed elsewhere.
    if (edit.kind === "act") saved(result.note ?? result);
    // The words of another tab are in the text only when it is read.
    else if (!draft.has(edit)) refreshNote();
    else draft.arrived(result.note ?? result, result.merged && edit.body);
  }
}

/// Nothing waits any more: another tab may have sent what was ours.
export function settled() {
  if (draft?.state !== "waiting" || waitingCount(draft.id) > 0) return;
  draft.show("saved");
  refreshNote();
}

// MARK: - Others write too

const beginReading = readings();

/// Reads the open note again, unless we are in the middle of writing it: then the server decides.
export async function refreshNote() {
  const id = page.note?.id;
  if (!id || waitingNotes().some((note) => note.id === id)) return;
  const base = draft.base;
  const isLatest = beginReading();
  try {
    const note = await get(`/notes/${id}`);
    if (page.note?.id !== id) return;
    // What we saved meanwhile may be newer than what was read.
    if (draft.base !== base) return refreshNote();
    if (!isLatest()) return;
    field.settle();
    if (draft.isBusy || draft.state === "waiting") saved(note);
    else take(withWaiting(note));
  } catch (error) {
    if (error instanceof Refused && error.status === 404 && page.note?.id === id) {
      // Who is in the middle of a sentence goes on: saving makes the note again.
      if (draft.isBusy) return;
      if (draft.base !== base) return refreshNote();
      if (!isLatest()) return;
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
  showWhetherWritable();
  field.lookAtLinks();
  document.title = `${titleOf(note)} — Slipbox`;
  countWords();
  changed();
  fitTitleSoon();
}

/// A version from the history became the text.
export const takeRestored = (note) => page.note?.id === note.id && (field.adopt(note.document), take(note));

// MARK: - Links and pictures

export async function createNote(title) {
  const note = await makeNote({ id: newID(), title, ...(page.note?.folder ? { folder: page.note.folder.id } : {}) }).catch(() => null);
  if (note) toast(`Note “${title}” created`);
  refreshAll();
  return note;
}

function openLinked(id, heading = null) {
  wantedHeading = heading ? { note: id, heading } : null;
  if (page.note?.id === id) return heading && goToHeading();
  go(state.place === "trash" ? "all" : state.place, id);
}

/// A note for `[[Title]]` in the text: the server makes links of all that wait for it, this one too.
async function makeLoose(title) {
  await saveNow();
  const { note: writing } = page;
  const made = await makeNote({ id: newID(), title, ...(writing?.folder ? { folder: writing.folder.id } : {}) }).catch(() => null);
  if (!made) return;
  toast(`Note “${title}” created`, { act: { name: "Open", run: () => openLinked(made.id) } });
  await refreshNote();
  refreshAll();
}

/// Whether a note that the text links to is in the trash, or gone.
function isDead(id) {
  return page.note?.dead?.includes(id) ?? false;
}

function titleOfNote(id) {
  // The bubble of a link is drawn once more as its note goes.
  return page.note?.links?.find((link) => link.id === id)?.title;
}

function moreToPutIn() {
  return [
    { name: "Picture", drawing: "image-plus", act: () => chooseFilesFor(addFiles, PICTURES) },
    { name: "File", drawing: "paperclip", act: () => chooseFilesFor(addFiles) },
    ...otherThings.flatMap((give) => give()),
  ];
}

/// The entries of other parts for this menu: {name, drawing, words, act}.
const otherThings = [];
export const putInAlso = (give) => void otherThings.push(give);

/// How a drawing of the text is changed: (file, name, replace).
let editDrawing = null;
export const takeEditOfDrawing = (edit) => void (editDrawing = edit);

function changeDrawing(file, name, replace) {
  return editDrawing(file, name, (facts) => {
    rememberKept(facts);
    return replace(facts);
  });
}

/// Files that were chosen or dropped beside the text come into it.
export const addFiles = (files) => field.insertFiles(files);
/// The same with files that the server has kept already: {id, name, type, …}.
export const addKept = (facts) => field.insertFiles(facts.map((kept) => ({ kept })));

// MARK: - Small changes

/// Changes the note that is open, or another that was when its menu was opened.
export function change(body, said, note = page.note) {
  if (page.note?.id !== note.id) return changeNote(note, body, said);
  const { addKeywords, removeKeywords, properties, ...plain } = body;
  page.note = { ...page.note, ...plain, ...(properties ? { properties: propertiesAfter(page.note.properties ?? [], properties) } : {}) };
  changed();
  // What was refused is not so after all.
  return changeNote(page.note, body, said).then(async (result) => {
    if (result?.note) saved(result.note);
    else if (result === null) await refreshNote();
    return result;
  });
}

function hasKeyword(text) {
  return page.note?.keywords?.some(({ name }) => isSame(name, text)) ?? false;
}

/// A keyword that was chosen in the text.
function tag({ id, name, color }) {
  if (hasKeyword(name)) return;
  addKeyword(id ? { id, name, color } : { name, color: anyColour() }, `Keyword “${name}” added to the note`);
}

/// One that was typed in the text, and not meant.
function untag(text) {
  const keyword = page.note?.keywords?.find(({ name }) => isSame(name, text));
  if (!keyword?.id) return false;
  removeKeyword(keyword);
  return true;
}

export function addKeyword(keyword, said) {
  return changeNote(page.note, { addKeywords: [keyword] }, said).then((result) => {
    if (result?.note) saved(result.note);
    else if (result === undefined && page.note) {
      page.note = withWaiting(page.note);
      changed();
      if (!said) toast("The keyword will be sent when Slipbox is reachable");
    }
  });
}

export function removeKeyword(keyword) {
  // Its menu may outlive the note.
  if (!page.note) return;
  page.note = { ...page.note, keywords: page.note.keywords.filter((one) => one.id !== keyword.id) };
  return change({ removeKeywords: [keyword.id] }, `Keyword “${keyword.name}” removed from the note`);
}
