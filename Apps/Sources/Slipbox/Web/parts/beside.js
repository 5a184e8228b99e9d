// Two notes side by side: two tabs that are on the desk together, and the line between them.

import { changed } from "../view/drawing.js";
import { keepText, keptText } from "../view/keptTexts.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { toast } from "../view/toast.js";
import { catchUp, go } from "../model/route.js";
import { showAt } from "../model/shownAt.js";
import { state } from "../model/state.js";
import { addTab, hasRoomForTwo, pairTabs, partnerOf, partTabs, placeOf, showTab, tabs, tabsInSight } from "../model/tabs.js";
import { showNotes } from "./opening.js";
import { front } from "./panes.js";
import { openBesideWith } from "./paneTold.js";
import { openBesideFrom, openSwitcher } from "./switcher.js";
import { bringToFront, closeTab, tabInFrontSoon } from "./tabActs.js";
import { switchWriting } from "./typing.js";

const tabOf = (pane) => (pane === front() ? tabs.active : partnerOf(tabs.active));

// MARK: - Acts

/// Opens a note on the other side, which comes if there is only one. `heading` is that of a link.
export function openBeside(note, { title = null, heading, place = state.place } = {}) {
  const { active } = tabs;
  const from = place === "trash" ? "all" : place;
  if (placeOf(active).note === note) return void toast(say`This note is open on this side.`);
  // On a desk without a note there is room for it.
  if (!placeOf(active).note) return go(from, note);
  const partner = partnerOf(active);
  if (partner) return openIn(partner, { place: from, note, heading });
  const known = tabs.all.find((tab) => placeOf(tab).note === note && !tab.beside);
  const tab = known ?? addTab({ place: from, note }, { title });
  if (tab) putBeside(Object.assign(tab, { heading }));
}

function openIn(tab, { place, note, heading }) {
  if (placeOf(tab).note === note && !heading) return bringToFront(tab);
  switchWriting(note, () => {
    showAt({ note, heading });
    enter(tab);
    go(place, note);
    catchUp();
  });
}

/// Puts a tab beside the one in front, and goes there.
export function putBeside(tab) {
  if (placeOf(tab).note === placeOf(tabs.active).note) return void toast(say`This note is open on this side.`);
  pairTabs(tabs.active, tab);
  bringToFront(tab);
}

async function chooseBeside() {
  const note = await openSwitcher({ title: say`Open beside`, notesOnly: true, without: state.noteID });
  if (note) openBeside(note.id, { title: note.title });
}

/// Gives what opens a note beside; null where there is no room.
export const besideActFor = (note, more) => (hasRoomForTwo() ? () => openBeside(note, more) : null);

/// For the keys: undefined where there is nothing to do.
export const chooseBesideAct = () => (hasRoomForTwo() && state.noteID ? chooseBeside : undefined);
export const otherSideAct = () => (partnerOf(tabInFrontSoon()) ? goToOtherSide : undefined);

function goToOtherSide() {
  const tab = partnerOf(tabInFrontSoon());
  if (tab) bringToFront(tab);
  if (tab === tabs.active) front().focusText();
}

/// Where there is room for one side only, the tab of the other one, or null.
export function hiddenSide() {
  const tab = state.mode || tabsInSight().length > 1 ? null : partnerOf(tabs.active);
  return tab && placeOf(tab).note ? tab : null;
}

/// Somebody points or goes into a side: the commands are about it from then on. The list stays.
export function enterSide(pane) {
  if (pane === front()) return;
  catchUp();
  const tab = partnerOf(tabs.active);
  if (tab && pane !== front()) enter(tab);
}

const enter = (tab) => showTab(tab, { replace: true, place: state.place });

export function closeSide(pane) {
  closeTab(tabOf(pane));
  queueMicrotask(() => queueMicrotask(() => document.activeElement === document.body && front().focus()));
}

export function endSides(tab = tabs.active) {
  partTabs(tab);
  showNotes();
}

/// The entries about sides in the menu of the note in front.
export function sideItems() {
  if (!hasRoomForTwo() || !state.noteID) return [];
  const choose = { name: say`Open a note beside…`, icon: "columns", keys: "Alt B", run: chooseBeside };
  if (!partnerOf(tabs.active)) return [choose];
  return [
    choose,
    { name: say`Go to the other side`, icon: "arrow-right", keys: "Alt X", run: goToOtherSide },
    { name: say`End side by side`, icon: "square", run: () => endSides() },
  ];
}

openBesideWith(() => (hasRoomForTwo() ? openBeside : null));
openBesideFrom((note) => openBeside(note.id, { title: note.title }));

// MARK: - The line between them

/// In percent of the desk, for the side on the left.
const LEAST = 25;
const MOST = 75;
const STEP = 2;

let share = readShare();

function readShare() {
  const kept = Number(keptText("sides"));
  return kept >= LEAST && kept <= MOST ? kept : 50;
}

export const shareOfLeft = () => share;

function setShare(wanted) {
  const now = Math.round(Math.max(LEAST, Math.min(MOST, wanted)));
  if (now === share) return;
  share = now;
  keepText("sides", String(share));
  changed();
}

export const dividerView = (left) => html`
  <div class="divider" role="separator" tabindex="0" aria-orientation="vertical" aria-label=${say`Width of the left side`} aria-controls=${left.idOf("pane")}
    aria-valuemin=${LEAST} aria-valuemax=${MOST} aria-valuenow=${share} aria-valuetext=${say`${share} percent`} title=${say`Drag, or arrow keys; double-click for the middle`}
    @keydown=${press} @pointerdown=${drag} @dblclick=${() => setShare(50)}></div>`;

function press(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const by = event.shiftKey ? 5 * STEP : STEP;
  const wanted = { ArrowLeft: share - by, ArrowRight: share + by, Home: LEAST, End: MOST, Enter: 50 }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  setShare(wanted);
}

function drag(event) {
  if (event.button !== 0) return;
  const divider = event.currentTarget;
  const desk = divider.parentElement.getBoundingClientRect();
  divider.setPointerCapture(event.pointerId);
  const move = ({ clientX }) => setShare(((clientX - desk.left) / desk.width) * 100);
  const end = () => {
    divider.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) divider.removeEventListener(name, end);
  };
  divider.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) divider.addEventListener(name, end);
}
