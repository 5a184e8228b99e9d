// What a closing tab could not see saved: it kept the text in this browser, and the next start sends it.
//
//   unsaved:<note>    {base, since?, utcOffset, title, document, sent?, line?, after?, tab?} ─▶ sent, or it had arrived after all
//   set-aside:<note>  what cannot be read or was refused for good ─▶ shown as it was written (`parts/setAside.js`)
//
// A phone ends tabs that are not seen without telling them. So a tab keeps there what it has not seen saved when it is
// hidden, too, with its name: as long as it lives, it looks after that itself, and then another tab does.

import { dropText, isKnownHereOnly, keepText, keptNames, keptText } from "../view/keptTexts.js";
import { say } from "../view/say.js";
import { complain } from "../view/toast.js";
import { titleOf } from "../view/words.js";
import { writtenText } from "../view/writtenText.js";
import { VERSION } from "../editor/schema.js";
import { clientID, get, newID, Refused, remove, Unreachable } from "../server/call.js";
import { markOf, send } from "../server/outbox.js";

const UNSAVED = "unsaved:";
const ASIDE = "set-aside:";
const ROOM = "room-for";

/// The notes whose texts this tab has kept while it was hidden.
const keptHidden = new Set();

/// The tabs that live, and have kept something.
const awaited = new Set();

/// Is called when something was recovered after the start.
let told = () => {};
let timer = null;

export function keepUnsaved(id, text) {
  keptHidden.delete(id);
  return keepText(UNSAVED + id, text);
}

/// Whether the browser would keep the text.
export function hasRoomFor(text) {
  const isKept = keepText(ROOM, text);
  dropText(ROOM);
  return isKept;
}

const nameOf = (tab) => `tab:${tab}`;

/// Says as long as this tab lives that it does.
export const beAlive = () => void navigator.locks?.request(nameOf(clientID), () => new Promise(() => {}));

export function keepHidden(id, text) {
  // Nobody could tell whether the tab lives.
  if (!navigator.locks) return;
  keepUnsaved(id, JSON.stringify({ ...text, tab: clientID }));
  keptHidden.add(id);
}

/// The text is at the server, or waits in the outbox.
export const forgetHidden = (id) => keptHidden.delete(id) && dropText(UNSAVED + id);

/// Sends what a closing tab may not have been able to; what could not be sent is tried the next time.
export async function recover() {
  await (navigator.locks?.request("slipbox-recovering", recoverAll) ?? recoverAll());
}

async function recoverAll() {
  const held = (await navigator.locks?.query())?.held ?? [];
  // A tab that waits for the end of another holds its lock for a moment, too, and shares it.
  const alive = new Set(held.filter(({ mode }) => mode === "exclusive").map(({ name }) => name));
  for (const key of keptNames(UNSAVED)) {
    const id = key.slice(UNSAVED.length);
    const body = readable(id, keptText(key));
    if (!body) setAside(key);
    else if (alive.has(nameOf(body.tab))) recoverBehind(body.tab);
    else if (await recoverText(id, body)) dropText(key);
  }
}

/// Recovers what another tab has kept when that is gone.
function recoverBehind(tab) {
  if (tab === clientID || awaited.has(tab)) return;
  awaited.add(tab);
  navigator.locks.request(nameOf(tab), { mode: "shared" }, () => awaited.delete(tab)).then(recoverSoon);
}

/// A tab that closes may keep its text after this one has started: the browser opens the one before it has closed the
/// other.
export function recoverLater(recovered) {
  told = recovered;
  addEventListener("storage", ({ key, newValue }) => key?.startsWith(UNSAVED) && newValue && recoverSoon());
}

/// What the other tab still sends itself has a second to arrive.
function recoverSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => recover().then(() => told()), 1000);
}

/// A text as `flush` keeps it; null for what another version, or somebody else, has put there.
function readable(id, text) {
  const body = parsed(text);
  const isText = Number.isInteger(body?.base) && typeof body.title === "string" && Array.isArray(body.document?.content);
  return isText && (body.document.version ?? 0) <= VERSION && /^[0-9a-f-]{36}$/.test(id) ? body : null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// MARK: - What cannot be read, or saved

/// Words that the server will never take, and why.
export const setAsideWords = (id, body, reason) => keepText(placeAside(id), JSON.stringify({ ...body, reason }));

function setAside(key) {
  const text = keptText(key);
  // It is moved, so that a full browser has room for it.
  dropText(key);
  if (!keepText(placeAside(key.slice(UNSAVED.length)), text)) keepText(key, text);
}

/// Two texts of one note may be set aside.
const placeAside = (id) => (keptText(ASIDE + id) === null ? ASIDE + id : `${ASIDE}${id}:${newID()}`);

/// Whether words that were set aside end with the page.
export const asideMayBeLost = () => keptNames(ASIDE).some(isKnownHereOnly);

/// {key, title, words, reason?, isHereOnly}: what was set aside, as it was written.
export const setAsideTexts = () => keptNames(ASIDE).map((key) => ({ key, ...asWritten(keptText(key)), isHereOnly: isKnownHereOnly(key) }));

export function forgetAside(texts) {
  for (const { key } of texts) dropText(key);
}

/// What is no text of a note stands as it is.
function asWritten(kept) {
  const { title, document, reason } = parsed(kept) ?? {};
  if (typeof title !== "string" || !Array.isArray(document?.content)) return { title: say`Something else`, words: kept ?? "" };
  return { title: titleOf({ title }), words: writtenText(document), reason };
}

// MARK: - What can be read

/// `sent` was on its way when the tab closed: if it has arrived, the text goes on from there. If it waits still, `line`
/// and `after` tell the outbox so, as they would have if the tab had sent the text itself; what another tab has put
/// behind it meanwhile has another line, and is not written over.
async function recoverText(id, { sent, line = newID(), after, tab, ...body }) {
  try {
    const there = await noteThere(id);
    if (there && sent && isSameText(there, sent)) Object.assign(body, { base: there.revision, since: undefined });
    // A text that waits will change what is there.
    if (!there || !isSameText(there, body) || markOf(id)) {
      await send({ kind: "text", method: "PATCH", path: `/notes/${id}`, note: id, line, after, body });
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The request outlived its tab after all, and came in between.
    if (error.status === 409 && isSameText(error.body.newer, body)) await remove(`/notes/${error.body.copy.id}`);
    else if (error.status === 404) return keepWords(body);
    else return refusedText(id, body, error);
  }
  return true;
}

/// What the server will never take is kept all the same; what it cannot take now is tried the next time.
function refusedText(id, body, error) {
  complain(error);
  if (error.status !== 409 && error.status < 500) {
    // It is moved, so that a full browser has room for it.
    dropText(UNSAVED + id);
    setAsideWords(id, body, error.message);
  }
  return error.status < 500;
}

/// The note as the server has it; null where nobody answers.
async function noteThere(id) {
  try {
    return await get(`/notes/${id}`);
  } catch (error) {
    if (error instanceof Unreachable) return null;
    throw error;
  }
}

/// The note was deleted for good meanwhile: the words become another.
async function keepWords({ title, document }) {
  const id = newID();
  try {
    await send({ kind: "create", method: "POST", path: "/notes", note: id, line: id, body: { id, title, document } });
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    complain(error);
    return false;
  }
}

const isSameText = (note, { title, document }) => note.title === title && isSame(note.document, document);

function isSame(one, other) {
  if (one === other || typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
