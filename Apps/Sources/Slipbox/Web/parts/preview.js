// The note behind a link, shown beside it while the pointer that was moved onto the link rests there; and the references of a
// citation, also while it has the focus.
//
// The card stays while the pointer is on the link or on the card, and goes with Escape, any other key, a click or scrolling.

import { say } from "../view/say.js";
import { html, render } from "../view/template.js";
import { titleOf } from "../view/words.js";
import { get } from "../server/call.js";
import { lineView, linesOf } from "../editor/citing.js";
import { readOnlyEditor } from "../editor/editor.js";
import { paneOf } from "./panes.js";

/// The pointer rests for so many milliseconds, and may leave for so many on its way to the card.
const REST = 450;
const WAY = 250;
const CITATION = ".text .citation";
const LINKS = `.text a.note-link, .links a.link-card, a.property-link, ${CITATION}`;
const canRest = matchMedia("(hover: hover) and (pointer: fine)");

let timer = null;
/// The card on the page: {link, card, field}.
let shown = null;
/// Where the pointer is on the screen, since it was moved last.
let at = { x: NaN, y: NaN };

export function watchLinks() {
  addEventListener("mouseover", (event) => canRest.matches && event.target.closest && over(event));
  addEventListener("mousemove", ({ screenX: x, screenY: y }) => (at = { x, y }), { passive: true });
  for (const name of ["keydown", "mousedown", "wheel"]) {
    addEventListener(name, (event) => event.target.closest?.(".preview") && name !== "keydown" ? null : hide(), { capture: true, passive: true });
  }
  addEventListener("scroll", ({ target }) => target.closest?.(".preview") || hide(), { capture: true, passive: true });
  addEventListener("hashchange", hide);
  addEventListener("focusin", ({ target }) => target.matches?.(CITATION) && showReferences(target));
  addEventListener("focusout", ({ target }) => shown?.link === target && hide());
}

function over({ target, screenX, screenY }) {
  // A page that changes under a resting pointer asks for nothing.
  const isMoved = screenX !== at.x || screenY !== at.y;
  const link = target.closest(LINKS);
  if (target.closest(".preview") || (link && link === shown?.link)) return clearTimeout(timer);
  clearTimeout(timer);
  if (link && isMoved) timer = setTimeout(() => show(link), REST);
  else if (shown) timer = setTimeout(hide, WAY);
}

async function show(link) {
  hide();
  if (link.matches(CITATION)) return showReferences(link);
  const id = /^#\/[^/]+\/(.+)$/.exec(link.getAttribute("href") ?? "")?.[1];
  if (!id || paneOf(id)) return;
  // A note that cannot be read has nothing to show.
  const note = await get(`/notes/${encodeURIComponent(id)}`).catch(() => null);
  if (!note || !link.isConnected || !link.matches(":hover")) return;
  hide();
  const card = document.createElement("section");
  card.className = "preview";
  card.setAttribute("aria-label", say`Preview of ${titleOf(note)}`);
  const text = document.createElement("div");
  text.className = "text";
  render(html`<h2 class="preview-title">${titleOf(note)}</h2>${note.trashed ? html`<p class="faint">${say`In the trash`}</p>` : null}${text}`, card);
  document.body.append(card);
  const field = readOnlyEditor(text, say`Text of the preview`);
  field.show(note.document);
  if (!text.textContent.trim() && !text.querySelector("img")) render(html`<p class="faint">${say`No text yet`}</p>`, text.appendChild(document.createElement("div")));
  shown = { link, card, field };
  place(link, card);
  showPlace(card, link.dataset.heading);
}

/// In full, what a citation names in short.
function showReferences(citation) {
  const lines = linesOf(citation);
  if (lines.length === 0) return;
  hide();
  const card = document.createElement("section");
  card.className = "preview reference-preview";
  card.setAttribute("aria-label", say`Preview of the reference`);
  render(lines.map((line) => html`<p>${lineView(line)}</p>`), card);
  document.body.append(card);
  shown = { link: citation, card, field: null };
  place(citation, card);
}

/// Below the link, or above it where the page ends.
function place(link, card) {
  const line = [...link.getClientRects()].at(0) ?? link.getBoundingClientRect();
  const below = innerHeight - line.bottom - 16;
  const isBelow = below >= card.offsetHeight || below >= line.top;
  card.style.maxHeight = `${Math.max(80, Math.min(320, isBelow ? below : line.top - 16))}px`;
  card.style.left = `${Math.max(8, Math.min(line.left, innerWidth - card.offsetWidth - 8))}px`;
  card.style.top = `${isBelow ? line.bottom + 6 : line.top - card.offsetHeight - 6}px`;
}

/// The heading that the link leads to.
function showPlace(card, wanted) {
  if (!wanted) return;
  const heading = [...card.querySelectorAll("h1, h2, h3, h4, h5, h6")].find(({ textContent, className }) => className !== "preview-title" && textContent.trim() === wanted.trim());
  if (heading) card.scrollTop += heading.getBoundingClientRect().top - card.getBoundingClientRect().top - 12;
}

function hide() {
  clearTimeout(timer);
  if (!shown) return;
  const { card, field } = shown;
  shown = null;
  field?.destroy();
  card.remove();
}
