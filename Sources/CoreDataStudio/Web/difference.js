// The differences of two versions, and a migration tried on a copy of the store.

import { ask, h } from "/look/page.js";
import { size } from "./cells.js";
import { Job } from "./job.js";
import { differencePlace, editorPlace } from "./place.js";

export async function showDifference({ query }, store) {
  const model = await ask("GET", "/api/editor");
  const names = model.versions.map((one) => one.name);
  const [from, to] = [query.get("from") || names.at(-2) || names[0], query.get("to") || names.at(-1)];
  const told = await ask("GET", `/api/difference?${new URLSearchParams({ from, to })}`);
  const select = (label, value, go) => {
    const field = h("select", { onchange: () => go(field.value) }, ...names.map((name) => h("option", { value: name, selected: name === value }, name)));
    return h("label", {}, h("span", {}, label), field);
  };
  const groups = Map.groupBy(told.changes, (one) => one.entity ?? "The model");
  const trial = store.isSQLite ? new Trial(to) : null;
  return {
    title: `${from} and ${to}`,
    elements: [h("div", { class: "filters" }, select("From", from, (value) => (location.hash = differencePlace(value, to))), select("To", to, (value) => (location.hash = differencePlace(from, value))), h("a", { class: "button", href: editorPlace(to) }, "Edit")),
      h("article", { class: "health" }, h("h2", {}, `From ${from} to ${to}`), h("p", {}, told.verdict),
        ...[...groups].map(([name, changes]) => h("section", {}, h("h3", {}, name), h("ul", { class: "findings-list" }, ...changes.map(item)))),
        trial?.element ?? "")],
    leave: () => trial?.job.leave(),
  };
}

function item(one) {
  return h("li", { class: one.sign === "-" ? "error" : one.sign === "~" ? "warning" : "added" }, h("p", {}, one.sentence, one.caution ? h("span", { class: "soft" }, ` (${one.caution})`) : ""), h("p", { class: "soft" }, one.effect));
}

class Trial {
  constructor(version) {
    this.version = version;
    this.job = new Job("/api/trial", (state) => this.show(state));
    this.begin = h("button", { type: "button", class: "primary", onclick: () => this.start() }, `Try ${version} on a copy of the store`);
    this.stop = h("button", { type: "button", hidden: true, onclick: () => this.job.stop() }, "Stop");
    this.bar = h("progress", { "aria-label": "Trial migration", hidden: true });
    this.words = h("p", { role: "status" });
    this.list = h("div", {});
    this.element = h("section", {}, h("h3", {}, "Trial"), h("p", { class: "soft" }, "Migrates a copy of the store, which is removed afterwards, and tells what happened. The store itself is only read."),
      h("p", { class: "buttons" }, this.begin, this.stop, this.bar), this.words, this.list);
  }

  async start() {
    try {
      const first = await ask("POST", `/api/trial?${new URLSearchParams({ version: this.version })}`);
      this.show(first);
      this.job.follow(first);
    } catch (problem) {
      this.show({ state: "failed", error: problem.message });
    }
  }

  show(state) {
    const isRunning = state.state === "running";
    this.begin.disabled = isRunning;
    this.stop.hidden = this.bar.hidden = !isRunning;
    if (state.total > 0) [this.bar.max, this.bar.value] = [state.total, state.done];
    else this.bar.removeAttribute("value");
    this.words.classList.toggle("problem", state.state === "failed");
    this.words.textContent = { running: `Migrating ${state.subject ?? ""}…`, failed: state.error, stopped: "The trial was stopped.", none: "", done: "" }[state.state];
    this.list.replaceChildren();
    if (state.state === "done") this.tell(state.result);
  }

  tell(result) {
    if (!result.isNeeded) return (this.words.textContent = "The store has this version already; no migration is needed.");
    this.words.textContent = `The copy was migrated in ${result.seconds} s; it has ${size(result.bytesAfter)} now, and had ${size(result.bytesBefore)}.`;
    const losses = result.losses.length ? [h("h4", {}, "Would be lost"), h("ul", { class: "findings-list" }, ...result.losses.map((one) => h("li", { class: "error" }, one)))] : [h("p", {}, "Nothing is lost.")];
    this.list.replaceChildren(...losses, h("h4", {}, "Steps"), h("ol", {}, ...result.steps.map((one) => h("li", {}, one.sentence, one.rewritesRows ? h("span", { class: "soft" }, " rewrites all rows") : ""))));
  }
}
