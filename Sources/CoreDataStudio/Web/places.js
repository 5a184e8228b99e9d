// The places of entities in the picture, which stay where somebody has moved them.

import { ask, toast } from "/look/page.js";

/** The part that was seen before the picture was drawn anew, and the entity that had the focus. */
const kept = { part: null, name: null };

/** Shows again what was seen before an entity was moved; answers whether there was something. */
export function restore(view, boxes) {
  if (!kept.part) return false;
  view.part = kept.part;
  view.apply();
  boxes.find((one) => one.name === kept.name)?.link?.focus({ preventScroll: true });
  [kept.part, kept.name] = [null, null];
  return true;
}

const drawAnew = () => dispatchEvent(new HashChangeEvent("hashchange"));

export class Places {
  constructor(boxes, origin, view) {
    Object.assign(this, { boxes, origin, view });
  }

  place(one) {
    const { e, f } = one.element.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    return { x: e, y: f };
  }

  move(one, x, y) {
    one.element.setAttribute("transform", `translate(${x} ${y})`);
  }

  async keep(one) {
    const { x, y } = this.place(one);
    try {
      await ask("POST", "/api/layout", { entity: one.name, x: x + this.origin.x, y: y + this.origin.y });
      this.again(one.link && one.link.contains(document.activeElement) ? one.name : null);
    } catch (problem) {
      toast(problem.message);
    }
  }

  async forget() {
    try {
      await ask("DELETE", "/api/layout");
      drawAnew();
    } catch (problem) {
      toast(problem.message);
    }
  }

  /** Draws the picture anew with the lines of what was moved. */
  again(name) {
    [kept.part, kept.name] = [this.view.part, name];
    drawAnew();
  }

  follow(frame) {
    let held = null;
    frame.addEventListener("pointerdown", (event) => {
      const one = event.shiftKey && this.boxes.find((each) => each.element.contains(event.target));
      if (!one) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      held = { one, x: event.clientX, y: event.clientY, from: this.place(one), moved: false };
      frame.setPointerCapture(event.pointerId);
    }, true);
    frame.addEventListener("pointermove", (event) => {
      if (!held) return;
      event.stopImmediatePropagation();
      const pixel = this.view.pixel();
      held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > 3;
      this.move(held.one, held.from.x + (event.clientX - held.x) * pixel, held.from.y + (event.clientY - held.y) * pixel);
    }, true);
    for (const name of ["pointerup", "pointercancel"]) {
      frame.addEventListener(name, () => {
        if (held?.moved) this.keep(held.one);
        held = null;
      }, true);
    }
    let timer = 0;
    frame.addEventListener("keydown", (event) => {
      const one = event.shiftKey && this.boxes.find((each) => each.link?.contains(document.activeElement));
      const moves = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
      if (!one || !(event.key in moves)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { x, y } = this.place(one);
      this.move(one, x + moves[event.key][0], y + moves[event.key][1]);
      clearTimeout(timer);
      timer = setTimeout(() => this.keep(one), 600);
    }, true);
  }
}
