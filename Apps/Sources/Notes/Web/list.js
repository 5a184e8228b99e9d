// The list of notes, as the server's fetched results have it: newest first.

import { arrange, ask, h, moment, toast } from "/look/page.js";

const list = document.getElementById("notes");
const none = document.getElementById("none");

export function showList({ notes, categories }, open) {
  if (!notes) return;
  none.hidden = notes.length > 0;
  const names = new Map((categories ?? []).map((category) => [category.id, category.name]));
  arrange(list, notes, make, (element, note) => {
    const link = element.firstChild;
    const [title, time, text, category] = link.children;
    title.textContent = note.title;
    time.textContent = moment(note.updated);
    time.dateTime = note.updated;
    text.textContent = note.preview || "No text";
    category.textContent = names.get(note.category) ?? "";
    if (note.id === open) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
}

function make(note) {
  return h(
    "li",
    {},
    h(
      "a",
      { href: `#/note/${note.id}` },
      h("span", { class: "title" }),
      h("time", { class: "time" }),
      h("span", { class: "text" }),
      h("span", { class: "category" }),
    ),
  );
}

/** Deletes a note; the message brings it back. */
export async function deleteNote(id, title) {
  const { undo } = await ask("DELETE", `/api/notes/${id}`);
  toast(`“${title}” was deleted.`, "Undo", async () => {
    await ask("POST", `/api/undo/${undo}`);
    location.hash = `#/note/${id}`;
  });
}

// Arrows go through the list, Delete deletes what has the focus.
list.addEventListener("keydown", async (event) => {
  const row = event.target.closest("li");
  if (!row) return;
  const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
  if (next) {
    event.preventDefault();
    next.firstChild.focus();
  } else if (event.key === "Delete") {
    event.preventDefault();
    // A key that is held deletes one note, not all of them.
    if (event.repeat) return;
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    try {
      await deleteNote(row.dataset.id, row.querySelector(".title").textContent);
      if (location.hash.includes(row.dataset.id)) location.hash = "#/";
      neighbour?.firstChild.focus();
    } catch (problem) {
      toast(problem.message);
    }
  }
});
