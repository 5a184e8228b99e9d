// Keywords that are below others, as a tree: one of its items can have the focus, arrows go about in it.

import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { contextMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { treeKey } from "../view/treeKeys.js";
import { count, counted } from "../view/words.js";
import { setKeywordOpen, visibleKeywords } from "../model/keywordTree.js";
import { catchUp, go } from "../model/route.js";
import { state } from "../model/state.js";
import { keywordMenu } from "./keywords.js";
import { runSearch } from "./search.js";

let focused = null;

export function keywordTree() {
  const items = visibleKeywords();
  const here = items.find((item) => item.keyword && state.place === `keyword:${item.keyword.id}`)?.id;
  const tabStop = [focused, here].find((id) => items.some((item) => item.id === id)) ?? items[0].id;
  return html`
    <div class="tree" role="tree" aria-labelledby="keywords-title" @keydown=${(event) => press(event, items)}>
      ${items.map((item) => keyed(item.id, itemView(item, here, tabStop)))}
    </div>`;
}

const idOf = (item) => `keyword-${item}`;

const itemView = (item, here, tabStop) => html`
  <div class="place branch" role="treeitem" id=${idOf(item.id)} data-keyword=${item.id} title=${item.path}
    aria-level=${item.level} aria-posinset=${item.place} aria-setsize=${item.size}
    aria-expanded=${item.hasChildren ? String(item.isOpen) : null} aria-selected=${String(here === item.id)}
    aria-label=${`${item.name}, ${counted(item.total, "note", "notes")}`}
    tabindex=${tabStop === item.id ? "0" : "-1"} $--level=${item.level}
    @click=${() => choose(item)} @focus=${() => (focused = item.id)}
    @contextmenu=${contextMenu(() => menuOf(item), say`Keyword ${item.path}`)}>
    <span class=${item.isOpen ? "twist open" : "twist"} aria-hidden="true"
      @click=${(event) => { event.stopPropagation(); setKeywordOpen(item.id, !item.isOpen); }}>${item.hasChildren ? icon("chevron-right") : null}</span>
    ${item.keyword ? html`<i class="dot" $--dot=${item.keyword.color}></i>` : icon("tags")}
    <span class="place-name">${item.name}</span>
    <span class="place-count">${item.total ? count(item.total) : null}</span>
  </div>`;

/// A name that no keyword has is searched for: its notes are those of the keywords below it.
function choose(item) {
  if (item.keyword) return go(`keyword:${item.keyword.id}`);
  go("all");
  catchUp();
  runSearch(`tag:"${item.path}/"`);
}

const menuOf = (item) => (item.keyword ? keywordMenu(item.keyword) : [{ name: say`Show its notes`, icon: "search", run: () => choose(item) }]);

function press(event, items) {
  const at = items.findIndex((item) => item.id === event.target.dataset.keyword);
  if (at < 0 || !treeKey(event, items, at, { focus, choose, setOpen: (item, isOpen) => setKeywordOpen(item.id, isOpen) })) return;
  event.preventDefault();
  event.stopPropagation();
}

function focus(id) {
  if (!id) return;
  focused = id;
  changed();
  queueMicrotask(() => document.getElementById(idOf(id))?.focus());
}
