// The text of the open note on its way to the server.
//
//   saved ─type→ edited ─0.8 s→ saving ─┬→ saved
//                                       ├→ waiting    nobody answered: the outbox has it
//                                       ├→ conflict   somebody else wrote too: both texts are kept
//                                       ├→ failed     the server refused: it is tried again
//                                       └→ saved      under the same name, if somebody deleted the note meanwhile
//
// A draft knows the revision it began from. An older one gets 409, and the newer note with it.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { complain } from "../view/toast.js";
import { counted, utcOffset } from "../view/words.js";
import { refusalOf } from "../editor/refused.js";
import { clientID, newID, Refused } from "../server/call.js";
import { goesOn, markOf, send, waitingCount, waitsInMemory } from "../server/outbox.js";
import { forgetHidden, hasRoomFor, keepHidden, keepUnsaved } from "./recovering.js";
import { state } from "./state.js";

const QUIET = 800;
const AT_MOST = 5000;

/// What was left before it had gone out.
const left = new Set();

export class Draft {
  /// `take()` gives {title, document} as they stand; `told` hears sending(), saved(note, what sending() gave), conflict(body, typed
  /// since, sent), madeAgain(sent), and merged(note, sent), which says whether the editor shows now what others wrote.
  constructor(note, take, told) {
    this.id = note.id;
    this.base = note.revision;
    /// The edit that was put together with words which the page does not show yet: the next one goes on from it.
    this.since = undefined;
    this.line = newID();
    this.after = markOf(note.id);
    // What waits stands in the note that was opened.
    this.lastSent = this.after ? { title: note.title, document: note.document } : null;
    this.take = take;
    this.told = told;
    this.isDirty = false;
    this.isLeft = false;
    this.isOver = false;
    this.sending = null;
    this.onItsWay = null;
    /// The piece of the text that the server refused, if its message names one.
    this.refusal = null;
    this.state = waitingCount(note.id) > 0 ? "waiting" : "saved";
  }

  /// Where what is written here belongs among the edits that wait.
  get place() {
    return { note: this.id, line: this.line, after: this.after };
  }

  /// Whether the text has the words of an edit that waited.
  has(edit) {
    return goesOn(this, edit);
  }

  get isBusy() {
    return this.isDirty || this.sending !== null;
  }

  /// Whether the text is neither at the server nor kept by the browser.
  get isUnsafe() {
    return this.isDirty || this.onItsWay !== null || waitsInMemory(this.id);
  }

  /// Whether the text may end with the tab: the browser cannot keep it, either.
  get mayBeLost() {
    return this.isUnsafe && !hasRoomFor(JSON.stringify(this.unsaved()));
  }

  /// A new note is written before the server has heard of it: the text waits until then.
  begin(making) {
    this.after = this.id;
    // What it is made with is its first revision, also before the server has said so.
    this.base = 1;
    const heard = (answer) => {
      this.sending = null;
      const note = answer.note ?? answer;
      if (note.revision !== undefined) this.arrived(note);
      else this.show(this.isDirty ? "edited" : "waiting");
    };
    // What was refused was said; saving the text will ask once more.
    this.sending = making.then(heard, () => (this.sending = null));
  }

  change() {
    if (!this.isDirty) this.dirtySince = Date.now();
    this.isDirty = true;
    this.show("edited");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), Math.max(0, Math.min(QUIET, this.dirtySince + AT_MOST - Date.now())));
  }

  /// Another note is asked for: what was typed goes out at once; one may type on until that note is there, or come back.
  leave() {
    this.isLeft = true;
    return this.save();
  }

  /// Another note takes the editor: what is in it now is what will be sent, also where it is tried again.
  part() {
    const last = this.take();
    this.take = () => last;
    for (const draft of left) if (!draft.isBusy && !draft.isUnsafe) left.delete(draft);
    left.add(this);
    return this.leave();
  }

  async save() {
    clearTimeout(this.timer);
    // Behind it, somebody else who has waited may send what was typed since.
    while (this.sending) await this.sending;
    if (!this.isDirty) return;
    this.sending = this.sendNow();
    try {
      await this.sending;
    } finally {
      this.sending = null;
      this.onItsWay = null;
    }
    if (this.isDirty && this.state !== "failed") this.change();
  }

  async sendNow() {
    const sent = this.take();
    this.onItsWay = this.lastSent = sent;
    this.isDirty = false;
    this.show("saving");
    const mark = newID();
    const sending = this.told.sending();
    try {
      const answer = await send({
        kind: "text", method: "PATCH", path: `/notes/${this.id}`, ...this.place, mark, body: { base: this.base, since: this.since, mark, utcOffset: utcOffset(), ...sent },
      });
      if (answer) this.arrived(answer.note, answer.merged && { ...sent, mark }, sending);
      else this.show(this.isDirty ? "edited" : "waiting");
    } catch (error) {
      if (error.status === 409) this.conflicted(error.body);
      else if (error.status === 404) await this.makeAgain(sent);
      else this.refused(error, sent);
      if (!(error instanceof Refused)) throw error;
    }
  }

  /// With `sent`, others have written in other places of the note. Where that cannot be shown beside what is typed
  /// this very moment, the next text begins from the same revision as this one, and the server merges again.
  arrived(note, sent, sending) {
    if (!sent || this.told.merged(note, sent)) {
      this.base = note.revision;
      this.since = undefined;
    } else {
      this.since = sent.mark;
    }
    this.show(this.isDirty ? "edited" : waitingCount(this.id) > 0 ? "waiting" : "saved");
    this.told.saved(note, sending);
  }

  conflicted(body) {
    // What was typed since goes into the copy too: `conflict` takes it before the editor changes.
    const later = this.isDirty ? this.take() : null;
    this.isDirty = false;
    this.base = body.newer.revision;
    this.since = undefined;
    this.show("conflict");
    this.told.conflict(body, later, this.lastSent);
  }

  /// It was deleted for good while it was written: the words outlive it.
  async makeAgain(sent) {
    try {
      const note = await send({ kind: "create", method: "POST", path: "/notes", ...this.place, body: { id: this.id, ...sent } });
      this.told.madeAgain(sent);
      if (note) this.arrived(note);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused(error, sent);
    }
  }

  /// Where one piece of the text is the reason, the page says so as long as it is there, and offers to leave it out.
  refused(error, { document } = {}) {
    this.isDirty = true;
    this.refusal = document ? refusalOf(error.body?.error ?? "", document) : null;
    this.show("failed");
    if (!this.refusal || left.has(this)) complain(error);
    this.timer = setTimeout(() => this.save(), 10_000);
  }

  show(value) {
    this.state = value;
    if (["saved", "waiting", "conflict"].includes(value)) this.refusal = null;
    const isSafe = value === "saved" || value === "conflict" || (value === "waiting" && !waitsInMemory(this.id));
    if (isSafe) forgetHidden(this.id);
    changed();
  }

  /// The tab is hidden, and may be ended without another word.
  hide() {
    if (!this.isOver && this.isUnsafe) keepHidden(this.id, this.unsaved());
  }

  unsaved() {
    const text = (this.isDirty ? null : this.onItsWay) ?? this.take();
    return { base: this.base, since: this.since, utcOffset: utcOffset(), ...text, sent: this.lastSent, line: this.line, after: this.after };
  }

  /// The tab closes. A request may outlive it, and may not: `recover` looks after that.
  flush() {
    if (!this.isUnsafe) return;
    const unsaved = this.unsaved();
    // A page that closes is hidden as well, behind that.
    this.isOver = true;
    this.isDirty = false;
    // A text is on its way, which may end with the tab, or waits in the outbox. Another one beside it would begin from
    // what is not there yet, and both would be kept: the next start looks what has arrived, and what waits still.
    if (this.onItsWay || waitingCount(this.id) > 0) {
      return keepUnsaved(this.id, JSON.stringify(unsaved));
    }
    const { sent, line, after, ...text } = unsaved;
    const body = JSON.stringify(text);
    keepUnsaved(this.id, body);
    fetch(`/api/notes/${this.id}`, {
      method: "PATCH",
      keepalive: true,
      headers: { "Content-Type": "application/json", "X-Slipbox-Client": clientID },
      body,
    }).catch(() => {});
  }
}

/// The tab closes: what was left goes with it as what is open does.
export function flushLeft() {
  for (const draft of left) draft.flush();
}

export function hideLeft() {
  for (const draft of left) draft.hide();
}

export const leftMayBeLost = () => [...left].some((draft) => draft.mayBeLost);

/// What was typed in a note that was left, where the server has refused it until now: whoever comes back goes on with it.
export function takeUnsent(id) {
  const draft = [...left].find((one) => one.id === id && one.isDirty);
  if (!draft) return null;
  clearTimeout(draft.timer);
  draft.isDirty = false;
  return { ...draft.take(), revision: draft.base };
}

export function savingText(draft) {
  const edits = waitingCount();
  switch (draft?.state) {
    case "edited": return say`Edited`;
    case "saving": return say`Saving…`;
    case "waiting": return say`Offline, ${counted(edits, "edit waits", "edits wait")}`;
    case "conflict": return say`Conflict`;
    case "failed": return say`Not saved`;
    case "saved": return state.reachable ? say`Saved` : edits > 0 ? say`Offline, ${counted(edits, "edit waits", "edits wait")}` : say`Offline, saved`;
    default: return "";
  }
}
