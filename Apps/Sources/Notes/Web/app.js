// The page: what the address says is shown, what the server says is kept.
//
//   #/                      the list
//   #/note/ID               a note
//   #/note/ID/categories    the categories, to choose one for the note
//   #/categories            the categories

import { ask, follow, isComposing, showConnection, toast } from "/look/page.js";
import { showCategories } from "./categories.js";
import { showList } from "./list.js";
import { showNote } from "./note.js";

const page = document.getElementById("page");
const lists = { notes: null, categories: null };
let place = null;
let shown = null;

/** What stands behind the number sign. */
function readPlace() {
  const [kind, id, more] = location.hash.replace(/^#\/?/, "").split("/");
  if (kind === "note" && id) return { kind: more === "categories" ? "choose" : "note", id };
  if (kind === "categories") return { kind: "categories", id: null };
  return { kind: "list", id: null };
}

/** Tabs, bookmarks and the browser's history name what is shown. */
function nameTab() {
  const note = lists.notes?.find((row) => row.id === place.id);
  const name = place.kind === "categories" ? "Categories" : note?.title;
  document.title = name ? `${name} – Notes` : "Notes";
}

async function show() {
  const focused = shown ? document.activeElement : null;
  await shown?.leave?.();
  const before = place?.id;
  place = readPlace();
  document.body.dataset.place = place.kind;
  const showing = place;
  if (before !== place.id) events.again();
  showList(lists, place.id);
  nameTab();
  try {
    const view = await views[showing.kind](showing.id);
    if (showing !== place) return;
    shown = view;
    page.replaceChildren(...view.elements);
    // What had the focus is gone, or hidden as the list is on a phone: it goes on to the new page.
    if (focused && isLost(focused) && isLost(document.activeElement)) page.focus({ preventScroll: true });
    view.update?.(lists);
    view.start?.();
  } catch (problem) {
    if (showing !== place) return;
    shown = null;
    const back = Object.assign(document.createElement("p"), { className: "empty" });
    back.textContent = problem.message;
    page.replaceChildren(back);
  }
}

/** Whether an element had the focus and is not there any more, or nothing has it. */
const isLost = (element) => element === document.body || !element.checkVisibility();

const views = {
  list: async () => {
    const hint = Object.assign(document.createElement("p"), { className: "empty" });
    hint.textContent = "Choose a note, or write a new one.";
    return { elements: [hint] };
  },
  note: (id) => showNote(id),
  choose: (id) => showCategories(id),
  categories: () => showCategories(null),
};

function take(name) {
  return (rows) => {
    lists[name] = rows;
    showList(lists, place?.id);
    if (place) nameTab();
    shown?.update?.(lists);
  };
}

const events = follow(
  () => (place?.id ? `/api/events?note=${place.id}` : "/api/events"),
  {
    notes: take("notes"),
    categories: take("categories"),
    label: ({ note, label }) => shown?.label?.(note, label),
  },
  showConnection,
);

async function newNote() {
  try {
    const note = await ask("POST", "/api/notes", { title: "New note", contents: "" });
    location.hash = `#/note/${note.id}`;
  } catch (problem) {
    toast(problem.message);
  }
}

document.getElementById("new").addEventListener("click", newNote);
// What stands behind the number sign is the place: the link must not write another one there.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  page.focus();
});
addEventListener("hashchange", show);
addEventListener("pagehide", () => shown?.leave?.());
addEventListener("beforeunload", (event) => {
  if (shown?.isAtRisk?.()) event.preventDefault();
});
addEventListener("keydown", (event) => {
  if (isComposing(event)) return;
  if (event.altKey && !event.ctrlKey && event.code === "KeyN") {
    event.preventDefault();
    if (!event.repeat) newNote();
  } else if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    shown?.save?.();
  } else if (event.key === "Escape" && place.kind !== "list") {
    location.hash = place.kind === "choose" ? `#/note/${place.id}` : "#/";
  }
});
show();
