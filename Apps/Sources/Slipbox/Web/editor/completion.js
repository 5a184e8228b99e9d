// `[[` and some letters: notes to link to, and a new one if there is none. `]]` takes the note that has just this title, or
// the heading of it that is named. Behind `#^` are its blocks; one that has no sign gets it when it is chosen.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { html } from "../view/template.js";
import { icon } from "../view/icon.js";
import { titleOf } from "../view/words.js";
import { caretMenu, isCode, textBefore } from "./caretMenu.js";
import { fromJSON, noteHref } from "./schema.js";
import { blocksOf } from "./signing.js";

const { closeHistory } = pm.history;
const OPENING = /\[\[([^[\]\n]{0,80})$/;
const CLOSED = /\[\[([^[\]\n]{1,1000})\]\]$/;

/// `find(text)` gives notes, `create(title)` a new one, `document(note)` its text, `sign(note, block)` the sign of a block of it,
/// and `ownNames()` the names of the note that is written.
export function completion({ find, create, document, sign, ownNames }) {
  const isOwn = (title) => ownNames().some((name) => name && compared(name) === compared(title));
  const menu = caretMenu({
    id: "completion", label: say`Link to a note`, choices, take,
    key: ({ id, heading, block }) => `${id ?? "new"}#${block?.at ?? heading ?? ""}`,
    line: (note) => html`
      ${icon(note.isNew ? "file-plus" : "file-text")}<span class="choice-name">${note.isNew ? say`Create “${note.title}”` : note.block ? note.block.words : note.heading ? `# ${note.heading}` : nameOf(note)}</span>
      ${note.block?.sign ? html`<span class="faint">${note.block.sign}</span>` : null}
      ${note.alias ? html`<span class="faint">${titleOf(note)}</span>` : null}${note.folder ? html`<span class="faint">${note.folder.name ?? note.folder}</span>` : null}`,
    nothing: ({ notes, text }) => (!notes ? say`Looking…` : isOwn(text) ? say`This note has that title` : say`Type the title of a note`),
  });
  const closings = new Set();

  async function follow(editor, transaction) {
    menu.move(transaction);
    for (const place of closings) place.at = transaction.mapping.map(place.at);
    const { state, view } = editor;
    const match = OPENING.exec(state.selection.empty && view.hasFocus() ? textBefore(state.selection.$from) : "");
    if (!match) return menu.leave();
    const [opening, text] = match;
    const from = state.selection.from - opening.length;
    const before = menu.asked;
    if (!menu.mayShow(from, transaction) || (before?.text === text && before.from === from)) return;
    const asked = menu.show({ editor, from, text, notes: before?.notes ?? null, isAwaited: text.trim() !== "" });
    menu.fill(asked, { notes: await look(editor.schema, text).catch(() => []) });
  }

  /// Notes, and behind a `#` first the headings of the note whose title stands before it. A title may have a `#` itself.
  async function look(schema, text) {
    const [name, words] = parted(text);
    const titled = find(text.trim());
    const found = words === undefined ? await titled : (await Promise.all([headed(schema, name, words), titled])).flat();
    const { target, shown } = shownAs(text);
    return found.length > 0 || shown === null ? found : (await look(schema, target)).map((note) => ({ ...note, shown }));
  }

  /// Behind `#` headings, and behind `#^` all blocks, by their signs or their words.
  async function headed(schema, name, words) {
    const note = (await find(name)).find((one) => isTitled(one, name));
    if (!note) return [];
    const wanted = words.replace(/^\^/, "").toLowerCase();
    const has = (text) => text?.toLowerCase().includes(wanted) ?? false;
    const found = blocksOf(fromJSON(schema, await document(note.id))).filter(({ words, sign }) => has(words) || has(sign));
    if (!isSign(words)) return found.filter(({ heading }) => heading).map(({ heading }) => ({ ...note, heading }));
    return found.map((block) => (block.heading ? { ...note, heading: block.heading } : { ...note, block }));
  }

  // The sign of a paragraph says nothing to a reader.
  const nameOf = (note) => (note.heading && !isSign(note.heading) ? `${titleOf(note)}#${note.heading}` : (note.alias ?? titleOf(note)));

  function choices({ text, notes }) {
    const { target: title, shown } = shownAs(text);
    const isThere = title.includes("#") || isOwn(title) || (notes ?? []).some((note) => isTitled(note, title));
    const found = (notes ?? []).slice(0, 8);
    return title && notes && !isThere ? [...found, { title, shown, isNew: true }] : found;
  }

  async function take(choice, { editor, from, to }) {
    // The brackets may be closed already.
    const { doc } = editor.state;
    const isClosed = doc.textBetween(to, Math.min(to + 2, doc.resolve(to).end())) === "]]";
    const piece = menu.hold(editor, from, isClosed ? to + 2 : to);
    const note = await chosen(choice);
    if (!menu.letGo(piece) || !note) return;
    const { schema, tr } = editor.state;
    const link = schema.text(choice.shown || nameOf(note), [schema.marks.link.create({ href: noteHref(note.id, note.heading) })]);
    // What is typed next stands behind the link, and nothing is typed that nobody has typed.
    editor.view.dispatch(tr.replaceWith(piece.from, piece.to, link).removeStoredMark(schema.marks.link).scrollIntoView());
  }

  async function chosen(choice) {
    if (choice.isNew) return create(choice.title);
    if (!choice.block) return choice;
    const heading = await sign(choice.id, choice.block);
    return heading && { ...choice, heading };
  }

  /// `]]` takes the one note whose title stands before it; what has no note, or several, stays text.
  async function close(view, from, letters) {
    const $from = view.state.doc.resolve(from);
    const match = letters.endsWith("]") && CLOSED.exec(textBefore($from) + letters);
    if (!match || isCode($from)) return;
    const place = { at: from + letters.length - match[0].length };
    closings.add(place);
    const found = await meant(view.state.schema, match[1]).catch(() => null);
    view.domObserver?.flush();
    closings.delete(place);
    if (found) link(view, place.at, match[0], found.shown || (found.heading ? nameOf(found) : titleOf(found)), noteHref(found.id, found.heading));
  }

  /// `Note|words` is a link that shows the words; a title may have a bar itself.
  async function meant(schema, text) {
    const { target, shown } = shownAs(text);
    const whole = await named(schema, text);
    if (whole || shown === null) return whole;
    const note = await named(schema, target);
    return note && { ...note, shown };
  }

  /// The note that is meant, with its heading behind a `#`; null where there is none, or several.
  async function named(schema, text) {
    const titled = async (name) => (await find(name.trim())).filter((one) => isTitled(one, name));
    const whole = await titled(text);
    const [name, heading] = parted(text);
    // A title may have a `#` itself.
    if (whole.length > 0 || !heading) return whole.length === 1 ? whole[0] : null;
    const [note, ...others] = await titled(name);
    if (!note || others.length > 0) return null;
    const places = blocksOf(fromJSON(schema, await document(note.id))).flatMap((block) => block.heading ?? block.sign ?? []);
    const known = places.find((one) => one.toLowerCase() === heading.toLowerCase());
    return known ? { ...note, heading: known } : null;
  }

  return { follow, press: menu.press, hide: menu.hide, close };
}

const isSign = (place) => place.startsWith("^");

const isTitled = (note, title) => [note.title, note.alias].some((name) => name && compared(name) === compared(title));

/// Some systems keep letters and their accents apart.
const compared = (name) => name.trim().normalize().toLowerCase();

/// Parts a link at its bar: the title, and the words that are shown for it, which are null without a bar.
function shownAs(text) {
  const bar = text.indexOf("|");
  return bar > 0 ? { target: text.slice(0, bar).trim(), shown: text.slice(bar + 1).trim() } : { target: text.trim(), shown: null };
}

/// What stands before and behind a `#`.
const parted = (text) => text.split("#", 2).map((part) => part.trim());

/// In the place of `text`, if that stands there still.
function link(view, at, text, words, href) {
  const { doc, schema, tr } = view.state;
  const end = at + text.length;
  if (!view.editable || end > doc.content.size || doc.textBetween(at, end, "\n", "\ufffc") !== text) return;
  const marks = schema.marks.link.create({ href }).addToSet(doc.nodeAt(at).marks);
  view.dispatch(closeHistory(tr.replaceWith(at, end, schema.text(words, marks))));
}
