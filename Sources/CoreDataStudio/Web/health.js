// The health of the store: a check with its findings, the room of the tables, the indexes.

import { ask, h } from "/look/page.js";
import { size, whole } from "./cells.js";
import { Job } from "./job.js";
import { cardPlace, tablePlace } from "./place.js";

export async function showHealth(_, store) {
  const check = new CheckPart();
  const room = new RoomPart(store);
  return {
    title: "Health",
    elements: [h("article", { class: "health" }, h("h2", {}, "Health"), check.element, ...room.elements)],
    start: () => {
      check.job.follow();
      room.job.follow();
    },
    leave: () => {
      check.job.leave();
      room.job.leave();
    },
  };
}

// MARK: check

const names = { error: "Errors", warning: "Warnings", note: "Notes" };

class CheckPart {
  constructor() {
    this.job = new Job("/api/check", (state) => this.show(state));
    const begin = (deep) => () => this.begin(deep);
    this.usual = h("button", { type: "button", class: "primary", onclick: begin(false) }, "Check the store");
    this.deep = h("button", { type: "button", onclick: begin(true), title: "Compares every index with its table, and opens every archive" }, "Check everything");
    this.stop = h("button", { type: "button", hidden: true, onclick: () => this.job.stop().then(() => this.usual.focus()) }, "Stop");
    this.bar = h("progress", { "aria-label": "Check", hidden: true });
    this.words = h("p", { role: "status" });
    this.list = h("div", { class: "findings" });
    this.element = h("section", { "aria-label": "Check" }, h("h3", {}, "Check"),
      h("p", { class: "soft" }, "Looks at the file, its tables and every row. Nothing is changed; the program that the store belongs to can go on."),
      h("div", { class: "buttons" }, this.usual, this.deep, this.stop, this.bar), this.words, this.list);
  }

  async begin(deep) {
    try {
      const first = await ask("POST", `/api/check${deep ? "?deep" : ""}`);
      this.show(first);
      this.stop.focus();
      this.job.follow(first);
    } catch (problem) {
      this.show({ state: "failed", error: problem.message });
    }
  }

  show(state) {
    const isRunning = state.state === "running";
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement !== document.body;
    this.usual.disabled = this.deep.disabled = isRunning;
    this.stop.hidden = this.bar.hidden = !isRunning;
    this.words.classList.toggle("problem", state.state === "failed");
    if (isRunning) {
      this.bar.max = Math.max(1, state.total);
      this.bar.value = state.done;
      this.words.textContent = state.subject ? `Checking ${state.subject}…` : "Checking…";
      this.list.replaceChildren();
      return;
    }
    if (hadFocus && this.stop.hidden && document.activeElement === document.body) this.usual.focus();
    const words = { failed: state.error, stopped: "The check was stopped.", none: "", done: "" };
    this.words.textContent = words[state.state] ?? "";
    this.list.replaceChildren();
    if (state.state === "done") this.tell(state.result);
  }

  tell(result) {
    const count = (severity) => result.findings.filter((one) => one.severity === severity).length;
    const counts = [["error", count("error")], ["warning", count("warning")]].filter(([, number]) => number > 0).map(([name, number]) => `${number} ${name}${number === 1 ? "" : "s"}`).join(", ");
    const verdict = !result.isSound ? `The store is not sound: ${counts}.`
      : result.isPartial ? "Nothing wrong was found, but not everything was checked without the application’s model."
        : !result.hasCheckedRows ? "Nothing wrong was found, but the rows were not checked."
          : `The store is sound${counts ? `, with ${counts}` : ""}.`;
    this.words.textContent = verdict;
    this.words.classList.toggle("problem", !result.isSound);
    if (result.modelDifference) this.list.append(h("p", { class: "advice" }, `The model is not the one that the store was made with: ${result.modelDifference}`));
    for (const severity of ["error", "warning", "note"]) {
      const findings = result.findings.filter((one) => one.severity === severity);
      if (findings.length === 0) continue;
      this.list.append(h("h4", {}, names[severity]), h("ul", { class: "findings-list" }, ...findings.map(finding)));
    }
    if (result.left > 0) this.list.append(h("p", { class: "soft" }, `${whole.format(result.left)} more are left out here; coredata check prints them.`));
  }
}

function finding(one) {
  const place = one.entity ? h("a", { href: tablePlace(one.entity) }, one.place) : h("strong", {}, one.place);
  const shown = one.objects.length + one.names.length;
  const more = shown > 0 && one.count > shown ? h("span", { class: "soft" }, `and ${whole.format(one.count - shown)} more`) : "";
  const help = one.repair ? `coredata repair ${one.repair}.` : one.advice ? `${one.advice}.` : "";
  return h("li", { class: one.severity },
    h("p", {}, place, ": ", one.sentence.replace(/\.$/, ""), "."),
    shown > 0 ? h("p", { class: "examples" }, ...one.objects.map((id) => h("a", { href: cardPlace(id) }, id)), ...one.names.map((name) => h("code", {}, name)), more) : "",
    help ? h("p", { class: "soft" }, help) : "");
}

// MARK: room and indexes

const kinds = { pairs: "pairs of a relationship", history: "history", other: "not of an entity" };

class RoomPart {
  constructor(store) {
    this.store = store;
    this.job = new Job("/api/room", (state) => this.show(state));
    this.room = h("section", { "aria-label": "Room" }, h("h3", {}, "Room in the file"), h("p", { class: "soft", role: "status" }, "Measuring…"));
    this.indexes = h("section", { "aria-label": "Indexes", hidden: true });
    this.elements = [this.room, this.indexes];
  }

  show(state) {
    const title = this.room.firstChild;
    if (state.state === "failed") return this.room.replaceChildren(title, h("p", { class: "problem" }, state.error));
    if (state.state !== "done") return;
    const { result } = state;
    this.room.replaceChildren(title, h("p", { class: "soft" }, summary(result)), roomTable(result));
    this.indexes.hidden = false;
    this.indexes.replaceChildren(h("h3", {}, "Indexes"), ...indexParts(result));
  }
}

function summary(result) {
  const parts = [`${size(result.fileBytes)} in the file`];
  if (result.freeBytes > 0) parts.push(`${size(result.freeBytes)} of it free`);
  if (result.externalFiles) parts.push(`${size(result.externalFiles.bytes)} in ${whole.format(result.externalFiles.count)} files beside it`);
  const how = result.isEstimated ? "Sizes are estimated from the first rows of each table." : "Sizes are those of the pages, as SQLite counts them.";
  return `${parts.join(", ")}. ${how}`;
}

function roomTable(result) {
  const bytes = (one) => one.bytes + one.indexes.reduce((sum, index) => sum + (index.bytes ?? 0), 0);
  const most = Math.max(1, ...result.tables.map(bytes));
  const line = (one) => h("tr", {},
    h("th", { scope: "row" }, one.entities.length ? h("a", { href: tablePlace(one.entities[0]) }, one.entities.join(", ")) : h("code", {}, one.name),
      one.entities.length ? "" : h("span", { class: "soft" }, ` ${kinds[one.kind]}`)),
    h("td", { class: "numeric" }, size(bytes(one))),
    h("td", { class: "numeric soft" }, one.indexes.some((index) => index.bytes) ? size(bytes(one) - one.bytes) : ""),
    h("td", { class: "share" }, meter(bytes(one), most)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Room of each table" },
    h("table", { class: "plain-table" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Entity"), h("th", { scope: "col" }, "Size"), h("th", { scope: "col" }, "Indexes"), h("th", { scope: "col" }, h("span", { class: "unseen" }, "Share")))),
      h("tbody", {}, ...result.tables.map(line))));
}

/** A bar; the number is in the cell beside it. */
function meter(value, most) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 100 8");
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("class", "meter");
  const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  bar.setAttribute("width", String(Math.max(0.5, (100 * value) / most)));
  bar.setAttribute("height", "8");
  picture.append(bar);
  return picture;
}

function indexParts(result) {
  const all = result.tables.flatMap((table) => table.indexes.map((index) => ({ ...index, entities: table.entities })));
  const name = (index) => (index.entities?.length ? `${index.entities[0]}: ` : "") + index.properties.join(", ");
  const item = (index, ...more) => h("li", {}, h("strong", {}, name(index)), h("span", { class: "soft" }, ` ${index.name}${index.bytes ? ` · ${size(index.bytes)}` : ""}`), h("p", {}, index.help), ...more);
  const parts = [];
  if (result.missing.length) {
    parts.push(h("h4", {}, "Missing, though the model has them"),
      h("ul", { class: "indexes" }, ...result.missing.map((index) => item(index, h("p", { class: "soft" }, "The framework builds it when a program opens the store for writing, and coredata repair does so, too.")))));
  }
  if (result.advice.length) {
    parts.push(h("h4", {}, "For what was asked here"),
      h("ul", { class: "indexes" }, ...result.advice.map((one) => h("li", {}, h("a", { href: tablePlace(one.entity, { where: one.condition, sort: one.sort }) }, one.entity, " ", h("code", {}, one.condition || `sorted by ${one.sort}`)), ...one.sentences.map((text) => h("p", {}, text))))));
  }
  const [own, extra] = [all.filter((one) => one.isOfModel), all.filter((one) => !one.isOfModel)];
  if (own.length) parts.push(h("h4", {}, "In the file"), h("ul", { class: "indexes" }, ...own.map((one) => item(one))));
  if (extra.length) parts.push(h("h4", {}, "In the file, though the model does not ask for them"), h("ul", { class: "indexes" }, ...extra.map((one) => item(one))));
  if (parts.length === 0) parts.push(h("p", { class: "soft" }, "The file has no indexes."));
  parts.push(h("p", { class: "soft" }, "Ask for objects with a condition, and advice for it appears here."));
  return parts;
}
