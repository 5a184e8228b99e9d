// Short messages at the bottom edge, with at most one thing to do. They stay while one points at them.

import { changed } from "./drawing.js";
import { icon } from "./icon.js";
import { html, keyed } from "./template.js";

const LASTS = 8000;
let toasts = [];
let next = 1;

/// `act` is {name, run}; `kind` is "plain" or "bad"; what `stays` is there until it is dismissed.
export function toast(text, { act = null, kind = "plain", stays = false } = {}) {
  const shown = { id: next++, text, act, kind, stays };
  // One that tells what was done and one that tells what went wrong are enough: Ctrl Z goes further back than they do.
  for (const other of toasts) if (!other.stays && other.kind === kind) clearTimeout(other.timer);
  toasts = [...toasts.filter((other) => other.stays || other.kind !== kind), shown];
  if (!stays) shown.timer = setTimeout(() => dismiss(shown), act ? LASTS * 1.25 : LASTS);
  changed();
  return shown;
}

export const complain = (error) => toast(error.message, { kind: "bad" });

export function dismiss(shown) {
  clearTimeout(shown?.timer);
  toasts = toasts.filter((other) => other !== shown);
  changed();
}

function linger(shown) {
  clearTimeout(shown.timer);
  if (!shown.stays) shown.timer = setTimeout(() => dismiss(shown), LASTS);
}

export const toastsView = () => html`
  <div class="toasts" role="status" aria-live="polite">
    ${toasts.map((shown) => keyed(shown.id, toastView(shown)))}
  </div>`;

const toastView = (shown) => html`
  <div class=${`toast ${shown.kind}`} @pointerenter=${() => clearTimeout(shown.timer)}
    @focusin=${() => clearTimeout(shown.timer)}
    @focusout=${() => linger(shown)} @pointerleave=${() => linger(shown)}>
    ${shown.kind === "bad" ? icon("circle-alert") : null}
    <span class="toast-text">${shown.text}</span>
    ${shown.act ? html`<button class="toast-act" @click=${() => { dismiss(shown); shown.act.run(); }}>${shown.act.name}</button>` : null}
    <button class="plain small" aria-label="Dismiss" @click=${() => dismiss(shown)}>${icon("x")}</button>
  </div>`;
