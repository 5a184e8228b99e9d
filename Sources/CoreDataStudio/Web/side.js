// The entities in the tree of inheritance, with the number of their objects.

import { h } from "/look/page.js";
import { whole } from "./cells.js";
import { modelPlace, tablePlace } from "./place.js";

/** The objects of an entity and of all below it. */
export function total(entity, entities) {
  const below = entities.filter((one) => one.parent === entity.name).map((one) => total(one, entities));
  return {
    count: below.reduce((sum, one) => sum + one.count, entity.count ?? 0),
    isExact: below.every((one) => one.isExact) && entity.isExact,
  };
}

export function showSide(side, store, chosen) {
  const filter = h("input", { type: "search", placeholder: "Find an entity", "aria-label": "Find an entity", value: side.dataset.filter ?? "" });
  const list = h("div", {});
  const fill = () => {
    side.dataset.filter = filter.value;
    const wanted = filter.value.trim().toLowerCase();
    const found = store.entities.filter((one) => one.name.toLowerCase().includes(wanted));
    list.replaceChildren(wanted ? flat(found) : branch(null));
    if (found.length === 0) list.replaceChildren(h("p", { class: "hint" }, "No entity has this name."));
  };
  const item = (entity) => {
    const { count, isExact } = total(entity, store.entities);
    const href = store.hasStore ? tablePlace(entity.name) : modelPlace(entity.name);
    const number = store.hasStore ? `${isExact ? "" : "about "}${whole.format(count)}` : "";
    return h(
      "a",
      { href, class: entity.isAbstract ? "entity abstract" : "entity", "aria-current": entity.name === chosen && "page" },
      h("span", { class: "name" }, entity.name),
      h("span", { class: "count" }, number),
    );
  };
  const flat = (entities) => h("ul", {}, ...entities.map((one) => h("li", {}, item(one))));
  const known = new Set(store.entities.map((one) => one.name));
  const branch = (parent) => {
    const inside = store.entities.filter((one) => (known.has(one.parent) ? one.parent : null) === parent);
    if (inside.length === 0) return null;
    return h("ul", {}, ...inside.map((one) => h("li", {}, item(one), branch(one.name))));
  };
  filter.addEventListener("input", fill);
  fill();
  side.replaceChildren(store.entities.length > 8 ? filter : "", list);
}
