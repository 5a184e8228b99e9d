// The field a note is written in: Tiptap, with our schema, completion, marks of what was searched for.

import { say } from "../view/say.js";
import { Dropcursor, Editor, Gapcursor, Placeholder, UndoRedo, pm } from "../vendor/editor.js";
import { isComposing } from "../view/composing.js";
import { letterOf, titleOf } from "../view/words.js";
import { belowPlugin } from "./below.js";
import { blockSigns, placeOfSign } from "./blockSigns.js";
import { citationCard, citingPlugin, lookAtCitations } from "./citing.js";
import { citingMenu } from "./citingMenu.js";
import { colouring } from "./colouring.js";
import { completion } from "./completion.js";
import { difference } from "./difference.js";
import { drawnPlugin } from "./drawn.js";
import { drawnTyping } from "./drawnTyping.js";
import { embedsPlugin } from "./embeds.js";
import { dropping as droppingFootnotes, hasFootnotes, pasting as pastingFootnotes, withFootnotes } from "./footnotes.js";
import { chosenMatch, find, findingPlugin, replaceAll, replaceChosen, selectChosen, step, tally } from "./finding.js";
import { Staying } from "./indenting.js";
import { linkBubble, openLink } from "./linking.js";
import { lookAtLinks, loosePlugin, titleOfLoose } from "./loose.js";
import { Moving } from "./moving.js";
import { isPicture, looksLikeMarkdown, plainText, readPasted, withFramedHead, withPictures } from "./pasting.js";
import { quotesPlugin } from "./quotes.js";
import { leaveOut, showRefused } from "./refused.js";
import { remarks } from "./remarks.js";
import { isTooMuch } from "./rooms.js";
import { slashMenu } from "./slash.js";
import { tagging } from "./tagging.js";
import { isSameHeading } from "./textPart.js";
import { extensionsFor, fromJSON, isSafe, noteHref, noteOf, toJSON } from "./schema.js";
import { waitingPlaces } from "./waiting.js";

const { EditorState, Plugin, PluginKey, Selection, TextSelection } = pm.state;
const { Fragment, Slice } = pm.model;
const { closeHistory } = pm.history;
const { Decoration, DecorationSet } = pm.view;
const found = new PluginKey("found");

/// `told` hears: change(), look() (the selection moved), openNote(id), lost(pictures that lie elsewhere), leftBehind(),
/// goAbove(); finds, names and creates notes, and knows those that are dragged, and the names of this one; finds and gives keywords; finds references and knows the cited works; keeps files and knows what they are; reads Markdown; says of which language quotation marks are.
export function noteEditor(element, told) {
  const links = completion({ find: told.findNotes, create: told.createNote, document: told.documentOf, sign: told.signBlock, ownNames: told.ownNames });
  const slash = slashMenu({ more: told.moreToPutIn });
  const tags = tagging({ find: told.findKeywords, has: told.hasKeyword, add: told.tag, takeBack: told.untag });
  const citing = citingMenu({ find: told.findReferences });
  const cited = told.citedWorks(() => editor.isDestroyed || lookAtCitations(editor.view));
  const card = citationCard(element, cited);
  const bubble = linkBubble(element, told);
  const hint = hintIn(element, told.hintID);
  let pasted = null;
  /// The text after what can be undone by a button, and what is called when it is another.
  let last = null;
  const clear = clearOfTools(element);
  const editor = new Editor({
    element,
    extensions: [...extensionsFor(told), Moving, Staying, UndoRedo, Dropcursor, Gapcursor, Placeholder.configure({ placeholder: say`Write… [[ links to a note, # gives it a keyword, / puts something in` })],
    injectCSS: false,
    editorProps: {
      scrollThreshold: clear,
      scrollMargin: clear,
      attributes: { role: "textbox", "aria-multiline": "true", "aria-label": say`Text of the note`, "aria-describedby": hint.id, class: "ProseMirror", spellcheck: "true" },
      handleKeyDown: (view, event) => links.press(event) || slash.press(event) || tags.press(event) || citing.press(event) || takeBackTag(view, event) || bubble.press(event) || goAbove(view, event),
      handleTextInput: (view, from, to, letters) => void links.close(view, from, letters),
      handleDOMEvents: { mousedown: remembersCaret, click: (view, event) => follow(event), focus: takeFocus, mouseup: letGo, keydown: settleBefore },
      transformPastedHTML: (html) => (pasted = readPasted(html)).html,
      transformCopied: (slice, view) => withFootnotes(slice, view),
      clipboardTextSerializer: (slice) => plainText(slice.content),
      // What we put in ourselves comes without a clipboard.
      handlePaste: (view, { clipboardData: data }, slice) =>
        (Boolean(data) && ((isPicture(data) && takeFiles(data)) || takePictures(slice) || linkSelection(view, data) || takeMarkdown(view, data))) || takeSlice(view, slice),
      handleDrop: (view, event, slice, isMoved) => {
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
        return (!isMoved && (dropNotes(view, event.dataTransfer, place) || takeFiles(event.dataTransfer, place) || takePictures(slice, place))) || dropSlice(view, slice, place, isMoved);
      },
    },
    onUpdate: ({ transaction }) => {
      if (!transaction.getMeta("fromServer")) told.change();
    },
    onTransaction: ({ editor, transaction }) => {
      move(transaction);
      lookAtLast(editor.state);
      links.follow(editor, transaction);
      slash.follow(editor, transaction);
      tags.follow(editor, transaction);
      citing.follow(editor, transaction);
      bubble.follow(editor);
      card.follow(editor);
      told.look();
    },
    onBlur: ({ editor }) => {
      links.hide();
      slash.hide();
      tags.hide();
      citing.hide();
    },
  });
  editor.registerPlugin(foundPlugin());
  editor.registerPlugin(findingPlugin());
  editor.registerPlugin(loosePlugin(told));
  editor.registerPlugin(blockSigns());
  editor.registerPlugin(remarks());
  editor.registerPlugin(colouring());
  editor.registerPlugin(drawnPlugin());
  editor.registerPlugin(embedsPlugin(told, readOnlyEditor, { ownID: told.ownID }));
  editor.registerPlugin(citingPlugin(cited, () => editor.isEditable));
  editor.registerPlugin(drawnTyping(), (typing, others) => [typing, ...others]);
  editor.registerPlugin(quotesPlugin(told.quotes), (quotes, others) => [quotes, ...others]);
  editor.registerPlugin(caretPlugin(told));
  editor.registerPlugin(belowPlugin(), (below, others) => [below, ...others]);

  /// The caret before the button went down: who follows a link by a click writes on where it was.
  let before = null;

  function remembersCaret(view, event) {
    settle(view);
    before = view.state;
    return leavesCaret(view, event);
  }

  function lookAtLast({ doc }) {
    if (!last || last.doc === doc) return;
    const { over } = last;
    last = null;
    over();
  }

  function takeBackTag(view, event) {
    const isUndo = letterOf(event) === "Z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    return isUndo && tags.undo(view.state.doc) && (event.preventDefault(), true);
  }

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
    const loose = event.target.closest?.(".loose-link");
    if (loose && editor.isEditable && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      told.makeNote(titleOfLoose(loose));
      return true;
    }
    const link = event.target.closest?.("a");
    if (!link) return false;
    const note = /^#\/all\/(.+)$/.exec(link.getAttribute("href"))?.[1];
    // With Alt one clicks into the words of a link, and who has selected words of it stays.
    if (editor.isEditable && (event.altKey || event.button !== 0 || !getSelection().isCollapsed)) return false;
    if (!editor.isEditable && !note) return false;
    event.preventDefault();
    // ProseMirror hears of the caret that the click has moved before it hears where it was.
    settle(editor.view);
    if (before?.doc === editor.state.doc) editor.view.dispatch(editor.state.tr.setSelection(before.selection).setMeta("addToHistory", false));
    openLink(note ? noteHref(note, link.dataset.heading) : link.href, told);
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

  const { later, move } = waitingPlaces(editor, settle, told.leftBehind);

  /// Pictures that stood between the words that were pasted: first they are kept, then all of it comes in, at `place` or for
  /// what is selected.
  function takePictures(slice, place = null) {
    const { html = "", pictures = [], elsewhere = 0 } = pasted ?? {};
    pasted = null;
    if (elsewhere > 0) told.lost(elsewhere);
    // Where nothing else came, the browser must not put it in by itself.
    if (pictures.length === 0) return elsewhere > 0 && slice.size === 0;
    const { selection, tr } = editor.state;
    if (place === null && !selection.empty) editor.view.dispatch(tr.deleteSelection());
    later(place ?? editor.state.selection.from, () => told.keepFiles(pictures), (kept, at) => {
      const page = withPictures(html, kept);
      editor.view.dispatch(editor.state.tr.setSelection(Selection.near(editor.state.doc.resolve(at))));
      // A picture at the end would be chosen, and what is typed or pasted next would take its place.
      editor.view.pasteHTML(/<img[^>]*>(\s|<\/\w+>)*$/i.test(page) ? `${page}<p></p>` : page);
    });
    return true;
  }

  /// Files of any kind, where the caret is or they were let go.
  function takeFiles(transfer, at = editor.state.selection.from) {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return false;
    pasted = null;
    insertFiles(files, at);
    return true;
  }

  function insertFiles(files, at = editor.state.selection.from) {
    return later(at, () => told.keepFiles(files), (kept, place) => {
      const nodes = kept.filter(Boolean).map((file) => (file.width > 0
        ? { type: "picture", attrs: { file: file.id } } : { type: "file", attrs: { file: file.id, name: file.name } }));
      if (nodes.length > 0) editor.commands.insertContentAt(placeForBlock(editor.state.doc, place), nodes);
    });
  }

  /// Footnotes stand at the end, wherever the words with their marks go, and a cell takes a line.
  function takeSlice(view, slice) {
    const { selection, tr } = view.state;
    if (!hasFootnotes(slice) && !(selection instanceof TextSelection && isTooMuch(selection.$from, slice))) return false;
    view.dispatch(closeHistory(pastingFootnotes(tr, slice)).setMeta("paste", true).setMeta("uiEvent", "paste").scrollIntoView());
    return true;
  }

  /// The same where it is let go: ProseMirror puts in nothing of what has no place there.
  function dropSlice(view, slice, place, isMoved) {
    if (place === undefined || !(hasFootnotes(slice) || isTooMuch(view.state.doc.resolve(place), slice))) return false;
    view.dispatch(closeHistory(droppingFootnotes(view, slice, place, isMoved)).setMeta("uiEvent", "drop"));
    view.focus();
    return true;
  }

  /// Notes of the list become links to them, and one writes on behind these.
  function dropNotes(view, transfer, place) {
    const { link } = editor.schema.marks;
    const links = told.notesIn(transfer).map((note) => editor.schema.text(titleOf(note), [link.create({ href: noteHref(note.id) })]));
    if (links.length === 0 || place === undefined) return false;
    const words = links.flatMap((one, index) => (index > 0 ? [editor.schema.text(", "), one] : [one]));
    const slice = new Slice(Fragment.from(editor.schema.nodes.paragraph.create(null, words)), 1, 1);
    const dropped = droppingFootnotes(view, slice, place, false);
    view.dispatch(closeHistory(dropped.setSelection(Selection.near(dropped.doc.resolve(dropped.selection.to), -1))));
    view.focus();
    return true;
  }

  /// Text that looks like Markdown comes in as what it means; Ctrl Shift V takes it as it is.
  function takeMarkdown(view, transfer) {
    const text = transfer?.getData("text/plain") ?? "";
    if (transfer?.getData("text/html") || view.input?.shiftKey || view.state.selection.$from.parent.type.spec.code || !looksLikeMarkdown(text)) return false;
    const { from, to } = view.state.selection;
    if (from < to) view.dispatch(view.state.tr.deleteSelection());
    later(view.state.selection.from, () => told.readMarkdown(withFramedHead(text)), (document, at) => {
      const { content } = fromJSON(editor.schema, document);
      const last = content.content.findLast((block) => block.type.name !== "footnote");
      const slice = new Slice(content, openness(content.firstChild), last === content.lastChild ? openness(last) : 0);
      view.dispatch(pastingFootnotes(closeHistory(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at)))), slice).scrollIntoView());
    });
    return true;
  }

  /// The texts that were open last, with what can be undone in them.
  const shelf = { id: null, states: new Map() };

  function keepState(id, state) {
    shelf.states.delete(id);
    shelf.states.set(id, state);
    if (shelf.states.size > 20) shelf.states.delete(shelf.states.keys().next().value);
  }

  return {
    editor,
    /// Another note: its text, and what can be undone in it, if it was open lately.
    open(document, id) {
      if (shelf.id) keepState(shelf.id, editor.state);
      shelf.id = id;
      editor.opened = {};
      cited.forget();
      links.hide();
      slash.hide();
      tags.hide();
      citing.hide();
      bubble.hide();
      card.hide();
      const doc = fromJSON(editor.schema, document);
      const known = shelf.states.get(id);
      // What others wrote meanwhile comes in as it does while one looks at it: steps before it can be undone still.
      const change = known && difference(known, doc);
      editor.view.updateState(change ? known.apply(change) : known ?? EditorState.create({ doc, plugins: editor.state.plugins }));
      if (known) {
        // What was searched for then is not what is searched for now.
        editor.view.dispatch(editor.state.tr.setMeta(found, []));
        find(editor.view, "", 0);
        // Notes came and went.
        lookAtLinks(editor.view);
      }
      lookAtLast(editor.view.state);
      told.look();
    },
    /// No note is open: what is on its way comes too late.
    close() {
      editor.opened = {};
    },
    /// Another version of the same note, behind what was typed until now. With `sent`, what became of that, while one has typed on; false where both
    /// are in one place.
    adopt(document, sent) {
      settle(editor.view);
      const change = difference(editor.state, fromJSON(editor.schema, document), sent && fromJSON(editor.schema, sent));
      if (change) editor.view.dispatch(change);
      return change !== false;
    },
    /// A change that somebody has asked for elsewhere; it can be undone here. Gives what `work(transaction)` gives.
    change(work) {
      settle(editor.view);
      const transaction = closeHistory(editor.state.tr);
      const result = work(transaction);
      if (transaction.docChanged) editor.view.dispatch(transaction);
      return result;
    },
    /// Whether a note was open here lately, with what can be undone in it.
    knows: (id) => shelf.id === id || shelf.states.has(id),
    document: () => toJSON(editor.state.doc),
    /// What is selected, or everything where nothing is.
    selectedDocument() {
      const { empty, from, to } = editor.state.selection;
      return toJSON(empty ? editor.state.doc : editor.state.doc.cut(from, to));
    },
    text: () => editor.state.doc.textBetween(0, editor.state.doc.content.size, "\n", " "),
    mark(words) {
      settle(editor.view);
      editor.view.dispatch(editor.state.tr.setMeta(found, words));
    },
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
    /// Other words in the place of the chosen match, or of all; gives how many.
    replaceChosen: (words) => editor.isEditable && replaceChosen(editor.view, words),
    replaceAll: (words) => (editor.isEditable ? replaceAll(editor.view, words) : 0),
    /// How to undo what was done last, as long as nothing else was; `over` is called when that is not so any more.
    undoOfLast(over) {
      const { doc } = editor.state;
      last = { doc, over };
      return () => editor.state.doc === doc && editor.commands.undo();
    },
    tally: () => tally(editor.state),
    selectedText() {
      const { from, to, $from, $to } = editor.state.selection;
      return $from.sameParent($to) && to - from <= 200 ? editor.state.doc.textBetween(from, to, "", " ") : "";
    },
    /// The headings of the text: {level, text, at}.
    headings: () => headingsIn(editor.state.doc),
    /// Puts a heading, or a paragraph with a sign, below the upper edge; `wanted` is its words, its sign or its place.
    /// False where there is none.
    showHeading(wanted) {
      const at = placeIn(editor.state.doc, wanted);
      if (at === null) return false;
      const scroller = element.closest(".page-scroll");
      const line = editor.view.nodeDOM(at);
      if (scroller && line) scroller.scrollTop += line.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 72;
      editor.view.dispatch(editor.state.tr.setSelection(Selection.near(editor.state.doc.resolve(at + 1))));
      return true;
    },
    /// What is known of the links has changed.
    lookAtLinks() {
      settle(editor.view);
      lookAtLinks(editor.view);
    },
    endFinding() {
      selectChosen(editor.view);
      find(editor.view, "", 0);
      if (editor.isEditable) editor.view.focus();
      else element.closest(".pane")?.focus({ preventScroll: true });
    },
    insertFiles,
    /// Selects the piece that the server refused, or takes it out of the text; false if it is gone.
    showRefused: (refusal) => showRefused(editor.view, refusal),
    leaveOut: (refusal) => editor.isEditable && leaveOut(editor.view, refusal),
    /// Takes the links to a note from the text; false where there are none.
    unlink(note) {
      const { link } = editor.schema.marks;
      const transaction = editor.state.tr;
      editor.state.doc.descendants((node, position) => {
        const mark = link.isInSet(node.marks);
        if (mark && noteOf(mark.attrs.href) === note) transaction.removeMark(position, position + node.nodeSize, mark);
      });
      if (transaction.docChanged) editor.view.dispatch(closeHistory(transaction));
      return transaction.docChanged;
    },
    /// At once: what is typed next belongs to the text. (Tiptap's own command waits for a frame.)
    focusStart() {
      editor.view.dispatch(editor.state.tr.setSelection(Selection.atStart(editor.state.doc)).scrollIntoView());
      editor.view.focus();
    },
    hasKeys: () => editor.view.hasFocus(),
    focus: () => editor.view.focus(),
    /// Words that were typed elsewhere, and the caret behind them.
    write(words) {
      editor.view.focus();
      if (words && editor.isEditable) editor.view.pasteText(words);
    },
    /// The same while the focus is elsewhere.
    writeBehind: (words) => void (words && editor.isEditable && editor.view.pasteText(words)),
    writeAtEnd(words) {
      editor.view.dispatch(editor.state.tr.setSelection(Selection.atEnd(editor.state.doc)).scrollIntoView());
      this.write(words);
    },
    /// Reads what was typed, and where the caret went, in this very moment: ProseMirror looks a little later.
    settle: () => settle(editor.view),
    /// Only where it changes: Tiptap draws again, and would put a caret back that has just moved.
    setEditable(value) {
      if (value === editor.isEditable) return;
      editor.setEditable(value, false);
      lookAtCitations(editor.view);
    },
  };
}

function placeIn(doc, wanted) {
  if (typeof wanted === "string" && wanted.startsWith("^")) return placeOfSign(doc, wanted);
  return headingsIn(doc).find(({ text, at }) => at === wanted || (typeof wanted === "string" && isSameHeading(text, wanted)))?.at ?? null;
}

function headingsIn(doc) {
  const found = [];
  doc.descendants((node, at) => {
    if (node.type.name === "heading" && node.textContent.trim()) found.push({ level: node.attrs.level, text: node.textContent.trim(), at });
    return !node.isTextblock;
  });
  return found;
}

const settle = (view) => view.domObserver?.flush();

/// Who follows a link by a click with a key held writes on where the caret was. ProseMirror would choose the paragraph, and
/// the next letter would take its place. A finger that follows a link does not want the keys of its phone.
function leavesCaret(view, event) {
  const isMeant = event.ctrlKey || event.metaKey || (matchMedia("(pointer: coarse)").matches && event.target.closest?.("a"));
  const isFollowing = event.button === 0 && isMeant && event.target.closest?.(".loose-link, a");
  if (isFollowing) event.preventDefault();
  return Boolean(isFollowing);
}

/// ProseMirror hears of the focus after this. It would put back, 20 ms later, the selection it knows: a key that came
/// in between has moved it.
function takeFocus(view) {
  if (!view.focused) {
    view.domObserver.stop();
    view.dom.classList.add("ProseMirror-focused");
    view.domObserver.start();
    view.focused = true;
  }
  if (view.input.mouseDown) queueMicrotask(() => believe(view));
}

/// The same just after the button is let go. Where the caret went is read then, whatever was changed meanwhile.
function letGo(view) {
  if (view.input.mouseDown) view.input.mouseDown.delayedSelectionSync = false;
  setTimeout(() => view.isDestroyed || settle(view));
}

/// A key is for where the caret is, which the page knows before ProseMirror has looked.
function settleBefore(view, event) {
  if (isComposing(event)) return;
  settle(view);
  believe(view);
}

/// A caret that goes to the first letter within 200 ms of the focus, a while after a click, is a slip of the browser to
/// ProseMirror, which puts back the one it knows. On a slow machine it is where somebody clicked, or went by a key.
const believe = (view) => void (view.input.lastFocus = 0);

/// A text that is only looked at: in the history of a note, beside a link, or inside of another text, whose `told` it has.
export function readOnlyEditor(element, label = say`Text of this version`, told = { showPicture: () => {} }) {
  const { embeds } = told;
  const cited = told.worksOfEmbed?.(() => editor.isDestroyed || lookAtCitations(editor.view));
  const editor = new Editor({
    element, extensions: extensionsFor(told), injectCSS: false, editable: false,
    editorProps: {
      attributes: { "aria-label": label, ...(embeds ? { role: "group" } : { role: "document", tabindex: "0" }) },
      handleDOMEvents: { click: (view, event) => Boolean(embeds) && openInside(event, told) },
    },
  });
  if (embeds) editor.registerPlugin(embedsPlugin(told, readOnlyEditor, embeds));
  editor.registerPlugin(blockSigns());
  editor.registerPlugin(findingPlugin());
  editor.registerPlugin(drawnPlugin());
  if (cited) editor.registerPlugin(citingPlugin(cited, () => false));
  return {
    show: (document) => editor.view.updateState(EditorState.create({ doc: fromJSON(editor.schema, document), plugins: editor.state.plugins })),
    destroy() {
      cited?.end();
      editor.destroy();
    },
  };
}

/// A link to a note in a text that is shown inside of another.
function openInside(event, told) {
  const link = event.target.closest?.("a.note-link");
  const note = /^#\/all\/(.+)$/.exec(link?.getAttribute("href"))?.[1];
  if (!note) return false;
  event.preventDefault();
  told.openNote(note, link.dataset.heading);
  return true;
}

/// The tools lie over the text, at its head or on a phone at its foot: the caret is brought to where it can be seen.
function clearOfTools(element) {
  const box = () => element.closest(".sheet")?.querySelector(".toolbar")?.getBoundingClientRect() ?? { top: 0, height: 0 };
  const isAtFoot = ({ top }) => top > innerHeight / 2;
  return {
    left: 0, right: 0,
    get top() { return isAtFoot(box()) ? 5 : box().height + 5; },
    get bottom() { return isAtFoot(box()) ? innerHeight - box().top + 5 : 5; },
  };
}

/// Who hears the page must know the way out.
function hintIn(element, id) {
  const hint = document.createElement("p");
  hint.id = id;
  hint.hidden = true;
  hint.textContent = say`Escape, then Tab leaves the text.`;
  element.append(hint);
  return hint;
}

/// An address pasted over a selection makes it a link. Code has no links: there it takes the place of what is selected.
function linkSelection(view, transfer) {
  const text = transfer?.getData("text/plain").trim() ?? "";
  if (view.state.selection.empty || !isSafe(text) || /\s/.test(text) || noteOf(text)) return false;
  const { from, to } = view.state.selection;
  const { link } = view.state.schema.marks;
  const transaction = view.state.tr.addMark(from, to, link.create({ href: text }));
  if (!transaction.doc.rangeHasMark(from, to, link)) return false;
  view.dispatch(transaction);
  return true;
}

/// How much of a block at an end of what is pasted goes into the block that is there.
const openness = (block) => (block?.type.name === "paragraph" ? 1 : 0);

/// Beside the block that the place is in; of an empty paragraph, its place.
function placeForBlock(doc, place) {
  const $place = doc.resolve(place);
  if ($place.depth === 0) return place;
  let depth = $place.depth;
  // Not into a cell, which has room for a line only.
  for (let outer = 1; outer <= $place.depth; outer++) if ($place.node(outer).type.name === "table") depth = outer;
  if (depth === $place.depth && $place.parent.type.name === "paragraph" && $place.parent.content.size === 0) return { from: $place.before(), to: $place.after() };
  return $place.after(depth);
}

/// The block that the caret is in, so that it can look other than the rest.
const caretPlugin = (told) => new Plugin({ props: { decorations: ({ doc, selection: { $from } }) =>
  (told.isAlone() && $from.depth > 0 ? DecorationSet.create(doc, [Decoration.node($from.before(1), $from.after(1), { class: "with-caret" })]) : null) } });

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
  const wanted = words.map(plain).filter((word) => /[\p{L}\p{N}]/u.test(word)).flatMap((word) => [word, ...word.match(/[\p{L}\p{N}]+/gu)]);
  // Signs and pictures are no words: "🎉".
  const signs = words.filter((word) => !/[\p{L}\p{N}]/u.test(word));
  const decorations = [];
  doc.descendants((node, position) => {
    if (!node.isText) return;
    for (const sign of signs) {
      for (let at = node.text.indexOf(sign); at >= 0; at = node.text.indexOf(sign, at + sign.length)) {
        decorations.push(Decoration.inline(position + at, position + at + sign.length, { class: "found-word" }));
      }
    }
    for (const match of node.text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      const hit = wanted.find((word) => plain(match[0]).startsWith(word));
      if (!hit) continue;
      const start = position + match.index;
      decorations.push(Decoration.inline(start, start + lengthOf(hit, match[0]), { class: "found-word" }));
    }
  });
  return DecorationSet.create(doc, decorations);
}
