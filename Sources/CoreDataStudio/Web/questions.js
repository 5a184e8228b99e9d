// Saved questions: conditions with their order and columns, under names, in a file beside the model or the store.

import { ask, h, toast } from "/look/page.js";
import { tablePlace } from "./place.js";

/** A button that opens the saved questions of an entity, and keeps the one that is shown. */
export function questionsButton(entity, asked) {
  const panel = h("div", { id: "questions", class: "panel", popover: "auto", role: "dialog", "aria-label": "Saved questions" });
  const button = h("button", { type: "button", popovertarget: "questions" }, "Questions");
  const list = h("ul", { class: "questions" });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const name = h("input", { type: "text", placeholder: "Name", "aria-label": "Name of the question", maxlength: "100", required: true, autocomplete: "off" });
  const form = h("form", { class: "buttons", onsubmit: (event) => keep(event) }, name, h("button", { class: "primary" }, "Save this one"));
  const tell = (error) => {
    problem.hidden = !error;
    problem.textContent = error?.message ?? "";
  };
  const fill = (answer) => {
    const own = answer.questions.filter((one) => one.entity === entity);
    list.replaceChildren(...own.map((one) => h("li", {},
      h("a", { href: tablePlace(entity, { where: one.condition, sort: one.sort, columns: one.columns }), onclick: () => panel.hidePopover() }, one.name),
      h("button", { type: "button", class: "plain small", "aria-label": `Remove ${one.name}`, onclick: () => change("DELETE", `/api/questions?${new URLSearchParams({ name: one.name, entity })}`).then(() => (list.querySelector("a") ?? name).focus()) }, "Remove"))));
    if (own.length === 0) list.append(h("li", { class: "soft" }, `No question about ${entity} is saved.`));
  };
  const change = async (method, path, body) => {
    try {
      fill(await ask(method, path, body));
      tell(null);
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  };
  const keep = async (event) => {
    event.preventDefault();
    const text = name.value.trim();
    if (!text) return;
    if (await change("POST", "/api/questions", { name: text, entity, condition: asked.where, sort: asked.sort, columns: asked.columns ?? "" })) {
      name.value = "";
      toast(`“${text}” is saved.`);
    }
  };
  panel.addEventListener("beforetoggle", (event) => {
    if (event.newState !== "open") return;
    panel.style.top = `${Math.min(button.getBoundingClientRect().bottom + 4, innerHeight / 2)}px`;
    change("GET", "/api/questions");
  });
  panel.append(list, problem, asked.where || asked.sort || asked.columns ? form : h("p", { class: "soft small" }, "Ask for something, or choose an order or columns, to save it here."));
  return h("div", { class: "choosing" }, button, panel);
}
