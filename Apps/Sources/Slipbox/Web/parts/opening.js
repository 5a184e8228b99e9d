// The notes that the address and the tabs name come into the panes.

import { blankNote } from "../server/blankNote.js";
import { newID } from "../server/call.js";
import { marksIn } from "../model/marks.js";
import { go } from "../model/route.js";
import { nameOf, state } from "../model/state.js";
import { noteBeside } from "../model/tabs.js";
import { isGone, remember } from "../model/untouched.js";
import { refreshAll } from "../acts/acts.js";
import { makeWithKeyword } from "./making.js";
import { chooseFront, front, leaveReading, otherOf } from "./panes.js";
import { focusNote, giveUpUnlessComing, isWanted } from "./typing.js";

/// Opens the note of the address in the pane in front, and the one beside it in the other.
export function showNotes() {
  const { noteID } = state;
  // Back leads to a note that nobody wrote in.
  if (noteID && isGone(noteID)) return go(state.place, null, { replace: true });
  const beside = noteBeside();
  const pane = chooseFront(noteID, beside);
  if (pane.id !== noteID || (noteID && pane.note?.id !== noteID)) openInFront(pane, noteID);
  const other = otherOf(pane);
  // Where it could not be read, it is tried again.
  if (other.id !== beside || (other.problem && beside)) other.open(beside);
}

async function openInFront(pane, id) {
  const wasInNote = document.activeElement?.closest(".page") !== null;
  if (!id || pane.note?.id === id) return pane.open(id);
  try {
    await pane.open(id);
  } finally {
    // Another opening may have overtaken this one; where that is of the same note, it brings the focus.
    const hasCome = pane === front() && pane.id === id && !pane.isLoading;
    if (!hasCome) giveUpUnlessComing(id);
    else if (wasInNote || isWanted(id)) requestAnimationFrame(() => focusNote(id));
  }
}

export async function newNote() {
  leaveReading();
  const id = newID();
  const { place } = state;
  const folder = place.startsWith("folder:") ? { id: place.slice(7), name: nameOf(place) } : null;
  const marks = marksIn(place);
  const keyword = place.startsWith("keyword:") ? place.slice(8) : null;
  remember(id, { folder: folder?.id ?? null, keyword, ...marks });
  const making = makeWithKeyword({ id, title: "", folder, ...marks }, keyword);
  // It is written from this moment on: what is typed while the server hears of it must not go elsewhere.
  const pane = front();
  pane.showNew(blankNote({ id, folder, marks }));
  pane.draft.begin(making);
  state.column = "page";
  go(place === "trash" ? "all" : place, id);
  await null;
  pane.title.focus();
  await making;
  refreshAll();
}
