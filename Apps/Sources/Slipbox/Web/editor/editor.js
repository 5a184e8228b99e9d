// The field a note is written in: Tiptap, with our schema, completion, marks of what was searched for.

import { Dropcursor, Editor, Gapcursor, Placeholder, UndoRedo, pm } from "../vendor/editor.js";
import { completion } from "./completion.js";
import { difference } from "./difference.js";
import { isPicture, tidyPasted } from "./pasting.js";
import { extensions, fromJSON, isSafe, noteOf, toJSON } from "./schema.js";

const { EditorState, Plugin, PluginKey, Selection } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const found = new PluginKey("found");

/// `told` hears: change(), look() (the selection moved), openNote(id), pictures(files); finds and creates notes.
export function noteEditor(element, told) {
  const links = completion({ find: told.findNotes, create: told.createNote });
  const editor = new Editor({
    element,
    extensions: [...extensions, UndoRedo, Dropcursor, Gapcursor, Placeholder.configure({ placeholder: "Write… [[ links to a note" })],
    injectCSS: false,
    editorProps: {
      attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Text of the note", class: "ProseMirror", spellcheck: "true" },
      handleKeyDown: (view, event) => links.press(event),
      handleClickOn: (view, position, node, nodePosition, event) => follow(event),
      transformPastedHTML: tidyPasted,
      handlePaste: (view, event) => (isPicture(event.clipboardData) && takeFiles(event.clipboardData)) || linkSelection(view, event.clipboardData),
      handleDrop: (view, event) => takeFiles(event.dataTransfer),
    },
    onUpdate: ({ transaction }) => {
      if (!transaction.getMeta("fromServer")) told.change();
    },
    onTransaction: ({ editor }) => {
      links.follow(editor);
      told.look();
    },
    onBlur: ({ editor }) => links.hide(editor),
  });
  editor.registerPlugin(foundPlugin());

  function follow(event) {
    const link = event.target.closest?.("a");
    if (!link) return false;
    const note = /^#\/all\/(.+)$/.exec(link.getAttribute("href"))?.[1];
    if (note && !event.ctrlKey && !event.metaKey) told.openNote(note);
    else if (event.ctrlKey || event.metaKey) open(link.href, "_blank", "noopener");
    else return false;
    event.preventDefault();
    return true;
  }

  function takeFiles(transfer) {
    const pictures = [...(transfer?.files ?? [])].filter((file) => file.type.startsWith("image/"));
    if (pictures.length === 0) return false;
    told.pictures(pictures);
    return true;
  }

  return {
    editor,
    /// Another note: its text, and a fresh history of undos.
    open(document) {
      links.hide(editor);
      const doc = fromJSON(editor.schema, document);
      editor.view.updateState(EditorState.create({ doc, plugins: editor.state.plugins }));
      told.look();
    },
    /// Another version of the same note.
    adopt(document) {
      const change = difference(editor.state, fromJSON(editor.schema, document));
      if (change) editor.view.dispatch(change);
    },
    document: () => toJSON(editor.state.doc),
    text: () => editor.state.doc.textBetween(0, editor.state.doc.content.size, "\n", " "),
    mark: (words) => editor.view.dispatch(editor.state.tr.setMeta(found, words)),
    /// At once: what is typed next belongs to the text. (Tiptap's own command waits for a frame.)
    focusStart() {
      editor.view.dispatch(editor.state.tr.setSelection(Selection.atStart(editor.state.doc)).scrollIntoView());
      editor.view.focus();
    },
    /// Reads what was typed in this very moment: ProseMirror looks at the page a little later.
    settle: () => editor.view.domObserver?.flush(),
    setEditable: (value) => editor.setEditable(value, false),
  };
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
