// Dialogs: the browser keeps the focus inside, takes Escape, and gives the focus back.

import { icon } from "./icon.js";
import { say } from "./say.js";
import { html, render } from "./template.js";
import { standOnTop } from "./toast.js";

/// In milliseconds: the second click on what has opened a dialog falls on its veil.
const DOUBLE_CLICK = 500;

/// Shows `content(close)` in a dialog; resolves with what it is closed with, null for Escape.
/// `redraw` on the dialog draws it again. One that is open already does not open again.
/// `mayClose()` is asked before somebody closes it without a button of its own.
export function openDialog({ title, content, kind = "", isTitleHidden = false, mayClose = () => true, onClose }) {
  if (isOpen(title)) return Promise.resolve(null);
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    dialog.className = `dialog ${kind}`;
    dialog.setAttribute("aria-label", title);
    let result = null;
    const close = (value = null) => {
      result = value;
      dialog.close();
    };
    const leave = () => mayClose() && close();
    /// Where the browser has put the keys, as long as the dialog's own place for them is not there, or takes none.
    let waiting = null;
    const giveKeys = () => {
      const first = dialog.querySelector("[data-first]");
      first?.focus();
      waiting = document.activeElement === first ? null : document.activeElement;
    };
    const draw = () => {
      render(frame(title, content(close, draw), leave, isTitleHidden), dialog);
      if (waiting && waiting === document.activeElement) giveKeys();
    };
    // Whoever has gone elsewhere stays there, also when he comes by again.
    dialog.addEventListener("focusin", ({ target }) => (waiting = target === waiting ? waiting : null));
    // Of a second Escape, browsers ask nobody.
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && !mayClose() && event.preventDefault());
    dialog.addEventListener("cancel", (event) => event.target === dialog && !mayClose() && event.preventDefault());
    dialog.addEventListener("close", () => {
      dialog.remove();
      standOnTop();
      onClose?.();
      resolve(result);
    });
    // A press that begins and ends on the veil closes; a selection dragged out of a field does not.
    let pressed = null;
    const opened = performance.now();
    dialog.addEventListener("pointerdown", (event) => (pressed = event.timeStamp - opened > DOUBLE_CLICK ? event.target : null));
    dialog.addEventListener("click", (event) => event.target === dialog && pressed === dialog && leave());
    document.body.append(dialog);
    draw();
    dialog.showModal();
    standOnTop();
    giveKeys();
  });
}

/// Who presses a button twice while the server is slow asks twice.
const isOpen = (title) => [...document.querySelectorAll("dialog[open]")].some((dialog) => dialog.getAttribute("aria-label") === title);

const frame = (title, content, close, isTitleHidden) => html`
  <div class="dialog-frame">
    ${isTitleHidden ? null : html`
      <header class="dialog-head">
        <h2>${title}</h2>
        <button class="plain" aria-label=${say`Close`} @click=${() => close()}>${icon("x")}</button>
      </header>`}
    ${content}
  </div>`;

/// Asks yes or no: the harmless answer has the focus.
export const confirm = ({ title, text, yes, isBad = true }) =>
  openDialog({
    title,
    kind: "small",
    content: (close) => html`
      <p class="dialog-text">${text}</p>
      <footer class="dialog-foot">
        <button data-first @click=${() => close(false)}>${say`Cancel`}</button>
        <button class=${isBad ? "bad" : "main"} @click=${() => close(true)}>${yes}</button>
      </footer>`,
  });

/// Asks for a line of text; null when there is none. `choices` are words that may be meant.
export const askText = ({ title, label, value = "", yes, choices = [] }) =>
  openDialog({
    title,
    kind: "small",
    content: (close) => html`
      <form class="dialog-form" @submit=${(event) => {
        event.preventDefault();
        const text = event.target.elements.text.value.trim();
        if (text) close(text);
      }}>
        <label>${label}<input name="text" data-first autocomplete="off" required maxlength="200" value=${value}
          list=${choices.length > 0 ? "dialog-choices" : null} ref=${(input) => queueMicrotask(() => input.select())} /></label>
        ${choices.length > 0 ? html`<datalist id="dialog-choices">${choices.map((choice) => html`<option value=${choice}></option>`)}</datalist>` : null}
        <footer class="dialog-foot">
          <button type="button" @click=${() => close()}>${say`Cancel`}</button>
          <button class="main">${yes}</button>
        </footer>
      </form>`,
  });

/// Asks for lines of text, of which there may be none; null when nothing is answered.
export const askLines = ({ title, label, lines, yes }) =>
  openDialog({
    title,
    kind: "small",
    content: (close) => html`
      <form class="dialog-form" @submit=${(event) => {
        event.preventDefault();
        close(event.target.elements.text.value.split("\n").map((line) => line.trim()).filter(Boolean));
      }}>
        <label>${label}<textarea name="text" data-first rows="5" maxlength="10000" .value=${lines.join("\n")}></textarea></label>
        <footer class="dialog-foot">
          <button type="button" @click=${() => close()}>${say`Cancel`}</button>
          <button class="main">${yes}</button>
        </footer>
      </form>`,
  });
