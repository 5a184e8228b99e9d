// A map of points and lines on a canvas: it is moved with a finger or the mouse, made larger with the wheel, two fingers
// or + and −, and a point is opened by pressing it.

import { say } from "./say.js";

// Round points take a machine without a graphics card a third of a second where there are twenty thousand, square ones a
// tenth of that: while a large map moves it is drawn roughly, and finely once it stands still.
const MANY = 3000;
const STILL = 160;

/// `map` is {notes: [{id, title, group}], links: [[from, to]]}; `told` hears open(note), look(note or null).
export class Graph {
  constructor(canvas, map, told, { centre = null } = {}) {
    this.canvas = canvas;
    this.map = map;
    this.told = told;
    this.centre = centre;
    this.places = new Float32Array(map.notes.length * 2);
    this.degrees = new Uint32Array(map.notes.length);
    for (const [from, to] of map.links) {
      this.degrees[from] += 1;
      this.degrees[to] += 1;
    }
    this.view = { x: 0, y: 0, scale: 1 };
    this.isFitted = true;
    // Whoever wants nothing to move by itself sees the points once they have their places.
    this.isPlaced = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.pointed = -1;
    // While it takes its places, it moves.
    this.isMoving = map.notes.length > MANY;
    this.still = document.createElement("canvas");
    this.pointers = new Map();
    this.listen();
    this.worker = new Worker(new URL("./forces.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.moved(data);
    this.worker.postMessage({ points: map.notes.length, links: map.links });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(canvas);
  }

  end() {
    this.worker.terminate();
    clearTimeout(this.stopping);
    this.observer.disconnect();
  }

  moved({ places, isDone }) {
    this.places = places;
    if (isDone) this.worker.terminate();
    this.canvas.dataset.settled = String(isDone);
    this.isPlaced ||= isDone;
    if (this.isPlaced) this.goes();
  }

  /// Draws what moves, and once more when it has stopped.
  goes() {
    this.isMoving = this.map.notes.length > MANY;
    clearTimeout(this.stopping);
    if (this.isMoving) this.stopping = setTimeout(() => this.stands(), STILL);
    this.draw();
  }

  stands() {
    this.isMoving = false;
    this.draw();
  }

  // MARK: Drawing

  /// Once for a frame, however often it is asked for.
  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paint();
    });
  }

  fit() {
    const { places, canvas } = this;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let at = 0; at < places.length; at += 2) {
      left = Math.min(left, places[at]);
      right = Math.max(right, places[at]);
      top = Math.min(top, places[at + 1]);
      bottom = Math.max(bottom, places[at + 1]);
    }
    if (left > right) return;
    const scale = Math.min(canvas.clientWidth / (right - left + 120), canvas.clientHeight / (bottom - top + 120), 2.2);
    this.view = { x: (left + right) / 2, y: (top + bottom) / 2, scale };
  }

  paint() {
    const { canvas, map, places } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || !this.isPlaced) return;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    if (this.isFitted) this.fit();
    const ink = this.ink ??= inkOf(canvas);
    const { x, y, scale } = this.view;
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    // The picture is drawn once while nothing moves, however often the pointer goes to another point.
    const stand = [x, y, scale, width, height, ratio].join(" ");
    if (!this.isMoving && this.stood?.places === places && this.stood.stand === stand) {
      pen.drawImage(this.still, 0, 0, width, height);
      return this.paintPointed(pen, ink, width, height);
    }
    const across = (index) => (places[index * 2] - x) * scale + width / 2;
    const down = (index) => (places[index * 2 + 1] - y) * scale + height / 2;
    const isRough = this.isMoving;
    canvas.dataset.drawn = isRough ? "roughly" : "finely";
    pen.strokeStyle = ink.line;
    pen.lineWidth = Math.max(0.5, Math.min(1.5, scale));
    pen.beginPath();
    for (const [from, to] of isRough ? map.links.slice(0, MANY) : map.links) {
      pen.moveTo(across(from), down(from));
      pen.lineTo(across(to), down(to));
    }
    pen.stroke();
    const size = this.size;
    // Points of one colour are one path: ten thousand are drawn in a few milliseconds.
    const groups = new Map();
    for (let index = 0; index < map.notes.length; index++) {
      const [left, top] = [across(index), down(index)];
      if (left < -20 || top < -20 || left > width + 20 || top > height + 20) continue;
      const group = map.notes[index].group % ink.groups.length;
      const radius = this.radiusOf(index, size);
      if (isRough) {
        pen.fillStyle = ink.groups[group];
        pen.fillRect(left - radius, top - radius, 2 * radius, 2 * radius);
        continue;
      }
      if (!groups.has(group)) groups.set(group, new Path2D());
      groups.get(group).moveTo(left + radius, top);
      groups.get(group).arc(left, top, radius, 0, 7);
    }
    for (const [group, path] of groups) {
      pen.fillStyle = ink.groups[group];
      pen.fill(path);
    }
    this.paintNames(pen, ink, across, down, width, height);
    this.keepStill(isRough ? null : { places, stand });
    this.paintPointed(pen, ink, width, height);
  }

  keepStill(stood) {
    this.stood = stood;
    if (!stood) return;
    const { canvas, still } = this;
    [still.width, still.height] = [canvas.width, canvas.height];
    still.getContext("2d").drawImage(canvas, 0, 0);
  }

  get size() {
    return Math.max(1.5, Math.min(5, 4 * this.view.scale));
  }

  radiusOf(index, size = this.size) {
    return size + Math.min(6, Math.sqrt(this.degrees[index])) * Math.min(1, this.view.scale);
  }

  /// The point under the pointer, with its links and its name, over all others.
  paintPointed(pen, ink, width, height) {
    const index = this.pointed;
    if (index < 0) return;
    const { x, y, scale } = this.view;
    const across = (one) => (this.places[one * 2] - x) * scale + width / 2;
    const down = (one) => (this.places[one * 2 + 1] - y) * scale + height / 2;
    this.paintLinksOf(pen, index, ink, across, down);
    pen.fillStyle = ink.groups[this.map.notes[index].group % ink.groups.length];
    pen.beginPath();
    pen.arc(across(index), down(index), this.radiusOf(index), 0, 7);
    pen.fill();
    pen.font = ink.font;
    pen.textAlign = "center";
    pen.fillStyle = ink.text;
    pen.strokeStyle = ink.ground;
    pen.lineWidth = 3;
    const name = nameOf(this.map.notes[index]);
    pen.strokeText(name, across(index), down(index) + 18);
    pen.fillText(name, across(index), down(index) + 18);
  }

  paintLinksOf(pen, index, ink, across, down) {
    pen.strokeStyle = ink.accent;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [from, to] of this.map.links) {
      if (from !== index && to !== index) continue;
      pen.moveTo(across(from), down(from));
      pen.lineTo(across(to), down(to));
    }
    pen.stroke();
  }

  /// The names of those that have most links, where they do not cover one another.
  paintNames(pen, ink, across, down, width, height) {
    const { notes } = this.map;
    this.order ??= [...notes.keys()].sort((one, other) => this.degrees[other] - this.degrees[one]);
    const first = this.centre === null ? [] : [this.centre];
    const taken = [];
    pen.font = ink.font;
    pen.textAlign = "center";
    pen.fillStyle = ink.text;
    pen.strokeStyle = ink.ground;
    pen.lineWidth = 3;
    for (const index of new Set([...first, ...(this.isMoving ? this.order.slice(0, MANY / 10) : this.order)])) {
      if (taken.length > 80) break;
      const [left, middle] = [across(index), down(index)];
      if (left < 0 || middle < 0 || left > width || middle > height) continue;
      const name = nameOf(notes[index]);
      // To measure thousands takes longer than to draw them.
      const half = 4 + (notes.length < MANY ? pen.measureText(name).width / 2 : name.length * 3.1);
      // Below its point, or above where another name stands.
      const top = [18, -12].map((by) => middle + by)
        .find((top) => !taken.some((box) => Math.abs(box.left - left) < box.half + half && Math.abs(box.top - top) < 16));
      if (top === undefined) continue;
      taken.push({ left, top, half });
      pen.strokeText(name, left, top);
      pen.fillText(name, left, top);
    }
  }

  // MARK: Hands

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => this.point(-1));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX, event.offsetY);
    }, { passive: false });
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.isDragged = false;
    this.pressedAt = { x: event.offsetX, y: event.offsetY };
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.point(this.nearest(event.offsetX, event.offsetY));
    const now = { x: event.offsetX, y: event.offsetY };
    if (Math.hypot(now.x - this.pressedAt.x, now.y - this.pressedAt.y) > 6) this.isDragged = true;
    if (this.pointers.size === 1 && this.isDragged) this.pan(before.x - now.x, before.y - now.y);
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
      if (was > 0) this.zoom(is / was, (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    this.pointers.set(event.pointerId, now);
  }

  up(event) {
    const wasPressed = this.pointers.delete(event.pointerId);
    if (!wasPressed || this.isDragged || event.type === "pointercancel") return;
    const index = this.nearest(event.offsetX, event.offsetY);
    if (index >= 0) this.told.open(this.map.notes[index]);
  }

  pan(dx, dy) {
    this.isFitted = false;
    this.view.x += dx / this.view.scale;
    this.view.y += dy / this.view.scale;
    this.goes();
  }

  zoom(by, left = this.canvas.clientWidth / 2, top = this.canvas.clientHeight / 2) {
    this.isFitted = false;
    const { view, canvas } = this;
    const scale = Math.max(0.02, Math.min(8, view.scale * by));
    const [across, down] = [left - canvas.clientWidth / 2, top - canvas.clientHeight / 2];
    view.x += across / view.scale - across / scale;
    view.y += down / view.scale - down / scale;
    view.scale = scale;
    this.goes();
  }

  /// The point at or near a place; -1 where there is none.
  nearest(left, top) {
    const { x, y, scale } = this.view;
    const [across, down] = [(left - this.canvas.clientWidth / 2) / scale + x, (top - this.canvas.clientHeight / 2) / scale + y];
    let [found, best] = [-1, (14 / scale) ** 2];
    for (let index = 0; index < this.map.notes.length; index++) {
      const distance = (this.places[index * 2] - across) ** 2 + (this.places[index * 2 + 1] - down) ** 2;
      if (distance < best) [found, best] = [index, distance];
    }
    return found;
  }

  /// Where a point stands on the canvas: {left, top}.
  placeOf(index) {
    const { x, y, scale } = this.view;
    return { left: (this.places[index * 2] - x) * scale + this.canvas.clientWidth / 2, top: (this.places[index * 2 + 1] - y) * scale + this.canvas.clientHeight / 2 };
  }

  point(index) {
    if (index === this.pointed) return;
    this.pointed = index;
    this.canvas.classList.toggle("points", index >= 0);
    this.told.look(index >= 0 ? this.map.notes[index] : null);
    this.draw();
  }

  all() {
    this.isFitted = true;
    this.draw();
  }
}

const nameOf = (note) => (note.title || say`Untitled`).slice(0, 40);

/// Colours as the canvas knows them: the style sheet may say them in words that it does not know.
function inkOf(canvas) {
  const style = getComputedStyle(canvas);
  const probe = canvas.parentElement.appendChild(document.createElement("i"));
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const groups = Array.from({ length: 9 }, (_, index) => colour(`--map-${index}`));
  const ink = { line: colour("--map-line"), accent: colour("--map-accent"), text: style.color, ground: style.backgroundColor, font: `12px ${style.fontFamily}`, groups };
  probe.remove();
  return ink;
}
