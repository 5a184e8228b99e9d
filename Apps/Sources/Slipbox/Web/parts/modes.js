// Two ways to have the note alone: to write without anything else, and to read without writing.
//
//   focus     the text, and the line one writes in; all else is gone until Escape
//   reading   larger, and nothing can be changed by mistake

import { changed } from "../view/drawing.js";
import { state } from "../model/state.js";
import { openEditor, openField, page } from "./note.js";

export function setMode(mode) {
  if (!page.note) return;
  state.mode = state.mode === mode ? null : mode;
  openField().setEditable(!page.note.trashed && state.mode !== "reading");
  // At once: Tiptap's own command waits for a frame, and what is typed until then goes nowhere.
  if (state.mode === "focus") openEditor().view.focus();
  if (state.mode === "reading") document.querySelector(".page")?.focus({ preventScroll: true });
  changed();
}

export const leaveMode = () => setMode(state.mode);
