// One menu at a time, beside what opened it: arrows, Home and End, letters of a name, Escape.

import { icon } from "./icon.js";
import { say } from "./say.js";
import { html, render } from "./template.js";

let close = () => {};

/// `items` are {name, icon?, keys?, run, isBad?, isOn?, isOff?} or "line"; `at` is an element or {x, y}.
export function openMenu(at, items, label = say`Menu`) {
  close();
  const from = document.activeElement;
  const menu = document.createElement("div");
  menu.className = "menu";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", label);
  menu.setAttribute("popover", "manual");
  // In the part of the page it belongs to: a dialog makes everything outside of it unreachable.
  const source = at instanceof Element ? at : from;
  (source?.closest("dialog, main") ?? document.querySelector("main") ?? document.body).append(menu);
  const shut = (giveBack = true) => {
    close = () => {};
    removeEventListener("pointerdown", outside, true);
    menu.remove();
    if (giveBack && from?.isConnected) from.focus({ preventScroll: true });
  };
  const outside = (event) => menu.contains(event.target) || shut(false);
  close = shut;
  render(items.filter(Boolean).map((item) => (item === "line" ? line() : itemView(item, shut))), menu);
  menu.showPopover?.();
  endInARow(menu);
  // Also without the keys of a menu one may want to scroll it.
  if (menu.scrollHeight > menu.clientHeight) menu.tabIndex = 0;
  placeBeside(menu, at);
  menu.addEventListener("keydown", (event) => move(event, menu, shut));
  addEventListener("pointerdown", outside, true);
  menu.querySelector("[role^=menuitem]:not([disabled])")?.focus();
}

export const closeMenu = () => close(false);

const line = () => html`<div role="separator" class="menu-line"></div>`;

const itemView = (item, shut) => html`
  <button role=${item.isOn === undefined ? "menuitem" : "menuitemradio"} tabindex="-1" ?disabled=${item.isOff}
    aria-checked=${item.isOn === undefined ? null : String(item.isOn)} class=${item.isBad ? "menu-item bad" : "menu-item"}
    @click=${() => { shut(); item.run(); }}>
    ${item.isOn === undefined ? (item.icon ? icon(item.icon) : html`<span class="icon"></span>`)
      : item.isOn ? icon("check") : html`<span class="icon"></span>`}
    <span class="menu-name">${item.name}</span>
    ${item.keys ? html`<kbd>${item.keys}</kbd>` : null}
  </button>`;

function move(event, menu, shut) {
  const items = [...menu.querySelectorAll("[role^=menuitem]:not([disabled])")];
  const at = items.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  if (event.key in steps) {
    items.at(steps[event.key] % items.length)?.focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    shut();
  } else if (event.key.length === 1 && /\S/.test(event.key) && !event.ctrlKey && !event.metaKey) {
    withLetters(items, at, event.key.toLowerCase())?.focus();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/// In milliseconds: letters that follow each other so soon are of one name.
const PAUSE = 700;
let letters = "";
let lettersAt = 0;

/// The next item whose name begins with the letters, or has a word that does: names may all begin alike.
function withLetters(items, at, letter) {
  const now = performance.now();
  letters = now - lettersAt < PAUSE ? letters + letter : letter;
  lettersAt = now;
  // One letter again and again goes along the items that have it.
  const wanted = letters.replaceAll(letter, "") ? letters : letter;
  const from = wanted.length > 1 ? at : at + 1;
  const later = [...items.slice(from), ...items.slice(0, from)].map((item) => [item, item.querySelector(".menu-name").textContent.trim().toLowerCase()]);
  const hasWord = ([, name]) => name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted));
  return (later.find(([, name]) => name.startsWith(wanted)) ?? later.find(hasWord))?.[0];
}

/// A menu that is longer than the window ends in the middle of a row: where it ended between two, nothing said that
/// there are more.
export function endInARow(menu, row = ".menu-item") {
  menu.style.maxHeight = "";
  if (menu.scrollHeight <= menu.clientHeight) return;
  const middles = [...menu.querySelectorAll(row)].map((item) => item.offsetTop + item.offsetHeight / 2);
  const end = middles.findLast((middle) => middle <= menu.clientHeight);
  if (end) menu.style.maxHeight = `${Math.floor(end) + menu.offsetHeight - menu.clientHeight}px`;
}

/// Below and inside the window, wherever the window ends: an element, or {x, y} with the top of the line that ends there.
export function placeBeside(element, at) {
  const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, right: at.x, top: at.top ?? at.y, bottom: at.y };
  const size = element.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, innerWidth - size.width - 8));
  const below = box.bottom + 4;
  const top = below + size.height > innerHeight - 8 ? Math.max(8, box.top - size.height - 4) : below;
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}

/// The context menu of an element: the second button, a long press, the menu key, Shift F10.
export const contextMenu = (items, label) => (event) => {
  event.preventDefault();
  event.stopPropagation();
  const byKey = event.clientX === 0 && event.clientY === 0;
  openMenu(byKey ? event.currentTarget : { x: event.clientX, y: event.clientY }, items(), label);
};
