// A field that finds an object of an entity by its name or its number.

import { ask, h } from "/look/page.js";

const most = 20;

/** `taken(id)` hears of the object that somebody chooses. */
export function picker(id, { destination, nameKey, key }, verb, taken) {
  const list = h("datalist", { id: `${id}-list` });
  const input = h("input", { id, type: "text", list: `${id}-list`, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-mistake`,
    placeholder: nameKey ? `Part of a ${nameKey}, or ${destination}/p1` : `${destination}/p1` });
  let timer = 0;
  const look = async () => {
    const text = input.value.trim();
    const query = { count: String(most) };
    if (nameKey) {
      query.columns = nameKey;
      if (text && !text.includes("/")) query.where = `${nameKey} CONTAINS[cd] ${JSON.stringify(text)}`;
    }
    try {
      const answer = await ask("GET", `/api/entities/${encodeURIComponent(destination)}/rows?${new URLSearchParams(query)}`);
      list.replaceChildren(...answer.rows.filter((one) => one.cells).map((one) => h("option", { value: one.id }, one.cells[0]?.text ?? one.id)));
    } catch {
      // Without suggestions, the number of an object can still be typed.
    }
  };
  input.addEventListener("focus", look, { once: true });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, 250);
  });
  const take = () => {
    const text = input.value.trim();
    if (!text) return;
    const option = [...list.options].find((one) => one.value === text || one.textContent === text);
    taken(option?.value ?? text);
    input.value = "";
  };
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    take();
  });
  return h("span", { class: "picker" }, input, h("button", { type: "button", "aria-label": `${verb} ${key}`, onclick: take }, verb));
}
