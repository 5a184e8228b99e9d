// The page: it shows what the address says.

import { ask, h } from "/look/page.js";
import { showCard } from "./card.js";
import { size, whole } from "./cells.js";
import { showChanges } from "./changes.js";
import { showDifference } from "./difference.js";
import { showEdit } from "./edit.js";
import { showEditor } from "./editor.js";
import { showFigures } from "./figures.js";
import { showHealth } from "./health.js";
import { showHistory } from "./history.js";
import { onPending, pending, readPending } from "./pending.js";
import { showModel } from "./picture.js";
import { changesPlace, editorPlace, healthPlace, historyPlace, modelPlace, readPlace, sqlPlace, tablePlace } from "./place.js";
import { showSide, total } from "./side.js";
import { showSQL } from "./sql.js";
import { showTable } from "./table.js";

const main = document.getElementById("main");
const side = document.getElementById("side");
const state = document.getElementById("state");
const menu = document.getElementById("menu");

let store = null;
let shown = null;
let showing = null;
let version = null;

const views = { "": showStart, objects: showTable, object: showCard, model: showModel, history: showHistory, sql: showSQL, health: showHealth, figures: showFigures,
  changes: showChanges, edit: showEdit, editor: showEditor, difference: showDifference };

/** Shows the view of the address; `isFresh` reads again what the server knows already. */
async function show(isFresh = false) {
  const place = readPlace();
  showing = place;
  openMenu(false);
  try {
    if (!store || isFresh) {
      // A change that comes after the version is seen later.
      version = (await ask("GET", "/api/version")).version;
      store = await ask("GET", "/api/store");
    }
    if (showing !== place) return;
    if (!store.hasStore && place.kind === "") return location.replace(modelPlace());
    const view = await (views[place.kind] ?? nowhere)(place, store, isFresh);
    if (showing !== place) return view.leave?.();
    shown?.leave?.();
    shown = view;
    document.title = view.title ? `${view.title} – ${store.name}` : store.name;
    showFrame(place, view.entity);
    main.replaceChildren(...view.elements);
    main.dataset.view = place.kind;
    main.scrollTop = 0;
    view.start?.();
    state.textContent = "";
    state.classList.remove("bad");
  } catch (problem) {
    if (showing === place) refuse(problem, place);
  }
}

/** A sentence in the place of the view; the rest of the page stays, and goes on. */
function refuse(problem, place) {
  shown?.leave?.();
  shown = null;
  if (store) showFrame(place, null);
  main.dataset.view = "problem";
  const again = h("button", { type: "button", onclick: () => show(true) }, "Try again");
  main.replaceChildren(h("div", { class: "empty", role: "alert" }, h("p", { class: "problem" }, problem.message), again));
}

function showFrame(place, entity) {
  document.getElementById("name").textContent = store.name;
  showSide(side, store, entity);
  showViews(place);
}

function showViews(place) {
  const links = [
    store.hasStore && ["Objects", place.kind === "objects" || place.kind === "object" || place.kind === "figures" || place.kind === "", "#/"],
    ["Model", place.kind === "model", modelPlace()],
    ["Edit model", place.kind === "editor" || place.kind === "difference", editorPlace()],
    store.hasStore && ["History", place.kind === "history", historyPlace()],
    store.isSQLite && ["Health", place.kind === "health", healthPlace()],
    store.canChange && [pending.total ? `Changes (${pending.total})` : "Changes", place.kind === "changes" || place.kind === "edit", changesPlace()],
    store.hasStore && ["SQL", place.kind === "sql", sqlPlace()],
  ].filter(Boolean);
  document.getElementById("views").replaceChildren(...links.map(([name, isHere, href]) => h("a", { href, "aria-current": isHere && "page" }, name)));
}

async function nowhere() {
  throw new Error("There is nothing at this address.");
}

/** The store in figures, and its largest entities. */
async function showStart() {
  const roots = store.entities.filter((one) => !store.entities.some((other) => other.name === one.parent));
  const largest = roots.map((one) => ({ name: one.name, ...total(one, store.entities) })).sort((a, b) => b.count - a.count).slice(0, 8);
  const facts = [...store.facts.map((one) => [one.name, one.name === "Size" ? size(Number(one.text)) : one.text]), ["Model", store.modelPlace]];
  return {
    title: "",
    elements: [
      h("div", { class: "start" },
        h("h2", {}, store.name),
        h("dl", { class: "facts" }, ...facts.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
        h("h3", {}, "Largest entities"),
        h("ul", { class: "largest" }, ...largest.map((one) => h("li", {}, h("a", { href: tablePlace(one.name) }, one.name), h("span", { class: "soft" }, `${one.isExact ? "" : "about "}${whole.format(one.count)}`)))),
        h("p", { class: "soft" }, "Choose an entity to see its objects. The store is open for reading only until you allow changes.")),
    ],
  };
}

function openMenu(isOpen) {
  menu.setAttribute("aria-expanded", String(isOpen));
  side.classList.toggle("open", isOpen);
}

menu.addEventListener("click", () => openMenu(menu.getAttribute("aria-expanded") !== "true"));
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.getAttribute("aria-expanded") === "true") {
    openMenu(false);
    menu.focus();
  }
});
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("reload").addEventListener("click", () => show(true));
addEventListener("hashchange", () => show());
onPending(() => store && showing && showViews(showing));
readPending().catch(() => {});
show().then(countAll);

// MARK: following

/** The numbers of large tables are estimates at first. */
async function countAll() {
  if (!store?.hasStore || store.entities.every((one) => one.isExact)) return;
  try {
    store = await ask("GET", "/api/store?counting=exact");
    if (showing) showFrame(showing, shown?.entity);
  } catch {
    // The estimates stay.
  }
}

const often = 2_000;
const rest = 5_000;
let refreshed = 0;

/** Reads again what is shown when another program has written to the store. */
async function look() {
  if (document.hidden || !store?.hasStore) return;
  let told;
  try {
    told = (await ask("GET", "/api/version")).version;
  } catch {
    state.textContent = "Not connected – trying again…";
    state.classList.add("bad");
    return;
  }
  if (state.classList.contains("bad")) {
    state.textContent = "";
    state.classList.remove("bad");
  }
  if (told === version || Date.now() - refreshed < rest) return;
  version = told;
  refreshed = Date.now();
  await refresh();
}

async function refresh() {
  if (!shown) return show(true);
  const here = showing;
  try {
    store = await ask("GET", "/api/store");
    if (here !== showing || side.contains(document.activeElement)) return;
    showFrame(here, shown?.entity);
    state.textContent = "The store has changed";
    setTimeout(() => (state.textContent = state.classList.contains("bad") ? state.textContent : ""), 3_000);
    await shown?.refresh?.();
  } catch (problem) {
    if (here === showing) refuse(problem, here);
  }
}

setInterval(look, often);
document.addEventListener("visibilitychange", look);
look();
