// The field for a predicate: completion as one types, and the mistake at its place.

import { h, isComposing } from "/look/page.js";
import { properties, suggestions } from "./completion.js";

export class Field {
  /** `asked(text)` is called for a condition that somebody wants to be asked. */
  constructor(text, entity, entities, asked) {
    this.entity = entity;
    this.entities = entities;
    this.asked = asked;
    this.list = h("ul", { role: "listbox", id: "suggestions", class: "suggestions", "aria-label": "Suggestions", hidden: true });
    this.mistake = h("p", { class: "mistake", id: "mistake", role: "alert", hidden: true });
    this.input = h("input", {
      type: "text", class: "condition", role: "combobox", "aria-label": "Condition", "aria-expanded": "false", "aria-controls": "suggestions",
      "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      placeholder: example(entity, entities), value: text,
      oninput: () => this.suggest(), onkeydown: (event) => this.pressed(event), onblur: () => setTimeout(() => this.close(), 120),
      onclick: () => this.suggest(),
    });
    this.element = h("form", { class: "asking", role: "search", onsubmit: (event) => this.submit(event) },
      h("div", { class: "combo" }, this.input, this.list),
      h("button", { class: "primary", type: "submit" }, "Find"),
      h("button", { class: "plain", type: "button", onclick: () => this.clear() }, "Clear"),
    );
    this.chosen = -1;
  }

  submit(event) {
    event.preventDefault();
    this.close();
    this.asked(this.input.value.trim());
  }

  clear() {
    this.input.value = "";
    this.asked("");
    this.input.focus();
  }

  /** Shows a sentence, and below it the text with the place of the mistake. */
  refuse(problem) {
    this.input.removeAttribute("aria-invalid");
    this.mistake.hidden = !problem;
    this.input.removeAttribute("aria-describedby");
    if (!problem) return;
    this.input.setAttribute("aria-invalid", "true");
    this.input.setAttribute("aria-describedby", "mistake");
    const text = this.input.value;
    const place = problem.details?.place;
    const marked = Number.isInteger(place)
      ? h("code", { class: "marked" }, text.slice(0, place), h("mark", {}, text.slice(place, place + 1) || " "), text.slice(place + 1))
      : "";
    this.mistake.replaceChildren(problem.message, marked);
  }

  suggest() {
    const { from, list } = suggestions(this.input.value, this.input.selectionStart, this.entity, this.entities);
    this.from = from;
    this.chosen = -1;
    this.offers = list;
    this.list.hidden = list.length === 0;
    this.input.setAttribute("aria-expanded", String(list.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    this.list.replaceChildren(...list.map((one, place) =>
      h("li", { role: "option", id: `suggestion-${place}`, "aria-selected": "false", onpointerdown: (event) => { event.preventDefault(); this.take(place); } },
        h("span", {}, one.text), h("span", { class: "soft" }, one.detail))));
  }

  close() {
    this.list.hidden = true;
    this.chosen = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  pressed(event) {
    if (isComposing(event)) return;
    if (event.key === "ArrowDown" && this.list.hidden) return this.suggest();
    if (this.list.hidden) return;
    const count = this.offers.length;
    if (event.key === "ArrowDown") this.choose((this.chosen + 1) % count);
    else if (event.key === "ArrowUp") this.choose((this.chosen + count) % (count + 1) - (this.chosen < 0 ? 1 : 0));
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && this.chosen < 0 && count > 0 && this.input.value.length > this.from) this.take(0);
    else if ((event.key === "Enter" || event.key === "Tab") && this.chosen >= 0) this.take(this.chosen);
    else return;
    event.preventDefault();
  }

  choose(place) {
    this.chosen = Math.max(0, Math.min(this.offers.length - 1, place));
    [...this.list.children].forEach((one, index) => one.setAttribute("aria-selected", String(index === this.chosen)));
    this.input.setAttribute("aria-activedescendant", `suggestion-${this.chosen}`);
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
  }

  take(place) {
    const { text } = this.offers[place];
    const end = this.input.selectionStart;
    // A count is asked of the key before it.
    const start = text.startsWith(".") ? this.input.value.slice(0, this.from).trimEnd().length : this.from;
    const added = text.endsWith("(") ? text : `${text} `;
    this.input.setRangeText(added, start, end, "end");
    this.input.focus();
    this.suggest();
  }
}

/** A condition with keys that the entity has. */
function example(entity, entities) {
  const all = properties(entity, entities);
  const names = all.filter((one) => one.type === "String").map((one) => one.name);
  const name = ["name", "title"].find((one) => names.includes(one)) ?? names[0];
  const number = all.find((one) => /^(Integer|Double|Float|Decimal)/.test(one.type))?.name;
  const parts = [name && `${name} CONTAINS[cd] "milk"`, number && `${number} > 3`].filter(Boolean);
  return parts.length > 0 ? `Condition, such as ${parts.join(" AND ")}` : "Condition in Core Data’s language";
}
