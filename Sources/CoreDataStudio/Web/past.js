// An object as it was after one of its changes, as far as the history lets anybody know.

import { ask, h } from "/look/page.js";
import { dateElement, whole, wholeContent } from "./cells.js";
import { cardPlace, objectPath } from "./place.js";

export async function showPast(id, change) {
  const past = await ask("GET", `${objectPath(id, "past")}?${new URLSearchParams({ change })}`);
  const when = past.change.date ? dateElement(past.change.date) : "";
  const kind = past.change.kind;
  const rows = past.values.flatMap((one) => [
    h("dt", {}, h("span", { class: "key" }, one.column.key), h("span", { class: "type" }, one.column.type)),
    h("dd", {}, "cell" in one ? wholeContent(one.cell, one.column, past.id) : h("span", { class: "soft" }, reason(one))),
  ]);
  const now = past.isDeleted ? h("p", { class: "soft" }, "The object was deleted later.") : h("p", {}, h("a", { href: cardPlace(past.id) }, "As it is now"));
  return {
    title: `${past.id} as it was`,
    entity: past.id.split("/")[0],
    elements: [h("article", { class: "card" },
      h("header", { class: "title" }, h("p", { class: "soft" }, h("code", {}, past.id)), h("h2", {}, kind === "deleted" ? "Deleted on " : "As it was on ", when),
        h("p", { class: "soft" }, `After the change ${past.change.number}, by which it was ${kind}${past.change.properties.length ? ` (${past.change.properties.join(", ")})` : ""}. ${later(past.later)}`), now),
      rows.length ? h("dl", { class: "values" }, ...rows) : "",
      h("p", { class: "soft" }, "A history has the names of changed properties, and no former values. A value is shown if no later change in the history has touched it. Programs that keep no history leave no trace in it."))],
  };
}

const later = (count) => (count === 0 ? "It has not changed since." : `It has changed ${count === 1 ? "once" : `${whole.format(count)} times`} since.`);

function reason(one) {
  if (one.reason === "changed") return h("span", {}, "Not known: it changed on ", dateElement(one.date), ".");
  if (one.reason === "members") return "Not known: a history does not have the members of a relationship.";
  return "Not known: the object was deleted, and the model does not preserve this value.";
}
