// Notes that are open beside each other. The address is that of the active tab, as if there were no others.
//
//   tab   {key, trail, title, heading?, top?}       `trail` is the way through it (trail.js), `title` that of its note
//
// One tab is always there; it is nothing that a writer sees. The tab of the browser keeps its tabs for itself, and one of
// them keeps its tabs for the next start of the program.

import { changed } from "../view/drawing.js";
import { dropText, keepText, keepTextOfTab, keptText, textOfTab } from "../view/keptTexts.js";
import { toast } from "../view/toast.js";
import { newID } from "../server/call.js";
import { indexOf, rowAt } from "./list.js";
import { catchUp, go, locationIn, pathOf } from "./route.js";
import { goOn, hereIn, isSamePlace, readTrail, stepIn, trailFrom } from "./trail.js";

const MOST = 30;
const MOST_CLOSED = 20;
const KEPT = "tabs";
/// The page beside which there is room for a bar.
const room = matchMedia("(min-width: 45rem)");

export const tabs = { all: [tabAt({ place: "all", note: null })], active: null };
/// Tabs that were closed, the last one at the end: {tab, index}.
let closed = [];
/// The tab behind which the next one opens.
let newest = null;
/// Whether this page keeps its tabs for the next start.
let isKeeper = false;
/// Whether those that are kept are of this page.
let isMine = false;

tabs.active = tabs.all[0];

export const hasRoomForTabs = () => room.matches;
export const areTabsShown = () => room.matches && tabs.all.length > 1;
export const hasClosedTabs = () => closed.length > 0;
export const placeOf = (tab) => hereIn(tab.trail);
/// The notes of the tabs that are not in front.
export const notesBehind = () => tabs.all.filter((tab) => tab !== tabs.active).flatMap((tab) => placeOf(tab).note ?? []);

function tabAt(location, title = null) {
  return { key: newID(), trail: trailFrom(location), title };
}

// MARK: - Visits

/// A place came into the page; returns the key of the tab it belongs to.
export function visited({ place, note, how, tab: key }) {
  // The browser's Back leads to another tab, too.
  if (how === "again") activate(tabs.all.find((tab) => tab.key === key) ?? tabs.active);
  const { active } = tabs;
  if (placeOf(active).note !== note) Object.assign(active, { title: rowAt(indexOf(note))?.title ?? null, heading: undefined, top: undefined });
  goOn(active.trail, { place, note }, how);
  keep();
  return active.key;
}

function activate(tab) {
  if (tabs.active !== tab) newest = null;
  tabs.active = tab;
}

/// The title of a note, as it is known now.
export function nameTabs(note, title) {
  let isNew = false;
  for (const tab of tabs.all) {
    if (placeOf(tab).note !== note || tab.title === title) continue;
    tab.title = title;
    isNew = true;
  }
  if (isNew) keep();
  return isNew;
}

// MARK: - Opening and closing

/// Opens a tab behind the active one, or in front; null where there are too many. `heading` is that of a link.
export function addTab(location, { title = null, heading = undefined } = {}) {
  if (tabs.all.length >= MOST) {
    toast(`${MOST} tabs are open. Close one to open another.`);
    return null;
  }
  const tab = { ...tabAt(location, title), heading };
  tabs.all.splice(tabs.all.indexOf(newest ?? tabs.active) + 1, 0, tab);
  newest = tab;
  keep();
  changed();
  return tab;
}

/// Brings a tab to the front; `replace` where the one before it is gone.
export function showTab(tab, { replace = false } = {}) {
  activate(tab);
  const { place, note } = placeOf(tab);
  go(place, note, { replace });
  catchUp();
  keep();
  changed();
}

/// Takes a tab away. The one that comes to the front is the next, or the last.
export function dropTab(tab) {
  const index = tabs.all.indexOf(tab);
  if (index < 0 || tabs.all.length < 2) return;
  tabs.all.splice(index, 1);
  closed = [...closed, { tab, index }].slice(-MOST_CLOSED);
  if (newest === tab) newest = null;
  keep();
  changed();
}

/// The tab that takes the place of one that closes.
export const nextTo = (tab) => tabs.all[tabs.all.indexOf(tab) + 1] ?? tabs.all[tabs.all.indexOf(tab) - 1];

/// Gives back the tab that was closed last, or null.
export function takeClosed() {
  if (closed.length === 0 || tabs.all.length >= MOST) return null;
  const { tab, index } = closed.pop();
  tabs.all.splice(Math.min(index, tabs.all.length), 0, tab);
  return tab;
}

export function moveTab(tab, to) {
  const others = tabs.all.filter((one) => one !== tab);
  const index = Math.max(0, Math.min(to, others.length));
  tabs.all = [...others.slice(0, index), tab, ...others.slice(index)];
  keep();
  changed();
}

// MARK: - Back and forward

/// Where the way through the active tab leads, or undefined.
export const stepOfTab = (by) => stepIn(tabs.active.trail, by);

/// Goes along the way through the active tab; without other tabs this is the browser's own way.
export function goAlong(by) {
  if (!areTabsShown()) return history.go(by);
  const there = stepOfTab(by);
  if (!there) return;
  tabs.active.trail.at += by;
  Object.assign(tabs.active, { title: null, heading: undefined, top: undefined });
  go(there.place, there.note);
  catchUp();
}

// MARK: - Keeping

/// Takes up the tabs that were open when this page was loaded, or when the program was last used.
export async function beginTabs() {
  const mine = readTabs(textOfTab(KEPT));
  isKeeper = await becomesKeeper();
  const kept = mine ?? (isKeeper ? readTabs(keptText(KEPT)) : null);
  if (!kept) return startAlone();
  Object.assign(tabs, kept);
  isMine = isKeeper;
  if (!location.hash) history.replaceState({ from: null }, "", pathOf(placeOf(tabs.active).place, placeOf(tabs.active).note));
  else if (!mine) comeTo(locationIn(location.hash));
}

/// An address that leads to one place takes no other tab away.
function comeTo({ place, note }) {
  if (!place) return;
  const there = tabs.all.find((tab) => isSamePlace(placeOf(tab), { place, note }));
  const tab = there ?? (tabs.all.length < MOST ? addTab({ place, note }) : tabs.active);
  activate(tab);
}

function startAlone() {
  const { place, note } = locationIn(location.hash);
  if (place) tabs.active.trail = trailFrom({ place, note });
}

/// Of several pages in one browser, the one that came first keeps its tabs for the next start.
function becomesKeeper() {
  if (!navigator.locks) return true;
  const held = new Promise(() => {});
  return new Promise((tell) => {
    navigator.locks.request("slipbox-tabs", { ifAvailable: true }, (lock) => {
      tell(lock !== null);
      return lock ? held : navigator.locks.request("slipbox-tabs", () => {
        isKeeper = true;
        keep();
        return held;
      });
    });
  });
}

function keep() {
  const { all, active } = tabs;
  const text = all.length > 1 ? JSON.stringify({ active: all.indexOf(active), tabs: all.map(({ key, trail, title }) => ({ key, trail, title })) }) : null;
  keepTextOfTab(KEPT, text);
  if (!isKeeper || (!text && !isMine)) return;
  isMine = text !== null;
  if (text) keepText(KEPT, text);
  else dropText(KEPT);
}

/// Tabs that were kept; null for what another version, or somebody else, has put there.
function readTabs(text) {
  const kept = parsed(text);
  if (!Array.isArray(kept?.tabs)) return null;
  const all = kept.tabs.slice(0, MOST).flatMap(({ key, trail, title } = {}) => {
    const way = readTrail(trail);
    return way && typeof key === "string" ? [{ key, trail: way, title: typeof title === "string" ? title : null }] : [];
  });
  return all.length > 1 ? { all, active: all[kept.active] ?? all[0] } : null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
