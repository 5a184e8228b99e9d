// A table that scrolls through any number of rows: only those that are seen are elements.
//
// Browsers cannot make an element as high as a million rows. Beyond a height, the place of the scroll bar means a part
// of the table, and the wheel and keys move by rows.

import { h } from "/look/page.js";
import { cellContent, whole } from "./cells.js";
import { cardPlace } from "./place.js";

const rowHeight = 32;
const greatestHeight = 4_000_000;
const least = 60;
const greatest = 900;

export class Grid {
  /** `settings` has `label`, `sort`, `widths`, and what to do: `sorted(key)`, `resized(widths)`, `placed(row)`. */
  constructor(rows, settings) {
    this.rows = rows;
    this.settings = settings;
    this.top = 0;
    this.active = settings.row ?? 0;
    this.isOpening = false;
    this.known = new Map();
    this.head = h("div", { role: "row", class: "head", "aria-rowindex": "1" });
    this.body = h("div", { role: "rowgroup", class: "body" });
    this.space = h("div", { class: "space", role: "presentation" });
    this.element = h("div", { role: "grid", class: "grid", tabindex: "0", "aria-label": settings.label, "aria-readonly": "true" });
    this.element.append(h("div", { role: "rowgroup", class: "heads" }, this.head), this.body, this.space);
    this.element.addEventListener("scroll", () => this.scrolled());
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.watch = new ResizeObserver(() => this.show());
    this.watch.observe(this.element);
    this.isPlaced = !settings.row;
  }

  leave() {
    clearTimeout(this.rest);
    this.watch.disconnect();
    this.rows.leave();
  }

  get count() {
    return this.rows.total ?? 0;
  }

  /** The height of what is seen of the rows. */
  get view() {
    return Math.max(rowHeight, this.element.clientHeight - rowHeight);
  }

  get whole() {
    return this.count * rowHeight;
  }

  get height() {
    return Math.min(this.whole, greatestHeight);
  }

  get furthest() {
    return Math.max(0, this.whole - this.view);
  }

  scrolled() {
    const place = this.element.scrollTop;
    const moved = place - (this.before ?? 0);
    this.before = place;
    const range = Math.max(1, this.height - this.view);
    if (this.whole <= greatestHeight) this.top = place;
    else if (this.isOurs) this.isOurs = false;
    else if (place <= 0) this.top = 0;
    else if (place >= range - 1) this.top = this.furthest;
    else if (Math.abs(moved) > 2 * this.view) this.top = (place / range) * this.furthest;
    else this.top = Math.min(this.furthest, Math.max(0, this.top + moved));
    this.show();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.rested(), 150);
  }

  /** The scroll bar goes where the rows are. */
  rested() {
    if (this.whole > greatestHeight) this.align();
    this.settings.placed(Math.round(this.top / rowHeight));
  }

  align() {
    const wanted = this.whole <= greatestHeight ? this.top : (this.top / Math.max(1, this.furthest)) * (this.height - this.view);
    if (Math.abs(this.element.scrollTop - wanted) < 1) return;
    this.isOurs = this.whole > greatestHeight;
    this.element.scrollTop = wanted;
    this.before = this.element.scrollTop;
  }

  /** Goes to a row, and makes it the active one. */
  goTo(row, isCentred = true) {
    this.isOpening = false;
    this.active = Math.max(0, Math.min(this.count - 1, row));
    const place = this.active * rowHeight;
    if (isCentred) this.top = place - Math.floor(this.view / 2 / rowHeight) * rowHeight;
    else if (place < this.top) this.top = place;
    else if (place + rowHeight > this.top + this.view) this.top = place + rowHeight - this.view;
    this.top = Math.min(this.furthest, Math.max(0, this.top));
    this.align();
    this.show();
  }

  pressed(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.view / rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count };
    if (event.key in steps) {
      event.preventDefault();
      this.goTo(this.active + steps[event.key], false);
    } else if (event.key === "Enter") {
      this.openActive();
    }
  }

  /** Opens the active row, as soon as it was read. */
  openActive() {
    const row = this.rows.row(this.active);
    this.isOpening = !row;
    if (row && !row.isGone) location.hash = cardPlace(row.id);
  }

  // MARK: columns

  showHead() {
    const { columns } = this.rows;
    if (!columns || this.headColumns === columns) return;
    this.headColumns = columns;
    const sort = this.settings.sort;
    this.head.replaceChildren(this.headCell("object", "", 0), ...columns.map((column, place) => this.headCell(column.key, column.type, place + 1, sort, column)));
    this.element.setAttribute("aria-colcount", columns.length + 1);
    this.resize();
  }

  headCell(key, type, place, sort = "", column = null) {
    const direction = sort === key ? "ascending" : sort === `-${key}` ? "descending" : "none";
    const canSort = column !== null && !["Binary", "Transformable", "Undefined"].includes(column.type);
    const name = [h("span", { class: "key" }, key), h("span", { class: "sign", "aria-hidden": "true" }, { ascending: "▲", descending: "▼", none: "" }[direction])];
    const button = canSort
      ? h("button", { class: "plain sort", title: `Sort by ${key} (${type}). Shift and an arrow key change the width.`, onclick: () => this.settings.sorted(key), onkeydown: (event) => this.widen(event, place) }, ...name)
      : h("span", { class: "sort", title: type }, ...name);
    const grip = h("span", { class: "grip", "aria-hidden": "true", onpointerdown: (event) => this.drag(event, place) });
    return h("div", { role: "columnheader", class: column?.isNumeric ? "numeric" : null, "aria-sort": canSort ? direction : null, "aria-colindex": place + 1 }, button, grip);
  }

  width(place) {
    const key = place === 0 ? "id" : this.rows.columns[place - 1].key;
    const usual = place === 0 ? 130 : { Date: 170, UUID: 345, String: 220, object: 180, Boolean: 90, Transformable: 240, Binary: 110 }[this.rows.columns[place - 1].type];
    const fitting = key.length * 8.5 + 40;
    return this.settings.widths[key] ?? Math.max(fitting, usual ?? 110);
  }

  setWidth(place, width) {
    const key = place === 0 ? "id" : this.rows.columns[place - 1].key;
    this.settings.widths[key] = Math.round(Math.min(greatest, Math.max(least, width)));
    this.resize();
    this.settings.resized(this.settings.widths);
  }

  widen(event, place) {
    if (!event.shiftKey || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    this.setWidth(place, this.width(place) + (event.key === "ArrowRight" ? 20 : -20));
  }

  drag(event, place) {
    event.preventDefault();
    const grip = event.target;
    const [from, width] = [event.clientX, this.width(place)];
    grip.setPointerCapture(event.pointerId);
    const move = (moved) => this.setWidth(place, width + moved.clientX - from);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", move), { once: true });
  }

  resize() {
    const widths = [...this.rows.columns.keys(), this.rows.columns.length].map((place) => this.width(place));
    this.element.style.setProperty("--columns", widths.map((width) => `${width}px`).join(" "));
    this.element.style.setProperty("--width", `${widths.reduce((sum, width) => sum + width, 0)}px`);
  }

  // MARK: rows

  show() {
    if (this.isOpening) this.openActive();
    this.showHead();
    this.space.style.height = `${this.height}px`;
    this.element.setAttribute("aria-rowcount", this.rows.isComplete ? this.count + 1 : -1);
    if (!this.isPlaced && this.count > this.settings.row) {
      // The address has the row that was at the top.
      this.isPlaced = true;
      this.top = Math.min(this.furthest, this.settings.row * rowHeight);
      this.align();
    }
    this.top = Math.min(this.top, this.furthest);
    const first = Math.max(0, Math.floor(this.top / rowHeight) - 4);
    const last = Math.min(this.count, Math.ceil((this.top + this.view) / rowHeight) + 4);
    clearTimeout(this.asking);
    // Somebody who drags the scroll bar passes places at which nobody looks.
    this.asking = setTimeout(() => this.rows.want(first, last - first), this.rows.row(first) || this.rows.asked.size === 0 ? 0 : 30);
    for (const [place, element] of this.known) {
      if (place >= first && place < last) continue;
      element.remove();
      this.known.delete(place);
    }
    const offset = this.element.scrollTop - this.top;
    for (let place = first; place < last; place += 1) this.showRow(place, offset);
    this.element.setAttribute("aria-activedescendant", this.known.has(this.active) ? `row-${this.active}` : "");
    if (!this.known.has(this.active)) this.element.removeAttribute("aria-activedescendant");
  }

  showRow(place, offset) {
    const row = this.rows.row(place);
    let element = this.known.get(place);
    if (!element || element.row !== row) {
      element?.remove();
      element = this.rowElement(row, place);
      element.row = row;
      this.known.set(place, element);
      this.body.append(element);
    }
    element.classList.toggle("active", place === this.active);
    element.style.transform = `translateY(${place * rowHeight + offset}px)`;
  }

  rowElement(row, place) {
    const element = h("div", { role: "row", class: "row", id: `row-${place}`, "aria-rowindex": place + 2 });
    if (!row) {
      element.append(h("div", { role: "gridcell", class: "waiting" }, whole.format(place + 1)));
      return element;
    }
    if (row.isGone) {
      element.append(h("div", { role: "gridcell" }, row.id), h("div", { role: "gridcell", class: "nil" }, "was deleted"));
      return element;
    }
    element.append(h("div", { role: "gridcell", class: "id" }, h("a", { href: cardPlace(row.id), tabindex: "-1" }, row.id)));
    row.cells.forEach((cell, index) => {
      const column = this.rows.columns[index];
      element.append(h("div", { role: "gridcell", class: column.isNumeric ? "numeric" : null }, cellContent(cell, column, row.id)));
    });
    element.addEventListener("click", (event) => {
      this.active = place;
      if (!event.target.closest("a") && getSelection().isCollapsed) location.hash = cardPlace(row.id);
    });
    return element;
  }
}
