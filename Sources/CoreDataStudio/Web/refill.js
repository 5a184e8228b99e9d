// Filling a form again while somebody types: focus, caret and what is typed but not sent stay.

const isField = (element) => /^(INPUT|TEXTAREA)$/.test(element?.tagName ?? "") && !["checkbox", "file"].includes(element.type);

/** Calls `fill`, which replaces the contents of an element by new ones with the same ids. */
export function refill(container, fill) {
  const active = container.contains(document.activeElement) ? document.activeElement : null;
  const typed = isField(active) && active.value !== active.dataset.shown ? active.value : null;
  const [id, caret] = [active?.id, isField(active) ? active.selectionStart : null];
  fill();
  for (const field of container.querySelectorAll("input, textarea")) field.dataset.shown = field.value;
  const again = id ? container.querySelector(`#${CSS.escape(id)}`) : null;
  if (!again) return;
  if (typed !== null && isField(again)) {
    again.value = typed;
    // The browser does not know that a person has typed it, and would not tell when the field is left.
    again.addEventListener("change", () => (again.dataset.shown = again.value));
    again.addEventListener("blur", () => again.value !== again.dataset.shown && again.dispatchEvent(new Event("change")), { once: true });
  }
  again.focus({ preventScroll: true });
  if (isField(again) && again.type === "text") again.setSelectionRange(caret, caret);
}
