// A value of the server's as elements: {"kind": "date", "text": "2024-05-09T18:20:51Z"}.

import { h } from "/look/page.js";
import { cardPlace, objectPath } from "./place.js";

export const whole = new Intl.NumberFormat("en");

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** `20.5 kB`. */
export function size(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `2024-05-09 18:20:51`, in UTC as conditions have it. */
export const day = (text) => text.replace("T", " ").replace(/(\.\d+)?Z$/, "");

const isLink = (text) => /^https?:\/\/[^\s]+$/.test(text);

/** A date with the time of this place behind it. */
export function dateElement(text) {
  const local = new Date(text);
  const title = Number.isNaN(local.getTime()) ? text : `${text} (UTC) · ${local.toLocaleString()} here`;
  return h("time", { datetime: text, title }, day(text));
}

/** What a cell of a table shows. */
export function cellContent(cell, column, id) {
  if (cell === null) return h("span", { class: "nil" }, "nil");
  switch (cell.kind) {
    case "date":
      return dateElement(cell.text);
    case "boolean":
      return h("span", { class: `flag ${cell.text}` }, cell.text);
    case "object":
      return h("a", { href: cardPlace(cell.id), tabindex: "-1", title: cell.id }, cell.name || cell.id);
    case "data":
      return dataContent(cell, column, id, "small");
    case "archived":
      return h("code", { title: size(cell.size) }, cell.text);
    case "missing":
      return h("span", { class: "problem", title: cell.text }, "file is missing");
    default:
      return column.type === "UUID" ? h("code", {}, cell.text) : cell.text + (cell.isCut ? "…" : "");
  }
}

function dataContent(cell, column, id, look) {
  if (!cell.type) return h("span", { class: "soft" }, size(cell.size));
  const source = `${objectPath(id, "values", column.key)}?as=picture`;
  return h("img", { class: `thumb ${look}`, src: source, alt: `Picture, ${size(cell.size)}`, loading: "lazy" });
}

/** What a card shows: everything. */
export function wholeContent(cell, column, id) {
  if (cell === null) return h("span", { class: "nil" }, "nil");
  const download = () =>
    h("a", { href: objectPath(id, "values", column.key), download: "", class: "quiet" }, `Download ${size(cell.size)}`);
  switch (cell.kind) {
    case "object":
      return h("a", { href: cardPlace(cell.id) }, cell.name || cell.id, h("span", { class: "soft" }, cell.name ? ` ${cell.id}` : ""));
    case "data":
      return h("div", { class: "stack" }, cell.type ? dataContent(cell, column, id, "large") : null, download());
    case "archived":
      return h("div", { class: "stack" }, tree(cell.tree), download());
    case "text":
      return textContent(cell, column, id);
    default:
      return cellContent(cell, column, id);
  }
}

function textContent(cell, column, id) {
  if (isLink(cell.text)) return h("a", { href: cell.text, rel: "noreferrer noopener", target: "_blank" }, cell.text);
  if (column.type === "UUID") return h("code", {}, cell.text);
  const text = h("div", { class: cell.text.includes("\n") ? "text lines" : "text" }, cell.text);
  if (!cell.isCut) return text;
  const rest = h("a", { href: objectPath(id, "values", column.key), download: "", class: "quiet" }, "Download the whole text");
  return h("div", { class: "stack" }, text, rest);
}

/** The contents of an archive: lists and dictionaries open and close. */
export function tree(value, name) {
  const label = name === undefined ? null : h("span", { class: "key" }, name, ": ");
  if (value === null || typeof value !== "object") {
    const text = typeof value === "string" ? `“${value}”` : String(value);
    return h("div", { class: "leaf" }, label, h("span", { class: typeof value }, text));
  }
  const entries = Array.isArray(value) ? value.map((one, place) => [place + 1, one]) : Object.entries(value);
  const count = Array.isArray(value) ? `${entries.length} in a list` : `${entries.length} by name`;
  const branch = h("details", { open: entries.length <= 12 }, h("summary", {}, label, h("span", { class: "soft" }, count)));
  // A branch is filled when it is opened: archives may have thousands of values.
  const fill = () => branch.childElementCount === 1 && branch.append(h("div", { class: "branch" }, ...entries.map(([key, one]) => tree(one, key))));
  if (branch.open) fill();
  branch.addEventListener("toggle", fill);
  return branch;
}
