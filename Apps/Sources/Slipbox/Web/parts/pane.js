// A side of the desk: an editor, and the note that is open in it. Mostly there is one; two can be side by side.
//
//   open(id) ─▶ the note is read ─▶ show(note) ─▶ typed: the draft saves it ─▶ open(another), or open(null)
//
// Other files have functions about a pane: `paneTold.js` is what its editor asks for, `others.js` what happens when others
// write too, `changes.js` changes more of the note than its text, and `panes.js` knows both sides.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { wordCount } from "../view/words.js";
import { missingPart } from "../editor/embeds.js";
import { noteEditor } from "../editor/editor.js";
import { get, readings, Refused, Unreachable } from "../server/call.js";
import { waitingNotes, withWaiting } from "../server/outbox.js";
import { part, untilParted } from "../model/parting.js";
import { Draft, takeUnsent } from "../model/saving.js";
import { countOf } from "../model/goal.js";
import { isSearching, search, wordsOf } from "../model/searching.js";
import { takePlace } from "../model/shownAt.js";
import { state } from "../model/state.js";
import { hold, touch } from "../model/untouched.js";
import { tidyUp } from "../acts/tidying.js";
import { leaveFields } from "./changes.js";
import { conflict, madeAgain, merged, refresh } from "./others.js";
import { toldOf } from "./paneTold.js";
import { TitleField } from "./title.js";

/// In milliseconds: who finds a note again later has done something else meanwhile.
const STILL_TYPING = 60_000;

export class Pane {
  /// `ending` tells the identifiers of its elements from those of the other side.
  constructor(ending) {
    this.ending = ending;
    /// The note that it shall show; `note` is the one that it shows.
    this.id = null;
    this.note = null;
    this.draft = null;
    this.field = null;
    /// The works that the text cites (references.js).
    this.cited = null;
    this.text = document.createElement("div");
    this.text.className = "text";
    this.title = new TitleField();
    Object.assign(this, { isLoading: false, problem: null, conflict: null, words: 0, opening: 0, marked: "" });
    this.element = null;
    this.scroller = null;
    this.top = 0;
    /// The note in which somebody was writing when it went to the trash, and when that was.
    this.takenFromWriter = null;
    /// A search belongs to one opening of a note (finding.js).
    this.finding = { opening: null, text: "", words: "", isReplacing: false, input: null };
    /// The field for a keyword (keywords.js), those of properties (properties.js), and the notes that name this one (links.js).
    this.keywordEditor = null;
    this.properties = { typed: null, adding: null, wanted: null };
    this.mentions = { note: null, title: null, found: [], timer: null };
    /// Counts what is asked for: an answer that comes behind another would bring back a text that was written on since.
    this.asked = 0;
    this.beginReading = readings();
    /// They let go of the note that is open, and of the one that is on its way (`hold`).
    this.release = () => {};
    this.releaseComing = () => {};
  }

  get editor() {
    return this.field?.editor ?? null;
  }

  idOf(name) {
    return name + this.ending;
  }

  /// Whether this side has the focus.
  get hasFocus() {
    return this.element?.contains(document.activeElement) ?? false;
  }

  focus() {
    this.element?.focus({ preventScroll: true });
  }

  /// The caret is where it was. A side that comes into sight is drawn before the next key is heard.
  focusText() {
    const focus = () => (this.note && this.editor.isEditable ? this.field.focus() : this.focus());
    if (this.text.isConnected) return focus();
    changed();
    queueMicrotask(focus);
  }

  // MARK: - Opening

  async open(id) {
    // A new note is open before its address is; and one may come back before the other note is there.
    if (id && this.note?.id === id) return this.stay();
    leaveFields(this);
    this.field?.settle();
    this.draft?.leave();
    this.keywordEditor = null;
    this.id = id;
    this.releaseComing();
    const mine = ++this.asked;
    if (!id) return this.forget();
    this.releaseComing = hold(id);
    const isWanted = () => mine === this.asked;
    this.isLoading = true;
    this.problem = null;
    changed();
    try {
      // The server may answer before it has heard of the last words.
      await untilParted(id);
      const note = waitingNotes().find((one) => one.id === id) ?? withWaiting(await get(`/notes/${encodeURIComponent(id)}`));
      if (isWanted()) this.show(note);
    } catch (error) {
      if (!isWanted()) return;
      this.releaseComing();
      this.forget();
      if (error instanceof Unreachable) this.problem = say`This note was not read lately, and Slipbox cannot be reached.`;
      else if (error instanceof Refused) this.problem = error.status === 404 ? say`This note is not there any more.` : error.message;
      else throw error;
    } finally {
      if (isWanted()) this.isLoading = false;
      changed();
    }
  }

  stay() {
    this.asked += 1;
    this.id = this.note.id;
    this.releaseComing();
    this.draft.isLeft = false;
    this.isLoading = false;
    const place = takePlace(this.id);
    if (place?.heading) this.goToHeading(place.heading);
    changed();
  }

  /// Shows a note before the address leads to it. No note that was asked for before it may take its place.
  showNew(note) {
    leaveFields(this);
    this.field?.settle();
    this.asked += 1;
    this.isLoading = false;
    this.id = note.id;
    this.show(note);
  }

  show(found) {
    this.leaveNote();
    const unsent = takeUnsent(found.id);
    const note = { ...found, ...unsent };
    const place = takePlace(note.id);
    const release = hold(note.id);
    this.releaseComing();
    this.release = release;
    this.opening += 1;
    this.field ??= noteEditor(this.text, toldOf(this));
    Object.assign(this, { note, conflict: null, problem: null, keywordEditor: null });
    this.draft = new Draft(note, () => ({ title: this.note.title, document: this.field.document() }), {
      sending: this.beginReading, saved: (note, isLatest) => this.saved(note, isLatest), conflict: (...told) => conflict(this, ...told), madeAgain: (text) => madeAgain(this, text), merged: (...told) => merged(this, ...told),
    });
    this.field.open(note.document, note.id);
    if (unsent) this.draft.change();
    this.title.open(note, (title) => this.setTitle(title));
    this.showWhetherWritable();
    this.marked = "";
    this.markFound();
    this.scrollTo(place?.top ?? 0);
    this.countWords();
    changed();
    this.title.fitSoon();
    if (place?.heading) this.goToHeading(place.heading);
  }

  forget() {
    this.leaveNote();
    this.field?.close();
    this.cited?.forget();
    this.draft = null;
    Object.assign(this, { note: null, conflict: null, problem: null, isLoading: false, keywordEditor: null });
    changed();
  }

  /// Words that were typed until now belong to the note that is left; a new note without any goes.
  async leaveNote() {
    const left = this.draft;
    const isFree = this.release();
    if (left) await part(left);
    await isFree;
    await tidyUp();
  }

  // MARK: - Where it is shown

  takeScroller(element) {
    this.scroller = element;
    queueMicrotask(() => element.scrollTo(0, this.top));
  }

  /// At the top, or where the note was left in its tab, once it is drawn.
  scrollTo(top) {
    this.top = top;
    const scroll = () => this.scroller?.scrollTo(0, top);
    scroll();
    if (top > 0) queueMicrotask(() => queueMicrotask(scroll));
  }

  goToHeading(heading) {
    requestAnimationFrame(() => this.field.showHeading(heading) || toast(missingPart(heading)));
  }

  /// The words that are searched for, in the open text, as long as they are searched for.
  markFound() {
    const words = isSearching() ? search.text.trim() : "";
    if (!this.note || words === this.marked) return;
    this.marked = words;
    this.field.mark(wordsOf(words));
  }

  // MARK: - Writing

  edited() {
    if (!this.draft) return;
    touch(this.draft.id);
    this.draft.change();
    clearTimeout(this.countTimer);
    this.countTimer = setTimeout(() => this.countWords(), 300);
  }

  countWords() {
    this.words = wordCount(`${this.field.text()}`);
    countOf(this.note?.id, this.words);
    changed();
  }

  setTitle(title) {
    this.note = { ...this.note, title };
    changed();
    this.title.fit();
    touch(this.draft.id);
    this.draft.change();
  }

  saveNow() {
    // A word that was typed this very moment is meant, too.
    this.field?.settle();
    return this.draft?.save();
  }

  /// `isLatest()` says whether the note was not read since the text was sent.
  saved(note, isLatest = () => true) {
    if (this.note?.id !== note.id) return;
    // That reading has the later keywords and properties, but perhaps not the files and links of this text.
    if (!isLatest()) return void refresh(this);
    // The title and the text are the writer's; the rest is the server's, and what waits to be sent to it.
    const { title, document: _, ...rest } = withWaiting(note);
    this.note = { ...this.note, ...rest };
    this.showWhetherWritable();
    this.field.lookAtLinks();
    changed();
  }

  showWhetherWritable() {
    const { id, trashed } = this.note;
    if (trashed && this.field.hasKeys()) this.takenFromWriter = { id, at: performance.now() };
    this.field.setEditable(!trashed && state.mode !== "reading");
    if (trashed) return;
    // Keys go into it again, unless the writer has gone elsewhere.
    const isWriting = this.takenFromWriter?.id === id && performance.now() - this.takenFromWriter.at < STILL_TYPING;
    if (isWriting && state.mode !== "reading" && document.activeElement === document.body) this.field.focus();
    this.takenFromWriter = null;
  }

  /// Files that were chosen or dropped beside the text come into it.
  addFiles(files) {
    return this.field.insertFiles(files);
  }

  /// The same with one that the server has kept already: {id, name, type, …}.
  addKept(facts) {
    return this.field.insertFiles([{ kept: facts }]);
  }
}
