// Searching: words, at most one status and other tokens as chips, here or everywhere.

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { counted } from "../view/words.js";
import { list, listComing, openList, rowAt } from "../model/list.js";
import { go } from "../model/route.js";
import { isScoped, search, searchText, TOKENS } from "../model/searching.js";
import { searchNames } from "../model/searchNames.js";
import { keepSearch } from "../acts/searches.js";
import { openSearchHelp } from "./searchHelp.js";
import { nameOf, state } from "../model/state.js";

let field;
let timer;
let isTyping = false;

export function focusSearch(scope) {
  if (scope) search.scope = scope;
  search.isOpen = true;
  changed();
  field?.focus();
  field?.select();
}

/// A search as it was kept, in all notes.
export function runSearch(text) {
  Object.assign(search, { text, tokens: [], scope: "all", active: -1, isOpen: false });
  state.column = "list";
  openList();
}

export function clearSearch() {
  Object.assign(search, { text: "", tokens: [], active: -1 });
  openList();
}

function addToken(token) {
  const others = token.isStatus ? search.tokens.filter((id) => !TOKENS.find((other) => other.id === id).isStatus) : search.tokens;
  search.tokens = [...others.filter((id) => id !== token.id), token.id];
  // What was typed of the token's name was meant for the suggestions.
  if (search.text && token.fullName.toLowerCase().includes(search.text.trim().toLowerCase())) search.text = "";
  search.active = -1;
  openList();
  field?.focus();
}

function removeToken(id) {
  search.tokens = search.tokens.filter((other) => other !== id);
  openList();
  field?.focus();
}

function setScope(scope) {
  search.scope = scope;
  openList();
}

const isInUse = () => search.text !== "" || search.tokens.length > 0;

function suggestions() {
  const typed = search.text.trim().toLowerCase();
  const free = TOKENS.filter((token) => !search.tokens.includes(token.id));
  if (!typed) return free;
  return [...searchNames(search.text), ...free.filter((token) => token.fullName.toLowerCase().split(" ").some((word) => word.startsWith(typed)))];
}

/// A token, or what was typed with a name at its end.
function take(suggestion) {
  if (!suggestion.text) return addToken(suggestion);
  Object.assign(search, { text: suggestion.text, active: -1 });
  clearTimeout(timer);
  isTyping = false;
  openList();
  field?.focus();
}

function type(event) {
  search.text = event.target.value;
  search.active = -1;
  search.isOpen = true;
  clearTimeout(timer);
  isTyping = true;
  timer = setTimeout(() => {
    isTyping = false;
    openList();
  }, 120);
  changed();
}

/// What is typed is searched for now, and not a moment later.
function searchNow() {
  search.isOpen = false;
  clearTimeout(timer);
  isTyping = false;
  openList();
}

/// The first note that is found. On a phone it would cover the others, and the key only takes the keyboard away.
async function openFirst() {
  const { text, tokens } = search;
  searchNow();
  if (!isInUse() || !matchMedia("(min-width: 45rem)").matches) return;
  await listComing();
  if (search.text === text && search.tokens === tokens && document.activeElement === field && rowAt(0)) go(state.place, rowAt(0).id);
}

/// The arrow that leads out of the field marks the first of what is found.
function intoRows() {
  const rows = document.querySelector(".rows");
  rows?.focus();
  if (!isInUse()) return;
  searchNow();
  rows?.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true, cancelable: true }));
}

function press(event) {
  if (isComposing(event)) return;
  const found = search.isOpen ? suggestions() : [];
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (event.key === "ArrowDown" && (found.length === 0 || search.active === found.length - 1)) {
      search.isOpen = false;
      intoRows();
    } else {
      search.isOpen = true;
      search.active = Math.max(-1, search.active + (event.key === "ArrowDown" ? 1 : -1));
    }
  } else if (event.key === "Enter") {
    if (search.active >= 0 && found[search.active]) take(found[search.active]);
    else openFirst();
  } else if (event.key === "Escape") {
    if (search.isOpen && found.length > 0) search.isOpen = false;
    else {
      clearSearch();
      // The suggestions of an empty field would cover the list that is back.
      search.isOpen = false;
    }
  } else if (event.key === "Backspace" && event.target.selectionEnd === 0 && search.tokens.length > 0) {
    removeToken(search.tokens.at(-1));
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  changed();
}

function leave(event) {
  if (event.currentTarget.contains(event.relatedTarget)) return;
  search.isOpen = false;
  search.active = -1;
  changed();
}

export function searchView() {
  const found = search.isOpen ? suggestions() : [];
  return html`
    <search class="search" @focusout=${leave}>
      <div class="search-field" @click=${() => field.focus()}>
        ${icon("search")}
        ${search.tokens.map((id) => keyed(id, chip(TOKENS.find((token) => token.id === id))))}
        <input type="text" enterkeyhint="search" role="combobox" aria-label=${say`Search notes`} placeholder=${search.tokens.length ? "" : say`Search`}
          aria-expanded=${String(found.length > 0)} aria-controls="suggestions" aria-autocomplete="list" autocomplete="off"
          autocapitalize="off" spellcheck="false" .value=${search.text}
          aria-activedescendant=${search.active >= 0 && found[search.active] ? `suggestion-${found[search.active].id}` : null}
          ref=${(input) => (field = input)} @input=${type} @keydown=${press}
          @focus=${() => { search.isOpen = true; changed(); }} @click=${() => { search.isOpen = true; changed(); }} />
        ${isInUse() ? html`<button class="plain small" aria-label=${say`Clear the search`}
          @click=${(event) => { event.stopPropagation(); clearSearch(); field.focus(); }}>${icon("x")}</button>` : null}
      </div>
      <div id="suggestions" class="suggestions" role="listbox" aria-label=${say`Search suggestions`} ?hidden=${found.length === 0}>
        ${found.map((token, index) => keyed(token.id, html`
          <div role="option" id=${`suggestion-${token.id}`} class="suggestion" aria-selected=${String(index === search.active)}
            @pointerdown=${(event) => { event.preventDefault(); take(token); }}>${icon(token.icon)}${token.fullName}</div>`))}
      </div>
      ${isInUse() ? html`
        <div class="search-foot">
          ${isScoped() ? html`
            <div class="segments" role="group" aria-label=${say`Where to search`}>
              <button aria-pressed=${String(search.scope === "all")} @click=${() => setScope("all")}>${say`All`}</button>
              <button aria-pressed=${String(search.scope === "here")} @click=${() => setScope("here")}>${nameOf(state.place)}</button>
            </div>` : null}
          <button class="plain small" aria-label=${say`Keep this search`} title=${say`Keep this search in the sidebar`} @click=${() => keepSearch(searchText())}>${icon("star")}</button>
          <button class="plain small" aria-label=${say`What can be searched for`} title=${say`What can be searched for`} @click=${openSearchHelp}>${icon("info")}</button>
          <span class="found" role="status">${list.total === null || list.isLoading || isTyping ? "" : list.problem ? html`<span class="sr">${list.problem}</span>` : foundWords()}</span>
        </div>` : null}
    </search>`;
}

const foundWords = () => (list.isOfKept ? say`${counted(list.total, "note", "notes")} of those on this device` : counted(list.total, "note", "notes"));

const chip = (token) => html`
  <span class="token">${token.name}<button class="plain tiny" aria-label=${say`Remove ${token.fullName}`}
    @click=${(event) => { event.stopPropagation(); removeToken(token.id); }}>${icon("x")}</button></span>`;
