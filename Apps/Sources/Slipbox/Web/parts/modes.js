// Two ways to have the note alone: to write without anything else, and to read without writing.
//
//   focus     the text, and the line one writes in; all else is gone until Escape
//   reading   larger, and nothing can be changed by mistake

import { changed } from "../view/drawing.js";
import { state } from "../model/state.js";
import { front, showWhetherWritable } from "./panes.js";

export function setMode(mode) {
  const pane = front();
  if (!pane.note) return;
  state.mode = state.mode === mode ? null : mode;
  showWhetherWritable();
  // At once: Tiptap's own command waits for a frame, and what is typed until then goes nowhere.
  if (state.mode === "focus") pane.editor.view.focus();
  if (state.mode === "reading") pane.focus();
  changed();
}

export const leaveMode = () => setMode(state.mode);

// MARK: - The line in the middle

/// Whether the caret was moved by keys last; who points somewhere wants to find it there.
let isByKeys = false;

addEventListener("keydown", () => (isByKeys = true), true);
addEventListener("pointerdown", () => (isByKeys = false), true);
document.addEventListener("selectionchange", () => state.mode === "focus" && isByKeys && requestAnimationFrame(keepLineInMiddle));

function keepLineInMiddle() {
  const { editor, scroller } = front();
  const view = editor?.view;
  if (state.mode !== "focus" || !view?.hasFocus() || !scroller) return;
  const { head } = view.state.selection;
  const { top, bottom } = view.coordsAtPos(head);
  const room = scroller.getBoundingClientRect();
  scroller.scrollTop += (top + bottom) / 2 - (room.top + room.height * 0.45);
}
