// The list of notes, of which only windows are here: the server sorts, counts and sections.
//
// A list of 100,000 notes is `total`, its sections, and the few blocks of 60 rows that were looked at.

import { changed } from "../view/drawing.js";
import { keptText } from "../view/keptTexts.js";
import { say } from "../view/say.js";
import { get, isReachable, readings, Refused, Unreachable } from "../server/call.js";
import { translated } from "../server/sentences.js";
import { waitingNotes, withWaiting } from "../server/outbox.js";
import { sortedProperty } from "./properties.js";
import { isSearching, search, wordsOf } from "./searching.js";
import { folderOf, state } from "./state.js";

const BLOCK = 60;

const SORTS = [
  { id: "relevance", name: say`Best first`, isOfSearch: true },
  { id: "edited", name: say`Edited, newest first` },
  { id: "dateDescending", name: say`Created, newest first` },
  { id: "dateAscending", name: say`Created, oldest first` },
  { id: "titleAscending", name: say`Title A–Z` },
  { id: "titleDescending", name: say`Title Z–A` },
  { id: "day", name: say`By day` },
  { id: "status", name: say`By status` },
];

export const list = { total: null, sections: [], isLoading: false, problem: null, isRefused: false, isOfKept: false, advice: null, held: null, serial: 0 };

let blocks = new Map();
let underWay = new Map();
let query = "";
const beginReading = readings();
let watchHeld = () => false;
let beforeSwap = () => () => {};

/// `mayNotMove()` says that a pointer is over the list; `keepPlace()` notes where we are, and gives
/// what goes back there after rows came or went.
export function listWith({ mayNotMove, keepPlace }) {
  watchHeld = mayNotMove;
  beforeSwap = keepPlace;
}

/// What is searched for has an order of its own: the best first, unless somebody wants another.
export const sortKey = (place) => (isRanked() ? "sort:search" : `sort:${place}`);
const isRanked = () => isSearching() && wordsOf(search.text).length > 0;
export const sorts = () => SORTS.filter((sort) => isRanked() || !sort.isOfSearch);

export function sortOf(place) {
  const isOrder = (sort) => sortedProperty(sort) !== null || SORTS.some(({ id }) => id === sort);
  if (isRanked()) return isOrder(keptText(sortKey(place))) ? keptText(sortKey(place)) : "relevance";
  const wanted = folderOf(place)?.sort ?? keptText(`sort:${place}`);
  return isOrder(wanted) && wanted !== "relevance" ? wanted : "dateDescending";
}

/// The property that rows show: one that somebody has chosen for the place, else the one of the order.
export const columnKey = (place) => `column:${place}`;
export const columnOf = (place) => keptText(columnKey(place)) ?? sortedProperty(sortOf(place)) ?? "";

export const rowAt = (index) => blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK];

/// The place, the search and the order of the list that is shown, in one line.
export const shownQuery = () => query;

function currentQuery() {
  const parts = new URLSearchParams({ in: state.place, sort: sortOf(state.place) });
  if (search.text.trim()) parts.set("text", search.text.trim());
  if (search.tokens.length > 0) parts.set("token", search.tokens.join(","));
  if (isSearching()) parts.set("scope", search.scope);
  if (columnOf(state.place)) parts.set("column", columnOf(state.place));
  return parts.toString();
}

/// The readings of the whole list that are under way.
const comings = new Set();

/// Ends when no reading that is under way now can change the rows any more; null where none is.
export const listComing = () => (comings.size > 0 ? Promise.allSettled(comings) : null);

function comes(reading) {
  const ended = reading.finally(() => comings.delete(ended));
  comings.add(ended);
  return ended;
}

/// Another place, another search, another order: from the top.
export const openList = () => comes(readFromTheTop());

async function readFromTheTop() {
  const wanted = currentQuery();
  if (wanted === query && list.total !== null) return readAgain({});
  query = wanted;
  list.serial += 1;
  list.held = null;
  list.isLoading = true;
  list.problem = null;
  forget();
  changed();
  const isLatest = beginReading();
  try {
    const answer = await fetchBlock(0, query);
    if (isLatest()) adopt(answer, 0, new Map());
  } catch (error) {
    if (error.name === "AbortError" || query !== wanted) return;
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
    if (isLatest()) failed(error);
  }
  if (query === wanted) list.isLoading = false;
  list.serial += 1;
  changed();
}

function failed(error) {
  list.problem = error.message;
  list.isRefused = error instanceof Refused && error.status < 500;
  list.total = 0;
  list.sections = [];
  blocks = new Map();
}

let seen = [0, 0];

/// Sees to it that these rows come.
export function wantRows(first, last) {
  seen = [first, last];
  // What is scrolled while another list is opened is the one before it.
  if (list.total === null || list.isLoading) return;
  const from = Math.floor(first / BLOCK);
  const to = Math.floor(Math.min(last, list.total - 1) / BLOCK);
  for (const [block, request] of underWay) if (block < from || block > to) request.abort();
  for (let block = from; block <= to; block++) {
    if (blocks.has(block) || underWay.has(block)) continue;
    fetchBlock(block, query).then((answer) => take(answer, block), ignoreLost);
  }
}

function ignoreLost(error) {
  if (error.name === "AbortError" || error instanceof Unreachable || error instanceof Refused) return;
  throw error;
}

async function fetchBlock(block, of) {
  const request = new AbortController();
  underWay.set(block, request);
  try {
    const answer = await ask(of, block * BLOCK, BLOCK, request.signal);
    if (of !== query) throw new DOMException("Another list is shown.", "AbortError");
    return answer;
  } finally {
    if (underWay.get(block) === request) underWay.delete(block);
  }
}

/// What a search may have by the server, in bytes.
const MOST_BYTES = 1000;

/// An address that is too long the server refuses without a word, as if it were not there.
async function ask(of, offset, limit, signal) {
  const text = new URLSearchParams(of).get("text") ?? "";
  if (new TextEncoder().encode(text).length > MOST_BYTES) throw new Refused(400, { error: say`This search is too long.` });
  return get(`/notes?${of}&offset=${offset}&limit=${limit}`, signal);
}

function take(answer, block) {
  // Rows came or went between two windows: what is here no longer fits together.
  if (list.version !== undefined && areApart(answer, list)) return refreshList();
  blocks.set(block, answer.rows);
  forgetFarBlocks(block);
  changed();
}

/// What is kept was read at several times, and is the same whenever it is asked for again.
const areApart = (one, other) => one.version !== other.version && isReachable();

function forgetFarBlocks(near) {
  if (blocks.size <= 40) return;
  for (const block of blocks.keys()) if (Math.abs(block - near) > 15) blocks.delete(block);
}

function forget() {
  for (const request of underWay.values()) request.abort();
  underWay.clear();
}

/// The same list again. Rows that would move under the pointer wait (`list.held`) until it leaves.
export const refreshList = (how = {}) => comes(readAgain(how));

async function readAgain({ mayHold = false }) {
  if (!query) return;
  const of = query;
  const from = Math.floor(seen[0] / BLOCK);
  const to = Math.floor(Math.max(seen[0], seen[1] - 1) / BLOCK);
  const fresh = new Map();
  const isLatest = beginReading();
  let answer;
  try {
    for (let block = from; block <= to; block++) {
      const next = await ask(of, block * BLOCK, BLOCK);
      if (of !== query) return;
      if (answer && areApart(answer, next)) return readAgain({ mayHold });
      answer ??= next;
      fresh.set(block, next.rows);
      if ((block + 1) * BLOCK >= next.total) break;
    }
  } catch (error) {
    return ignoreLost(error);
  }
  // What one has done oneself is shown, also where a later answer overtook it and waits.
  if (!isLatest()) return mayHold || showHeld();
  // While another list is opened, the rows that stand there are not this one's.
  if (mayHold && !list.isLoading && watchHeld() && wouldMove(answer, fresh)) list.held = { answer, fresh };
  else swap({ answer, fresh });
  changed();
}

let soon;

/// One reading for a burst of events.
export function refreshListSoon() {
  clearTimeout(soon?.timer);
  soon?.end();
  comes(new Promise((end) => {
    soon = { end, timer: setTimeout(() => end(readAgain({ mayHold: true })), 200) };
  }));
}

export function showHeld() {
  if (!list.held) return;
  swap(list.held);
  changed();
}

function swap({ answer, fresh }) {
  const goBack = beforeSwap();
  list.held = null;
  adopt(answer, null, fresh);
  list.serial += 1;
  goBack();
}

function adopt(answer, block, fresh) {
  list.total = answer.total;
  list.sections = answer.sections;
  list.version = answer.version;
  // The worker has searched what it keeps; the server has more.
  list.isOfKept = answer.version === "kept";
  list.advice = answer.advice ? translated(answer.advice) : null;
  list.problem = null;
  blocks = fresh;
  if (block !== null) blocks.set(block, answer.rows);
}

function wouldMove(answer, fresh) {
  if (answer.total !== list.total) return true;
  for (const [block, rows] of fresh) {
    const old = blocks.get(block);
    if (old && rows.some((row, index) => row.id !== old[index]?.id)) return true;
  }
  return false;
}

// MARK: - Rows as they will be

export const shownRow = (row) => row && withWaiting(row);

/// Notes made while nobody answered: on top, until the server has them.
export function unsentRows() {
  if (isSearching() || state.place === "trash") return [];
  return waitingNotes().filter((note) => !note.trashed && isIn(state.place, note));
}

function isIn(place, { folder, favourite, keywords }) {
  if (place.startsWith("folder:")) return folder?.id === place.slice(7);
  if (place.startsWith("keyword:")) return keywords.some(({ id }) => id === place.slice(8));
  if (place === "favourites") return Boolean(favourite);
  return place !== "unfiled" || !folder;
}

/// Where a note stands, if its row is here.
export function indexOf(id) {
  for (const [block, rows] of blocks) {
    const at = rows.findIndex((row) => row.id === id);
    if (at >= 0) return block * BLOCK + at;
  }
  return -1;
}

/// Every row of the list, also those that were not looked at; null when another list is shown meanwhile.
export const everyRow = () => rowsBetween(0, list.total - 1);

/// The rows from one place in the list to another, in the same way.
export async function rowsBetween(first, last) {
  const of = query;
  const rows = [];
  for (let at = first; at <= last && rowAt(at); at++) rows.push(rowAt(at));
  while (rows.length <= last - first) {
    const answer = await ask(of, first + rows.length, Math.min(500, last - first + 1 - rows.length));
    if (of !== query) return null;
    if (answer.rows.length === 0) break;
    rows.push(...answer.rows);
  }
  return rows;
}

export function rowsOf(ids) {
  const found = [];
  for (const rows of blocks.values()) for (const row of rows) if (ids.has(row.id)) found.push(row);
  return found;
}
