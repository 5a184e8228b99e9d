// The bar of the notes that are open beside each other, and what opens, shows, moves and closes them.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { html, keyed } from "../view/template.js";
import { commandKey, titleOf } from "../view/words.js";
import { get, Refused, Unreachable } from "../server/call.js";
import { withWaiting } from "../server/outbox.js";
import { go, locationIn } from "../model/route.js";
import { nameOf, state } from "../model/state.js";
import { addTab, areTabsShown, dropTab, goAlong, hasClosedTabs, hasRoomForTabs, moveTab, nameTabs, nextTo, notesBehind, placeOf, showTab, stepOfTab, tabs, takeClosed } from "../model/tabs.js";
import { page, showAt, switchWriting, tidyUp } from "./note.js";
import { openTabsWith, takeActs } from "./switcher.js";

/// The tab that the focus is on, where it is in the bar.
let focused = null;
/// The words that a screen reader speaks when a tab opens behind the one in front.
let said = "";
/// The tab that was in sight last.
let shown = null;

const nameOfTab = (tab) => {
  const { place, note } = placeOf(tab);
  if (!note) return nameOf(place);
  if (page.note?.id === note) return titleOf(page.note);
  return tab.title === null ? "…" : titleOf(tab);
};

// MARK: - Acts

/// Opens a note in a tab of its own: behind the one in front, or as that one.
export function openInTab(note, { title = null, heading, isBehind = false, place = state.place } = {}) {
  const tab = addTab({ place: place === "trash" ? "all" : place, note }, { title, heading });
  if (!tab) return;
  if (!isBehind) return bringToFront(tab);
  said = `${nameOfTab(tab)} is open in a tab`;
  if (title === null) readTitles([note]);
}

/// Brings a tab to the front, where it was left; what is typed from now on is for its note.
export function bringToFront(tab, settings) {
  if (!tabs.all.includes(tab)) return;
  const before = tabs.active;
  const { note } = placeOf(tab);
  switchWriting(note, () => {
    if (before !== tab) before.top = document.querySelector(".page-scroll")?.scrollTop;
    showAt({ note, heading: tab.heading, top: tab.top });
    tab.heading = undefined;
    showTab(tab, settings);
  });
}

export function closeTab(tab = tabs.active) {
  if (tabs.all.length < 2) return;
  if (tab === tabs.active) {
    const next = nextTo(tab);
    dropTab(tab);
    bringToFront(next, { replace: true });
  } else {
    dropTab(tab);
  }
  tidyUp();
}

export function reopenTab() {
  const tab = takeClosed();
  if (tab) bringToFront(tab);
}

export function stepTab(by) {
  const { all, active } = tabs;
  bringToFront(all.at((all.indexOf(active) + by) % all.length));
}

export const moveActive = (by) => moveTab(tabs.active, tabs.all.indexOf(tabs.active) + by);

/// The note in front is put away: its tab goes with it, unless it is the only one.
export function leaveOpen() {
  if (areTabsShown()) closeTab();
  else go(state.place);
}

function closeOthers(tab) {
  bringToFront(tab);
  for (const other of tabs.all.filter((one) => one !== tab)) dropTab(other);
  tidyUp();
}

// MARK: - Titles

/// Draws the title of the open note in its tabs, and brings the tab in front into sight.
export function followTabs() {
  if (page.note && nameTabs(page.note.id, page.note.title ?? "")) changed();
  if (shown === tabs.active || !areTabsShown()) return;
  shown = tabs.active;
  document.getElementById(`tab-${shown.key}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/// Reads the titles of those of the notes that are in tabs behind; all of them without names.
export async function readTitles(changedNotes = null) {
  const wanted = new Set(notesBehind().filter((id) => id !== page.note?.id && (!changedNotes || changedNotes.includes(id))));
  for (const id of wanted) {
    try {
      if (nameTabs(id, withWaiting(await get(`/notes/${encodeURIComponent(id)}`)).title ?? "")) changed();
    } catch (error) {
      // The tab keeps its title, and says when it is opened that the note is gone.
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    }
  }
}

// MARK: - The bar

export function tabsView() {
  if (!areTabsShown()) return null;
  const { all, active } = tabs;
  const stop = all.includes(focused) ? focused : active;
  return html`
    <div class="tab-bar">
      <button class="plain small" aria-label="Back in this tab" title=${`Back in this tab (${commandKey === "⌘" ? "⌘ [" : "Alt ←"})`} ?disabled=${!stepOfTab(-1)} @click=${() => goAlong(-1)}>${icon("arrow-left")}</button>
      <button class="plain small" aria-label="Forward in this tab" title=${`Forward in this tab (${commandKey === "⌘" ? "⌘ ]" : "Alt →"})`} ?disabled=${!stepOfTab(1)} @click=${() => goAlong(1)}>${icon("arrow-right")}</button>
      <div class="tabs" role="tablist" aria-label="Open notes" @keydown=${press} @focusout=${leave}>
        ${all.map((tab) => keyed(tab.key, tabView(tab, tab === active, tab === stop)))}
      </div>
      <button class="plain small" aria-label="All tabs" title="All tabs" aria-haspopup="menu" @click=${(event) => openMenu(event.currentTarget, listMenu(), "All tabs")}>${icon("chevron-down")}</button>
      <span class="sr" role="status">${said}</span>
    </div>`;
}

const tabView = (tab, isActive, isStop) => html`
  <div class="tab" role="tab" id=${`tab-${tab.key}`} aria-selected=${String(isActive)} aria-controls=${isActive && page.note ? "open-note" : null}
    tabindex=${isStop ? "0" : "-1"} title=${nameOfTab(tab)} @mousedown=${keepFocus} @mouseup=${keepFocus} @click=${(event) => click(event, tab)} @auxclick=${(event) => event.button === 1 && closeTab(tab)}
    @pointerdown=${(event) => beginMove(event, tab)} @focus=${() => (focused = tab)} @contextmenu=${contextMenu(() => tabMenu(tab), `Tab ${nameOfTab(tab)}`)}>
    <span class="tab-name">${nameOfTab(tab)}</span><span class="tab-close" aria-hidden="true" title="Close (Alt W)">${icon("x")}</span>
  </div>`;

/// A click on a tab puts the caret back into its note.
const keepFocus = (event) => event.button < 2 && event.preventDefault();

function click(event, tab) {
  if (event.target.closest(".tab-close")) closeTab(tab);
  else if (tab !== tabs.active) bringToFront(tab);
}

function leave(event) {
  if (event.currentTarget.contains(event.relatedTarget)) return;
  focused = null;
  changed();
}

function press(event) {
  const { all } = tabs;
  const at = all.findIndex(({ key }) => event.target.id === `tab-${key}`);
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const steps = { ArrowRight: (at + 1) % all.length, ArrowLeft: (at + all.length - 1) % all.length, Home: 0, End: all.length - 1 };
  if (event.key in steps) focusTab(all[steps[event.key]]);
  else if (event.key === "Enter" || event.key === " ") bringToFront(all[at]);
  else if (event.key === "Delete") closeWithKeys(all[at]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function focusTab(tab) {
  focused = tab;
  changed();
  queueMicrotask(() => queueMicrotask(() => document.getElementById(`tab-${tab.key}`)?.focus()));
}

function closeWithKeys(tab) {
  const next = nextTo(tab);
  closeTab(tab);
  if (areTabsShown()) focusTab(next);
  else queueMicrotask(() => document.querySelector(".page")?.focus({ preventScroll: true }));
}

const listMenu = () => [
  ...tabs.all.map((tab) => ({ name: nameOfTab(tab), isOn: tab === tabs.active, run: () => bringToFront(tab) })),
  "line",
  { name: "Reopen the closed tab", icon: "undo-2", keys: "Alt Shift W", isOff: !hasClosedTabs(), run: reopenTab },
  { name: "Close the other tabs", icon: "x", run: () => closeOthers(tabs.active) },
];

function tabMenu(tab) {
  const at = tabs.all.indexOf(tab);
  return [
    { name: "Close", icon: "x", keys: "Alt W", run: () => closeTab(tab) },
    { name: "Close the other tabs", icon: "x", run: () => closeOthers(tab) },
    "line",
    { name: "Move to the left", icon: "arrow-left", keys: "Alt Shift PgUp", isOff: at === 0, run: () => moveTab(tab, at - 1) },
    { name: "Move to the right", icon: "arrow-right", keys: "Alt Shift PgDn", isOff: at === tabs.all.length - 1, run: () => moveTab(tab, at + 1) },
    "line",
    { name: "Reopen the closed tab", icon: "undo-2", keys: "Alt Shift W", isOff: !hasClosedTabs(), run: reopenTab },
  ];
}

openTabsWith((note) => openInTab(note.id, { title: note.title }));
takeActs(() => [
  ...(areTabsShown() ? [
    { name: "Next tab", icon: "arrow-right", keys: "Alt PgDn", run: () => stepTab(1) },
    { name: "Previous tab", icon: "arrow-left", keys: "Alt PgUp", run: () => stepTab(-1) },
    { name: "Close the tab", icon: "x", keys: "Alt W", run: () => closeTab() },
    { name: "Close the other tabs", icon: "x", run: () => closeOthers(tabs.active) },
    ...tabs.all.filter((tab) => tab !== tabs.active).map((tab) => ({ name: `Tab: ${nameOfTab(tab)}`, icon: "file-text", run: () => bringToFront(tab) })),
  ] : []),
  hasRoomForTabs() && hasClosedTabs() && { name: "Reopen the closed tab", icon: "undo-2", keys: "Alt Shift W", run: reopenTab },
]);

// MARK: - Moving with the pointer

/// How far a pointer goes, in pixels, before it moves the tab.
const FAR = 6;

function beginMove(event, tab) {
  if (event.button !== 0 || event.pointerType === "touch" || event.target.closest(".tab-close")) return;
  const element = event.currentTarget;
  const from = event.clientX;
  let isMoving = false;
  const move = ({ clientX }) => {
    if (!isMoving && Math.abs(clientX - from) < FAR) return;
    if (!isMoving) element.setPointerCapture(event.pointerId);
    isMoving = true;
    const middles = [...element.parentElement.querySelectorAll(".tab")].filter((one) => one !== element)
      .map((one) => one.getBoundingClientRect()).map(({ left, width }) => left + width / 2);
    const to = middles.filter((middle) => middle < clientX).length;
    if (to !== tabs.all.indexOf(tab)) moveTab(tab, to);
  };
  const end = () => {
    element.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) element.removeEventListener(name, end);
    // The click behind it is not for the tab.
    if (isMoving) addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => (isMoving = false));
  };
  element.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, end);
}

// MARK: - Clicks on notes

/// A middle click on a row or a link, or a click on a link with Ctrl or ⌘, opens the note in a tab. In the list Ctrl chooses
/// several notes.
export function watchTabClicks() {
  for (const name of ["mousedown", "mouseup", "click", "auxclick"]) addEventListener(name, take, { capture: true });
}

function take(event) {
  const isMiddle = event.button === 1;
  const isWithKey = event.button === 0 && (commandKey === "⌘" ? event.metaKey : event.ctrlKey) && !event.altKey;
  if (!hasRoomForTabs() || !(isMiddle || isWithKey)) return;
  const found = noteAt(event.target, isMiddle);
  if (!found) return;
  // Without this, the browser pastes, scrolls or opens a page of its own.
  event.preventDefault();
  event.stopPropagation();
  if (event.type === (isMiddle ? "auxclick" : "click")) openInTab(found.id, { ...found, isBehind: !event.shiftKey });
}

function noteAt(element, isMiddle) {
  const row = isMiddle ? element.closest?.(".rows .row[id]") : null;
  if (row) return { id: row.id.replace(/^row-/, ""), title: null };
  const link = element.closest?.("a[href^='#/']");
  const { place, note } = locationIn(link?.getAttribute("href") ?? "");
  if (!note) return null;
  // A link in a text names no place of its own.
  return { id: note, heading: link.dataset.heading, place: link.closest(".text") ? state.place : place };
}
