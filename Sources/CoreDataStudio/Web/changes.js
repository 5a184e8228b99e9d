// Changes: allowed by somebody, pending until they are saved or discarded.

import { ask, h, toast } from "/look/page.js";
import { cellContent, whole } from "./cells.js";
import { decide, onPending, pending, readPending, save, take } from "./pending.js";
import { cardPlace, editPlace } from "./place.js";

export async function showChanges({ query }) {
  await readPending();
  const place = h("div", { class: "stack" });
  const told = h("p", { role: "status", class: "soft" });
  let isAllowed = null;
  const parts = new Parts(told);
  const leave = onPending((state) => {
    if (state.isAllowed !== isAllowed) {
      isAllowed = state.isAllowed;
      place.replaceChildren(...(isAllowed ? parts.elements : [asking(told, query.get("then"))]));
    }
    if (isAllowed) parts.show(state);
  });
  return {
    title: "Changes",
    elements: [h("article", { class: "health" }, h("h2", {}, "Changes"), place, told)],
    start: () => document.addEventListener("keydown", parts.pressed),
    leave: () => {
      leave();
      document.removeEventListener("keydown", parts.pressed);
    },
  };
}

/** Nothing is changed before somebody has pressed this button. */
function asking(told, then) {
  const allow = async () => {
    button.disabled = true;
    told.textContent = "Copying the store…";
    try {
      take(await ask("POST", "/api/changes/allow"));
      told.textContent = "";
      if (then) return location.replace(editPlace(then));
      document.querySelector("#main button")?.focus();
    } catch (problem) {
      told.textContent = problem.message;
      button.disabled = false;
      button.focus();
    }
  };
  const button = h("button", { type: "button", class: "primary", onclick: allow }, "Allow changes");
  return h("section", {}, h("p", {}, "The store is open for reading only. If you allow changes, Studio first copies it beside the store, and then opens it for writing. Nothing is written before you press Save."),
    h("p", { class: "buttons" }, button));
}

class Parts {
  constructor(told) {
    this.told = told;
    this.undo = h("button", { type: "button", onclick: () => this.run(() => decide("undo")) }, "Undo");
    this.redo = h("button", { type: "button", onclick: () => this.run(() => decide("redo")) }, "Redo");
    this.save = h("button", { type: "button", class: "primary", onclick: () => this.saving(), title: "Ctrl or Command and S" }, "Save");
    this.discard = h("button", { type: "button", onclick: () => this.run(() => decide("discard")) }, "Discard all");
    this.end = h("button", { type: "button", class: "plain", onclick: () => this.run(async () => take(await ask("DELETE", "/api/changes/allow"))) }, "End changes");
    this.copy = h("p", { class: "soft" });
    this.conflicts = h("div", { role: "alert" });
    this.problems = h("div", {});
    this.list = h("ul", { class: "pending" });
    this.elements = [this.copy, h("p", { class: "buttons" }, this.save, this.undo, this.redo, this.discard, this.end), this.conflicts, this.problems, this.list];
    this.pressed = (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s" || !pending.isAllowed) return;
      event.preventDefault();
      this.saving();
    };
  }

  async run(work) {
    try {
      await work();
      this.told.textContent = "";
    } catch (problem) {
      this.told.textContent = problem.message;
    }
  }

  saving(winner) {
    return this.run(async () => {
      const count = pending.total;
      const answer = await save(winner);
      if (answer.isSaved) toast(`${whole.format(count)} ${count === 1 ? "change is" : "changes are"} saved.`);
    });
  }

  show(state) {
    this.copy.replaceChildren("The store as it was before is ", h("code", {}, state.copy ?? ""), ".");
    this.undo.disabled = !state.canUndo;
    this.redo.disabled = !state.canRedo;
    this.save.disabled = this.discard.disabled = state.total === 0;
    this.conflicts.replaceChildren(...(state.conflicts.length ? conflictParts(state.conflicts, (who) => this.saving(who)) : []));
    this.problems.replaceChildren(...state.problems.map((one) => h("p", { class: "problem" }, h("a", { href: editPlace(one.object) }, one.object), `: ${one.sentence}`)));
    const items = state.changes.map(item);
    if (items.length === 0) items.push(h("li", { class: "soft" }, "Nothing is changed. Open an object and press Edit, or press New object above a table."));
    if (state.total > state.changes.length) items.push(h("li", { class: "soft" }, `${whole.format(state.total - state.changes.length)} more`));
    this.list.replaceChildren(...items);
  }
}

function item(one) {
  const name = one.kind === "deleted" ? h("a", { href: cardPlace(one.id) }, one.title || one.id) : h("a", { href: editPlace(one.id) }, one.title || one.id);
  return h("li", {}, h("p", {}, h("span", { class: `kind ${one.kind}` }, one.kind), " ", name, one.title ? h("span", { class: "soft" }, ` ${one.id}`) : ""),
    one.values.length ? h("dl", { class: "facts" }, ...one.values.flatMap((value) => [h("dt", {}, value.key), h("dd", {}, ...difference(one.kind, value))])) : "");
}

const value = (cell) => cellContent(cell, {}, "");

function difference(kind, one) {
  if ("added" in one) {
    const parts = [["added", one.added, one.addedCount], ["removed", one.removed, one.removedCount]].filter(([, , count]) => count > 0);
    return parts.map(([word, ids, count]) => h("div", {}, `${word} ${ids.join(", ")}${count > ids.length ? ` and ${whole.format(count - ids.length)} more` : ""}`));
  }
  return kind === "inserted" ? [value(one.new)] : [value(one.old), h("span", { class: "soft" }, " → "), value(one.new)];
}

function conflictParts(conflicts, decided) {
  return [
    h("h3", {}, "Another program has changed the same objects"),
    h("p", {}, "Nothing was saved yet, and your changes are still there."),
    h("ul", { class: "pending" }, ...conflicts.map((one) => h("li", {},
      h("p", {}, h("a", { href: editPlace(one.id) }, one.title || one.id), one.isGone ? " was deleted by the other program." : one.isDeletedHere ? " was changed by the other program; you delete it." : ""),
      one.values.length ? h("table", { class: "plain-table" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Property"), h("th", { scope: "col" }, "Yours"), h("th", { scope: "col" }, "Theirs"))),
        h("tbody", {}, ...one.values.map((each) => h("tr", {}, h("th", { scope: "row" }, each.key), h("td", {}, value(each.mine)), h("td", {}, value(each.theirs)))))) : ""))),
    h("p", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => decided("mine") }, "Save mine"),
      h("button", { type: "button", onclick: () => decided("theirs") }, "Keep theirs"),
      h("span", { class: "soft" }, "Properties that only one side has changed are kept from both.")),
  ];
}
