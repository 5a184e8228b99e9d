// The part of the model's picture that is seen: moved by dragging or arrow keys, zoomed by the wheel or + and −.

import { tablePlace } from "./place.js";

const svgSpace = "http://www.w3.org/2000/svg";

/** Fetches a picture for a page: its element, the part that is seen, and its entities. */
export async function drawnModel(address, store = null) {
  const answer = await fetch(address);
  const text = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(text).error);
  // The page has its own style, and admits no other one.
  const plain = text.replace(/<style>[^<]*<\/style>/, "");
  const picture = document.importNode(new DOMParser().parseFromString(plain, "image/svg+xml").documentElement, true);
  const view = new View(picture);
  picture.querySelector(".page").remove();
  picture.querySelector("title").remove();
  picture.removeAttribute("role");
  picture.classList.add("model");
  const boxes = [...picture.querySelectorAll("g.entity")].map((element) => box(element, store));
  const { x, y } = picture.querySelector("g").dataset;
  return { text, picture, view, boxes, origin: { x: Number(x ?? 0), y: Number(y ?? 0) } };
}

/** An entity of the picture: a way to its objects. */
function box(element, store) {
  const name = element.querySelector(".title").textContent;
  const words = [...element.querySelectorAll("text")].map((one) => one.textContent).join("\n").toLowerCase();
  let link = null;
  if (store?.hasStore) {
    link = document.createElementNS(svgSpace, "a");
    link.setAttribute("href", tablePlace(name));
    link.setAttribute("aria-label", `Objects of ${name}`);
    element.replaceWith(link);
    link.append(element);
  }
  return { element, name, words, link };
}

/** The part of the picture that is seen. */
class View {
  constructor(picture) {
    this.picture = picture;
    const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
    this.size = { width, height };
    this.part = { x: 0, y: 0, width, height };
    picture.removeAttribute("width");
    picture.removeAttribute("height");
  }

  apply() {
    const { x, y, width, height } = this.part;
    this.picture.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  /** Shows everything, and small models not larger than they are. */
  all() {
    const { clientWidth, clientHeight } = this.picture;
    const width = Math.max(this.size.width, clientWidth || 1);
    const height = Math.max(this.size.height, clientHeight || 1);
    this.part = { x: (this.size.width - width) / 2, y: (this.size.height - height) / 2, width, height };
    this.apply();
  }

  zoom(factor, atX = 0.5, atY = 0.5) {
    const most = 4 * Math.max(this.size.width, this.size.height, 1000);
    const width = Math.min(most, Math.max(200, this.part.width * factor));
    const scale = width / this.part.width;
    const height = this.part.height * scale;
    this.part = { x: this.part.x + (this.part.width - width) * atX, y: this.part.y + (this.part.height - height) * atY, width, height };
    this.apply();
  }

  move(x, y) {
    this.part.x += x;
    this.part.y += y;
    this.apply();
  }

  centre(element) {
    const area = element.getBBox();
    const matrix = element.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    const margin = 32;
    const { clientWidth, clientHeight } = this.picture;
    const width = Math.max(clientWidth, area.width + 80);
    const height = (width * clientHeight) / Math.max(1, clientWidth);
    this.part = { x: matrix.e + margin + area.width / 2 - width / 2, y: matrix.f + margin + area.height / 2 - height / 2, width, height };
    this.apply();
  }

  /** The visible part keeps its proportions, so that one number says how large a pixel is. */
  pixel() {
    return Math.max(this.part.width / this.picture.clientWidth, this.part.height / this.picture.clientHeight);
  }

  follow(frame) {
    const pixel = () => this.pixel();
    frame.addEventListener("wheel", (event) => {
      event.preventDefault();
      const area = frame.getBoundingClientRect();
      this.zoom(Math.exp(event.deltaY * 0.0015), (event.clientX - area.left) / area.width, (event.clientY - area.top) / area.height);
    }, { passive: false });
    const down = new Map();
    let moved = 0;
    frame.addEventListener("pointerdown", (event) => {
      down.set(event.pointerId, event);
      moved = 0;
    });
    frame.addEventListener("pointermove", (event) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const others = [...down.values()].filter((one) => one.pointerId !== event.pointerId);
      if (others.length === 1) {
        const far = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY);
        this.zoom(far(before) / Math.max(1, far(event)));
      } else {
        this.move((before.clientX - event.clientX) * pixel(), (before.clientY - event.clientY) * pixel());
      }
      moved += Math.abs(before.clientX - event.clientX) + Math.abs(before.clientY - event.clientY);
      if (moved > 6 && !frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
      down.set(event.pointerId, event);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) frame.addEventListener(name, (event) => down.delete(event.pointerId));
    // A picture that was moved is not a link that was followed.
    frame.addEventListener("click", (event) => moved > 6 && event.preventDefault(), true);
    frame.addEventListener("dragstart", (event) => event.preventDefault());
    frame.addEventListener("keydown", (event) => {
      const step = 60 * pixel();
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in moves) this.move(...moves[event.key]);
      else if (event.key === "+" || event.key === "=") this.zoom(0.8);
      else if (event.key === "-") this.zoom(1.25);
      else if (event.key === "0") this.all();
      else return;
      event.preventDefault();
    });
  }
}
