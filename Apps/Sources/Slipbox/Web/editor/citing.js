// Shows citations as readers see them: `[@doe2020, p. 12]` is “(Doe 2020, p. 12)” where the caret is not in it.
//
//   the caret is elsewhere      the short form; a citation with a key that is not known stays as it is, and the key is marked
//   the caret is in it          what was written, and a card with the whole references below the line
//
// The text keeps what was written: the short form is a decoration.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { html, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { citationsIn, eachCitation, keysIn, shortForm } from "./citations.js";
import { leadToSource } from "./drawn.js";
import { chosenMatch, isOfFinding } from "./finding.js";

const { Plugin, PluginKey, TextSelection } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("citing");

/// `cited` has the works that the text cites: `works`, a map by keys, `missing`, a set of keys that are not known, and `cite(keys)`,
/// which asks for them. `isWritten()` tells whether the text can be changed.
export const citingPlugin = (cited, isWritten) => new Plugin({
  key,
  state: {
    init: (_, state) => decorate(state, cited, isWritten()),
    apply(transaction, value, old, state) {
      const hasMoved = transaction.selectionSet && (isAtCitation(old) || isAtCitation(state));
      return transaction.docChanged || hasMoved || isOfFinding(transaction) || transaction.getMeta(key) ? decorate(state, cited, isWritten()) : value;
    },
  },
  view: (view) => {
    cited.cite(keysIn(view.state.doc));
    return { update: (view, { doc }) => doc === view.state.doc || cited.cite(keysIn(view.state.doc)) };
  },
  props: {
    decorations: (state) => key.getState(state),
    handleTextInput: (view, from, to, letters) => letters === "]" && from === to && goBehindBracket(view, from),
  },
});

/// Has the citations looked at again: works came, or the text can be changed now.
export const lookAtCitations = (view) => view.dispatch(view.state.tr.setMeta(key, true).setMeta("addToHistory", false));

const isAtCitation = ({ selection: { empty, $head } }) => !empty || ($head.parent.isTextblock && citationsIn($head.parent).length > 0);

function decorate(state, { works, missing }, isWritten) {
  const decorations = [];
  const { from, to } = state.selection;
  const match = chosenMatch(state);
  eachCitation(state.doc, (citation, at) => {
    const words = shortForm(citation, works);
    const start = at + citation.from;
    const end = at + citation.to;
    if (words === null) {
      for (const item of citation.items) if (missing.has(item.key) && !citation.isInSentence) decorations.push(unknown(item, at));
      return;
    }
    const look = match && match.from < end && match.to > start ? "near sought" : from <= end && to >= start ? "near" : "";
    const lines = citation.items.map((item) => works.get(item.key).line);
    decorations.push(
      Decoration.widget(start, (view, place) => draw(view, () => place() + citation.items[0].to - citation.from, { words, lines, look, isWritten }), { side: -1, key: `${look} ${isWritten} ${words} ${citation.items.map((item) => item.key)}`, ignoreSelection: true }),
      Decoration.inline(start, end, { class: `citation-source ${look}`, spellcheck: "false" }),
    );
  });
  return decorations.length > 0 ? DecorationSet.create(state.doc, decorations) : DecorationSet.empty;
}

const unknown = (item, at) => Decoration.inline(at + item.from, at + item.to, { class: "citation-unknown", title: hintOf(item.key) });

const hintOf = (name) => say`No file of references has the key “${name}”.`;

/// The works of a short form, for the card beside it: see `linesOf`.
const shown = new WeakMap();
export const linesOf = (element) => shown.get(element) ?? [];

function draw(view, place, { words, lines, look, isWritten }) {
  const element = document.createElement("span");
  element.className = `citation ${look}`;
  element.contentEditable = "false";
  element.textContent = words;
  shown.set(element, lines);
  if (isWritten) leadToSource(element, view, place);
  // In a text that is only read, Tab leads to it, and a screen reader speaks the whole reference.
  else Object.assign(element, { tabIndex: 0, role: "note", ariaLabel: `${words}: ${lines.map(textOf).join(" ")}` });
  return element;
}

const textOf = (line) => line.map(({ text }) => text).join("");

/// A line of the list, with its italics and its address.
export const lineView = (line) => line.map(({ text, isItalic, href }) =>
  (href ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${text}</a>` : isItalic ? html`<em>${text}</em>` : text));

/// A bracket that closes a citation is there already when it is typed.
function goBehindBracket(view, from) {
  const { doc, tr } = view.state;
  const $from = doc.resolve(from);
  const offset = $from.parentOffset;
  const isEnd = $from.parent.isTextblock && citationsIn($from.parent).some((one) => !one.isInSentence && one.to === offset + 1);
  if (!isEnd) return false;
  view.dispatch(tr.setSelection(TextSelection.create(doc, from + 1)));
  return true;
}

// MARK: - The card of the caret

/// Below the line of the caret, while it is in a citation: the references, or that there is none.
export function citationCard(element, cited) {
  const card = document.createElement("div");
  card.className = "citation-card";
  card.setAttribute("role", "status");
  let shownFor = null;

  element.addEventListener("focusout", (event) => element.contains(event.relatedTarget) || hide());

  function follow(editor) {
    const citation = editor.isEditable && editor.view.hasFocus() ? citationAt(editor.state) : null;
    const lines = citation?.items.map(({ key }) => ({ key, line: cited.works.get(key)?.line, isMissing: cited.missing.has(key) }))
      .filter(({ line, isMissing }) => line || (isMissing && !citation.isInSentence)) ?? [];
    if (lines.length === 0) return hide();
    const around = element.getBoundingClientRect();
    if (!card.isConnected) element.append(card);
    const now = lines.map(({ key, line }) => `${key} ${Boolean(line)}`).join(" ");
    if (now !== shownFor) render(lines.map(({ key, line }) => html`<p>${line ? lineView(line) : [icon("circle-alert"), hintOf(key)]}</p>`), card);
    shownFor = now;
    const caret = editor.view.coordsAtPos(editor.state.selection.from);
    card.style.top = `${caret.bottom - around.top + (matchMedia("(pointer: coarse)").matches ? 26 : 6)}px`;
    card.style.left = `${Math.max(0, Math.min(caret.left - around.left - 24, around.width - card.offsetWidth))}px`;
  }

  function hide() {
    shownFor = null;
    card.remove();
  }

  return { follow, hide };
}

/// The citation with the caret, by places in its block.
export function citationAt({ selection: { empty, $head } }) {
  if (!empty || !$head.parent.isTextblock) return null;
  const at = $head.parentOffset;
  return citationsIn($head.parent).find(({ from, to }) => from <= at && at <= to) ?? null;
}
