// The model as a picture: moved by dragging or arrow keys, zoomed by the wheel or + and −, searched by name. An entity
// that is dragged with Shift, or moved with Shift and the arrow keys, stays at its place.

import { h } from "/look/page.js";
import { Places, restore } from "./places.js";
import { savePNG } from "./png.js";
import { drawnModel } from "./view.js";

export async function showModel({ query }, store) {
  const { text, picture, view, boxes, origin } = await drawnModel("/api/model.svg", store);
  const find = h("input", { type: "search", placeholder: "Find an entity or a property", "aria-label": "Find in the model",
    oninput: () => search(), onkeydown: (event) => event.key === "Enter" && next() });
  const found = h("span", { class: "soft", role: "status" });
  let hits = [];
  let chosen = -1;
  const search = () => {
    const wanted = find.value.trim().toLowerCase();
    hits = wanted ? boxes.filter((one) => one.words.includes(wanted)) : [];
    chosen = -1;
    picture.classList.toggle("searched", wanted !== "");
    for (const one of boxes) one.element.classList.toggle("hit", hits.includes(one));
    found.textContent = wanted ? `${hits.length} found` : "";
    if (hits.length > 0) next();
  };
  const next = () => {
    if (hits.length === 0) return;
    chosen = (chosen + 1) % hits.length;
    view.centre(hits[chosen].element);
  };
  const frame = h("div", { class: "frame", tabindex: "0", role: "group", "aria-label": "Model. Arrow keys move it, plus and minus zoom. Shift and the arrow keys move the entity that has the focus." }, picture);
  const places = new Places(boxes, origin, view);
  places.follow(frame);
  view.follow(frame);
  const wanted = query.get("entity");
  return {
    title: "Model",
    entity: wanted,
    elements: [
      h("h2", { class: "unseen" }, "Model"),
      h("div", { class: "tools" }, find, found,
        h("button", { type: "button", "aria-label": "Zoom in", onclick: () => view.zoom(0.8) }, "+"),
        h("button", { type: "button", "aria-label": "Zoom out", onclick: () => view.zoom(1.25) }, "−"),
        h("button", { type: "button", onclick: () => view.all() }, "Whole model"),
        h("a", { class: "button", href: "/api/model.svg", download: "Model.svg" }, "Save as SVG"),
        h("button", { type: "button", onclick: () => savePNG(text) }, "Save as PNG"),
        h("button", { type: "button", onclick: () => places.forget(), title: "Entities go back to where the picture puts them" }, "Arrange")),
      frame,
    ],
    start: () => {
      const one = boxes.find((each) => each.name === wanted);
      if (restore(view, boxes)) return;
      if (one) {
        one.element.classList.add("hit");
        view.centre(one.element);
      } else {
        view.all();
      }
    },
  };
}
