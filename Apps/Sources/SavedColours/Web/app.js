// The grid of saved colours: add, rename in place, cut, bring back.

import { arrange, ask, follow, h, isComposing, showConnection, toast } from "/look/page.js";

const grid = document.getElementById("grid");
const none = document.getElementById("none");
const hint = document.getElementById("hint");
const form = document.getElementById("add");
const [color, name] = [document.getElementById("color"), document.getElementById("name")];
let colours = [];

follow(() => "/api/events", { colours: show }, showConnection);

function show(rows) {
  colours = rows;
  none.hidden = rows.length > 0;
  hint.hidden = rows.length === 0;
  arrange(grid, rows, make, (cell, row) => {
    const [swatch, input, foot] = cell.children;
    swatch.style.backgroundColor = row.color;
    swatch.setAttribute("aria-label", `Copy ${row.name}, ${row.color}`);
    if (document.activeElement !== input) input.value = row.name;
    input.setAttribute("aria-label", `Name of ${row.color}`);
    foot.firstChild.textContent = row.color;
    foot.lastChild.setAttribute("aria-label", `Cut ${row.name}`);
  });
}

function make({ id }) {
  const input = h("input", { maxlength: "80", onchange: () => rename(id, input) });
  input.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    if (event.key === "Enter") input.blur();
    if (event.key === "Escape") {
      input.value = nameOf(id);
      input.blur();
    }
  });
  return h(
    "li",
    { oncontextmenu: (event) => menu(event, id) },
    h("button", {
      class: "swatch",
      type: "button",
      title: "Copy",
      onclick: () => copy(id),
      onkeydown: (event) => keys(event, id),
    }),
    input,
    h(
      "div",
      { class: "foot" },
      h("span"),
      h("button", { class: "plain", type: "button", onclick: () => cut(id) }, "Cut"),
    ),
  );
}

const nameOf = (id) => colours.find((row) => row.id === id)?.name ?? "";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  name.setAttribute("aria-invalid", name.value.trim() === "");
  await trying(async () => {
    if (name.value.trim() === "") throw new Error("A colour needs a name.");
    const sent = name.value;
    await ask("POST", "/api/colours", { name: sent, color: color.value });
    // Meanwhile the next name may have been typed.
    if (name.value === sent) name.value = "";
  });
  name.focus();
});

async function rename(id, input) {
  if (input.value.trim() === nameOf(id)) return;
  await trying(
    () => ask("PATCH", `/api/colours/${id}`, { name: input.value }),
    () => (input.value = nameOf(id)),
  );
}

async function cut(id) {
  const cell = grid.querySelector(`[data-id="${id}"]`);
  // A new name is in its field before the page hears of it.
  const cutName = cell.children[1].value.trim() || nameOf(id);
  const neighbour = cell.nextElementSibling ?? cell.previousElementSibling;
  await trying(async () => {
    await ask("DELETE", `/api/colours/${id}`);
    (neighbour?.firstChild ?? name).focus();
    toast(`“${cutName}” was cut.`, "Undo", () => ask("POST", `/api/colours/${id}/paste`));
  });
}

async function copy(id) {
  const row = colours.find((row) => row.id === id);
  await trying(async () => {
    // Browsers have one for pages of this machine, and for those that come over https.
    const { clipboard } = navigator;
    if (!clipboard) throw new Error(`The browser copies only at localhost or over https. This is ${row.color}.`);
    await clipboard.writeText(row.color);
    toast(`${row.color} was copied.`);
  });
}

/** Cut, where a press that stays or a right click asks for a menu. */
function menu(event, id) {
  if (event.target.tagName === "INPUT") return;
  event.preventDefault();
  toast(`“${nameOf(id)}”`, "Cut", () => cut(id));
}

function keys(event, id) {
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
  const isCut = event.key === "Delete" || ((event.ctrlKey || event.metaKey) && event.key === "x");
  if (isCut) {
    event.preventDefault();
    // A key that is held cuts one colour, not all of them.
    if (!event.repeat) cut(id);
  } else if (step) {
    event.preventDefault();
    const place = colours.findIndex((row) => row.id === id) + step;
    grid.children[place]?.firstChild.focus();
  }
}

async function trying(work, otherwise = () => {}) {
  try {
    await work();
  } catch (problem) {
    otherwise();
    toast(problem.message);
  }
}
