// What the pages know: the place, the note, and what the server has told of all places.

import { keptText } from "../view/keptTexts.js";
import { say } from "../view/say.js";

export const state = {
  /// "all", "favourites", "recent", "unfiled", "trash", "folder:ID" or "keyword:ID"
  place: "all",
  noteID: null,
  /// the column a phone shows: "side", "list" or "page"
  column: "list",
  isWriting: false,
  /// null, "focus" or "reading"
  mode: null,
  /// whether the facts of notes are unfolded
  areFactsTold: keptText("facts") === "told",
  overview: null,
  reachable: true,
  waiting: 0,
};

export const PLACES = [
  { id: "all", name: say`All notes`, icon: "layers" },
  { id: "favourites", name: say`Favourites`, icon: "star" },
  { id: "recent", name: say`Recent`, icon: "clock" },
  { id: "unfiled", name: say`Unfiled`, icon: "inbox" },
  { id: "trash", name: say`Trash`, icon: "trash-2" },
];

export const STATUSES = [
  { id: "draft", name: say`Draft` },
  { id: "review", name: say`Review` },
  { id: "archived", name: say`Archived` },
];

/// A draft is what every new note is: that says something only where others are none.
export const saysStatus = (note) => note.status !== "draft" || state.overview?.usesStatuses === true;

export function folderOf(place) {
  if (!place?.startsWith("folder:")) return null;
  return folderWith(place.slice(7)) ?? null;
}

let byID = { folders: null, all: new Map() };

function folderWith(id) {
  const folders = state.overview?.folders ?? [];
  if (byID.folders !== folders) byID = { folders, all: new Map(folders.map((folder) => [folder.id, folder])) };
  return byID.all.get(id);
}

export function keywordOf(place) {
  if (!place?.startsWith("keyword:")) return null;
  return state.overview?.keywords.top.find((keyword) => keyword.id === place.slice(8)) ?? null;
}

export function nameOf(place) {
  if (place.startsWith("folder:")) return folderOf(place)?.name ?? say`Folder`;
  if (place.startsWith("keyword:")) return keywordOf(place)?.name ?? say`Keyword`;
  return PLACES.find((known) => known.id === place)?.name ?? say`Notes`;
}
