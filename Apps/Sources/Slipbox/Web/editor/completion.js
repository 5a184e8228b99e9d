// `[[` and some letters: notes to link to, and a new one if there is none. `]]` takes the note that has just this title.

import { pm } from "../vendor/editor.js";
import { html, keyed, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { placeBeside } from "../view/menu.js";
import { titleOf } from "../view/words.js";
import { noteHref } from "./schema.js";

const { closeHistory } = pm.history;
const OPENING = /\[\[([^[\]\n]{0,80})$/;
const CLOSED = /\[\[([^[\]\n]{1,1000})\]\]$/;

/// `find(text)` gives notes, `create(title)` a new one, `headings(note)` the words of its headings.
export function completion({ find, create, headings }) {
  const box = document.createElement("div");
  box.className = "completion";
  box.id = "completion";
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Link to a note");
  let open = null;
  let dismissed = null;
  const closings = new Set();

  async function follow(editor, { mapping, docChanged }) {
    for (const place of closings) place.at = mapping.map(place.at);
    const { state, view } = editor;
    const text = state.selection.empty && view.hasFocus() ? textBefore(state.selection.$from) : "";
    const match = OPENING.exec(text);
    // A caret that is put into what stands there already asks for nothing.
    if (match && !open && !docChanged) return;
    if (!match) {
      dismissed = null;
      return hide(editor);
    }
    const from = state.selection.from - match[0].length;
    if (dismissed === from || open?.text === match[1] && open.from === from) return;
    open = { editor, from, text: match[1], active: 0, notes: open?.notes ?? null };
    draw();
    const asked = open;
    const notes = await look(match[1]).catch(() => []);
    if (open !== asked) return;
    open.notes = notes;
    open.isFound = true;
    draw();
    if (open.isTaken && choices()[0]) take(choices()[0]);
  }

  /// Notes, or behind a `#` the headings of the note whose title stands before it.
  async function look(text) {
    const [name, words] = text.split("#", 2).map((part) => part.trim());
    const notes = await find(words === undefined ? text.trim() : name);
    if (words === undefined) return notes;
    const note = notes.find((one) => isTitled(one, name));
    if (!note) return [];
    const found = (await headings(note.id)).filter((heading) => heading.toLowerCase().includes(words.toLowerCase()));
    return found.map((heading) => ({ ...note, heading }));
  }

  const nameOf = (note) => (note.heading ? `${titleOf(note)}#${note.heading}` : (note.alias ?? titleOf(note)));

  function choices() {
    const title = open.text.trim();
    const isThere = title.includes("#") || (open.notes ?? []).some((note) => isTitled(note, title));
    const notes = (open.notes ?? []).slice(0, 8);
    return title && open.notes && !isThere ? [...notes, { title, isNew: true }] : notes;
  }

  function draw() {
    const editor = open.editor;
    if (!box.isConnected) (editor.view.dom.closest("main") ?? document.body).append(box);
    const found = choices();
    open.active = Math.max(0, Math.min(open.active, found.length - 1));
    render(found.length > 0 ? found.map((note, index) => keyed(`${note.id ?? "new"}#${note.heading ?? ""}`, html`
      <div class="choice" role="option" id=${`completion-${index}`} aria-selected=${String(index === open.active)}
        @pointerdown=${(event) => { event.preventDefault(); take(note); }}>
        ${icon(note.isNew ? "file-plus" : "file-text")}<span class="choice-name">${note.isNew ? `Create “${note.title}”` : note.heading ? `# ${note.heading}` : nameOf(note)}</span>
        ${note.alias ? html`<span class="faint">${titleOf(note)}</span>` : null}${note.folder ? html`<span class="faint">${note.folder.name ?? note.folder}</span>` : null}</div>`))
      : html`<div class="choice faint" role="option" aria-selected="false">${open.notes ? "Type the title of a note" : "Looking…"}</div>`, box);
    const caret = editor.view.coordsAtPos(editor.state.selection.from);
    placeBeside(box, { x: caret.left - 8, y: caret.bottom });
    editor.view.dom.setAttribute("aria-controls", "completion");
    editor.view.dom.setAttribute("aria-activedescendant", `completion-${open.active}`);
  }

  function hide(editor) {
    if (!open) return;
    open = null;
    box.remove();
    editor.view.dom.removeAttribute("aria-controls");
    editor.view.dom.removeAttribute("aria-activedescendant");
  }

  function press(event) {
    if (!open) return false;
    const found = choices();
    if (event.key === "ArrowDown") open.active = (open.active + 1) % Math.max(1, found.length);
    else if (event.key === "ArrowUp") open.active = (open.active + found.length - 1) % Math.max(1, found.length);
    // Who types fast means what was typed, not what was found before.
    else if ((event.key === "Enter" || event.key === "Tab") && open.text.trim() && !open.isFound) open.isTaken = true;
    else if ((event.key === "Enter" || event.key === "Tab") && found[open.active]) take(found[open.active]);
    else if (event.key === "Escape") {
      dismissed = open.from;
      hide(open.editor);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    if (open) draw();
    return true;
  }

  async function take(choice) {
    const { editor, from } = open;
    let to = editor.state.selection.from;
    // The brackets may be closed already.
    if (editor.state.doc.textBetween(to, Math.min(to + 2, editor.state.selection.$from.end())) === "]]") to += 2;
    hide(editor);
    const note = choice.isNew ? await create(choice.title) : choice;
    if (!note) return;
    const { schema } = editor.state;
    const link = schema.text(nameOf(note), [schema.marks.link.create({ href: noteHref(note.id, note.heading) })]);
    // What is typed next stands behind the link, and nothing is typed that nobody has typed.
    editor.view.dispatch(editor.state.tr.replaceWith(from, to, link).removeStoredMark(schema.marks.link).scrollIntoView());
    editor.view.focus();
  }

  /// `]]` takes the one note whose title stands before it; what has no note, or several, stays text.
  async function close(view, from, letters) {
    const $from = view.state.doc.resolve(from);
    const match = letters.endsWith("]") && CLOSED.exec(textBefore($from) + letters);
    if (!match || isCode($from)) return;
    const place = { at: from + letters.length - match[0].length };
    closings.add(place);
    const notes = await find(match[1].trim()).catch(() => []);
    closings.delete(place);
    const [note, ...others] = notes.filter((note) => isTitled(note, match[1]));
    if (note && others.length === 0) link(view, place.at, match[0], note);
  }

  return { follow, press, hide, close };
}

const isTitled = (note, title) => [note.title, note.alias].some((name) => name?.trim().toLowerCase() === title.trim().toLowerCase());

/// In the place of `text`, if that stands there still.
function link(view, at, text, note) {
  const { doc, schema, tr } = view.state;
  const end = at + text.length;
  if (!view.editable || end > doc.content.size || doc.textBetween(at, end, "\n", "\ufffc") !== text) return;
  const marks = schema.marks.link.create({ href: `note:${note.id}` }).addToSet(doc.nodeAt(at).marks);
  view.dispatch(closeHistory(tr.replaceWith(at, end, schema.text(titleOf(note), marks))));
}

/// Also where the second sign of code is not typed yet.
export const isCode = ($from) => $from.marks().some((mark) => mark.type.spec.code) || textBefore($from).split("`").length % 2 === 0;

export function textBefore($from) {
  if ($from.parent.type.spec.code) return "";
  return $from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc");
}
