// Statements that only read, for those who want SQL.

import { ask, h } from "/look/page.js";
import { size, whole } from "./cells.js";
import { addressKeeper, sqlPlace } from "./place.js";

export async function showSQL(place) {
  const text = place.query.get("q") ?? "";
  const keepAddress = addressKeeper(place);
  const field = h("textarea", { rows: "6", spellcheck: "false", autocapitalize: "off", class: "statement", "aria-label": "SQL statement", value: text,
    placeholder: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_NAME",
    onkeydown: (event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && run(event) });
  const result = h("div", { class: "result" });
  const state = h("p", { role: "status", class: "soft" });
  const run = async (event) => {
    event?.preventDefault();
    const sql = field.value;
    if (!sql.trim()) return;
    keepAddress(sqlPlace(sql));
    state.textContent = "Running…";
    state.classList.remove("problem");
    try {
      show(await ask("POST", "/api/sql", { sql }), result, state);
    } catch (problem) {
      state.classList.add("problem");
      state.textContent = problem.message;
      result.replaceChildren(marked(sql, problem.details?.place));
    }
  };
  if (text) run();
  return {
    title: "SQL",
    elements: [
      h("h2", { class: "unseen" }, "SQL"),
      h("form", { class: "sql", onsubmit: run }, field,
        h("div", { class: "buttons" }, h("button", { class: "primary", title: "Ctrl or Command and Enter" }, "Run"),
          h("span", { class: "soft" }, "The store is open for reading only. Each statement has 10 seconds and 1,000 rows."))),
      state, result,
    ],
  };
}

function marked(sql, place) {
  if (!Number.isInteger(place)) return "";
  return h("pre", { class: "marked", tabindex: "0", "aria-label": "The place of the mistake" }, sql.slice(0, place), h("mark", {}, sql.slice(place, place + 1) || " "), sql.slice(place + 1));
}

function show(answer, result, state) {
  const count = answer.rows.length;
  state.textContent = `${whole.format(count)} ${count === 1 ? "row" : "rows"}${answer.hasMore ? "; there are more" : ""} · ${answer.milliseconds} ms`;
  const cell = (value) => {
    if (value === null) return h("td", { class: "nil" }, "NULL");
    if (typeof value === "object") return h("td", { class: "soft" }, size(value.size));
    return h("td", { class: typeof value === "number" ? "numeric" : null }, String(value));
  };
  result.replaceChildren(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Result" },
    h("table", {}, h("thead", {}, h("tr", {}, ...answer.columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...answer.rows.map((row) => h("tr", {}, ...row.map(cell)))))));
}
