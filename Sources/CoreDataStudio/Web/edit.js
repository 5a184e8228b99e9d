// The form of one object: each field is a change of its own as soon as it is left.

import { ask, h, toast } from "/look/page.js";
import { cellContent } from "./cells.js";
import { change, decide, onPending, pending, readPending, save } from "./pending.js";
import { picker } from "./picker.js";
import { cardPlace, changesPlace, editPlace, tablePlace } from "./place.js";
import { refill } from "./refill.js";

export async function showEdit({ names }) {
  const id = names.join("/");
  if (!pending.isAllowed && !(await readPending()).isAllowed) {
    location.replace(changesPlace(id));
    return { title: "", elements: [] };
  }
  let object = await ask("GET", `/api/changes/objects/${names.map(encodeURIComponent).join("/")}`);
  const form = h("form", { class: "edit", onsubmit: (event) => event.preventDefault() });
  const told = h("p", { role: "status", class: "problem" });
  const bar = h("p", { class: "buttons" });
  const errors = new Map();

  let turn = Promise.resolve();
  /** Makes a change after those that are on their way. */
  const apply = (operation, key) => (turn = turn.then(() => applyNow(operation, key)));
  const applyNow = async (operation, key) => {
    try {
      await change({ object: object.id, ...operation });
      errors.delete(key);
      await read();
    } catch (problem) {
      errors.set(key, problem.message);
      showErrors(pending);
    }
  };
  const read = async () => {
    object = await ask("GET", `/api/changes/objects/${id.split("/").map(encodeURIComponent).join("/")}`);
    fill();
  };
  const fill = () => {
    refill(form, () => form.replaceChildren(
      ...object.fields.map((field) => fieldRow(field, object, apply)),
      ...object.one.map((one) => oneRow(one, apply)),
      ...object.many.map((many) => manyRow(many, apply))));
    showErrors(pending);
  };
  const showErrors = (state) => {
    for (const row of form.querySelectorAll(".field")) {
      const key = row.dataset.key;
      const rules = state.problems.filter((one) => one.object === object.id && one.key && (one.key === key || key.startsWith(`${one.key}.`))).map((one) => one.sentence);
      const all = [errors.get(key), ...rules].filter(Boolean);
      const mistake = row.querySelector(".mistake");
      mistake.textContent = all.join(" ");
      mistake.hidden = all.length === 0;
      const input = row.querySelector("input, textarea, select");
      if (all.length) input?.setAttribute("aria-invalid", "true");
      else input?.removeAttribute("aria-invalid");
    }
    told.textContent = state.problems.filter((one) => one.object === object.id && !one.key).map((one) => one.sentence).join(" ");
  };
  const run = (work) => (turn = turn.then(() => runNow(work)));
  const runNow = async (work) => {
    try {
      await work();
      await read().catch(() => (location.hash = changesPlace()));
    } catch (problem) {
      told.textContent = problem.message;
    }
  };
  const saving = async () => {
    const answer = await save();
    if (answer.isSaved) return toast("The changes are saved.");
    if (answer.conflicts.length) location.hash = changesPlace();
  };
  const buttons = {
    save: h("button", { type: "button", class: "primary", onclick: () => run(saving), title: "Ctrl or Command and S" }, "Save"),
    undo: h("button", { type: "button", onclick: () => run(() => decide("undo")) }, "Undo"),
    redo: h("button", { type: "button", onclick: () => run(() => decide("redo")) }, "Redo"),
    remove: h("button", { type: "button", onclick: () => removing() }, "Delete"),
  };
  const removing = async () => {
    try {
      await change({ op: "delete", object: object.id });
      location.hash = changesPlace();
      toast(`${object.title || object.id} is deleted when you save.`, "Undo", async () => {
        await decide("undo");
        location.hash = editPlace(object.id);
      });
    } catch (problem) {
      told.textContent = problem.message;
    }
  };
  const count = h("a", { href: changesPlace() });
  bar.append(buttons.save, buttons.undo, buttons.redo, buttons.remove, count);
  const leave = onPending((state) => {
    buttons.save.disabled = state.total === 0;
    buttons.undo.disabled = !state.canUndo;
    buttons.redo.disabled = !state.canRedo;
    count.textContent = state.total === 1 ? "1 pending change" : `${state.total} pending changes`;
    showErrors(state);
  });
  const pressed = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    document.activeElement?.blur();
    setTimeout(() => run(saving), 50);
  };
  fill();
  const isNew = object.isInserted;
  return {
    title: `Edit ${object.title || object.id}`,
    entity: object.entity,
    elements: [h("article", { class: "card" },
      h("header", { class: "title" }, h("p", { class: "soft" }, h("a", { href: tablePlace(object.entity) }, object.entity), isNew ? "" : " › ", isNew ? "" : h("a", { href: cardPlace(object.id) }, object.id)),
        h("h2", {}, isNew ? `New ${object.entity}` : object.title || object.id)),
      bar, told, form)],
    start: () => document.addEventListener("keydown", pressed),
    leave: () => {
      leave();
      document.removeEventListener("keydown", pressed);
    },
  };
}

// MARK: fields

const name = (key) => `field-${key}`;

function row(key, type, ...content) {
  return h("div", { class: "field", "data-key": key },
    h("label", { for: name(key) }, h("span", { class: "key" }, key), h("span", { class: "type" }, type)),
    h("div", { class: "stack" }, ...content, h("p", { class: "mistake", id: `${name(key)}-mistake`, hidden: true })));
}

function fieldRow(field, object, apply) {
  const { key, type } = field;
  const set = (value) => apply({ op: "set", key, value }, key);
  const nothing = h("button", { type: "button", class: "plain small", "aria-label": `Set ${key} to nil`, hidden: field.isNil || !!field.reason && type !== "Transformable", onclick: () => set(null) }, "Set to nil");
  if (field.reason) return row(key, type, h("div", { id: name(key) }, cellContent(field.cell, { type, key }, object.id)), h("p", { class: "soft small" }, field.reason), nothing);
  const settings = { id: name(key), "aria-describedby": `${name(key)}-mistake` };
  if (type === "Boolean") {
    const choices = [["", "nil"], ["yes", "yes"], ["no", "no"]];
    return row(key, type, h("select", { ...settings, onchange: (event) => set(event.target.value === "" ? null : event.target.value === "yes") },
      ...choices.map(([value, text]) => h("option", { value, selected: (field.isNil ? "" : field.text) === value }, text))));
  }
  if (type === "Binary") {
    const input = h("input", { ...settings, type: "file", onchange: async () => {
      try {
        if (input.files[0]) await set(await base64(input.files[0]));
      } catch (problem) {
        toast(problem.message);
      }
    } });
    return row(key, type, h("span", { class: "soft" }, field.isNil ? "nil" : `${field.cell?.size ?? 0} bytes`), input, nothing);
  }
  const typed = (event) => (event.target.value === "" && type !== "String" ? set(null) : set(event.target.value));
  const isLong = type === "String" && (field.text.length > 60 || field.text.includes("\n"));
  const input = isLong
    ? h("textarea", { ...settings, rows: "6", value: field.text, onchange: typed })
    : h("input", { ...settings, type: "text", value: field.text, onchange: typed, placeholder: field.isNil ? "nil" : "", autocomplete: "off", spellcheck: type === "String" ? "true" : "false" });
  return row(key, type + (field.isOptional ? "" : ", required"), input, nothing);
}

const mostBytes = 700_000;

async function base64(file) {
  if (file.size > mostBytes) throw new Error("A form takes files of at most 700 kB; use coredata set for larger ones.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}

// MARK: relationships

function oneRow(one, apply) {
  const set = (value) => apply({ op: "set", key: one.key, value }, one.key);
  const now = one.cell ? h("span", {}, h("a", { href: editPlace(one.cell.id) }, one.cell.name || one.cell.id), h("span", { class: "soft" }, one.cell.name ? ` ${one.cell.id}` : "")) : h("span", { class: "nil" }, "nil");
  return row(one.key, one.destination + (one.isOptional ? "" : ", required"), now, picker(name(one.key), one, "Lead to", set),
    one.cell ? h("button", { type: "button", class: "plain small", "aria-label": `Set ${one.key} to nil`, onclick: () => set(null) }, "Set to nil") : "");
}

function manyRow(many, apply) {
  const act = (op) => (member) => apply({ op, key: many.key, member }, many.key);
  return row(many.key, `many ${many.destination}`,
    h("ul", { class: "members" }, ...many.members.map((one) => h("li", {}, h("a", { href: editPlace(one.id) }, one.name || one.id), " ",
      h("button", { type: "button", class: "plain small", "aria-label": `Remove ${one.name || one.id} from ${many.key}`, onclick: () => act("remove")(one.id) }, "Remove")))),
    many.total > many.members.length ? h("p", { class: "soft" }, `${many.total - many.members.length} more`) : "",
    picker(name(many.key), many, "Add", act("add")));
}
