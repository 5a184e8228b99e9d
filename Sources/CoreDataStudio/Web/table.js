// The objects of one entity: the condition, its SQL and plan, the table, its columns.

import { ask, h, toast } from "/look/page.js";
import { whole } from "./cells.js";
import { properties } from "./completion.js";
import { Field } from "./field.js";
import { Grid } from "./grid.js";
import { change, pending } from "./pending.js";
import { addressKeeper, editPlace, figuresPlace, sqlPlace, tablePlace } from "./place.js";
import { questionsButton } from "./questions.js";
import { Rows } from "./rows.js";
import { total } from "./side.js";

const kept = "studio-widths";

function widths(entity) {
  try {
    return JSON.parse(localStorage.getItem(kept) ?? "{}")[entity] ?? {};
  } catch {
    return {};
  }
}

function keepWidths(entity, some) {
  try {
    const all = JSON.parse(localStorage.getItem(kept) ?? "{}");
    localStorage.setItem(kept, JSON.stringify({ ...all, [entity]: some }));
  } catch {
    // A browser that keeps nothing shows the usual widths the next time.
  }
}

export async function showTable(place, store, isFresh) {
  const { names: [entity], query } = place;
  const known = store.entities.find((one) => one.name === entity);
  if (!known) throw new Error(`The model has no entity “${entity}”.`);
  const asked = { where: query.get("where") ?? "", sort: query.get("sort") ?? "", columns: query.get("columns") };
  const request = Object.fromEntries(Object.entries(asked).filter(([, value]) => value));
  const go = (changes) => {
    location.hash = tablePlace(entity, { ...asked, ...changes });
  };
  const field = new Field(asked.where, entity, store.entities, (where) => (where === asked.where ? explain() : go({ where })));
  const count = h("p", { class: "count", role: "status" }, "Reading…");
  const rows = new Rows(entity, request, () => changed(), asked.where ? null : total(known, store.entities).count);
  const grid = new Grid(rows, {
    label: `Objects of ${entity}`,
    sort: asked.sort,
    widths: widths(entity),
    row: Number(query.get("row")) || 0,
    sorted: (key) => go({ sort: asked.sort === key ? `-${key}` : asked.sort === `-${key}` ? "" : key }),
    resized: (some) => keepWidths(entity, some),
    placed: (row) => keepRow(row),
  });
  const keepAddress = addressKeeper(place);
  const keepRow = (row) => {
    keepAddress(tablePlace(entity, { ...asked, row: row || "" }));
    jump.placeholder = `Row ${whole.format(row + 1)}`;
  };
  const jump = h("input", { type: "text", inputmode: "numeric", class: "jump", "aria-label": "Go to row", placeholder: "Row 1",
    onchange: () => { grid.goTo(Number(jump.value.replace(/\D/g, "")) - 1); jump.value = ""; grid.element.focus(); } });
  const changed = () => {
    field.refuse(rows.problem?.status === 400 && asked.where ? rows.problem : null);
    if (rows.problem) {
      count.textContent = rows.problem.status === 400 && asked.where ? "" : rows.problem.message;
      count.classList.add("problem");
      grid.element.hidden = true;
      return;
    }
    count.textContent = words(rows, asked);
    grid.element.hidden = rows.isComplete && rows.total === 0;
    none.hidden = !grid.element.hidden;
    grid.show();
  };
  const none = h("p", { class: "empty", hidden: true }, asked.where ? "No object matches this condition." : `There are no objects of ${entity}.`);
  const plan = h("details", { class: "plan", ontoggle: () => plan.open && explain() }, h("summary", {}, "SQL and plan"));
  const explain = () => plan.open && showPlan(plan, entity, request);
  const tools = h("div", { class: "tools" }, count, jump, newButton(entity, store), store.isSQLite ? h("a", { class: "button", href: figuresPlace(entity) }, "Figures") : "", questionsButton(entity, asked), columnsButton(entity, store, asked, rows, go), saveButton(entity, request));
  rows.fetch(0, isFresh);
  return {
    title: entity,
    entity,
    elements: [h("h2", { class: "unseen" }, entity), field.element, field.mistake, plan, tools, grid.element, none],
    leave: () => grid.leave(),
    start: () => grid.show(),
    refresh: () => rows.refresh(),
  };
}

/** A new object, after changes are allowed. */
function newButton(entity, store) {
  if (!pending.isAllowed || store.entities.find((one) => one.name === entity)?.isAbstract) return "";
  const insert = async () => {
    try {
      location.hash = editPlace(await change({ op: "insert", entity }));
    } catch (problem) {
      toast(problem.message);
    }
  };
  return h("button", { type: "button", onclick: insert }, "New object");
}

function words(rows, asked) {
  const number = `${whole.format(rows.total ?? 0)} ${rows.total === 1 ? "object" : "objects"}`;
  if (!rows.isComplete) return rows.total ? `${number} so far…` : asked.sort ? "Sorting…" : "Reading…";
  const limit = rows.isCut ? "; the table ends here" : "";
  return `${number}${limit} · ${rows.milliseconds} ms`;
}

// MARK: columns

function columnsButton(entity, store, asked, rows, go) {
  const panel = h("div", { id: "columns", class: "panel", popover: "auto", role: "dialog", "aria-label": "Columns" });
  const button = h("button", { type: "button", popovertarget: "columns" }, "Columns");
  panel.addEventListener("beforetoggle", (event) => event.newState === "open" && fill());
  const fill = () => {
    const below = button.getBoundingClientRect().bottom + 4;
    panel.style.top = `${Math.min(below, innerHeight / 2)}px`;
    const shown = (rows.columns ?? []).map((one) => one.key);
    const all = [...new Set([...shown, ...properties(entity, store.entities).flatMap(keys)])];
    const boxes = all.map((key) => h("label", {}, h("input", { type: "checkbox", value: key, checked: shown.includes(key) }), key));
    const path = h("input", { type: "text", placeholder: "folder.name or tags.@count", "aria-label": "Another column, by its key path" });
    const take = (event) => {
      event.preventDefault();
      const chosen = [...panel.querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value);
      if (path.value.trim()) chosen.push(path.value.trim());
      panel.hidePopover();
      go({ columns: [...new Set(chosen)].join(",") });
    };
    panel.replaceChildren(h("form", { onsubmit: take }, h("div", { class: "boxes" }, ...boxes), path,
      h("div", { class: "buttons" }, h("button", { class: "primary" }, "Show"), h("button", { type: "button", class: "plain", onclick: () => { panel.hidePopover(); go({ columns: "" }); } }, "Usual columns"))));
  };
  return h("div", { class: "choosing" }, button, panel);
}

/** All rows of the table, with the columns that are shown. */
function saveButton(entity, request) {
  const formats = { csv: "CSV", json: "JSON", md: "Markdown" };
  const panel = h("div", { id: "saving", class: "panel narrow", popover: "auto", role: "dialog", "aria-label": "Save the rows" });
  const button = h("button", { type: "button", popovertarget: "saving" }, "Save as");
  panel.addEventListener("beforetoggle", () => {
    panel.style.top = `${Math.min(button.getBoundingClientRect().bottom + 4, innerHeight / 2)}px`;
  });
  const link = ([format, name]) => h("a", { class: "button", download: `${entity}.${format}`, onclick: () => panel.hidePopover(),
    href: `/api/entities/${encodeURIComponent(entity)}/file?${new URLSearchParams({ ...request, format })}` }, name);
  panel.append(...Object.entries(formats).map(link), h("p", { class: "soft small" }, "All rows with these columns. In CSV, an apostrophe keeps a text from becoming a formula."));
  return h("div", { class: "choosing" }, button, panel);
}

/** A composite attribute has a column for each element. */
const keys = (property) => {
  if (property.elements?.length) return property.elements.flatMap((one) => keys({ ...one, name: `${property.name}.${one.name}` }));
  return [property.name];
};

// MARK: the plan

async function showPlan(plan, entity, request) {
  const box = h("div", { class: "explained" }, h("p", { class: "soft" }, "Explaining…"));
  plan.replaceChildren(plan.firstChild, box);
  try {
    const told = await ask("GET", `/api/entities/${encodeURIComponent(entity)}/explanation?${new URLSearchParams(request)}`);
    const values = told.bindings.map((one, place) => `?${place + 1} = ${one}`);
    const lines = told.plan.map((one) => "  ".repeat(one.depth) + one.text);
    box.replaceChildren(
      h("pre", { tabindex: "0", "aria-label": "SQL" }, told.sql + (values.length ? `\n\n${values.join("\n")}` : "")),
      h("h3", {}, "Plan"),
      h("pre", { tabindex: "0", "aria-label": "Plan" }, lines.join("\n")),
      ...told.advice.map((one) => h("p", { class: "advice" }, one)),
      values.length ? "" : h("p", {}, h("a", { href: sqlPlace(told.sql) }, "Open in SQL")),
    );
  } catch (problem) {
    box.replaceChildren(h("p", { class: "problem" }, problem.message));
  }
}

