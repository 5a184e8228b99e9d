// The kept searches in the first column, in the order in which somebody has put them.

import { icon } from "../view/icon.js";
import { contextMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { catchUp, go } from "../model/route.js";
import { isSearching, searchText } from "../model/searching.js";
import { state } from "../model/state.js";
import { changeSearch, deleteSearch, moveSearch, renameSearch } from "../acts/searches.js";
import { dragOverSearch, dropClass, dropOnSearch, leaveDrag, startSearchDrag } from "./dragging.js";
import { runSearch } from "./search.js";

export const searchesView = (searches) => html`
  <div class="side-section"><h2 id="searches-title">${say`Searches`}</h2></div>
  <ul class="places" aria-labelledby="searches-title">
    ${searches.map((search) => keyed(search.id, html`
      <li><a class=${`place ${dropClass(search)}`} href="#/all" title=${search.text} draggable="true" aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        @click=${(event) => openSearch(event, search)} @keydown=${(event) => press(event, search)}
        @dragstart=${(event) => startSearchDrag(event, search)} @dragover=${(event) => dragOverSearch(event, search)}
        @dragleave=${leaveDrag} @drop=${(event) => dropOnSearch(event, search, searches)}
        @contextmenu=${contextMenu(() => searchMenu(search), say`Search ${search.name}`)}>
        ${icon("search")}<span class="place-name">${search.name}</span></a></li>`))}
  </ul>`;

function searchMenu(kept) {
  const at = placeOf(kept);
  return [
    { name: say`Rename…`, icon: "pencil", run: () => renameSearch(kept) },
    isSearching() && searchText() !== kept.text && { name: say`Keep what is searched for now`, icon: "star", run: () => changeSearch(kept, searchText()) },
    { name: say`Move up`, icon: "arrow-up", keys: "Alt ↑", isOff: at <= 0, run: () => moveSearch(kept, at - 1) },
    { name: say`Move down`, icon: "arrow-down", keys: "Alt ↓", isOff: at === state.overview.searches.length - 1, run: () => moveSearch(kept, at + 1) },
    "line",
    { name: say`Forget`, icon: "trash-2", isBad: true, run: () => deleteSearch(kept) },
  ].filter(Boolean);
}

const placeOf = (search) => state.overview.searches.findIndex((one) => one.id === search.id);

function press(event, search) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  const place = placeOf(search) + by;
  if (place >= 0 && place < state.overview.searches.length) moveSearch(search, place);
}

/// Once the place is shown: going there ends the search that was.
function openSearch(event, search) {
  event.preventDefault();
  go("all");
  catchUp();
  runSearch(search.text);
}
