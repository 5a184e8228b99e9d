// The bar of the notes that are open in tabs.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { commandKey } from "../view/words.js";
import { areTabsShown, goAlong, hasClosedTabs, hasRoomForTabs, hasRoomForTwo, moveTab, nextTo, partnerOf, placeOf, stepOfTab, tabs, tabsInSight } from "../model/tabs.js";
import { endSides, putBeside } from "./beside.js";
import { front, paneOf } from "./panes.js";
import { openTabsWith, takeActs } from "./switcher.js";
import { bringToFront, closeOthers, closeTab, nameOfTab, openInTab, reopenTab, stepTab, tabInFrontSoon, toldOfTabs } from "./tabActs.js";

/// The tab that the focus is on, where it is in the bar.
let focused = null;
/// The tab that was in sight last.
let shown = null;

/// Brings the tab in front into sight.
export function followTabs() {
  if (shown === tabs.active || !areTabsShown()) return;
  shown = tabs.active;
  document.getElementById(`tab-${shown.key}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// MARK: - The bar

export function tabsView() {
  if (!areTabsShown()) return null;
  const { all, active } = tabs;
  const stop = all.includes(focused) ? focused : active;
  return html`
    <div class="tab-bar">
      <button class="plain small" aria-label=${say`Back in this tab`} title=${say`Back in this tab (${commandKey === "⌘" ? "⌘ [" : "Alt ←"})`} ?disabled=${!stepOfTab(-1)} @click=${() => goAlong(-1)}>${icon("arrow-left")}</button>
      <button class="plain small" aria-label=${say`Forward in this tab`} title=${say`Forward in this tab (${commandKey === "⌘" ? "⌘ ]" : "Alt →"})`} ?disabled=${!stepOfTab(1)} @click=${() => goAlong(1)}>${icon("arrow-right")}</button>
      <div class="tabs" role="tablist" aria-label=${say`Open notes`} @keydown=${press} @focusout=${leave}>
        ${all.map((tab) => keyed(tab.key, tabView(tab, tab === active, tab === stop)))}
      </div>
      <button class="plain small" aria-label=${say`All tabs`} title=${say`All tabs`} aria-haspopup="menu" @click=${(event) => openMenu(event.currentTarget, listMenu(), say`All tabs`)}>${icon("chevron-down")}</button>
      <span class="sr" role="status">${toldOfTabs()}</span>
    </div>`;
}

const tabView = (tab, isActive, isStop) => html`
  <div class=${`tab ${sideOf(tab)}`.trim()} role="tab" id=${`tab-${tab.key}`} aria-selected=${String(isActive)} aria-controls=${controlledBy(tab)}
    tabindex=${isStop ? "0" : "-1"} title=${nameOfTab(tab)} @mousedown=${keepFocus} @mouseup=${keepFocus} @click=${(event) => click(event, tab)} @auxclick=${(event) => event.button === 1 && closeTab(tab)}
    @pointerdown=${(event) => beginMove(event, tab)} @focus=${() => (focused = tab)} @contextmenu=${contextMenu(() => tabMenu(tab), say`Tab ${nameOfTab(tab)}`)}>
    ${sideOf(tab).startsWith("left") ? icon("columns") : null}<span class="tab-name">${nameOfTab(tab)}</span><span class="tab-close" aria-hidden="true" title=${say`Close (Alt W)`}>${icon("x")}</span>
  </div>`;

/// Tabs that are side by side are next to each other, and one thing to look at.
function sideOf(tab) {
  const partner = partnerOf(tab);
  if (!partner) return "";
  const side = tabs.all.indexOf(tab) < tabs.all.indexOf(partner) ? "left" : "right";
  return partner === tabs.active && tabsInSight().includes(tab) ? `${side} beside` : side;
}

/// The text that a tab on the desk is about.
function controlledBy(tab) {
  const pane = tabsInSight().includes(tab) ? paneOf(placeOf(tab).note) : null;
  return pane ? pane.idOf("open-note") : null;
}

/// A click on a tab puts the caret back into its note.
const keepFocus = (event) => event.button < 2 && event.preventDefault();

function click(event, tab) {
  if (event.target.closest(".tab-close")) closeTab(tab);
  else if (tab !== tabInFrontSoon()) bringToFront(tab);
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
  else queueMicrotask(() => front().focus());
}

const listMenu = () => [
  ...tabs.all.map((tab) => ({ name: nameOfTab(tab), isOn: tab === tabs.active, run: () => bringToFront(tab) })),
  "line",
  { name: say`Reopen the closed tab`, icon: "undo-2", keys: "Alt Shift W", isOff: !hasClosedTabs(), run: reopenTab },
  { name: say`Close the other tabs`, icon: "x", run: () => closeOthers(tabs.active) },
];

function tabMenu(tab) {
  const at = tabs.all.indexOf(tab);
  return [
    { name: say`Close`, icon: "x", keys: "Alt W", run: () => closeTab(tab) },
    { name: say`Close the other tabs`, icon: "x", run: () => closeOthers(tab) },
    ...besideItems(tab),
    "line",
    { name: say`Move to the left`, icon: "arrow-left", keys: "Alt Shift PgUp", isOff: at === 0, run: () => moveTab(tab, at - 1) },
    { name: say`Move to the right`, icon: "arrow-right", keys: "Alt Shift PgDn", isOff: at === tabs.all.length - 1, run: () => moveTab(tab, at + 1) },
    "line",
    { name: say`Reopen the closed tab`, icon: "undo-2", keys: "Alt Shift W", isOff: !hasClosedTabs(), run: reopenTab },
  ];
}

function besideItems(tab) {
  if (partnerOf(tab)) return ["line", { name: say`End side by side`, icon: "square", run: () => endSides(tab) }];
  const isBesideFront = hasRoomForTwo() && tab !== tabs.active && placeOf(tab).note && placeOf(tabs.active).note;
  return isBesideFront ? ["line", { name: say`Open beside`, icon: "columns", run: () => putBeside(tab) }] : [];
}

openTabsWith((note) => openInTab(note.id, { title: note.title }));
takeActs(() => [
  ...(areTabsShown() ? [
    { name: say`Next tab`, icon: "arrow-right", keys: "Alt PgDn", run: () => stepTab(1) },
    { name: say`Previous tab`, icon: "arrow-left", keys: "Alt PgUp", run: () => stepTab(-1) },
    { name: say`Close the tab`, icon: "x", keys: "Alt W", run: () => closeTab() },
    { name: say`Close the other tabs`, icon: "x", run: () => closeOthers(tabs.active) },
    ...tabs.all.filter((tab) => tab !== tabs.active).map((tab) => ({ name: say`Tab: ${nameOfTab(tab)}`, icon: "file-text", run: () => bringToFront(tab) })),
  ] : []),
  hasRoomForTabs() && hasClosedTabs() && { name: say`Reopen the closed tab`, icon: "undo-2", keys: "Alt Shift W", run: reopenTab },
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
