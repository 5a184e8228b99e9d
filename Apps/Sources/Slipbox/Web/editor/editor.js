// The field a note is written in: Tiptap, with our schema, completion, marks of what was searched for.

import { Dropcursor, Editor, Gapcursor, Placeholder, UndoRedo, pm } from "../vendor/editor.js";
import { completion } from "./completion.js";
import { difference } from "./difference.js";
import { chosenMatch, find, findingPlugin, selectChosen, step, tally } from "./finding.js";
import { Staying } from "./indenting.js";
import { linkBubble, openLink } from "./linking.js";
import { isPicture, readPasted } from "./pasting.js";
import { extensions, fromJSON, isSafe, noteOf, toJSON } from "./schema.js";

const { EditorState, Plugin, PluginKey, Selection } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const found = new PluginKey("found");

/// `told` hears: change(), look() (the selection moved), openNote(id), pictures(files, elsewhere),
/// goAbove(); finds, names and creates notes.
export function noteEditor(element, told) {
  const links = completion({ find: told.findNotes, create: told.createNote });
  const bubble = linkBubble(element, told);
  const hint = hintIn(element);
  let pasted = null;
  const editor = new Editor({
    element,
    extensions: [...extensions, Staying, UndoRedo, Dropcursor, Gapcursor, Placeholder.configure({ placeholder: "Write… [[ links to a note" })],
    injectCSS: false,
    editorProps: {
      attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Text of the note", "aria-describedby": hint.id, class: "ProseMirror", spellcheck: "true" },
      handleKeyDown: (view, event) => links.press(event) || bubble.press(event) || goAbove(view, event),
      handleTextInput: (view, from, to, letters) => void links.close(view, from, letters),
      handleDOMEvents: { click: (view, event) => follow(event), focus: settleIn(20), mouseup: settleIn(0), keydown: settleBefore },
      transformPastedHTML: (html) => (pasted = readPasted(html)).html,
      handlePaste: (view, event, slice) =>
        (isPicture(event.clipboardData) && takeFiles(event.clipboardData)) || (takePictures() && slice.size === 0) || linkSelection(view, event.clipboardData),
      handleDrop: (view, event) => takeFiles(event.dataTransfer) || (takePictures(), false),
    },
    onUpdate: ({ transaction }) => {
      if (!transaction.getMeta("fromServer")) told.change();
    },
    onTransaction: ({ editor, transaction }) => {
      links.follow(editor, transaction);
      bubble.follow(editor);
      told.look();
    },
    onBlur: ({ editor }) => links.hide(editor),
  });
  editor.registerPlugin(foundPlugin());
  editor.registerPlugin(findingPlugin());

  /// Up from the first line is the title.
  function goAbove(view, event) {
    if (event.key !== "ArrowUp" || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    // The page knows where the caret is before ProseMirror has looked.
    const { anchorNode, anchorOffset, isCollapsed } = getSelection();
    if (!isCollapsed || !view.dom.contains(anchorNode)) return false;
    const caret = view.coordsAtPos(view.posAtDOM(anchorNode, anchorOffset));
    const first = view.coordsAtPos(Selection.atStart(view.state.doc).from);
    if (caret.top > first.top + (first.bottom - first.top) / 2) return false;
    return told.goAbove();
  }

  function follow(event) {
    const link = event.target.closest?.("a");
    if (!link) return false;
    const note = /^#\/all\/(.+)$/.exec(link.getAttribute("href"))?.[1];
    // What one writes in, one clicks into; what one only reads, leads on.
    if (editor.isEditable && !event.ctrlKey && !event.metaKey) return false;
    if (!editor.isEditable && !note) return false;
    event.preventDefault();
    openLink(note ? `note:${note}` : link.href, told);
    return true;
  }

  /// Neither the toolbar nor the edge of the page may cover what was found.
  function showMatch() {
    const match = chosenMatch(editor.state);
    const scroller = element.closest(".page-scroll");
    if (!match || !scroller) return;
    const box = scroller.getBoundingClientRect();
    const line = editor.view.coordsAtPos(match.from);
    if (line.top < box.top + 64 || line.bottom > box.bottom - 48) scroller.scrollTop += line.top - box.top - box.height / 3;
  }

  /// What stood between the words that were pasted.
  function takePictures() {
    const { pictures = [], elsewhere = 0 } = pasted ?? {};
    pasted = null;
    if (pictures.length + elsewhere === 0) return false;
    told.pictures(pictures, elsewhere);
    return true;
  }

  function takeFiles(transfer) {
    const pictures = [...(transfer?.files ?? [])].filter((file) => file.type.startsWith("image/"));
    if (pictures.length === 0) return false;
    pasted = null;
    told.pictures(pictures, 0);
    return true;
  }

  return {
    editor,
    /// Another note: its text, and a fresh history of undos.
    open(document) {
      links.hide(editor);
      bubble.hide();
      const doc = fromJSON(editor.schema, document);
      editor.view.updateState(EditorState.create({ doc, plugins: editor.state.plugins }));
      told.look();
    },
    /// Another version of the same note. With `sent`, what became of that, while one has typed on; false where both
    /// are in one place.
    adopt(document, sent) {
      const change = difference(editor.state, fromJSON(editor.schema, document), sent && fromJSON(editor.schema, sent));
      if (change) editor.view.dispatch(change);
      return change !== false;
    },
    document: () => toJSON(editor.state.doc),
    text: () => editor.state.doc.textBetween(0, editor.state.doc.content.size, "\n", " "),
    mark: (words) => editor.view.dispatch(editor.state.tr.setMeta(found, words)),
    /// Marks the text where it stands, from the caret on; "" marks nothing.
    find(text) {
      const chosen = chosenMatch(editor.state);
      find(editor.view, text, chosen?.from ?? editor.state.selection.from);
      showMatch();
    },
    step(by) {
      step(editor.view, by);
      showMatch();
    },
    tally: () => tally(editor.state),
    selectedText() {
      const { from, to, $from, $to } = editor.state.selection;
      return $from.sameParent($to) && to - from <= 200 ? editor.state.doc.textBetween(from, to, "", " ") : "";
    },
    endFinding() {
      selectChosen(editor.view);
      find(editor.view, "", 0);
      if (editor.isEditable) editor.view.focus();
      else element.closest(".page")?.focus({ preventScroll: true });
    },
    /// At once: what is typed next belongs to the text. (Tiptap's own command waits for a frame.)
    focusStart() {
      editor.view.dispatch(editor.state.tr.setSelection(Selection.atStart(editor.state.doc)).scrollIntoView());
      editor.view.focus();
    },
    /// Reads what was typed, and where the caret went, in this very moment: ProseMirror looks a little later.
    settle: () => settle(editor.view),
    /// Only where it changes: Tiptap draws again, and would put a caret back that has just moved.
    setEditable: (value) => value === editor.isEditable || editor.setEditable(value, false),
  };
}

const settle = (view) => view.domObserver?.flush();

/// 20 ms after it got the focus, and just after the button is let go, ProseMirror puts back the selection it knows:
/// this comes before it.
const settleIn = (milliseconds) => (view) => void setTimeout(() => view.isDestroyed || settle(view), milliseconds);

/// A key is for where the caret is, which the page knows before ProseMirror has looked.
function settleBefore(view, event) {
  if (!event.isComposing && event.keyCode !== 229) settle(view);
}

/// A text that is only looked at, in the history of a note.
export function readOnlyEditor(element) {
  const editor = new Editor({
    element, extensions, injectCSS: false, editable: false,
    editorProps: { attributes: { role: "document", "aria-label": "Text of this version", tabindex: "0" } },
  });
  return {
    show: (document) => editor.view.updateState(EditorState.create({ doc: fromJSON(editor.schema, document), plugins: editor.state.plugins })),
    destroy: () => editor.destroy(),
  };
}

/// Who hears the page must know the way out.
function hintIn(element) {
  const hint = document.createElement("p");
  hint.id = "text-hint";
  hint.hidden = true;
  hint.textContent = "Escape, then Tab leaves the text.";
  element.append(hint);
  return hint;
}

/// An address pasted over a selection makes it a link.
function linkSelection(view, transfer) {
  const text = transfer?.getData("text/plain").trim() ?? "";
  if (view.state.selection.empty || !isSafe(text) || /\s/.test(text) || noteOf(text)) return false;
  const { from, to } = view.state.selection;
  view.dispatch(view.state.tr.addMark(from, to, view.state.schema.marks.link.create({ href: text })));
  return true;
}

// MARK: - What was searched for

function foundPlugin() {
  return new Plugin({
    key: found,
    state: {
      init: () => ({ words: [], decorations: DecorationSet.empty }),
      apply(transaction, value, _, state) {
        const words = transaction.getMeta(found) ?? value.words;
        if (words === value.words && !transaction.docChanged) return value;
        return { words, decorations: words.length > 0 ? decorate(state.doc, words) : DecorationSet.empty };
      },
    },
    props: { decorations: (state) => found.getState(state).decorations },
  });
}

/// How many letters of a word `hit` is: an accent may be a letter of its own, or not.
function lengthOf(hit, word) {
  let length = hit.length;
  while (length < word.length && !plain(word.slice(0, length)).startsWith(hit)) length += 1;
  return length;
}

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function decorate(doc, words) {
  const wanted = words.map(plain);
  const decorations = [];
  doc.descendants((node, position) => {
    if (!node.isText) return;
    for (const match of node.text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      const hit = wanted.find((word) => plain(match[0]).startsWith(word));
      if (!hit) continue;
      const start = position + match.index;
      decorations.push(Decoration.inline(start, start + lengthOf(hit, match[0]), { class: "found-word" }));
    }
  });
  return DecorationSet.create(doc, decorations);
}
