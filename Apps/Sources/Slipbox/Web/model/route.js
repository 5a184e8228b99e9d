// Where we are stands in the address: #/place/note. So Back works, and a reload comes back here.

import { changed } from "../view/drawing.js";
import { list } from "./list.js";
import { state } from "./state.js";

let arrive = () => {};
/// Hears of each visit, and returns the tab that the entry of the history belongs to.
let visit = () => undefined;
/// The address that was read last.
let shown = "";

/// `onVisit({place, note, how, tab})` hears of each place before `onArrival`; `how` is "new", "replaced" or "again", which
/// is an entry that the history had before.
export function openRoute(onArrival, onVisit) {
  arrive = onArrival;
  visit = onVisit;
  addEventListener("hashchange", (event) => {
    const from = new URL(event.oldURL).hash;
    if (location.hash !== shown) enter(from);
    // An entry that replaces a new one keeps the place where that came from.
    else if (history.state?.from === undefined) history.replaceState({ ...history.state, from }, "");
  });
  if (!location.hash) history.replaceState({ from: null }, "", "#/all");
  read("again");
}

/// The browser tells of a new address later, and of a key that was pressed behind a click perhaps before it.
export function catchUp() {
  if (location.hash !== shown) enter(shown);
}

/// An entry is new as long as it does not know where it came from.
function enter(from) {
  const isNew = !history.state;
  if (isNew) history.replaceState({ from }, "");
  read(isNew ? "new" : "again");
}

export const pathOf = (place, note) => (note ? `#/${place}/${note}` : `#/${place}`);

export function go(place, note = null, { replace = false } = {}) {
  const path = pathOf(place, note);
  if (location.hash === path) return;
  if (replace) {
    history.replaceState(history.state, "", path);
    read("replaced");
  } else {
    location.hash = path;
  }
}

/// One column back, where not all of them fit.
export const backToList = () => backTo(pathOf(state.place));
export const backToFolders = () => backTo("#/");

/// Where we came from is gone back to, so that the browser's own Back does not lead here again.
function backTo(path) {
  if (history.state?.from === path) history.back();
  else location.hash = path;
}

/// An address may have been cut off in the middle of a letter.
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/// The place and the note that an address names.
export function locationIn(hash) {
  const [, place, note] = hash.split("/").map(decoded);
  return { place: place || null, note: note || null };
}

function read(how) {
  shown = location.hash;
  const { place, note } = locationIn(location.hash);
  state.column = note ? "page" : place ? "list" : "side";
  const placeBefore = state.place;
  const noteBefore = state.noteID;
  if (place) state.place = place;
  // Going back to the folders (#/) leaves the place and its note as they were.
  if (place) {
    state.noteID = note;
    const tab = visit({ place, note, how, tab: history.state?.tab });
    if (history.state?.tab !== tab) history.replaceState({ ...history.state, tab }, "");
  }
  arrive({ isNewPlace: state.place !== placeBefore, isNewNote: state.noteID !== noteBefore });
  changed();
}
