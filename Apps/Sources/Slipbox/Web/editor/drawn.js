// Draws formulas in a line, formulas on lines of their own, and diagrams from their sources.
//
//   the caret is elsewhere      the drawing
//   the caret is in it          the source, and the drawing below it or above it
//
// The source is the text, and a drawing is a decoration: nothing of it is in the note.

import { say } from "../view/say.js";
import { pm } from "../vendor/editor.js";
import { complain, drawFormula } from "../view/formula.js";
import { drawDiagram } from "../view/diagram.js";
import { count } from "../view/words.js";
import { chosenMatch, isOfFinding } from "./finding.js";
import { formulasIn, LONGEST_BLOCK } from "./formulas.js";

const { Plugin, PluginKey, Selection, TextSelection } = pm.state;
const { Decoration, DecorationSet } = pm.view;
const key = new PluginKey("drawn");
/// Formulas of one text that are drawn; those behind them stay source.
const MOST = 3000;
/// While somebody types, a diagram waits for so many milliseconds without a change.
const PAUSE = 300;

/// The kind of a block that is drawn: "math" or "mermaid"; null for others.
export const kindOfDrawn = (node) => (node?.type.name === "codeBlock" && ["math", "mermaid"].includes(node.attrs.language?.toLowerCase()) ? node.attrs.language.toLowerCase() : null);

/// It comes behind the one for finding, whose matches it asks for.
export const drawnPlugin = () => new Plugin({
  key,
  state: {
    init: (_, state) => decorate(state),
    apply(transaction, value, old, state) {
      const hasMoved = transaction.selectionSet && (isAtDrawn(old) || isAtDrawn(state));
      return transaction.docChanged || hasMoved || isOfFinding(transaction) ? decorate(state) : value;
    },
  },
  view: () => ({ update: keepInside }),
  props: { decorations: (state) => key.getState(state) },
});

/// Whether the selection may touch something that is drawn: a caret asks its own paragraph only.
function isAtDrawn({ selection: { empty, $head } }) {
  return !empty || kindOfDrawn($head.parent) !== null || ($head.parent.isTextblock && formulasIn($head.parent).length > 0);
}

function decorate(state) {
  const decorations = [];
  const { from, to } = state.selection;
  const match = chosenMatch(state);
  const lookOf = (start, end) => (match && match.from < end && match.to > start ? "near sought" : from <= end && to >= start ? "near" : "");
  let room = MOST;
  state.doc.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const kind = kindOfDrawn(node);
    if (kind) {
      const look = lookOf(at + 1, at + node.nodeSize - 1);
      decorations.push(...block(node, at, kind, look));
    }
    for (const formula of formulasIn(node)) {
      if ((room -= 1) < 0) break;
      const start = at + 1 + formula.from;
      const end = at + 1 + formula.to;
      decorations.push(...inLine(formula, start, end, lookOf(start, end), node.content.size === formula.to - formula.from));
    }
    return false;
  });
  return DecorationSet.create(state.doc, decorations);
}

// MARK: - In a line

function inLine({ tex, isDisplay }, from, to, look, isAlone) {
  const source = isDisplay ? `$$${tex}$$` : `$${tex}$`;
  const draw = (view, place) => {
    const element = document.createElement("span");
    element.className = `drawn formula ${look}${isDisplay && isAlone ? " alone" : ""}`;
    element.contentEditable = "false";
    leadToSource(element, view, () => place() + (isDisplay ? 2 : 1) + tex.length);
    drawFormula(element, tex, { isDisplay, source });
    return element;
  };
  return [
    Decoration.widget(from, draw, { side: -1, key: `${look} ${isAlone} ${source}`, ignoreSelection: true }),
    Decoration.inline(from, to, { class: `formula-source ${look}`, spellcheck: "false" }),
  ];
}

// MARK: - On lines of its own

function block(node, at, kind, look) {
  const source = node.textContent;
  const draw = (view, place) => {
    const element = document.createElement("div");
    element.className = `drawn ${kind === "math" ? "formula-block" : "diagram"} ${look}`;
    element.contentEditable = "false";
    leadToSource(element, view, () => place() + 1 + source.length);
    if (!source.trim()) showEmpty(element, kind);
    else if (kind === "math") drawBlock(element, source);
    else drawLater(element, source, look !== "");
    return element;
  };
  return [
    Decoration.widget(at, draw, { side: -1, key: `${kind} ${look} ${source}`, ignoreSelection: true }),
    Decoration.node(at, at + node.nodeSize, { class: `drawn-source ${look}`, spellcheck: "false" }),
  ];
}

function showEmpty(element, kind) {
  element.classList.add("empty");
  element.textContent = kind === "math" ? say`An empty formula` : say`An empty diagram`;
}

function drawBlock(element, source) {
  if (source.length > LONGEST_BLOCK) return complain(element, "", say`The formula is too long: ${count(source.length)} characters, at most ${count(LONGEST_BLOCK)} are drawn.`);
  const inside = element.appendChild(document.createElement("div"));
  drawFormula(inside, source, { isDisplay: true, source });
}

/// The drawing that the block with the caret had last: it stays while the next one is made.
let lastNear = null;

function drawLater(element, source, isNear) {
  if (isNear && lastNear) element.append(...[...lastNear].map((child) => child.cloneNode(true)));
  else element.append(Object.assign(document.createElement("span"), { className: "drawn-waits", textContent: say`Drawing…` }));
  const show = () => showDiagram(element, source).then(() => isNear && !element.classList.contains("wrong") && (lastNear = element.childNodes));
  if (isNear && lastNear) setTimeout(() => element.isConnected && show(), PAUSE);
  else show();
}

/// In light colours always, which paper needs, and in dark ones where the page is dark.
async function showDiagram(element, source) {
  const isDark = document.documentElement.dataset.theme === "dark";
  try {
    const drawings = [["light", await drawDiagram(source, false)], ...(isDark ? [["dark", await drawDiagram(source, true)]] : [])];
    element.classList.remove("wrong");
    element.replaceChildren(...drawings.map(([colours, { address, width, height, label }]) =>
      Object.assign(document.createElement("img"), { src: address, width, height, alt: label, className: `diagram-${colours}`, draggable: false })));
    sources.set(element, source);
  } catch (error) {
    complain(element, "", error.message);
  }
}

/// The sources of the diagrams on the page, for the moment when it becomes dark.
const sources = new WeakMap();

new MutationObserver(() => {
  if (document.documentElement.dataset.theme !== "dark") return;
  for (const element of document.querySelectorAll(".drawn.diagram")) {
    if (sources.has(element) && !element.querySelector(".diagram-dark")) showDiagram(element, sources.get(element));
  }
}).observe(document.documentElement, { attributeFilter: ["data-theme"] });

// MARK: - Into the source

export function leadToSource(element, view, place) {
  element.addEventListener("mousedown", (event) => {
    if (!view.editable || event.button !== 0) return;
    event.preventDefault();
    const { state } = view;
    view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, Math.min(place(), state.doc.content.size))));
    view.focus();
  });
}

/// An arrow goes into a block whose source is hidden, and so does a key that would join a paragraph to it.
export function goInto(view, event) {
  const { state: { doc, selection: { $head, empty } } } = view;
  if (!empty || !view.editable || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !$head.parent.isTextblock) return false;
  const direction = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right", Backspace: "backward", Delete: "forward" }[event.key];
  if (!direction || !view.endOfTextblock(direction)) return false;
  if (["Backspace", "Delete"].includes(event.key) && $head.parent.content.size === 0) return false;
  const isAhead = ["down", "right", "forward"].includes(direction);
  const beside = Selection.findFrom(doc.resolve(isAhead ? $head.after() : $head.before()), isAhead ? 1 : -1, true);
  if (!kindOfDrawn(beside?.$from.parent) || kindOfDrawn($head.parent) === null && !isNext($head, beside.$from, isAhead)) return false;
  const place = isAhead ? beside.$from.start() : beside.$from.end();
  view.dispatch(view.state.tr.setSelection(TextSelection.create(doc, place)).scrollIntoView());
  event.preventDefault();
  return true;
}

/// Whether nothing that can be chosen as a whole, such as a picture, is between two places.
function isNext($one, $other, isAhead) {
  const [from, to] = isAhead ? [$one.after(), $other.before()] : [$other.after(), $one.before()];
  let isFree = true;
  if (from < to) $one.doc.nodesBetween(from, to, (node) => void (isFree &&= !(node.isLeaf && !node.isText)));
  return isFree;
}

/// The drawing below the line of the caret does not leave the page on the right.
function keepInside(view) {
  for (const element of view.dom.querySelectorAll(".formula.near")) {
    element.style.translate = "none";
    const beyond = element.getBoundingClientRect().right - view.dom.getBoundingClientRect().right;
    if (beyond > 0) element.style.translate = `${-beyond}px 0`;
  }
}
