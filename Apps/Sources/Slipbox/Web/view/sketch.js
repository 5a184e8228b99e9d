// Paper to draw on, with a pen, a finger, a mouse or keys: arrows move, Space sets the pen down and lifts it.

import { say } from "./say.js";
import { element, elementOf, MOST_BYTES, sizeOf, strokeOf } from "./strokes.js";

/// In units of the paper, which is about a thousand of them wide.
const KEY_STEP = 10;
const ERASER = 12;

export class Sketch {
  /// `box` is the paper's viewBox; `changed()` is called after each stroke, `full()` where there is no room for more.
  constructor(strokes, box, { changed, full }) {
    Object.assign(this, { box, changed, full, tool: { color: "#1b1b1b", width: 4, isEraser: false }, states: [strokes], at: 0 });
    this.drawn = new Map();
    this.points = null;
    this.hasPen = false;
    this.caret = { x: box[0] + box[2] / 2, y: box[1] + box[3] / 2, isDown: false };
    const [x, y, width, height] = box;
    this.layer = element("g", {});
    this.cross = element("path", { class: "sketch-caret" });
    this.svg = element("svg", { class: "sketch-paper", viewBox: box.join(" "), fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", tabindex: "0", role: "application", "aria-label": say`Paper`, "aria-describedby": "sketch-hint" });
    this.svg.append(element("rect", { x, y, width, height, fill: "#fff" }), this.layer, this.cross);
    this.listen();
    this.show();
  }

  get strokes() { return this.states[this.at]; }
  get canUndo() { return this.at > 0; }
  get canRedo() { return this.at < this.states.length - 1; }
  get isChanged() { return this.at > 0; }

  undo() { this.step(-1); }
  redo() { this.step(1); }

  step(by) {
    if (this.points || !this.states[this.at + by]) return;
    this.at += by;
    this.show();
    this.changed();
  }

  /// Keeps the strokes after an act, and forgets those that were undone before it.
  become(strokes) {
    this.states.splice(this.at + 1, Infinity, strokes);
    this.at += 1;
    this.show();
    this.changed();
  }

  show() {
    const elements = this.strokes.map((stroke) => {
      if (!this.drawn.has(stroke)) this.drawn.set(stroke, elementOf(stroke));
      return this.drawn.get(stroke);
    });
    this.layer.replaceChildren(...elements);
  }

  // MARK: - Strokes

  begin(point) {
    if (this.tool.isEraser) {
      this.gone = new Set();
      return this.erase(point);
    }
    this.points = [point];
    this.draft = element("g", {});
    this.layer.append(this.draft);
    this.draw();
  }

  go(point) {
    if (this.gone) return this.erase(point);
    const [x, y] = this.points.at(-1);
    if (Math.hypot(point[0] - x, point[1] - y) < 1.5) return;
    this.points.push(point);
  }

  draw() {
    if (!this.points) return;
    const made = elementOf(strokeOf(this.points, this.tool.color, this.tool.width));
    this.draft.replaceWith(made);
    this.draft = made;
  }

  end() {
    const { points, gone } = this;
    this.points = null;
    this.gone = null;
    if (gone) {
      if (gone.size > 0) this.become(this.strokes.filter((stroke) => !gone.has(stroke)));
      return;
    }
    if (!points) return;
    const stroke = strokeOf(points, this.tool.color, this.tool.width);
    const size = this.strokes.reduce((sum, one) => sum + sizeOf(one), sizeOf(stroke));
    if (size <= MOST_BYTES) return this.become([...this.strokes, stroke]);
    this.show();
    this.full();
  }

  /// Takes the strokes away that the eraser touches; they are gone when it is lifted.
  erase([x, y]) {
    const matrix = this.svg.getScreenCTM();
    for (const [right, down] of [[0, 0], [ERASER, 0], [-ERASER, 0], [0, ERASER], [0, -ERASER]]) {
      const { x: left, y: top } = new DOMPoint(x + right, y + down).matrixTransform(matrix);
      const touched = document.elementFromPoint(left, top)?.closest(".sketch-paper g > g");
      const stroke = touched && this.strokes.find((one) => this.drawn.get(one) === touched);
      if (!stroke) continue;
      this.gone.add(stroke);
      touched.remove();
    }
  }

  // MARK: - Pointers and keys

  listen() {
    const { svg } = this;
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (event) => this.lift(event));
    svg.addEventListener("keydown", (event) => this.type(event));
    svg.addEventListener("blur", () => this.caret.isDown && this.toggle());
  }

  /// A hand that lies on the paper beside a pen does not draw.
  isOther(event) { return this.pointer !== event.pointerId || (this.hasPen && event.pointerType === "touch"); }

  press(event) {
    if (event.button !== 0 || this.pointer !== undefined || this.caret.isDown) return;
    if (event.pointerType === "pen") this.hasPen = true;
    if (this.hasPen && event.pointerType === "touch") return;
    this.pointer = event.pointerId;
    this.svg.setPointerCapture(event.pointerId);
    this.cross.setAttribute("d", "");
    this.begin(this.pointOf(event));
  }

  move(event) {
    if (this.isOther(event)) return;
    const events = event.getCoalescedEvents?.() ?? [];
    for (const one of events.length > 0 ? events : [event]) this.go(this.pointOf(one));
    this.draw();
  }

  lift(event) {
    if (this.isOther(event)) return;
    this.pointer = undefined;
    this.end();
  }

  /// Mice and fingers say nothing of their pressure, or that it is always the same.
  pointOf({ clientX, clientY, pressure, pointerType }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [...this.within(x, y), pointerType === "pen" && pressure > 0 ? pressure : 0.5];
  }

  within(x, y) {
    const [left, top, width, height] = this.box;
    return [Math.min(Math.max(left, x), left + width), Math.min(Math.max(top, y), top + height)];
  }

  type(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || (!steps && event.key !== " ")) return;
    event.preventDefault();
    if (!steps) return this.toggle();
    const { caret } = this;
    const step = event.shiftKey ? 1 : KEY_STEP;
    [caret.x, caret.y] = this.within(caret.x + steps[0] * step, caret.y + steps[1] * step);
    if (caret.isDown) {
      this.go([caret.x, caret.y, 0.5]);
      this.draw();
    }
    this.showCaret();
  }

  toggle() {
    const { caret } = this;
    caret.isDown = !caret.isDown;
    if (caret.isDown) this.begin([caret.x, caret.y, 0.5]);
    else this.end();
    this.showCaret();
  }

  showCaret() {
    const { x, y, isDown } = this.caret;
    const arm = isDown ? 6 : 12;
    this.cross.setAttribute("d", `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`);
  }
}
