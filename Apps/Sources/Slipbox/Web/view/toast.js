// Short messages at the bottom edge, with at most one thing to do. They stay while one points at them.
//
// They stand in the dialog on top while one is open: what is outside of it is drawn behind it, and out of reach.

import { changed } from "./drawing.js";
import { icon } from "./icon.js";
import { say } from "./say.js";
import { html, keyed, render } from "./template.js";
import { count } from "./words.js";

const LASTS = 8000;
/// What takes no longer is not worth a word.
const MOMENT = 500;
const place = document.createElement("div");
place.className = "toasts";
place.setAttribute("role", "status");
place.setAttribute("aria-live", "polite");
let toasts = [];
let next = 1;

/// Where the focus was before it came here by keys. Who points at a button keeps it.
let cameFrom = null;
place.addEventListener("focusin", ({ relatedTarget }) => place.contains(relatedTarget) || (cameFrom = relatedTarget));
place.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());

/// `act` is {name, run}; `kind` is "plain" or "bad"; what `stays` is there until it is dismissed; `progress` is
/// {done, total}, which `progressed` changes; `whenDismissed` is done when somebody takes it away.
export function toast(text, { act = null, kind = "plain", stays = false, progress = null, whenDismissed = null } = {}) {
  const shown = { id: next++, text, act, kind, stays, progress, whenDismissed };
  // One that tells what was done and one that tells what went wrong are enough: Ctrl Z goes further back than they do.
  for (const other of toasts) if (!other.stays && other.kind === kind) clearTimeout(other.timer);
  toasts = [...toasts.filter((other) => other.stays || other.kind !== kind), shown];
  if (!stays) shown.timer = setTimeout(() => dismiss(shown), act ? LASTS * 1.25 : LASTS);
  changed();
  return shown;
}

export function progressed(shown, done, total) {
  shown.progress = { done, total };
  changed();
}

/// Says what is being done until it is done; gives what comes of it.
export async function meanwhile(text, work) {
  let shown = null;
  const timer = setTimeout(() => (shown = toast(text, { stays: true })), MOMENT);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (shown) dismiss(shown);
  }
}

export const complain = (error) => toast(error.message, { kind: "bad" });

export function dismiss(shown) {
  clearTimeout(shown?.timer);
  toasts = toasts.filter((other) => other !== shown);
  changed();
}

/// With the button that was pressed, the focus would be gone.
function press(shown, act) {
  if (place.contains(document.activeElement)) cameFrom?.focus({ preventScroll: true });
  dismiss(shown);
  act?.();
}

function linger(shown) {
  clearTimeout(shown.timer);
  if (!shown.stays) shown.timer = setTimeout(() => dismiss(shown), LASTS);
}

/// A dialog has opened or closed.
export function standOnTop() {
  const onTop = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  onTop.append(place);
}

export function drawToasts() {
  if (!place.isConnected) standOnTop();
  render(toasts.map((shown) => keyed(shown.id, toastView(shown))), place);
}

const toastView = (shown) => html`
  <div class=${`toast ${shown.kind}`} @pointerenter=${() => clearTimeout(shown.timer)}
    @focusin=${() => clearTimeout(shown.timer)}
    @focusout=${() => linger(shown)} @pointerleave=${() => linger(shown)}>
    ${shown.kind === "bad" ? icon("circle-alert") : null}
    <span class="toast-text">${shown.text}${shown.progress ? progressView(shown.progress) : null}</span>
    ${shown.act ? html`<button class="toast-act" @click=${() => press(shown, shown.act.run)}>${shown.act.name}</button>` : null}
    <button class="plain small" aria-label=${say`Dismiss`} @click=${() => press(shown, shown.whenDismissed)}>${icon("x")}</button>
  </div>`;

/// Nobody wants to hear each step.
const progressView = ({ done, total }) => html`
  <span class="toast-progress" aria-hidden="true"><progress max=${String(total)} value=${String(done)}></progress>${say`${count(done)} of ${count(total)}`}</span>`;
