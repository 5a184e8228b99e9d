// Keywords: their colours, the editor that adds them to a note, and the dialog with all of them.

import { isComposing } from "../view/composing.js";
import { askText, confirm, openDialog } from "../view/dialog.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { count, counted, plain } from "../view/words.js";
import { get } from "../server/call.js";
import { choose, chosen } from "../model/chosen.js";
import { list } from "../model/list.js";
import { go } from "../model/route.js";
import { search } from "../model/searching.js";
import { state } from "../model/state.js";
import { changeKeyword, deleteKeyword, onRefresh, perform } from "../acts/acts.js";
import { addKeyword, leaveWith } from "./changes.js";

const COLOURS = [
  ["#6b7280", say`Grey`], ["#c2410c", say`Rust`], ["#b45309", say`Amber`], ["#4d7c0f", say`Olive`], ["#15803d", say`Green`], ["#0f766e", say`Teal`],
  ["#0369a1", say`Blue`], ["#4338ca", say`Indigo`], ["#7e22ce", say`Violet`], ["#be185d", say`Pink`],
];

export const anyColour = () => COLOURS[Math.floor(Math.random() * COLOURS.length)][0];

function colourChoice(colour, choose) {
  const isOwn = !COLOURS.some(([value]) => value === colour?.toLowerCase());
  return html`
    <div class="colours" role="radiogroup" aria-label=${say`Colour`}>
      ${COLOURS.map(([value, name]) => html`
        <button type="button" class="colour" role="radio" aria-checked=${String(value === colour?.toLowerCase())} aria-label=${name} title=${name}
          $--dot=${value} @click=${() => choose(value)}></button>`)}
      <label class=${isOwn ? "colour own chosen" : "colour own"} $--dot=${colour ?? "#888888"} title=${say`Another colour`}>
        <input type="color" aria-label=${say`Another colour`} .value=${colour ?? "#888888"} @change=${(event) => choose(event.target.value)} /></label>
    </div>`;
}

// MARK: - Keywords of a note

/// The search-or-create field beside the keywords of the note in a pane: {text, found, active, color}, or its button.
export function keywordEditor(pane) {
  const { note, keywordEditor: editor } = pane;
  if (!editor) {
    return html`<button class="chip-button" aria-haspopup="dialog" @click=${() => openEditor(pane)}>${icon("plus")}${note.keywords.length ? say`Keyword` : say`Add a keyword`}</button>`;
  }
  return html`
    <span class="keyword-editor" @focusout=${(event) => event.currentTarget.contains(event.relatedTarget) || !event.relatedTarget || leaveEditor(pane)}>
      <input type="text" class="keyword-field" role="combobox" aria-label=${say`Find or create a keyword`} aria-expanded="true" aria-controls=${pane.idOf("keyword-choices")}
        aria-autocomplete="list" autocomplete="off" maxlength="100" placeholder=${say`Keyword`} .value=${editor.text}
        aria-activedescendant=${editor.active >= 0 ? pane.idOf(`keyword-choice-${editor.active}`) : null}
        ref=${(input) => queueMicrotask(() => input.focus())}
        @input=${(event) => { editor.text = event.target.value; editor.active = editor.text.trim() ? 0 : -1; find(pane); changed(); }}
        @keydown=${(event) => pressEditor(event, pane)} />
      <span class="keyword-popup" ref=${(popup) => requestAnimationFrame(() => keepInside(popup))}>
        <span id=${pane.idOf("keyword-choices")} class="choices" role="listbox" aria-label=${say`Keywords`}>
          ${choices(pane).map((choice, index) => html`
            <span class="choice" role="option" id=${pane.idOf(`keyword-choice-${index}`)} aria-selected=${String(index === editor.active)}
              @pointerdown=${(event) => event.preventDefault()} @click=${() => take(choice, pane)}>
              <i class="dot" $--dot=${choice.color}></i>${choice.isNew ? html`${say`Create “${choice.name}”`}` : html`<span class="choice-name">${choice.name}</span>`}</span>`)}
        </span>
        ${isNew(pane) ? colourChoice(editor.color, (color) => { editor.color = color; changed(); }) : null}
      </span>
    </span>`;
}

function openEditor(pane) {
  pane.keywordEditor = { text: "", found: state.overview?.keywords.top ?? [], active: -1, color: anyColour() };
  find(pane);
  changed();
}

function closeEditor(pane) {
  if (!pane.keywordEditor) return;
  pane.keywordEditor = null;
  changed();
}

/// A keyword that was typed is meant as it was typed; nobody has chosen one that only begins so.
function leaveEditor(pane) {
  const { note, keywordEditor: editor } = pane;
  closeEditor(pane);
  const text = editor?.text.trim();
  if (!text || note.keywords.some(({ name }) => isSame(name, text))) return;
  const { id, name, color } = editor.found.find((keyword) => isSame(keyword.name, text)) ?? { name: text, color: editor.color };
  addKeyword(pane, id ? { id, name, color } : { name, color }, say`Keyword “${name}” added to the note`);
}

leaveWith((pane, isHidden) => isHidden || leaveEditor(pane));

function keepInside(popup) {
  const box = popup.getBoundingClientRect();
  if (box.right > innerWidth - 8) popup.style.setProperty("--shift", `${innerWidth - 8 - box.right}px`);
}

async function find(pane) {
  const editor = pane.keywordEditor;
  const asked = editor.text.trim();
  try {
    const answer = await get(`/keywords?text=${encodeURIComponent(asked)}&limit=20`);
    if (pane.keywordEditor !== editor || editor.text.trim() !== asked) return;
    editor.found = answer.keywords ?? answer;
    changed();
  } catch {
    // Without the server, what the sidebar knows is offered.
  }
}

const isSame = (one, other) => one.localeCompare(other, undefined, { sensitivity: "base" }) === 0;

function isNew({ note, keywordEditor: editor }) {
  const text = editor.text.trim();
  return text !== "" && ![...editor.found, ...note.keywords].some((keyword) => isSame(keyword.name, text));
}

function choices(pane) {
  const { note, keywordEditor: editor } = pane;
  const text = editor.text.trim();
  const free = editor.found.filter((keyword) => !note.keywords.some((has) => has.id === keyword.id))
    .filter((keyword) => plain(keyword.name).includes(plain(text))).slice(0, 8);
  return isNew(pane) ? [...free, { name: text, color: editor.color, isNew: true }] : free;
}

function pressEditor(event, pane) {
  if (isComposing(event)) return;
  const found = choices(pane);
  const editor = pane.keywordEditor;
  if (event.key === "ArrowDown") editor.active = Math.min(found.length - 1, editor.active + 1);
  else if (event.key === "ArrowUp") editor.active = Math.max(editor.text.trim() ? 0 : -1, editor.active - 1);
  else if ((event.key === "Enter" || event.key === ",") && found[editor.active]) take(found[editor.active], pane);
  else if (event.key === "Enter" || event.key === "Escape") {
    // Enter in an empty field: that was the last one.
    closeEditor(pane);
    queueMicrotask(() => pane.element?.querySelector(".chip-button")?.focus());
  } else return;
  event.preventDefault();
  event.stopPropagation();
  changed();
}

function take(choice, pane) {
  const editor = pane.keywordEditor;
  // Its name and colour are shown before the server has answered.
  addKeyword(pane, choice.isNew ? { name: choice.name, color: choice.color } : { id: choice.id, name: choice.name, color: choice.color });
  // One keyword rarely comes alone: the field stays.
  editor.text = "";
  editor.active = -1;
  find(pane);
  changed();
}

export const keywordMenu = (keyword, removeFromNote = null) => [
  { name: say`Show its notes`, icon: "search", run: () => go(`keyword:${keyword.id}`) },
  removeFromNote && { name: say`Remove from this note`, icon: "x", run: removeFromNote },
  "line",
  { name: say`Rename…`, icon: "pencil", run: () => askRename(keyword) },
  { name: say`Colour…`, icon: "tag", run: () => askColour(keyword) },
  { name: say`Delete keyword…`, icon: "trash-2", isBad: true, run: () => askDelete(keyword) },
];

async function askRename(keyword) {
  const name = await askText({ title: say`Rename keyword`, label: say`Name`, value: keyword.name, yes: say`Rename` });
  if (name && name !== keyword.name) await changeKeyword(keyword, { name });
}

async function askColour(keyword) {
  const color = await openDialog({
    title: say`Colour of “${keyword.name}”`,
    kind: "small",
    content: (close) => colourChoice(keyword.color, close),
  });
  if (color && color !== keyword.color) await changeKeyword(keyword, { color });
}

async function askDelete(keyword) {
  const yes = await confirm({
    title: say`Delete the keyword “${keyword.name}”?`,
    text: keyword.count ? say`It is taken off ${counted(keyword.count, "note", "notes")}. The notes stay.` : say`It is taken off every note. The notes stay.`,
    yes: say`Delete`,
  });
  if (!yes) return;
  if (state.place === `keyword:${keyword.id}`) go("all", null, { replace: true });
  await deleteKeyword(keyword);
}

// MARK: - All of them

export function allKeywords() {
  let text = "";
  let keywords = null;
  let problem = null;
  let color = COLOURS[6][0];
  let redraw = () => {};
  const load = async () => {
    const asked = text.trim();
    try {
      const answer = await get(`/keywords?text=${encodeURIComponent(asked)}&limit=200`);
      if (asked !== text.trim()) return;
      keywords = answer.keywords ?? answer;
      problem = null;
    } catch (error) {
      if (asked !== text.trim()) return;
      // It is about what is asked for here, and stays until something else is.
      problem = error.message;
    }
    redraw();
  };
  load();
  const forget = onRefresh(load);
  const create = async () => {
    const name = text.trim();
    // The next one may be typed before the server has answered.
    text = "";
    redraw();
    const made = await perform({ method: "POST", path: "/keywords", body: { name, color } });
    if (made !== null || text !== "") return;
    text = name;
    load();
  };
  return openDialog({
    title: say`Keywords`,
    kind: "tall",
    content: (close, draw) => {
      redraw = draw;
      const isNewName = text.trim() && keywords && !keywords.some((keyword) => isSame(keyword.name, text.trim()));
      return html`
        <input class="dialog-search" data-first type="text" aria-label=${say`Find or create a keyword`} placeholder=${say`Find or create`} maxlength="100" .value=${text}
          @input=${(event) => { text = event.target.value; load(); draw(); }} @keydown=${(event) => event.key === "Enter" && !isComposing(event) && isNewName && create()} />
        ${isNewName ? html`<div class="new-keyword">${colourChoice(color, (value) => { color = value; draw(); })}
          <button class="main" @click=${create}>${say`Create “${text.trim()}”`}</button></div>` : null}
        <div class="choices">
          ${problem ? html`<p class="dialog-text" role="alert">${problem}</p>` : keywords === null ? html`<div class="spinner"></div>` : null}
          ${keywords?.length === 0 && !text ? html`<p class="dialog-text">${say`No keywords yet.`}</p>` : null}
          ${(keywords ?? []).map((keyword) => keyed(keyword.id, html`
            <div class="choice-line">
              <button class="choice" @click=${() => { close(); go(`keyword:${keyword.id}`); }}><i class="dot" $--dot=${keyword.color}></i>
                <span class="choice-name">${keyword.name}</span><span class="place-count">${keyword.count ?? ""}</span></button>
              <button class="plain small" aria-label=${say`More for ${keyword.name}`} @click=${(event) => openMenu(event.currentTarget, keywordMenu(keyword).slice(2), keyword.name)}>
                ${icon("ellipsis")}</button>
            </div>`))}
        </div>`;
    },
  }).finally(forget);
}
