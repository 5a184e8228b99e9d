// Places in the text where something comes that takes its time: a file that is sent, a text whose Markdown is read.

import { pm } from "../vendor/editor.js";

const { TextSelection } = pm.state;

/// `settle(view)` reads what was typed this very moment; `leftBehind()` hears of what came too late for its note.
export function waitingPlaces(editor, settle, leftBehind) {
  /// Places that wait for something, in the order of their waiting, and the one in which it is put now.
  const waiting = new Set();
  let filled = null;

  function wait(at) {
    const place = { at };
    waiting.add(place);
    return place;
  }

  /// They move with the text: what is typed at a place stands behind what comes there, and so does what was asked for later.
  function move({ mapping }) {
    let isBehind = false;
    for (const place of waiting) {
      place.at = mapping.map(place.at, isBehind ? 1 : -1);
      isBehind ||= place === filled;
    }
  }

  /// Runs `work`, and then `put` with its result and where the place is by then, if the same note is open still. Whoever
  /// has written on meanwhile goes on there: the caret stays.
  async function later(at, work, put) {
    const { opened } = editor;
    const { anchor, head } = editor.state.selection;
    const places = [at, anchor, head].map(wait);
    try {
      const result = await work();
      settle(editor.view);
      if (result === null) return;
      if (editor.opened !== opened || !editor.isEditable) return leftBehind();
      const { selection } = editor.state;
      const isElsewhere = selection.anchor !== places[1].at || selection.head !== places[2].at;
      if (isElsewhere) places.push(wait(selection.anchor), wait(selection.head));
      filled = places[0];
      put(result, Math.min(filled.at, editor.state.doc.content.size));
      if (isElsewhere) goBack(places[3].at, places[4].at);
      else showCaret();
    } finally {
      filled = null;
      for (const place of places) waiting.delete(place);
    }
  }

  function goBack(anchor, head) {
    const { doc, tr } = editor.state;
    editor.view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head))).scrollIntoView());
  }

  /// Not where the focus has gone to something else meanwhile.
  function showCaret() {
    if (document.activeElement?.closest(".side, .list, dialog, input, textarea")) return;
    editor.view.focus();
    editor.commands.scrollIntoView();
  }

  return { later, move };
}
