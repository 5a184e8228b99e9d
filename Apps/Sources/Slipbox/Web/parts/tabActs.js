// Opens, shows and closes tabs.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { titleOf } from "../view/words.js";
import { get, Refused, Unreachable } from "../server/call.js";
import { withWaiting } from "../server/outbox.js";
import { go } from "../model/route.js";
import { showAt } from "../model/shownAt.js";
import { nameOf, state } from "../model/state.js";
import { addTab, areTabsShown, dropTab, moveTab, nameTabs, nextTo, notesBehind, partnerOf, placeOf, showTab, tabs, tabsInSight, takeClosed } from "../model/tabs.js";
import { tidyUp } from "../acts/tidying.js";
import { showNotes } from "./opening.js";
import { openPanes, paneOf } from "./panes.js";
import { isSwitchWaiting, switchWriting } from "./typing.js";

/// The words that a screen reader speaks when a tab opens behind the one in front.
let told = "";
export const toldOfTabs = () => told;

export const nameOfTab = (tab) => {
  const { place, note } = placeOf(tab);
  if (!note) return nameOf(place);
  const open = paneOf(note)?.note;
  if (open) return titleOf(open);
  return tab.title === null ? "…" : titleOf(tab);
};

/// Opens a note in a tab of its own: behind the one in front, or as that one.
export function openInTab(note, { title = null, heading, isBehind = false, place = state.place } = {}) {
  const tab = addTab({ place: place === "trash" ? "all" : place, note }, { title, heading });
  if (!tab) return;
  if (!isBehind) return bringToFront(tab);
  told = say`${nameOfTab(tab)} is open in a tab`;
  if (title === null) readTitles([note]);
}

/// The tab that will be in front as soon as what was typed before is in its note.
let coming = null;
export const tabInFrontSoon = () => (isSwitchWaiting() && coming) || tabs.active;

/// Brings a tab to the front, where it was left; what is typed from now on is for its note.
export function bringToFront(tab, settings) {
  if (!tabs.all.includes(tab)) return;
  coming = tab;
  switchWriting(placeOf(tab).note, () => {
    if (coming === tab) coming = null;
    if (!tabs.all.includes(tab)) return;
    for (const one of tabsInSight()) one.top = paneOf(placeOf(one).note)?.top ?? one.top;
    const unseen = [tab, partnerOf(tab)].filter((one) => one && (one.heading || !paneOf(placeOf(one).note)));
    showAt(...unseen.map((one) => ({ note: placeOf(one).note, heading: one.heading, top: one.top })));
    tab.heading = undefined;
    // A tab that was in sight is no step of the browser's Back.
    const isInSight = tabsInSight().includes(tab);
    showTab(tab, { ...(isInSight ? { replace: true, place: state.place } : {}), ...settings });
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
    showNotes();
  }
  tidyUp();
}

export function reopenTab() {
  const tab = takeClosed();
  if (tab) bringToFront(tab);
}

export function stepTab(by) {
  const { all } = tabs;
  bringToFront(all.at((all.indexOf(tabInFrontSoon()) + by) % all.length));
}

export const moveActive = (by) => moveTab(tabs.active, tabs.all.indexOf(tabs.active) + by);

/// The note in front is put away: its tab goes with it, unless it is the only one.
export function leaveOpen() {
  if (areTabsShown()) closeTab();
  else go(state.place);
}

export function closeOthers(tab) {
  bringToFront(tab);
  for (const other of tabs.all.filter((one) => one !== tab)) dropTab(other);
  showNotes();
  tidyUp();
}

// MARK: - Titles

/// Gives the titles of the open notes to their tabs.
export function followTitles() {
  for (const { note } of openPanes()) if (nameTabs(note.id, note.title ?? "")) changed();
}

/// Reads the titles of those of the notes that are in tabs behind; all of them without names.
export async function readTitles(changedNotes = null) {
  const wanted = new Set(notesBehind().filter((id) => !paneOf(id) && (!changedNotes || changedNotes.includes(id))));
  for (const id of wanted) {
    try {
      if (nameTabs(id, withWaiting(await get(`/notes/${encodeURIComponent(id)}`)).title ?? "")) changed();
    } catch (error) {
      // The tab keeps its title, and says when it is opened that the note is gone.
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    }
  }
}

