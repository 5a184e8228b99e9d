// Notes that are open in tabs. The address is that of the active tab, as if there were no others.
//
//   tab   {key, trail, title, beside?, heading?, top?}   `trail` is the way through it (trail.js), `title` that of its note,
//                                                        `beside` the key of the tab that is side by side with it (pairs.js)
//
// One tab is always there; it is nothing that a writer sees.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { newID } from "../server/call.js";
import { keepTabs, keptTabs } from "./keptTabs.js";
import { indexOf, rowAt } from "./list.js";
import { mendPairs, pair, part, partnerIn, withPairsTogether } from "./pairs.js";
import { catchUp, go, locationIn, pathOf } from "./route.js";
import { state } from "./state.js";
import { goOn, hereIn, isSamePlace, stepIn, trailFrom } from "./trail.js";
import { holdForTabs } from "./untouched.js";

const MOST = 30;
const MOST_CLOSED = 20;
/// The page beside which there is room for a bar.
const room = matchMedia("(min-width: 45rem)");
const roomForTwo = matchMedia("(min-width: 62.5rem)");

export const tabs = { all: [tabAt({ place: "all", note: null })], active: null };
/// Tabs that were closed, the last one at the end: {tab, index}.
let closed = [];
/// The tab behind which the next one opens.
let newest = null;

tabs.active = tabs.all[0];

export const hasRoomForTabs = () => room.matches;
export const areTabsShown = () => room.matches && tabs.all.length > 1;
export const hasRoomForTwo = () => roomForTwo.matches;
roomForTwo.addEventListener("change", changed);
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
  // The note is open on the other side: one goes there.
  if (note && noteBeside() === note) activate(partnerOf(tabs.active));
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
    toast(say`${MOST} tabs are open. Close one to open another.`);
    return null;
  }
  const tab = { ...tabAt(location, title), heading };
  tabs.all.splice(tabs.all.indexOf(newest ?? tabs.active) + 1, 0, tab);
  tabs.all = withPairsTogether(tabs.all);
  newest = tab;
  keep();
  changed();
  return tab;
}

/// Brings a tab to the front; `replace` where the one before it is gone, or stays in sight.
export function showTab(tab, { replace = false, place = placeOf(tab).place } = {}) {
  activate(tab);
  go(place, placeOf(tab).note, { replace });
  catchUp();
  keep();
  changed();
}

/// Takes a tab away. The one that comes to the front is the next, or the last.
export function dropTab(tab) {
  const index = tabs.all.indexOf(tab);
  if (index < 0 || tabs.all.length < 2) return;
  const partner = partnerOf(tab);
  // It keeps the key of the other, and comes back to it.
  if (partner) partner.beside = undefined;
  tabs.all.splice(index, 1);
  closed = [...closed, { tab, index }].slice(-MOST_CLOSED);
  if (newest === tab) newest = null;
  keep();
  changed();
}

/// The tab that takes the place of one that closes.
export const nextTo = (tab) => partnerOf(tab) ?? tabs.all[tabs.all.indexOf(tab) + 1] ?? tabs.all[tabs.all.indexOf(tab) - 1];

/// Gives back the tab that was closed last, or null.
export function takeClosed() {
  if (closed.length === 0 || tabs.all.length >= MOST) return null;
  const { tab, index } = closed.pop();
  tabs.all.splice(Math.min(index, tabs.all.length), 0, tab);
  const partner = partnerOf(tab);
  tab.beside = undefined;
  if (partner && !partner.beside && placeOf(partner).note !== placeOf(tab).note) pair(tabs.all, tab, partner);
  tabs.all = withPairsTogether(tabs.all);
  return tab;
}

/// Moves a tab, and the one beside it along; where it goes past that one, they change sides.
export function moveTab(tab, to) {
  const partner = partnerOf(tab);
  const isSwap = partner && Math.abs(to - tabs.all.indexOf(tab)) <= 1 && tabs.all.indexOf(partner) === to;
  const moved = isSwap || !partner ? [tab] : tabs.all.filter((one) => one === tab || one === partner);
  const others = tabs.all.filter((one) => !moved.includes(one));
  // Past the other one there is a place less.
  const past = moved.length > 1 && to > tabs.all.indexOf(tab) ? to - 1 : to;
  const index = Math.max(0, Math.min(past, others.length));
  tabs.all = withPairsTogether([...others.slice(0, index), ...moved, ...others.slice(index)]);
  keep();
  changed();
}

// MARK: - Side by side

export const partnerOf = (tab) => partnerIn(tabs.all, tab);

/// The note that is beside the one of the active tab, or null.
export function noteBeside() {
  const partner = partnerOf(tabs.active);
  const note = partner && placeOf(partner).note;
  return note && note !== placeOf(tabs.active).note ? note : null;
}

/// The tabs that are on the desk, from left to right: two, or the active one where there is room for one only.
export function tabsInSight() {
  const partner = room.matches && roomForTwo.matches && !state.mode ? partnerOf(tabs.active) : null;
  return partner ? tabs.all.filter((tab) => tab === tabs.active || tab === partner) : [tabs.active];
}

export function pairTabs(tab, other) {
  pair(tabs.all, tab, other);
  tabs.all = withPairsTogether(tabs.all);
  keep();
  changed();
}

export function partTabs(tab) {
  part(tabs.all, tab);
  keep();
  changed();
}

// MARK: - Back and forward

/// Where the way through the active tab leads, or undefined. A note that is on the other side is no step.
export const stepOfTab = (by) => stepIn(tabs.active.trail, stepsOfTab(by));

function stepsOfTab(by) {
  const beside = noteBeside();
  let steps = by;
  while (beside && stepIn(tabs.active.trail, steps)?.note === beside) steps += by;
  return steps;
}

/// Goes along the way through the active tab; without other tabs this is the browser's own way.
export function goAlong(by) {
  if (!areTabsShown()) return history.go(by);
  const steps = stepsOfTab(by);
  const there = stepIn(tabs.active.trail, steps);
  if (!there) return;
  tabs.active.trail.at += steps;
  Object.assign(tabs.active, { title: null, heading: undefined, top: undefined });
  go(there.place, there.note);
  catchUp();
}

// MARK: - The beginning

/// Takes up the tabs that were open when this page was loaded, or when the program was last used.
export async function beginTabs() {
  const { kept, isOfPage } = await keptTabs(MOST);
  if (!kept) return startAlone();
  Object.assign(tabs, { all: mendPairs(kept.all), active: kept.active });
  if (!location.hash) history.replaceState({ from: null }, "", pathOf(placeOf(tabs.active).place, placeOf(tabs.active).note));
  else if (!isOfPage) comeTo(locationIn(location.hash));
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

function keep() {
  keepTabs(tabs);
  holdForTabs(notesBehind());
}
