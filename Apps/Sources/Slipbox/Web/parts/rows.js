// The rows that are in sight, of a list that may have 100,000.

import { icon } from "../view/icon.js";
import { marked } from "../view/marked.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed, render } from "../view/template.js";
import { count, counted, dayTitle, fullDate, shortDate, time, titleOf } from "../view/words.js";
import { onLook, valueOf } from "../model/appearance.js";
import { actOn, choose, chosen, isChoosingSeveral } from "../model/chosen.js";
import { indexOf, list, listWith, rowAt, showHeld, shownRow, sortOf, unsentRows, wantRows } from "../model/list.js";
import { MARKS } from "../model/marks.js";
import { shownValue } from "../model/properties.js";
import { go } from "../model/route.js";
import { isSearching, search } from "../model/searching.js";
import { nameOf, saysStatus, state, STATUSES } from "../model/state.js";
import { press, rowMenu } from "./choosing.js";
import { startNotesDrag } from "./dragging.js";

/// Rows and heads have one height each, in rem, so that the place of the 70,000th is a multiplication.
const ROW = { roomy: 6.25, compact: 3.5 };
const HEAD = 2.125;
const rowHeight = () => ROW[valueOf("rows")] * rem();
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

let scroller;
let isPointed = false;
let shownSerial = -1;

// The row that was on top stays there.
onLook(() => {
  const back = keepPlace();
  queueMicrotask(() => {
    drawRows();
    back();
  });
});

listWith({ mayNotMove: () => isPointed, keepPlace });

// MARK: - Geometry

function layout() {
  const row = rowHeight();
  const head = HEAD * rem();
  let top = 0;
  let first = 0;
  return list.sections.map((section) => {
    const headHeight = section.title ? head : 0;
    const placed = { ...section, top, first, head: headHeight, row, height: headHeight + section.count * row };
    top += placed.height;
    first += section.count;
    return placed;
  });
}

function topOf(index) {
  const section = layout().findLast((candidate) => candidate.first <= index);
  return section ? section.top + section.head + (index - section.first) * section.row : 0;
}

function keepPlace() {
  if (!scroller || scroller.scrollTop < 4) return () => {};
  const first = firstInSight();
  const id = rowAt(first)?.id;
  const before = scroller.scrollTop - topOf(first);
  return () => {
    const now = id === undefined ? -1 : indexOf(id);
    if (now >= 0 && now !== first) scroller.scrollTop = topOf(now) + before;
  };
}

function firstInSight() {
  const section = layout().findLast((candidate) => candidate.top <= scroller.scrollTop);
  if (!section) return 0;
  return section.first + Math.max(0, Math.floor((scroller.scrollTop - section.top - section.head) / section.row));
}

function bringIntoSight(index) {
  const top = topOf(index);
  const height = rowHeight();
  const head = list.sections.some((section) => section.title) ? HEAD * rem() : 0;
  if (top - head < scroller.scrollTop) scroller.scrollTop = top - head;
  else if (top + height > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + height - scroller.clientHeight;
}

const rowsOnAPage = () => Math.max(1, Math.floor(scroller.clientHeight / rowHeight()) - 1);

// MARK: - Drawing

/// The list itself; what is in it is drawn apart (`drawRows`), so that scrolling changes nothing else.
export const rowsFrame = () => html`
  <div class="rows" role="listbox" tabindex="0" aria-label=${say`Notes in ${nameOf(state.place)}`} aria-multiselectable="true"
    aria-busy=${String(list.isLoading)} ref=${openScroller} @scroll=${drawRows} @contextmenu=${openActiveMenu} @keydown=${(event) => press(event, { bringIntoSight, rowsOnAPage })}
    @pointerenter=${() => (isPointed = true)} @pointerleave=${() => { isPointed = false; showHeld(); }}></div>`;

function openScroller(element) {
  scroller = element;
  new ResizeObserver(() => drawRows()).observe(element);
}

export function drawRows() {
  if (!scroller) return;
  if (shownSerial !== list.serial) {
    if (list.isLoading) scroller.scrollTop = 0;
    shownSerial = list.serial;
  }
  render(rowsView(), scroller);
  showActiveRow();
}

/// The row that has the focus in the list's name, while it is in the page.
function showActiveRow() {
  const id = `row-${state.noteID}`;
  if (document.getElementById(id)) scroller.setAttribute("aria-activedescendant", id);
  else scroller.removeAttribute("aria-activedescendant");
}

/// The menu key opens the menu of that row: the browser asks the list for it, which has the focus.
function openActiveMenu(event) {
  const row = shownRow(rowAt(indexOf(state.noteID)));
  if (event.target !== scroller || event.button === 2 || !row) return;
  event.preventDefault();
  openMenu(document.getElementById(`row-${row.id}`) ?? scroller, rowMenu(row), say`Note ${titleOf(row)}`);
}

function rowsView() {
  const sections = layout();
  const height = sections.at(-1) ? sections.at(-1).top + sections.at(-1).height : 0;
  const above = Math.max(0, scroller.scrollTop - scroller.clientHeight * 0.6);
  const below = scroller.scrollTop + scroller.clientHeight * 1.6;
  const inSight = sections.filter((section) => section.top < below && section.top + section.height > above);
  let first = null;
  let last = 0;
  const shown = inSight.map((section) => {
    const from = Math.max(0, Math.floor((above - section.top - section.head) / section.row));
    const to = Math.min(section.count, Math.ceil((below - section.top - section.head) / section.row));
    first ??= section.first + from;
    last = Math.max(last, section.first + to);
    return keyed(section.name, sectionView(section, from, to));
  });
  if (first !== null) wantRows(first, last);
  return html`
    ${unsentView()}
    <div class="all-rows" role="presentation" $height=${`${height}px`}>${shown}</div>`;
}

function unsentView() {
  const rows = unsentRows();
  if (rows.length === 0) return null;
  return html`<div role="group" aria-label=${say`Waiting to be sent`}>
    ${rows.map((note) => keyed(note.id, html`
      <div class="row unsent" role="option" id=${`row-${note.id}`} aria-selected=${String(state.noteID === note.id)}
        @click=${() => go(state.place, note.id)}>
        <div class="row-title">${icon("cloud-off")}<span class="row-name">${titleOf(note)}</span></div>
        <div class="row-excerpt">${say`Waiting to be sent`}</div>
      </div>`))}
  </div>`;
}

const SECTIONS = { pinned: say`Pinned`, title: say`In the title`, text: say`In the text` };

/// The title of a section, which the server gives in English with a name that says what it is.
function titleOfSection({ name, title }) {
  if (/^\d{4}-\d\d-\d\d$/.test(name)) return dayTitle(name);
  if (name === "without") return say`Without “${/“(.*)”/s.exec(title)?.[1] ?? title}”`;
  if (name === "") return title && say`Notes`;
  return SECTIONS[name] ?? STATUSES.find(({ id }) => id === name)?.name ?? title;
}

function sectionView(section, from, to) {
  const rows = [];
  for (let at = from; at < to; at++) {
    const row = shownRow(rowAt(section.first + at));
    const top = `${section.head + at * section.row}px`;
    rows.push(row ? keyed(row.id, rowView(row, section.first + at, top)) : keyed(`…${at}`, ghostView(top)));
  }
  const title = titleOfSection(section);
  return html`
    <div class="section" role=${section.title ? "group" : "presentation"} aria-label=${section.title ? `${title}, ${counted(section.count, "note", "notes")}` : null}
      $top=${`${section.top}px`} $height=${`${section.height}px`}>
      ${section.title ? html`<div class="section-head" aria-hidden="true"><span>${title}</span><span>${count(section.count)}</span></div>` : null}
      ${rows}
    </div>`;
}

const ghostView = (top) => html`<div class="row ghost" role="presentation" $top=${top}><i></i><i></i><i></i></div>`;

/// The beginning of the note, or the part with the words that were searched for, which may be in a file.
function excerptView({ excerpt, hits, file }) {
  if (file) return html`<span class="row-file">${icon("paperclip")}${say`in ${file.name}:`}</span> ${marked(file.excerpt, file.hits)}`;
  return excerpt ? marked(excerpt, hits?.excerpt) : html`<span class="faint">${say`No text yet`}</span>`;
}

function rowView(row, index, top) {
  const isOpen = state.noteID === row.id;
  const isChosen = isChoosingSeveral() ? chosen.has(row.id) : isOpen;
  const showsFolder = row.folder && (!state.place.startsWith("folder:") || (isSearching() && search.scope === "all"));
  return html`
    <div class=${isOpen ? "row open" : "row"} role="option" id=${`row-${row.id}`} draggable="true" aria-selected=${String(isChosen)}
      aria-setsize=${list.total} aria-posinset=${index + 1} $top=${top}
      @click=${(event) => choose(event, row, index)} @contextmenu=${contextMenu(() => rowMenu(row), say`Note ${titleOf(row)}`)}
      @dragstart=${(event) => startNotesDrag(event, actOn(row))}>
      <div class="row-title">
        ${isChoosingSeveral() ? html`<span class="row-box">${isChosen ? icon("check") : null}</span>` : null}
        ${MARKS.filter(({ id, isInRow }) => isInRow && row[id]).map(({ name, icon: sign }) => html`<span class="row-star" title=${name}>${icon(sign)}<span class="sr">${name}:</span></span>`)}
        <span class=${row.title?.trim() ? "row-name" : "row-name untitled"}>${marked(titleOf(row), row.hits?.title)}</span>
        <time class="row-date" datetime=${row.created} title=${fullDate(row.created)}>${sortOf(state.place) === "day" ? time(new Date(row.created)) : shortDate(row.created)}</time>
      </div>
      <div class="row-excerpt">${excerptView(row)}</div>
      <div class=${row.property || saysStatus(row) || row.attachment || showsFolder || row.keywords.length > 0 ? "row-foot" : "row-foot empty"}>
        ${row.property ? html`<span class="row-property">${row.property.name} <b>${shownValue(row.property)}</b></span>` : null}
        ${saysStatus(row) ? html`<span class=${`status ${row.status}`}>${STATUSES.find((status) => status.id === row.status)?.name}</span>` : null}
        ${row.attachment ? html`<span class="row-sign" title=${say`Has a picture`}>${icon("image")}<span class="sr">${say`Has a picture`}</span></span>` : null}
        ${showsFolder ? html`<span class="row-folder">${icon("folder")}<span>${row.folder.name}</span></span>` : null}
        <span class="row-keywords">${row.keywords.map((keyword) => html`
          <span class="row-keyword"><i class="dot" $--dot=${keyword.color}></i>${keyword.name}</span>`)}</span>
      </div>
    </div>`;
}
