// Edits that wait for the server, in the order they were made, kept in IndexedDB over reloads.
//
//   {place, method, path, body, kind: "create" | "text" | "act", note: id, line, mark, after, wasSent?}
//
// Texts of one note that wait become one edit; a text for a note that is itself waiting to be created goes into its
// creation. They do where one goes on from the other: `line` says in which opening of a note it was written, `mark` is its
// own, and `after` the mark of the text that stood there when the note was opened. The text of another tab, which does not
// have the words of this one, goes out as one that others have written. What was sent, and may have arrived, takes no
// more: the server knows what comes a second time as it was, but makes each note once, and takes a text that goes on for
// one that others have written. A text that links to a note goes out behind the creation of that note: the server makes
// links to notes that it knows. One tab at a time empties the box, with what the others have put in, and tells them what
// came of it.

import { dropText, keepText, keptNames, keptText } from "../view/keptTexts.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { blankNote } from "./blankNote.js";
import { propertiesAfter } from "./properties.js";
import { call, isReachable, newID, onReachable, Refused, setReachable, Unreachable } from "./call.js";

const listeners = new Set();
let waiting = [];
let answers = () => {};
let isSending = false;
/// Whether this tab, and no other, sends now what waits.
let isAlone = false;
/// Acts and creations that are not answered yet, each with a promise of its end: what was read before the server has done
/// them is older than they are.
const underWay = new Map();
const tabs = "BroadcastChannel" in self ? new BroadcastChannel("slipbox-outbox") : null;

/// Tells when the number of waiting edits changes.
export const onWaiting = (listen) => listeners.add(listen);
export const notesOfWaiting = () => [...new Set(waiting.map(({ note }) => note))];
export const waitingCount = (note) => (note ? waiting.filter((edit) => edit.note === note).length : waiting.length);

/// The mark of the text that waits for the note; a creation has that of its line.
export const markOf = (note) => ownMark(waiting.findLast((edit) => edit.note === note && edit.kind !== "act"));
const ownMark = (edit) => edit?.mark ?? edit?.line;

/// `answer(edit, result | error)` hears of each edit that went out.
export async function openOutbox(answer) {
  answers = answer;
  await takeUp();
  await readAgain();
  if (tabs) tabs.onmessage = ({ data }) => hear(data);
  onReachable((value) => value && empty());
  addEventListener("online", () => empty());
  addEventListener("offline", () => setReachable(false));
  setInterval(async () => navigator.onLine && (await everyEdit()).length > 0 && empty(), 5000);
  if (waiting.length > 0) await empty();
}

/// Sends the edit now, or keeps it when nobody answers or others wait before it (then: undefined).
export function send(edit) {
  const sent = { ...edit, place: Date.now() + Math.random() / 2 };
  const isHeld = holdOverClosing(sent);
  return inOrder(sent, () => sendNow(edit)).finally(() => isHeld && dropText(CLOSING + sent.place));
}

async function sendNow(edit) {
  if (waiting.length > 0 || (!isReachable() && !navigator.onLine)) {
    await keep(edit);
    empty();
    return undefined;
  }
  return callOrKeep(edit);
}

async function callOrKeep(edit) {
  try {
    return await call(edit.method, edit.path, edit.body);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    await keep(mayArrive(edit) ? { ...edit, wasSent: true } : edit);
    return undefined;
  }
}

/// Does `work` when the acts before it have been answered, as two requests may overtake each other. Without others it is done
/// at once: the page may be about to close.
export async function inOrder(edit, work) {
  if (edit.kind === "text") return work();
  const before = edit.kind === "act" ? [...underWay].filter(([other]) => waitsFor(edit, other)).map(([, end]) => end) : [];
  let end;
  underWay.set(edit, new Promise((resolve) => (end = resolve)));
  try {
    if (before.length > 0) {
      edit.isQueued = true;
      await Promise.all(before);
      // It went out when the page was hidden.
      if (!edit.isQueued) return await edit.sent;
      edit.isQueued = false;
    }
    return await work();
  } finally {
    underWay.delete(edit);
    end();
  }
}

/// The page closes, or is hidden, which a phone may end it in: acts that wait for the answers of others go out at once. Those
/// others were sent before. An edit that goes into the outbox only now may come too late.
export function sendQueued() {
  for (const edit of underWay.keys()) {
    const { isQueued, ...own } = edit;
    if (!isQueued || !edit.path) continue;
    edit.isQueued = false;
    edit.sent = callOrKeep(own);
    // Its problem is told in its turn.
    edit.sent.catch(() => {});
  }
}

const CLOSING = "closing:";

/// Where nobody answers, a page that closes would end before that is known, and before IndexedDB has heard of the edit. One
/// that says the same when it is done twice is kept here until then, and taken up by the next start.
function holdOverClosing(edit) {
  const isHeld = edit.kind === "act" && edit.method === "PATCH" && !isReachable();
  if (isHeld) keepText(CLOSING + edit.place, JSON.stringify(edit));
  return isHeld;
}

async function takeUp() {
  for (const name of keptNames(CLOSING)) {
    const edit = readable(keptText(name));
    const isSame = (other) => other.path === edit.path && JSON.stringify(other.body) === JSON.stringify(edit.body);
    // It may have come to IndexedDB after all.
    if (edit && !(await everyEdit()).some(isSame)) await write(edit);
    dropText(name);
  }
}

/// Null for what somebody else has put there.
function readable(text) {
  try {
    const edit = JSON.parse(text);
    return edit?.kind === "act" && edit.method === "PATCH" && typeof edit.path === "string" && Number.isFinite(edit.place) ? edit : null;
  } catch {
    return null;
  }
}

/// Whether both are about the same note, or one of them about folders, keywords or several notes.
const waitsFor = (edit, other) => edit.note === other.note || !edit.note || (!other.note && other.kind === "act");

/// Whether the server has not heard of the note yet.
export const isBeingMade = (note) => [...underWay.keys(), ...waiting].some((edit) => edit.kind === "create" && edit.note === note);

/// Another tab has put something in, or sent something: what it was, and what came of it.
async function hear({ sent, result }) {
  if (sent) await answers(sent, result);
  await readAgain();
}

async function readAgain() {
  const edits = await everyEdit();
  if (isAlone) return;
  waiting = edits;
  tell();
}

async function keep(edit) {
  const before = waiting.findLast((other) => other.note === edit.note && other.kind !== "act" && goesOn(edit, other));
  const isJoined = edit.kind === "text" && before && !before.isOnItsWay && !before.wasSent;
  const isTooEarly = isJoined && linksToLater(edit, before);
  if (isJoined && !isTooEarly) {
    await putInto(before, edit);
  } else if (isTooEarly && before.kind === "text") {
    waiting.splice(waiting.indexOf(before), 1);
    await add(joined(before, edit));
    await erase(before.place);
  } else {
    await add(edit);
  }
  tell();
  tabs?.postMessage("kept");
}

async function putInto(before, edit) {
  if (await rewrite(joined(before, edit))) return;
  // Another tab has sent it, or is about to.
  if (!isAlone) waiting = await everyEdit();
  await add(edit);
}

/// Whether words arrive, perhaps, though nobody answers.
const mayArrive = ({ kind }) => kind !== "act" && navigator.onLine;

/// Whether the text has the words of the other in it.
export const goesOn = (edit, other) => edit.line === other.line || edit.after === ownMark(other);

/// One edit that says what both say, and begins where the first did.
function joined(before, edit) {
  const { base, since, ...text } = edit.body;
  before.line = edit.line;
  before.mark = edit.mark;
  before.body = { ...before.body, ...text };
  return before;
}

/// Whether the text links to a note whose creation waits behind another edit.
function linksToLater(edit, before) {
  const document = JSON.stringify(edit.body.document ?? null);
  return waiting.slice(waiting.indexOf(before) + 1).some((other) => other.kind === "create" && document.includes(`note:${other.note}`));
}

async function add(edit) {
  // In the order of time; the fraction keeps two tabs apart.
  const place = Math.max(Date.now(), (waiting.at(-1)?.place ?? 0) + 1) + Math.random() / 2;
  const kept = { ...edit, place };
  waiting.push(kept);
  await write(kept);
}

/// Sends what waits, first come first, until the box is empty or nobody answers.
export function empty() {
  if (isSending) return;
  isSending = true;
  const work = async () => {
    isAlone = true;
    // Another tab may have sent some of them, or put in more; and one may come in while we send.
    do {
      waiting = await everyEdit();
      while (waiting.length > 0 && (await sendFirst()));
      if (waiting.length > 0) break;
    } while ((await everyEdit()).length > 0);
    waiting = await everyEdit();
  };
  const alone = navigator.locks ? navigator.locks.request("slipbox-outbox", work) : work();
  return alone.finally(() => {
    isSending = isAlone = false;
    tell();
    tabs?.postMessage("sent");
  });
}

async function sendFirst() {
  const edit = waiting[0];
  edit.isOnItsWay = true;
  if (mayArrive(edit) && !edit.wasSent) await markSent(edit);
  let result;
  try {
    result = await call(edit.method, edit.path, edit.body);
    if (edit.kind !== "act") await rebase(edit, beginningAfter(edit, result));
  } catch (error) {
    edit.isOnItsWay = false;
    if (error instanceof Unreachable) return false;
    if (!(error instanceof Refused)) throw error;
    // The server could not, which may pass: a full disk, a store that is locked.
    if (error.status >= 500) return false;
    const rescued = withoutHome(edit, error.status);
    if (rescued) {
      waiting[0] = rescued;
      await write(rescued);
      return true;
    }
    // Once is enough: what the server refuses today it refuses tomorrow.
    result = error;
  }
  waiting.shift();
  const later = await strikeOut(edit, beginningAfter(edit, result));
  if (later) waiting.unshift(later);
  tell();
  if (!(result instanceof Refused)) tabs?.postMessage({ sent: edit, result });
  await answers(edit, result);
  return true;
}

/// Where texts that wait behind an edit begin from now on: {base, since}. What is in a merged note besides is not in them:
/// they begin where they began, and go on from what was sent. Nothing where that is not known.
function beginningAfter(edit, result) {
  if (result instanceof Refused) return undefined;
  if (result?.merged) return edit.body?.mark && { base: edit.body.base, since: edit.body.mark };
  const base = result?.note?.revision ?? result?.revision;
  return base === undefined ? undefined : { base, since: undefined };
}

/// What another tab has put into an edit while it was on its way, as an edit that goes on from there; null where it is as
/// it was sent.
function laterThan(sent, kept, beginning) {
  if (!kept || JSON.stringify(kept.body) === JSON.stringify(sent.body)) return null;
  if (!beginning) return kept;
  const { wasSent, body: { id, folder, ...words }, ...others } = kept;
  return { ...others, kind: "text", method: "PATCH", path: `/notes/${kept.note}`, body: { ...words, ...beginning } };
}

/// Words whose note or folder was deleted meanwhile become a note in no folder.
function withoutHome(edit, status) {
  const { base, utcOffset, folder, ...words } = edit.body ?? {};
  if (edit.kind === "create" && folder && (status === 404 || status === 400)) return { ...edit, body: words };
  if (edit.kind !== "text" || status !== 404) return null;
  const id = newID();
  return { ...edit, kind: "create", method: "POST", path: "/notes", note: id, body: { ...words, id } };
}

/// A text that waited behind another of the same note begins where that one ended, also if another tab has put it there.
async function rebase(sent, beginning) {
  if (!beginning) return;
  const isBehind = (edit) => edit.place !== sent.place && edit.note === sent.note && edit.body?.base !== undefined && goesOn(edit, sent);
  const kept = (await everyEdit()).filter(isBehind);
  const own = waiting.filter(isBehind);
  for (const edit of own) Object.assign(edit.body, beginning);
  const others = kept.filter(({ place }) => own.every((edit) => edit.place !== place));
  await Promise.all([...own, ...others].map((edit) => writeBase(edit, beginning)));
}

/// The note as it will be when what waits, and what is on its way, is done.
export function withWaiting(note) {
  const acts = [...underWay.keys()].filter(({ kind }) => kind === "act");
  return [...acts, ...waiting].reduce((result, edit) => (edit.note === note.id ? after(edit, result) : result), note);
}

function after(edit, note) {
  if (edit.kind === "create" || edit.method === "PATCH") {
    const { base, since, mark, utcOffset, folder, addKeywords, removeKeywords, addLinks, removeLinks, properties, propertiesOf, ...plain } = edit.body;
    const changed = properties ? { properties: propertiesAfter(note.properties ?? [], properties) } : {};
    return { ...note, ...plain, ...changed, ...(addKeywords || removeKeywords ? { keywords: keywordsAfter(note.keywords ?? [], addKeywords, removeKeywords) } : {}) };
  }
  if (edit.path.endsWith("/attachment")) return { ...note, attachment: null };
  if (edit.path === `/notes/${note.id}/restore`) return { ...note, trashed: null };
  return edit.method === "DELETE" ? { ...note, trashed: new Date(edit.place).toISOString() } : note;
}

function keywordsAfter(keywords, added = [], removed = []) {
  const isThere = (one) => keywords.some((other) => (one.id ? other.id === one.id : other.name.toLowerCase() === one.name.toLowerCase()));
  const fresh = added.filter((one) => one.name && !isThere(one)).map((one) => ({ id: one.id ?? `new:${one.name}`, name: one.name, color: one.color ?? "#5d5e66" }));
  return [...keywords.filter((one) => !removed.includes(one.id)), ...fresh];
}

/// Notes that the server has not heard of yet.
export function waitingNotes() {
  return waiting
    .filter((edit) => edit.kind === "create")
    .map((edit) => {
      const folder = edit.body.folder ? { id: edit.body.folder, name: "" } : null;
      return withWaiting({ ...blankNote({ id: edit.note, folder, made: new Date(edit.place) }), isWaiting: true });
    });
}

function tell() {
  for (const listen of listeners) listen(waiting.length);
}

// MARK: - IndexedDB

let database;

/// A browser may end the connection, as a phone does with one of a hidden page; and a private window may have none.
function open() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("slipbox", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("edits", { keyPath: "place" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }).then((opened) => Object.assign(opened, { onclose: forget })).catch((error) => {
    forget();
    throw error;
  });
  return database;
}

const forget = () => (database = undefined);

/// A connection that has ended is known by that it takes no transaction.
async function begin(mode) {
  const opened = await open();
  try {
    return opened.transaction("edits", mode);
  } catch {
    forget();
    return (await open()).transaction("edits", mode);
  }
}

async function within(mode, work) {
  const transaction = await begin(mode);
  const request = work(transaction.objectStore("edits"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

// MARK: - What is kept

/// Edits that the browser does not keep: they wait as long as the page is open.
const inMemory = new Map();
/// Edits that went out, and that the browser could not strike out.
const outside = new Set();
let isTold = false;

export const waitsInMemory = (note) => [...inMemory.values()].some((edit) => edit.note === note);

/// Whether an act would be lost with the page. Of texts, whoever writes them has a say.
export const hasActsInMemory = () => [...inMemory.values()].some(({ kind }) => kind === "act");

async function everyEdit() {
  const kept = await within("readonly", (edits) => edits.getAll()).catch(() => []);
  const others = kept.filter(({ place }) => !inMemory.has(place) && !outside.has(place));
  return [...others, ...inMemory.values()].sort((one, other) => one.place - other.place);
}

async function write({ isOnItsWay, ...edit }) {
  try {
    await within("readwrite", (edits) => edits.put(edit));
    inMemory.delete(edit.place);
  } catch {
    keepInMemory(edit);
  }
}

/// Writes the edit in the place where it stands already; false where another tab has sent it.
async function rewrite({ isOnItsWay, ...edit }) {
  if (inMemory.has(edit.place)) {
    await write(edit);
    return true;
  }
  let isWritten = false;
  try {
    await change(edit.place, (kept) => {
      isWritten = kept !== undefined && kept.wasSent === edit.wasSent;
      return isWritten ? edit : kept;
    });
  } catch {
    keepInMemory(edit);
    return true;
  }
  return isWritten;
}

/// Nothing else of the edit: another tab may have put more into it.
async function writeBase({ isOnItsWay, ...edit }, beginning) {
  if (inMemory.has(edit.place)) return write({ ...edit, body: { ...edit.body, ...beginning } });
  await change(edit.place, (kept) => kept && { ...kept, body: { ...kept.body, ...beginning } }).catch(() => keepInMemory(edit));
}

async function markSent(edit) {
  edit.wasSent = true;
  if (!inMemory.has(edit.place)) await change(edit.place, (kept) => kept && { ...kept, wasSent: true }).catch(() => {});
}

function keepInMemory(edit) {
  inMemory.set(edit.place, edit);
  if (!isTold) toast(say`This browser keeps nothing more: what waits may be lost if the page is closed before it is sent.`, { kind: "bad" });
  isTold = true;
}

/// Takes away what went out; gives what waits in its place, or null.
async function strikeOut(sent, beginning) {
  let later = null;
  if (inMemory.has(sent.place)) await erase(sent.place);
  else await change(sent.place, (kept) => (later = laterThan(sent, kept, beginning))).catch(() => outside.add(sent.place));
  return later;
}

/// Puts what `make` makes of a kept edit into its place, or nothing; gives what stood there. No other tab comes between.
const change = (place, make) => within("readwrite", (edits) => {
  const known = edits.get(place);
  known.onsuccess = () => {
    try {
      const made = make(known.result);
      if (made) edits.put(made);
      else edits.delete(place);
    } catch {
      known.transaction.abort();
    }
  };
  return known;
});

/// What is in memory may be a later text of what the browser has kept.
async function erase(place) {
  inMemory.delete(place);
  await within("readwrite", (edits) => edits.delete(place)).catch(() => outside.add(place));
}
