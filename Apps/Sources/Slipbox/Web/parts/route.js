// Where we are stands in the address: #/place/note. So Back works, and a reload comes back here.

import { changed, state } from "./state.js";

let arrive = () => {};

export function openRoute(onArrival) {
  arrive = onArrival;
  addEventListener("hashchange", read);
  if (!location.hash) history.replaceState(null, "", "#/all");
  read();
}

export const pathOf = (place, note) => (note ? `#/${place}/${note}` : `#/${place}`);

export function go(place, note = null, { replace = false } = {}) {
  const path = pathOf(place, note);
  if (location.hash === path) return;
  if (replace) {
    history.replaceState(null, "", path);
    read();
  } else {
    location.hash = path;
  }
}

/// One column back, where not all of them fit.
export const backToList = () => (location.hash = pathOf(state.place));
export const backToFolders = () => (location.hash = "#/");

function read() {
  const [, place, note] = location.hash.split("/").map(decodeURIComponent);
  state.column = note ? "page" : place ? "list" : "side";
  const placeBefore = state.place;
  const noteBefore = state.noteID;
  if (place) state.place = place;
  // Going back to the folders (#/) leaves the place and its note as they were.
  if (place) state.noteID = note ?? null;
  arrive({ isNewPlace: state.place !== placeBefore, isNewNote: state.noteID !== noteBefore });
  changed();
}
