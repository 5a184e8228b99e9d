// Notes, and parts of notes, that a text shows in their places: `!` right before a link to a note, alone in a paragraph.
//
//   ![[Slots]]             the whole note            the line is the title, with the contents of the note below it
//   ![[Slots#Firing]]      the section of a heading
//   ![[Slots#^a1b2]]       the paragraph or item with that sign
//
// The line is words of the text, as every link is. The contents below it are a decoration, and no part of this note.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { titleOf } from "../view/words.js";
import { signOf } from "./blockSigns.js";
import { fromJSON, headingOf, noteOf, toJSON } from "./schema.js";
import { partOf } from "./textPart.js";

const { Plugin, PluginKey } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("embeds");
/// So many are shown for a text, with those inside of others, and so many of these inside of each other.
const MOST = 50;
const DEEPEST = 3;
/// The most characters that are shown; a longer text is read in its own note.
const LONGEST = 200_000;
const LOOSE = /^!\[\[([^[\]\n|#]{1,500})(?:#[^[\]\n|]{1,300})?(?:\|[^[\]\n]{1,500})?\]\]$/;
/// A picture or a file that is not there.
const FILE = /\.[a-z0-9]{2,5}$/i;

/// `told` watches notes (`embedded(id, listen)`, which gives what ends it), opens them, and shows pictures; `viewer` makes a field that
/// is only read. `ownID()` is the note of the text; `around` are the notes and parts that it is shown in.
export function embedsPlugin(told, viewer, { ownID, around = null, room = { left: MOST } }) {
  const outer = () => around ?? [keyOf(ownID(), null)];
  return new Plugin({
    key,
    state: {
      init: (_, state) => decorate(state),
      apply: (transaction, value, _, state) => (transaction.docChanged || (transaction.selectionSet && value !== DecorationSet.empty) ? decorate(state) : value),
    },
    props: { decorations: (state) => key.getState(state) },
  });

  function decorate({ doc, selection }) {
    const decorations = [];
    let count = 0;
    doc.descendants((node, at, parent) => {
      if (!node.isTextblock) return true;
      const embed = parent.type.spec.tableRole ? null : embedOf(node);
      if (!embed || count >= MOST) return false;
      count += 1;
      const end = at + node.nodeSize;
      const isNear = selection.from <= end - 1 && selection.to > at;
      decorations.push(Decoration.node(at, end, { class: isNear ? "embed-line near" : "embed-line" }), Decoration.inline(at + 1, at + 2, { class: "embed-sign" }));
      if (embed.note && outer().length > DEEPEST) return false;
      const within = outer();
      decorations.push(Decoration.widget(end, (view) => draw(view, embed, within), {
        side: -1, key: [...within, keyOf(embed.note ?? embed.title, embed.place)].join("|"), ignoreSelection: true, stopEvent: () => true, destroy: (element) => ends.get(element)?.(),
      }));
      return false;
    });
    return decorations.length > 0 ? DecorationSet.create(doc, decorations) : DecorationSet.empty;
  }

  function draw({ state: { schema } }, { note, place, title }, within) {
    const box = document.createElement("section");
    box.className = "embed";
    box.contentEditable = "false";
    const own = keyOf(note ?? title, place);
    if (!note) tell(box, say`There is no note “${title}” yet.`);
    else if (within.includes(own)) tell(box, say`This is shown around here already, so it is not shown again.`);
    else if (room.left <= 0) tell(box, say`A note shows at most ${MOST} others.`);
    else show(box, schema, { note, place, around: [...within, own] });
    return box;
  }

  function show(box, schema, { note, place, around }) {
    room.left -= 1;
    let field = null;
    const clear = () => {
      field?.destroy();
      field = null;
    };
    tell(box, say`Reading…`);
    const unwatch = told.embedded(note, (answer) => {
      clear();
      const doc = answer.note ? partOf(fromJSON(schema, answer.note.document), place) : null;
      const problem = problemOf(answer, place, doc);
      if (problem) return tell(box, problem);
      const fileFacts = (id) => answer.note.files?.find((file) => file.id === id);
      box.replaceChildren();
      field = viewer(box, say`Text of “${titleOf(answer.note)}”`, { ...told, fileFacts, embeds: { ownID, around, room } });
      field.show(toJSON(doc));
      // A task is ticked off in the note that it belongs to.
      for (const task of box.querySelectorAll("input")) task.disabled = true;
    });
    ends.set(box, () => {
      unwatch();
      clear();
      room.left += 1;
    });
  }
}

/// Ends what an embed has begun, when it leaves the page.
const ends = new WeakMap();

const keyOf = (note, place) => `${note}#${place ?? ""}`;

/// Says that a note lacks the heading or paragraph that a link leads to.
export const missingPart = (place) => (place.startsWith("^") ? say`There is no paragraph “${place}” in this note.` : say`There is no heading “${place}” in this note.`);

function tell(box, words) {
  const line = document.createElement("p");
  line.className = "embed-word";
  line.textContent = words;
  box.replaceChildren(line);
}

function problemOf({ note, problem, isMissing }, place, doc) {
  if (problem) return problem;
  if (isMissing) return say`This note is not there any more.`;
  if (note.trashed) return say`This note is in the trash.`;
  if (!doc) return missingPart(place);
  if (doc.content.size > LONGEST) return say`This is too long to be shown here.`;
  return doc.content.size <= 2 ? say`No text yet` : null;
}

// MARK: - Finding them

const seen = new WeakMap();

/// The embed that a paragraph is: {note, place} or, where the note is not there yet, {title}; null for another block.
export function embedOf(block) {
  if (block.type.name !== "paragraph") return null;
  if (!seen.has(block)) seen.set(block, find(block));
  return seen.get(block);
}

function find(block) {
  const { firstChild: first, childCount } = block;
  if (!first?.isText || !first.text.startsWith("!") || isMarked(first)) return null;
  const end = signOf(block)?.from ?? block.content.size;
  if (childCount === 1 || first.text !== "!") {
    const title = LOOSE.exec(block.textContent.slice(0, end).trim())?.[1].trim();
    return title && !FILE.test(title) ? { title } : null;
  }
  const hrefs = new Set();
  let isAlone = true;
  block.forEach((node, at) => {
    if (at === 0) return;
    const href = node.marks.find((mark) => mark.type.name === "link")?.attrs.href;
    if (href) hrefs.add(href);
    else if (node.isText ? node.text.slice(0, Math.max(0, end - at)).trim() : true) isAlone = false;
  });
  const [href] = hrefs;
  const note = hrefs.size === 1 && isAlone ? noteOf(href) : null;
  return note ? { note: note.toLowerCase(), place: headingOf(href) } : null;
}

const isMarked = (node) => node.marks.some((mark) => mark.type.name === "link" || mark.type.spec.code);
