// The page of a note: what is written is saved by itself.

import { ask, h, isComposing, lastWords, moment, toast } from "/look/page.js";
import { deleteNote } from "./list.js";

const pause = 600;

/** A note as its fields show it: they have one kind of line end, and titles none. */
const asShown = (note) => ({
  ...note,
  title: note.title.replace(/[\r\n]/g, "").trim(),
  contents: note.contents.replace(/\r\n?/g, "\n"),
});

export async function showNote(id) {
  let note = asShown(await ask("GET", `/api/notes/${id}`));
  let timer = 0;
  let saving = Promise.resolve();
  let gone = false;
  // Deleted elsewhere: it may be brought back.
  let isAway = false;
  let isRefused = false;

  const title = h("input", { class: "title", "aria-label": "Title", maxlength: "200", value: note.title });
  const contents = h("textarea", {
    "aria-label": "Contents",
    placeholder: "Write something …",
    value: note.contents,
  });
  const label = h("span", { class: "label", id: "category" }, "");
  const state = h("span", { role: "status" });
  const choose = h("a", { class: "button", href: `#/note/${id}/categories` }, "Edit category");
  const remove = h("button", { type: "button", onclick: drop }, "Delete");
  const back = h("a", { class: "button back", href: "#/" }, "All notes");

  /** What is written here and not saved: the rest may be changed elsewhere, and stays as it is there. */
  const changes = () => ({
    title: title.value.trim() === note.title ? undefined : title.value.trim(),
    contents: contents.value === note.contents ? undefined : contents.value,
  });

  const isDirty = () => Object.values(changes()).some((value) => value !== undefined);

  /** Nothing is being written. */
  function rest() {
    state.className = "soft";
    state.textContent = `Changed ${moment(note.updated)}`;
  }

  function written() {
    const isMissing = title.value.trim() === "";
    title.setAttribute("aria-invalid", isMissing);
    state.className = isMissing ? "problem" : "soft";
    state.textContent = isMissing ? "A note needs a title to be saved." : "Writing …";
    clearTimeout(timer);
    if (!isMissing) timer = setTimeout(save, pause);
  }

  function save() {
    clearTimeout(timer);
    saving = saving.then(async () => {
      if (gone || !isDirty() || title.value.trim() === "") return;
      try {
        adopt(await ask("PATCH", `/api/notes/${id}`, changes()));
        state.className = "soft";
        state.textContent = "Saved";
        isRefused = false;
      } catch (problem) {
        isRefused = true;
        if (problem.status === 404) isAway = true;
        state.className = "problem";
        state.textContent = isAway
          ? "Not saved: this note was deleted elsewhere. Undo there brings it back."
          : `Not saved: ${problem.message}`;
        if (!isAway) timer = setTimeout(save, 5_000);
      }
    });
    return saving;
  }

  /** Saves also where the title was just being written anew: the text is not lost for that. */
  function saveAll() {
    if (!gone && title.value.trim() === "") title.value = note.title;
    return save();
  }

  async function drop() {
    try {
      await saveAll();
      gone = true;
      await deleteNote(id, note.title);
      location.hash = "#/";
    } catch (problem) {
      gone = false;
      toast(problem.message);
    }
  }

  /** Takes over what was written elsewhere; a field in which something is being written here stays. */
  function adopt(answer) {
    const newer = asShown(answer);
    const written = changes();
    if (written.title === undefined && title.value.trim() !== newer.title) title.value = newer.title;
    if (written.contents === undefined && contents.value !== newer.contents) contents.value = newer.contents;
    note = newer;
  }

  /** Asks for the note as it is since a moment, after what is being saved: no answer overtakes another. */
  function refresh(updated) {
    saving = saving.then(async () => {
      if (note.updated === updated) return;
      const newer = await ask("GET", `/api/notes/${id}`).catch(() => null);
      if (newer) adopt(newer);
    });
  }

  rest();
  title.addEventListener("input", written);
  contents.addEventListener("input", written);
  title.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || isComposing(event)) return;
    event.preventDefault();
    contents.focus();
  });

  return {
    elements: [
      back,
      h(
        "article",
        { class: "note" },
        title,
        h("div", { class: "row" }, label, choose, h("span", { class: "grow" }), state, remove),
        contents,
      ),
    ],
    start() {
      if (note.title !== "New note" || note.contents !== "") return;
      title.focus();
      title.select();
    },
    save,
    /** Whether something would be lost with the page, although it is saved as the page is left. */
    isAtRisk: () => !gone && isDirty() && (isRefused || JSON.stringify(changes()).length >= lastWords),
    leave: saveAll,
    label(changed, text) {
      if (changed === id) label.textContent = text;
    },
    update({ notes, categories }) {
      if (!label.textContent && categories) {
        const category = categories.find((category) => category.id === note.category);
        label.textContent = category?.name ?? "No Category";
      }
      const row = notes?.find((row) => row.id === id);
      if (notes && !row && !gone) {
        isAway = true;
        state.className = "problem";
        state.textContent = "This note was deleted elsewhere.";
        return;
      }
      if (row && isAway) {
        isAway = false;
        if (isDirty()) written();
        else rest();
      }
      if (row && row.updated !== note.updated) refresh(row.updated);
    },
  };
}
