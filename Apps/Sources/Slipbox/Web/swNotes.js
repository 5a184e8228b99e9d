// The notes that this browser keeps as a whole, to be read, searched and listed without a network.
//
//   notes   id ─▶ the note as the server gave it, and its words
//   rows    id ─▶ the note as a list shows it, and the notes that it links to
//   facts   when all was read, how much there is, whether it is wanted, notes that have to be read again
//
// The worker (sw.js) reads all notes once, the latest edits first, and then each note that it hears of.

const AT_HAND = "slipbox-notes";
/// So much of texts is kept in any case, in bytes as they arrive, and those of the last year beyond that.
const KEPT_BYTES = 50 << 20;
const YEAR = 366 * 86_400_000;
/// More is never kept.
const MOST_BYTES = 200 << 20;
/// As many are read one by one; for more of them, all notes are read.
const READ_SINGLY = 200;
/// So many records are in memory at once.
const AT_ONCE = 300;

let opened = null;

function openNotes() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(AT_HAND, 1);
    request.onupgradeneeded = () => {
      for (const name of ["notes", "rows"]) request.result.createObjectStore(name, { keyPath: "id" });
      request.result.createObjectStore("facts");
    };
    request.onsuccess = () => {
      request.result.onclose = () => (opened = null);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  }).catch((error) => {
    opened = null;
    throw error;
  });
  return opened;
}

const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/// Runs `work` with some stores; ends when all of it is written.
async function inNotes(names, mode, work) {
  const transaction = (await openNotes()).transaction(names, mode);
  const ended = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The notes could not be kept."));
  });
  // An error that nobody waits for yet is not one of the worker's.
  ended.catch(() => {});
  const result = await work(...names.map((name) => transaction.objectStore(name)));
  await ended;
  return result;
}

// MARK: - What is there

const FACTS = { isWanted: false, isWhole: false, count: 0, bytes: 0, total: 0, at: null, isFilling: false };

/// The facts as the page is told them. Without a database (a private window) there is nothing.
const factsOfNotes = () => inNotes(["facts"], "readonly", async (facts) => ({ ...FACTS, ...(await resultOf(facts.get("facts"))) })).catch(() => FACTS);

async function changeFacts(change) {
  const facts = await inNotes(["facts"], "readwrite", async (store) => {
    const known = { ...FACTS, ...(await resultOf(store.get("facts"))), ...change };
    store.put(known, "facts");
    return known;
  });
  for (const client of await self.clients.matchAll()) client.postMessage({ type: "atHand", facts });
  return facts;
}

const noteAtHand = async (id) => (await inNotes(["notes"], "readonly", (notes) => resultOf(notes.get(id))).catch(() => null))?.note ?? null;

const idsAtHand = () => inNotes(["rows"], "readonly", (rows) => resultOf(rows.getAllKeys())).catch(() => []);

const rowsAtHand = () => inNotes(["rows"], "readonly", (rows) => resultOf(rows.getAll())).catch(() => []);

/// The rows of the notes whose words pass a test.
async function rowsWithWords(isMeant) {
  const found = [];
  let last = null;
  try {
    for (;;) {
      const some = await inNotes(["notes"], "readonly", (notes) => resultOf(notes.getAll(last === null ? null : IDBKeyRange.lowerBound(last, true), AT_ONCE)));
      found.push(...some.filter(({ words }) => isMeant(words)).map(({ note }) => rowOfNote(note)));
      if (some.length < AT_ONCE) return found;
      last = some.at(-1).id;
    }
  } catch {
    return found;
  }
}

function rowOfNote(note) {
  const { id, title, status, favourite, pinned, created, modified, folder, keywords, properties, trashed } = note;
  return {
    id, title, status, favourite, pinned, created, modified, folder, keywords, properties, trashed, attachment: Boolean(note.attachment), excerpt: beginning(note.document),
    hits: { title: [], excerpt: [] }, linked: (note.links ?? []).map((link) => link.id),
  };
}

// MARK: - Keeping

/// Keeps notes, unless what is kept is newer; those in the trash are not kept.
async function putAtHand(notes) {
  await inNotes(["notes", "rows"], "readwrite", async (store, rows) => {
    for (const note of notes) {
      if (!note?.id || note.document === undefined) continue;
      if (note.trashed) {
        store.delete(note.id);
        rows.delete(note.id);
        continue;
      }
      const known = await resultOf(store.get(note.id));
      if (known?.note.revision > note.revision) continue;
      // A portion has no backlinks; they are computed when the note is read.
      store.put({ id: note.id, note: { ...note, backlinks: [] }, words: plain(`${note.title} ${everyWord(note.document)} ${(note.properties ?? []).map(({ value }) => value).join(" ")}`), at: Date.now() });
      rows.put(rowOfNote(note));
    }
  });
}

const dropAtHand = (ids) => inNotes(["notes", "rows"], "readwrite", async (notes, rows) => {
  for (const id of ids) {
    notes.delete(id);
    rows.delete(id);
  }
}).catch(() => {});

/// Keeps a note that was read or saved by itself.
async function keepAtHand(note) {
  if ((await factsOfNotes()).isWanted) await putAtHand([note]).catch(noteNoRoom);
}

/// A browser without room keeps what it has, and says so.
const noteNoRoom = () => changeFacts({ isFull: true }).catch(() => {});

// MARK: - Reading all of them

let filling = null;

/// Reads all notes, if they are wanted; what was there and is not any more is forgotten.
function fill() {
  filling ??= fillAll().catch(noteNoRoom).finally(() => {
    filling = null;
    return changeFacts({ isFilling: false }).catch(() => {});
  });
  return filling;
}

async function fillAll() {
  if (!(await factsOfNotes()).isWanted) return;
  const begun = Date.now();
  await changeFacts({ isFilling: true, isFull: false });
  const seen = new Set();
  let [place, bytes, total] = [null, 0, 0];
  for (;;) {
    const answer = await fetch(`/api/offline${place ? `?after=${encodeURIComponent(place)}` : ""}`).catch(() => null);
    // Another time: what has been read stays.
    if (!answer?.ok || !isJSON(answer)) return;
    const text = await answer.text();
    const portion = JSON.parse(text);
    bytes += text.length;
    total = portion.total;
    await putAtHand(portion.notes);
    for (const { id } of portion.notes) seen.add(id);
    if (!(await factsOfNotes()).isWanted) return;
    await changeFacts({ count: seen.size, bytes, total });
    place = portion.next;
    const last = portion.notes.at(-1);
    if (!place || bytes > MOST_BYTES) break;
    if (bytes > KEPT_BYTES && Date.parse(last?.modified ?? "") < begun - YEAR) break;
  }
  const gone = (await idsAtHand()).filter((id) => !seen.has(id));
  // Notes that came in meanwhile are newer than the portions.
  const old = [];
  for (const id of gone) if (!((await recordAtHand(id))?.at > begun)) old.push(id);
  await dropAtHand(old);
  const isWhole = !place;
  await changeFacts({ isWhole, at: new Date(begun).toISOString(), count: (await idsAtHand()).length, bytes, total });
  // The places and folders, without which the page would open empty.
  const overview = await fetch("/api/overview").catch(() => null);
  if (overview?.ok && isJSON(overview)) await keep(READ, "/api/overview", overview);
}

const recordAtHand = (id) => inNotes(["notes"], "readonly", (notes) => resultOf(notes.get(id))).catch(() => null);

/// Reads notes again that others have changed. What cannot be read now is read when the worker hears of the next.
async function refreshAtHand(ids) {
  const facts = await factsOfNotes();
  if (!facts.isWanted) return;
  if (!facts.at) return fill();
  const stale = await inNotes(["facts"], "readwrite", async (store) => {
    const all = [...new Set([...((await resultOf(store.get("stale"))) ?? []), ...ids])];
    store.put(all, "stale");
    return all;
  });
  const left = new Set(stale);
  if (stale.length > READ_SINGLY) {
    await fill();
    left.clear();
  }
  for (const id of [...left]) {
    const answer = await fetch(`/api/notes/${id}`).catch(() => null);
    if (!answer || (answer.status !== 200 && answer.status !== 404)) break;
    if (answer.status === 404 && isJSON(answer)) await dropAtHand([id]);
    if (answer.status === 200 && isJSON(answer)) await putAtHand([await answer.json()]).catch(noteNoRoom);
    left.delete(id);
  }
  await inNotes(["facts"], "readwrite", async (store) => store.put([...left], "stale"));
  if (left.size === 0) await changeFacts({ at: new Date().toISOString(), count: (await idsAtHand()).length });
}

/// Begins to keep all notes, or forgets them.
async function wantNotes(isWanted) {
  const facts = await factsOfNotes();
  if (!isWanted) {
    await inNotes(["notes", "rows", "facts"], "readwrite", async (...stores) => stores.forEach((store) => store.clear()));
    return changeFacts(FACTS);
  }
  if (!facts.isWanted) await changeFacts({ isWanted: true });
  // A fill that was cut short goes on at the next start.
  if (!facts.at) return fill();
  return refreshAtHand([]);
}

// MARK: - Answering in the server's place

const answerOf = (value) => new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } });

/// A note with those that link to it; null if it is not at hand.
async function answerNote(id) {
  const note = await noteAtHand(id);
  if (!note) return null;
  const backlinks = (await rowsAtHand()).filter(({ linked }) => linked.includes(id)).map((row) => ({ id: row.id, title: row.title, context: "" }));
  return { ...note, backlinks };
}

/// A list without a search, made of the rows; null if it is of another kind, or not all notes are at hand.
async function listAtHand(request) {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== "/api/notes" || searchParams.get("text") || searchParams.get("token")) return null;
  const facts = await factsOfNotes();
  if (!facts.isWanted || !facts.at) return null;
  const rows = await rowsAtHand();
  const isThere = placeTest(searchParams.get("in") ?? "all", rows);
  if (!isThere) return null;
  return pageOf(rows.filter(isThere).sort(orderOf(searchParams.get("sort"))), searchParams);
}

/// Returns a test whether a row belongs to a place; null for places whose notes are not kept.
function placeTest(place, rows) {
  const [kind, id] = place.split(":");
  switch (kind) {
    case "all": return () => true;
    case "favourites": return ({ favourite }) => favourite;
    case "recent": return ({ modified }) => Date.parse(modified) >= Date.now() - 7 * 86_400_000;
    case "unfiled": return ({ folder }) => !folder;
    case "folder": return ({ folder }) => folder?.id === id;
    case "keyword": {
      const name = rows.flatMap(({ keywords }) => keywords).find((keyword) => keyword.id === id)?.name.toLowerCase();
      const isBelow = (keyword) => keyword.id === id || (name !== undefined && keyword.name.toLowerCase().startsWith(`${name}/`));
      return ({ keywords }) => keywords.some(isBelow);
    }
    default: return null;
  }
}

function orderOf(sort) {
  const pinned = (compare) => (one, other) => Boolean(other.pinned) - Boolean(one.pinned) || compare(one, other);
  const byTitle = (one, other) => one.title.localeCompare(other.title, undefined, { sensitivity: "base", numeric: true });
  if (sortOfProperty(sort)) return pinned(byProperty(sort));
  switch (sort) {
    case "dateAscending": return pinned((one, other) => one.created.localeCompare(other.created));
    case "dateDescending": return pinned((one, other) => other.created.localeCompare(one.created));
    case "titleAscending": return pinned(byTitle);
    case "titleDescending": return pinned((one, other) => byTitle(other, one));
    default: return pinned((one, other) => other.modified.localeCompare(one.modified));
  }
}

/// The name of the property that an order is by; null for other orders.
const sortOfProperty = (sort) => /^property(?:A|De)scending:(.*)$/.exec(sort ?? "")?.[1] ?? null;

const propertyOf = ({ properties = [] }, name) => properties.find((one) => plain(one.name) === plain(name)) ?? null;

/// By a value, as the server has it: checkboxes, dates, numbers, texts; those without one last.
function byProperty(sort) {
  const [name, sign] = [sortOfProperty(sort), sort.startsWith("propertyA") ? 1 : -1];
  const ranks = { checkbox: 0, date: 1, number: 2 };
  const keyOf = (row) => {
    const { kind, value } = propertyOf(row, name) ?? {};
    return value ? [ranks[kind] ?? 3, kind === "number" ? Number(value) : plain(value)] : null;
  };
  return (one, other) => {
    const [first, second] = [keyOf(one), keyOf(other)];
    if (!first || !second) return Boolean(second) - Boolean(first);
    if (first[0] !== second[0]) return sign * (first[0] - second[0]);
    return sign * (first[1] < second[1] ? -1 : first[1] > second[1] ? 1 : 0);
  };
}

function pageOf(rows, searchParams) {
  const offset = Number(searchParams.get("offset") ?? 0);
  const column = searchParams.get("column");
  const some = rows.slice(offset, offset + Number(searchParams.get("limit") ?? 60))
    .map(({ linked, properties, ...row }) => ({ ...row, property: column ? propertyOf({ properties }, column) : null }));
  return answerOf({ version: "kept", total: rows.length, offset, rows: some, sections: [{ name: "", title: "", count: rows.length }] });
}
