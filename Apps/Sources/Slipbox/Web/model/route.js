// Where we are stands in the address: #/place/note. So Back works, and a reload comes back here.

import { changed } from "../view/drawing.js";
import { list } from "./list.js";
import { state } from "./state.js";

let arrive = () => {};
/// The address that was read last.
let shown = "";

export function openRoute(onArrival) {
  arrive = onArrival;
  addEventListener("hashchange", (event) => {
    // An entry is new as long as it does not know where it came from.
    if (!history.state) history.replaceState({ from: new URL(event.oldURL).hash }, "");
    catchUp();
  });
  if (!location.hash) history.replaceState({ from: null }, "", "#/all");
  read();
}

/// The browser tells of a new address later, and of a key that was pressed behind a click perhaps before it.
export function catchUp() {
  if (location.hash !== shown) read();
}

export const pathOf = (place, note) => (note ? `#/${place}/${note}` : `#/${place}`);

export function go(place, note = null, { replace = false } = {}) {
  const path = pathOf(place, note);
  if (location.hash === path) return;
  if (replace) {
    history.replaceState(history.state, "", path);
    read();
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

function read() {
  shown = location.hash;
  const [, place, note] = location.hash.split("/").map(decoded);
  state.column = note ? "page" : place ? "list" : "side";
  const placeBefore = state.place;
  const noteBefore = state.noteID;
  if (place) state.place = place;
  // Going back to the folders (#/) leaves the place and its note as they were.
  if (place) state.noteID = note ?? null;
  arrive({ isNewPlace: state.place !== placeBefore, isNewNote: state.noteID !== noteBefore });
  changed();
}
