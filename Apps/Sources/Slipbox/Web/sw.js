// Keeps the pages and what was read lately, for when the server cannot be reached.
//
// The server is asked first, always: what is kept answers only when nobody else does, or a proxy says that nobody
// does. An answer from the cache says so in `X-Slipbox-Kept`.
//
// A note is kept when it is read and when it is saved: what was "Saved" is what is read offline. What was deleted
// for good is forgotten: at once where this browser has done it, else when it hears of it or starts.
//
// If that is wanted, all notes are kept besides, to be searched and listed: swNotes.js. While the browser is locked (swLock.js),
// nothing is answered.

importScripts("/swNotes.js", "/swLock.js");

const SHELL = "slipbox-shell-1";
const READ = "slipbox-read-1";
const MOST_KEPT = 600;
/// Who has the pairing code has the notes, wherever they are.
const SECRET = "/api/sync/address";
/// Links end at once, so that none is kept.
const PUBLISHED = "/api/published";
const NOTE = /^\/api\/notes\/[0-9a-f-]{36}$/;

const files = [
  "/", "/app.js", "/manifest.webmanifest", "/icon.svg",
  "/look/theme.js", "/look/tokens.css", "/look/type.css", "/look/base.css", "/look/sidebar.css", "/look/list.css", "/look/note.css",
  "/look/dialogs.css", "/look/sync.css", "/look/properties.css", "/look/tabs.css", "/look/sides.css", "/look/lock.css", "/theme.css",
  "/view/composing.js", "/view/cover.js", "/view/diagram.js", "/view/dialog.js", "/view/drawing.js", "/view/formula.js", "/view/icon.js", "/view/keptTexts.js", "/view/forces.js", "/view/graph.js", "/view/marked.js", "/view/menu.js", "/view/say.js", "/view/sketch.js", "/view/strokes.js", "/view/takeKeys.js", "/view/treeKeys.js", "/view/template.js",
  "/view/titleHistory.js", "/view/titleRoom.js", "/view/wordDiff.js", "/view/toast.js", "/view/words.js", "/view/writtenText.js",
  "/server/blankNote.js", "/server/call.js", "/server/sentences.js", "/server/keptLock.js", "/server/live.js", "/server/outbox.js", "/server/properties.js",
  "/model/appearance.js", "/model/atHand.js", "/model/chosen.js", "/model/embedded.js", "/model/goal.js", "/model/list.js", "/model/lock.js", "/model/marks.js", "/model/properties.js", "/model/published.js", "/model/recorder.js", "/model/recovering.js", "/model/references.js", "/model/route.js", "/model/saving.js",
  "/model/searching.js", "/model/searchNames.js", "/model/state.js", "/model/syncing.js", "/model/tabs.js", "/model/trail.js", "/model/tree.js", "/model/keptTabs.js", "/model/keywordTree.js", "/model/pairs.js", "/model/parting.js", "/model/shownAt.js", "/model/untouched.js",
  "/acts/acts.js", "/acts/asking.js", "/acts/downloading.js", "/acts/dropping.js", "/acts/filing.js", "/acts/following.js", "/acts/importing.js", "/acts/kit.js", "/acts/many.js", "/acts/packing.js", "/acts/progress.js", "/acts/searches.js", "/acts/theme.js", "/acts/tidying.js",
  "/parts/appearance.js", "/parts/atHand.js", "/parts/beside.js", "/parts/changes.js", "/parts/choosing.js", "/parts/column.js", "/parts/columns.js", "/parts/dragging.js", "/parts/extracting.js", "/parts/finding.js", "/parts/folders.js",
  "/parts/history.js", "/parts/inText.js", "/parts/keptFile.js", "/parts/keys.js", "/parts/keywords.js", "/parts/keywordTree.js", "/parts/links.js", "/parts/lock.js", "/parts/lockScreen.js", "/parts/making.js", "/parts/map.js", "/parts/memo.js", "/parts/modes.js", "/parts/noteMenu.js", "/parts/opening.js", "/parts/others.js", "/parts/outline.js", "/parts/signing.js", "/parts/sketching.js", "/parts/statistics.js", "/parts/page.js", "/parts/pane.js", "/parts/panes.js", "/parts/paneTold.js",
  "/parts/picture.js", "/parts/preview.js", "/parts/properties.js", "/parts/publishing.js", "/parts/references.js", "/parts/rows.js", "/parts/search.js", "/parts/searchHelp.js", "/parts/searches.js", "/parts/setAside.js", "/parts/sharing.js", "/parts/shortcuts.js", "/parts/sidebar.js",
  "/parts/switcher.js", "/parts/sync.js", "/parts/tabActs.js", "/parts/tabClicks.js", "/parts/tabs.js", "/parts/title.js", "/parts/typing.js", "/parts/wordings.js", "/parts/writingFoot.js",
  "/editor/editor.js", "/editor/schema.js", "/editor/signing.js", "/editor/toolbar.js", "/editor/caretMenu.js", "/editor/citations.js", "/editor/citing.js", "/editor/citingMenu.js", "/editor/completion.js", "/editor/difference.js", "/editor/drawn.js", "/editor/drawnTyping.js", "/editor/embeds.js", "/editor/textPart.js", "/editor/pasting.js",
  "/editor/finding.js", "/editor/formulas.js", "/editor/indenting.js", "/editor/linking.js", "/editor/extracting.js", "/editor/loose.js", "/editor/moving.js", "/editor/blockSigns.js", "/editor/remarks.js", "/editor/quotes.js", "/editor/refused.js", "/editor/shownWords.js", "/editor/slash.js", "/editor/tagging.js", "/editor/below.js", "/editor/colouring.js", "/editor/pictures.js", "/editor/tables.js", "/editor/files.js", "/editor/attachedFile.js", "/editor/pdfPages.js", "/editor/blocks.js", "/editor/callouts.js", "/editor/footnotes.js", "/editor/rooms.js", "/editor/waiting.js",
  "/languages/de.json", "/languages/es.json", "/languages/fr.json", "/languages/it.json", "/languages/pt.json",
  "/vendor/editor.js", "/vendor/icons.js",
  "/vendor/fonts/SourceSerifPro-Regular.otf", "/vendor/fonts/SourceSerifPro-It.otf",
  "/vendor/fonts/SourceSerifPro-Semibold.otf", "/vendor/fonts/SourceSansPro-Regular.otf",
  "/vendor/fonts/SourceSansPro-Semibold.otf",
];

/// The files that draw formulas and diagrams, besides those that the list names: they are kept once the page has come.
const forDrawing = ["/view/diagramFrame.html", "/view/diagramFrame.js", "/vendor/drawing.json"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOld().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "claim") event.waitUntil(self.clients.claim());
  if (event.data?.type === "look") event.waitUntil(forgetDeleted(event.data.notes));
  if (event.data?.type === "want") event.waitUntil(wantNotes(event.data.isWanted));
  if (event.data?.type === "changed") event.waitUntil(refreshAtHand(event.data.notes));
  if (event.data?.type === "drawing") event.waitUntil(keepDrawing());
  if (event.data?.type === "fill") event.waitUntil(fill());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const { method } = event.request;
  if (url.origin !== location.origin) return;
  // A published note is there as long as its link is, and no longer: the browser asks by itself, and nothing is kept.
  if (url.pathname.startsWith("/p/")) return;
  if ((method === "POST" && url.pathname === "/api/notes") || (method === "PATCH" && NOTE.test(url.pathname))) event.respondWith(save(event.request));
  if (method === "DELETE" && NOTE.test(url.pathname) && url.searchParams.get("forever")) event.respondWith(erase(event));
  if (isPuttingAway(method, url)) event.respondWith(putAway(event));
  // Whoever leaves may delete all notes here.
  if (method === "DELETE" && url.pathname === "/api/sync") event.respondWith(erase(event));
  if (method === "POST" && (url.pathname === "/api/trash/empty" || url.pathname.startsWith("/api/undo/"))) event.respondWith(erase(event));
  if (method !== "GET") return;
  // A player asks for parts of a file: the browser takes them by itself, and they are not kept.
  if (event.request.headers.has("Range")) return;
  if (url.pathname === "/api/events" || url.pathname === SECRET || url.pathname === PUBLISHED || url.pathname === "/api/lock" || url.pathname.endsWith("/export") || /^\/api\/(jobs|exports|maps)\//.test(url.pathname)) return;
  if (url.pathname.startsWith("/api/")) event.respondWith(serverFirst(event, READ, event.request));
  // A page of somebody else that leads here brings no key, which the page itself has.
  else if (event.request.mode === "navigate" && url.pathname === "/share") event.respondWith(keptPage(event));
  else event.respondWith(serverFirst(event, SHELL, isPage(event.request) ? "/" : event.request));
});

/// Whether the answer is the page; the frame for diagrams is another one.
const isPage = ({ mode, destination }) => mode === "navigate" && destination !== "iframe";

/// Keeps what draws formulas and diagrams, one file after the other, so that it is there without the server.
async function keepDrawing() {
  const cache = await caches.open(SHELL);
  try {
    const list = await (await fetch("/vendor/drawing.json")).json();
    for (const file of [...forDrawing, ...list]) {
      if (!(await cache.match(file))) await cache.add(file);
    }
  } catch {
    // The server went away: the next page that comes asks for the rest.
  }
}

async function serverFirst(event, name, key) {
  const begun = ++moment;
  if (name === READ && await isLockedHere()) return lockedAnswer();
  try {
    const answer = await fetch(event.request);
    if (isOfProxy(answer, name)) throw new TypeError("Only the proxy answers.");
    if (answer.status === 404 && isNote(event.request)) event.waitUntil(forget([noteIn(event.request)]));
    // Suggestions are made of what is kept: one for each letter that is typed would drive out notes.
    if (answer.status === 200 && !isSuggestion(event.request) && !(name === READ && isHTML(answer))) event.waitUntil(soonKept(answer, keepAnswer(name, key, answer.clone(), begun)));
    return answer;
  } catch (error) {
    // The page changed its mind, the server did not go away.
    if (error.name === "AbortError") throw error;
    if (name === READ && await isLockedAlone()) return lockedAnswer();
    await Promise.race([Promise.allSettled([keeping, ...arriving]), new Promise((done) => setTimeout(done, 5000))]);
    const kept = await keptAnswer(event.request, name, key);
    if (!kept) return unreachable();
    return marked(new URL(event.request.url).pathname === "/api/notes" ? await withKeptNotes(kept) : kept);
  }
}

const keptPage = async (event) => (await (await caches.open(SHELL)).match("/")) ?? serverFirst(event, SHELL, "/");

/// The kept answer to a request that does not reach the server; undefined if it was not kept.
async function keptAnswer(request, name, key) {
  const read = await (await caches.open(name)).match(key, { ignoreVary: true });
  if (name !== READ) return read;
  if (isNote(request)) {
    const note = await answerNote(noteIn(request));
    const other = await read?.clone().json();
    return note && !(other?.revision > note.revision) ? answerOf(note) : read;
  }
  const list = await suggestKept(request) ?? await listAtHand(request);
  // A list that was read may have older notes, unless all are at hand.
  return (list && (isSuggestion(request) || (await factsOfNotes()).isWhole) ? list : read ?? list) ?? await searchKept(request);
}

/// What stands before the server says that nobody answers behind it, or that nothing is there; what the server refuses itself,
/// it says in JSON.
const isOfProxy = (answer, name) => (answer.status >= 502 || (answer.status === 404 && name === READ)) && !isJSON(answer);

/// Where one signs in, perhaps: nothing that one reads of the server is a page.
const isHTML = (answer) => Boolean(answer.headers.get("Content-Type")?.startsWith("text/html"));

/// Answers that the page has and the cache has not yet: what was on the screen is there when the network goes away.
const arriving = new Set();

/// A file may take long, and nothing else waits for it.
function soonKept(answer, kept) {
  if (!isJSON(answer)) return kept;
  const ended = kept.finally(() => arriving.delete(ended));
  arriving.add(ended);
  return ended;
}

/// What was asked for before a note was deleted for good, and names it, is not kept.
async function keepAnswer(name, key, answer, begun) {
  const gone = [...deletedAt].filter(([, at]) => at > begun).map(([id]) => id);
  if (gone.length > 0 && await names(answer.clone(), gone)) return;
  await (isNote(answer) ? keepRead(answer, begun) : keep(name, key, answer));
}

async function keep(name, key, answer) {
  const cache = await caches.open(name);
  await cache.put(key, answer);
  if (name !== READ || Math.random() > 0.02) return;
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_KEPT)).map((old) => cache.delete(old)));
}

// MARK: - Notes

/// When the kept answer of a note came in, and its revision. Nothing is under way when the worker starts.
const cameIn = new Map();
let moment = 0;
let keeping = Promise.resolve();

const isNote = (request) => NOTE.test(new URL(request.url).pathname);

/// The page hears that it is saved when it is kept here too.
async function save(request) {
  const begun = ++moment;
  const answer = await fetch(request);
  if (answer.ok || answer.status === 409) {
    const body = await answer.clone().json().catch(() => null);
    await keepNote(body?.note ?? body?.newer ?? body, begun);
  }
  return answer;
}

const keepRead = async (answer, begun) => keepNote(await answer.json().catch(() => null), begun);

/// What was asked for before the kept answer came in may be older than it.
function keepNote(note, begun) {
  if (!note?.id || note.revision === undefined) return keeping;
  const path = `/api/notes/${note.id}`;
  const known = cameIn.get(path);
  if (known?.at > begun && known.revision > note.revision) return keeping;
  cameIn.set(path, { at: ++moment, revision: note.revision });
  keeping = keeping.then(() => Promise.all([putNote(path, note), keepAtHand(note)]));
  return keeping;
}

/// A note goes to the trash, or comes back from there.
const isPuttingAway = (method, { pathname, searchParams }) =>
  (method === "DELETE" && NOTE.test(pathname) && !searchParams.get("forever")) || (method === "POST" && (pathname === "/api/notes/trash" || /^\/api\/notes\/[^/]+\/restore$/.test(pathname)));

/// What was kept of it before is read again when somebody asks for it: it says that the note is where it was.
async function putAway(event) {
  const { request } = event;
  const several = request.method === "POST" ? request.clone() : null;
  const answer = await fetch(request);
  if (answer.ok) event.waitUntil(forgetKept(noteIn(request) ? [noteIn(request)] : (await several?.json().catch(() => null))?.notes ?? []));
  return answer;
}

function forgetKept(ids) {
  keeping = keeping.then(() => caches.open(READ)).then((cache) => Promise.all(ids.map((id) => cache.delete(`/api/notes/${id}`)))).catch(() => {});
  return keeping.then(() => refreshAtHand(ids)).catch(() => {});
}

async function putNote(path, note) {
  try {
    await keep(READ, path, new Response(JSON.stringify(note), { headers: { "Content-Type": "application/json" } }));
  } catch {
    // The browser has no room: no text is better than one that is not the latest.
    await caches.open(READ).then((cache) => cache.delete(path)).catch(() => {});
  }
}

/// A list that was read before its notes were saved says what they say now.
async function withKeptNotes(answer) {
  const list = await answer.json();
  const cache = await caches.open(READ);
  const newer = async (row) => {
    const note = await (await cache.match(`/api/notes/${row.id}`))?.json();
    if (!note || !(note.modified > row.modified)) return row;
    const { hits, ...others } = row;
    return { ...others, title: note.title, modified: note.modified, excerpt: beginning(note.document) };
  };
  const rows = await Promise.all(list.rows.map(newer));
  return new Response(JSON.stringify({ ...list, rows }), { headers: answer.headers });
}

const beginning = (node) => withoutLongRemarks((node?.content ?? []).slice(0, 60)).map(wordsShown).join(" ").replace(/\s+/g, " ").trim().slice(0, 200);

// MARK: - Remarks

/// What a writer says to herself is no part of what lists show; see Remark.swift.
const REMARK = /(?<=^|\s)%%(?!%)[^]+?%%(?=$|[\s.,;:!?)\]])/g;

const isCode = ({ marks = [] }) => marks.some(({ type }) => type === "code" || type === "link");

/// The letters of a line, with another in the place of those that cannot be a sign.
const lettersOf = ({ content = [] }) => content.map((piece) => (piece.text === undefined ? "\n" : isCode(piece) ? "\uFFFC".repeat(piece.text.length) : piece.text)).join("");

function wordsShown(node) {
  const { type, text, content = [] } = node;
  if (text !== undefined) return text;
  if (!content.some((inner) => inner.text !== undefined)) return content.map(wordsShown).join(" ");
  const words = content.map((piece) => piece.text ?? "\n").join("");
  if (type === "codeBlock" || !words.includes("%%")) return words;
  let shown = "";
  let at = 0;
  for (const { index, 0: remark } of lettersOf(node).matchAll(REMARK)) {
    shown += words.slice(at, index);
    at = index + remark.length;
  }
  return shown + words.slice(at);
}

/// Blocks without those from a paragraph that begins with `%%` to one that ends with it.
function withoutLongRemarks(blocks) {
  const ends = blocks.map(endsOfLongRemark);
  const kept = [];
  for (let index = 0; index < blocks.length; index++) {
    const last = ends[index].opens ? ends.findIndex(({ closes }, other) => other > index && closes) : -1;
    if (last < 0) kept.push(blocks[index]);
    else index = last;
  }
  return kept;
}

function endsOfLongRemark(block) {
  if (block.type !== "paragraph") return { opens: false, closes: false };
  const letters = lettersOf(block).trimEnd();
  const remarks = [...letters.matchAll(REMARK)];
  const end = remarks.length > 0 ? remarks.at(-1).index + remarks.at(-1)[0].length : null;
  return { opens: /^%%(?!%)/.test(letters) && remarks[0]?.index !== 0, closes: letters.endsWith("%%") && end !== letters.length };
}

// MARK: - Searching what is kept

/// The notes that were read lately, and those of lists as far as these say how they begin, by words, "phrases" and
/// -words; null for what is no search.
async function searchKept(request) {
  const url = new URL(request.url);
  const text = url.searchParams.get("text");
  if (url.pathname !== "/api/notes" || !text) return null;
  const terms = [...text.matchAll(/(-?)(?:"([^"]*)"?|(\S+))/g)].map(([, minus, phrase, word]) => ({ isWanted: !minus, words: plain(phrase ?? word) })).filter(({ words }) => words);
  const isMeant = (words) => terms.every(({ isWanted, words: wanted }) => isWanted === words.includes(wanted));
  const atHand = new Set(await idsAtHand());
  const notes = new Map();
  for (const one of await notesAndRows()) if (!atHand.has(one.id) && !notes.get(one.id)?.document) notes.set(one.id, one);
  const read = [...notes.values()].map((note) => ({ note, text: note.document ? everyWord(note.document) : note.excerpt ?? "" }))
    .filter(({ note, text }) => !note.trashed && isMeant(plain(`${note.title} ${text}`)))
    .map(({ note }) => ({ ...note, excerpt: note.document ? beginning(note.document) : note.excerpt, attachment: Boolean(note.attachment), hits: { title: [], excerpt: [] } }));
  const found = [...read, ...await rowsWithWords(isMeant)].sort((one, other) => other.modified.localeCompare(one.modified));
  return pageOf(found, url.searchParams);
}

const isSuggestion = (request) => ["/api/suggest", "/api/references"].includes(new URL(request.url).pathname);

/// Notes whose titles have the text, and folders and keywords, as far as kept notes, lists and the overview tell of them;
/// those that begin with it first. Null for what asks for something else.
async function suggestKept(request) {
  if (new URL(request.url).pathname !== "/api/suggest") return null;
  const { searchParams } = new URL(request.url);
  const text = plain(searchParams.get("text") ?? "").trim();
  const limit = Number(searchParams.get("limit") ?? 20);
  const named = (things, name) => things
    .map((thing) => ({ thing, at: plain(thing[name]).indexOf(text) })).filter(({ at }) => at >= 0)
    .sort((one, other) => (one.at > 0) - (other.at > 0)).map(({ thing }) => thing).slice(0, limit);
  const overview = await (await (await caches.open(READ)).match("/api/overview"))?.json();
  const notes = named(await titlesKept(), "title").map(({ id, title, folder }) => ({ id, title, folder: folder?.name ?? folder ?? null, alias: null }));
  const answer = { notes, folders: named(overview?.folders ?? [], "name"), keywords: named(overview?.keywords.top ?? [], "name") };
  return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
}

/// Notes and the rows of lists, each note once, those that were changed last first.
async function titlesKept() {
  const notes = new Map();
  for (const one of [...await notesAndRows(), ...await rowsAtHand()]) if (!(notes.get(one.id)?.modified > one.modified)) notes.set(one.id, one);
  return [...notes.values()].filter(({ title, trashed }) => title && !trashed).sort((one, other) => other.modified.localeCompare(one.modified));
}

/// Every note that is kept, and every row of the lists that are, which may be of the same notes.
async function notesAndRows() {
  const cache = await caches.open(READ);
  const found = [];
  for (const request of await cache.keys()) {
    const url = new URL(request.url);
    if (!isNote(request) && (url.pathname !== "/api/notes" || url.searchParams.get("in") === "trash")) continue;
    // What is forgotten or read again meanwhile is not searched.
    const answer = await (await cache.match(request))?.json();
    if (answer) found.push(...(answer.rows ?? [answer]));
  }
  return found;
}

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function everyWord(node) {
  if (node?.text !== undefined) return node.text;
  return (node?.content ?? []).map(everyWord).join(["doc", "bulletList", "orderedList", "taskList", "blockquote", "table", "callout", "footnote"].includes(node?.type) ? " " : "");
}

// MARK: - Deleted for good

/// When it was heard that a note is deleted.
const deletedAt = new Map();
const MOST_ASKED = 2_000;
const IDENTIFIER = /^[0-9a-f-]{36}$/;

const fileIn = (request) => /^\/api\/files\/([0-9a-f-]{36})/.exec(new URL(request.url).pathname)?.[1];
const noteIn = (request) => /^\/api\/notes\/([0-9a-f-]{36})/.exec(new URL(request.url).pathname)?.[1];

/// Deleting for good, emptying the trash and taking back, which may delete again, are heard of here.
async function erase(event) {
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(forgetDeleted());
  return answer;
}

/// Asks the server which of the kept notes, or of some notes, are there still, and forgets the others.
async function forgetDeleted(among) {
  await keeping;
  const gone = await deleted(among ?? [...await keptNotes()]);
  if (gone.length === 0) return;
  for (const id of gone) deletedAt.set(id, ++moment);
  const kept = await keptNotes();
  await forget(gone.filter((id) => kept.has(id)));
}

async function deleted(notes) {
  const gone = [];
  for (let first = 0; first < notes.length; first += MOST_ASKED) {
    const some = notes.slice(first, first + MOST_ASKED);
    const body = JSON.stringify({ notes: some });
    const answer = await fetch("/api/notes/known", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    if (!answer?.ok) return gone;
    const known = new Set((await answer.json()).notes);
    gone.push(...some.filter((id) => !known.has(id)));
  }
  return gone;
}

/// The notes that are kept, and those that a kept list or note names: it says how they begin.
async function keptNotes() {
  const cache = await caches.open(READ);
  const notes = new Set(await idsAtHand());
  for (const request of await cache.keys()) {
    if (noteIn(request)) notes.add(noteIn(request));
    const answer = await cache.match(request);
    if (isJSON(answer)) addNamed(await answer.json().catch(() => null), notes);
  }
  return notes;
}

function addNamed(value, notes) {
  if (value === null || typeof value !== "object") return;
  if (IDENTIFIER.test(value.id) && typeof value.title === "string") notes.add(value.id);
  Object.values(value).forEach((inner) => addNamed(inner, notes));
}

/// Forgets notes with everything that was kept of them; what names them besides is read anew or forgotten too.
function forget(ids) {
  if (ids.length === 0) return keeping;
  keeping = keeping.then(() => drop(ids)).catch(() => {});
  return keeping;
}

async function drop(ids) {
  const cache = await caches.open(READ);
  for (const id of ids) cameIn.delete(`/api/notes/${id}`);
  await dropAtHand(ids);
  for (const request of await cache.keys()) {
    if (ids.includes(noteIn(request))) await cache.delete(request);
    else if (await names(await cache.match(request), ids)) await readAgain(cache, request);
  }
  await dropFiles(cache);
}

/// A picture or file that no kept text shows may have been in what was deleted, also where it was taken out before; another note
/// that shows it reads it again.
async function dropFiles(cache) {
  const requests = await cache.keys();
  const shown = new Set();
  for (const request of requests.filter(isNote)) {
    const note = await (await cache.match(request))?.json();
    for (const { id } of note?.files ?? []) shown.add(id);
  }
  const unneeded = requests.filter((request) => fileIn(request) && !shown.has(fileIn(request)));
  for (const request of unneeded) await cache.delete(request);
}

const isJSON = (answer) => Boolean(answer?.headers.get("Content-Type")?.startsWith("application/json"));

async function names(answer, ids) {
  if (!isJSON(answer)) return false;
  const text = await answer.text();
  return ids.some((id) => text.includes(id));
}

async function readAgain(cache, request) {
  await cache.delete(request);
  const answer = await fetch(request.url).catch(() => null);
  // In a browser without room the others are forgotten all the same.
  if (answer?.status === 200) await cache.put(request, answer).catch(() => {});
}

// MARK: - Answers

function marked(answer) {
  const headers = new Headers(answer.headers);
  headers.set("X-Slipbox-Kept", "yes");
  return new Response(answer.body, { status: answer.status, headers });
}

function unreachable() {
  return new Response(JSON.stringify({ error: "Slipbox cannot be reached, and this was not read lately." }), {
    status: 503,
    headers: { "Content-Type": "application/json", "X-Slipbox-Kept": "no" },
  });
}

async function dropOld() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("slipbox-") && name !== SHELL && name !== READ && name !== LOCK);
  await Promise.all(old.map((name) => caches.delete(name)));
  // Earlier versions have kept it.
  await caches.open(READ).then((cache) => cache.delete(SECRET, { ignoreVary: true }));
}
