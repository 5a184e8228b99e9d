// The list of categories: add, rename, delete; and choose one for a note.

import { arrange, ask, h, isComposing, toast } from "/look/page.js";

export async function showCategories(note) {
  const current = note ? await ask("GET", `/api/notes/${note}`) : null;
  let known = [];
  let chosen = current?.category ?? null;

  const list = h("ul", { class: "categories", "aria-label": "Categories" });
  const none = h(
    "p",
    { class: "empty", hidden: true },
    "There are no categories yet. Write a name above, and press Add.",
  );
  const name = h("input", {
    class: "grow",
    name: "name",
    placeholder: "Name of a new category",
    "aria-label": "Name of a new category",
    maxlength: "80",
  });
  const form = h(
    "form",
    { class: "row", onsubmit: add },
    name,
    h("button", { class: "primary" }, "Add"),
  );
  const nothing = note
    ? h("button", { type: "button", onclick: () => choose(null) }, "No category")
    : null;
  const back = note
    ? h("a", { class: "button", href: `#/note/${note}` }, "Back to the note")
    : h("a", { class: "button back", href: "#/" }, "All notes");
  const heading = h("h2", {}, note ? `Category of “${current.title}”` : "Categories");

  const trying = async (work) => {
    try {
      return await work();
    } catch (problem) {
      toast(problem.message);
      return null;
    }
  };

  async function add(event) {
    event.preventDefault();
    if (name.value.trim() === "") return name.focus();
    const made = await trying(() => ask("POST", "/api/categories", { name: name.value }));
    if (made) name.value = "";
    name.focus();
  }

  async function choose(category) {
    await trying(async () => {
      await ask("PUT", `/api/notes/${note}/category`, { category });
      location.hash = `#/note/${note}`;
    });
  }

  async function rename(input, id) {
    const before = known.find((category) => category.id === id)?.name ?? "";
    if (input.value.trim() === before) return;
    const renamed = await trying(() =>
      ask("PATCH", `/api/categories/${id}`, { name: input.value }),
    );
    if (!renamed) input.value = before;
  }

  async function drop(id) {
    const dropped = known.find((category) => category.id === id)?.name ?? "";
    const row = list.querySelector(`[data-id="${id}"]`);
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    await trying(async () => {
      const { undo } = await ask("DELETE", `/api/categories/${id}`);
      (neighbour?.lastChild ?? name).focus();
      toast(`The category “${dropped}” was deleted.`, "Undo", () => ask("POST", `/api/undo/${undo}`));
    });
  }

  function make({ id }) {
    const input = h("input", { maxlength: "80", onchange: (event) => rename(event.target, id) });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !isComposing(event)) input.blur();
    });
    // A key that is held deletes one category: the next one has the focus then.
    const onkeydown = (event) => event.repeat && event.preventDefault();
    return h(
      "li",
      {},
      input,
      h("span", { class: "soft" }),
      note ? h("button", { class: "choose", type: "button", onclick: () => choose(id) }, "Choose") : null,
      h("button", { class: "plain", type: "button", onclick: () => drop(id), onkeydown }, "Delete"),
    );
  }

  return {
    elements: [back, heading, form, nothing, none, list].filter(Boolean),
    update({ notes, categories }) {
      if (!categories) return;
      known = categories;
      if (note && notes) chosen = notes.find((row) => row.id === note)?.category ?? null;
      none.hidden = known.length > 0;
      nothing?.setAttribute("aria-pressed", chosen === null);
      arrange(list, known, make, (element, category) => {
        const [input, count] = element.children;
        if (document.activeElement !== input) input.value = category.name;
        input.setAttribute("aria-label", `Name of ${category.name}`);
        count.textContent = category.count === 1 ? "1 note" : `${category.count} notes`;
        element.classList.toggle("chosen", category.id === chosen);
        element.querySelector(".choose")?.setAttribute("aria-pressed", category.id === chosen);
        for (const button of element.querySelectorAll("button")) {
          button.setAttribute("aria-label", `${button.textContent} ${category.name}`);
        }
      });
    },
  };
}
