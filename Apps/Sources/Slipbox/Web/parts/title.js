// The title of an open note: a line that grows, whose undo is the page's own.

import { say } from "../view/say.js";
import { TitleHistory } from "../view/titleHistory.js";
import { beginningOf, hasRoomFor } from "../view/titleRoom.js";
import { toast } from "../view/toast.js";

/// Undoing is trusted when it is still there after one has looked at another note.
const histories = new Map();

function historyOf(id, value) {
  const steps = histories.get(id) ?? new TitleHistory(value);
  steps.typed(value, value.length, { isWhole: true });
  histories.delete(id);
  histories.set(id, steps);
  if (histories.size > 50) histories.delete(histories.keys().next().value);
  return steps;
}

export class TitleField {
  #field = null;
  #write = () => {};
  #steps = null;

  take(element) {
    this.#field = element;
  }

  /// Another note is open; `written(title)` hears what its title is from then on.
  open({ id, title }, written) {
    this.#write = written;
    this.#steps = historyOf(id, title ?? "");
  }

  // MARK: - Writing

  edit(event) {
    const { target } = event;
    const steps = this.#steps;
    // One that has come too long from elsewhere is only refused.
    const isTooLong = steps && !hasRoomFor(target.value) && hasRoomFor(steps.value);
    if (event.type === "compositionend" && !isTooLong) return;
    // Letters that are still being put together are the system's.
    if (isTooLong && !event.isComposing) cutAtCaret(target);
    const title = target.value.replace(/\s*\n\s*/g, " ");
    if (!isTooLong || !event.isComposing) steps?.typed(title, target.selectionStart, { isWhole: /Paste|Drop|Cut/.test(event.inputType ?? "") });
    this.#write(title);
  }

  /// Undoes and redoes in the title; gives false if there is nothing to undo.
  step(by) {
    const step = this.#steps?.step(by);
    if (!step) return false;
    this.#write(step.value);
    queueMicrotask(() => queueMicrotask(() => this.#field?.setSelectionRange(step.caret, step.caret)));
    return true;
  }

  // MARK: - The field

  focus({ isAll = false } = {}) {
    this.#field?.focus();
    if (isAll) this.#field?.select();
  }

  focusEnd() {
    if (!this.#field) return false;
    this.#field.focus();
    this.#field.setSelectionRange(this.#field.value.length, this.#field.value.length);
    return true;
  }

  fit() {
    if (!this.#field || CSS.supports("field-sizing", "content")) return;
    this.#field.style.height = "auto";
    this.#field.style.height = `${this.#field.scrollHeight}px`;
  }

  /// As soon as it is drawn.
  fitSoon() {
    queueMicrotask(() => queueMicrotask(() => this.fit()));
  }
}

/// Takes away the end of what was typed, as a field does that counts letters: the server takes no text with a title that is too long.
function cutAtCaret(target) {
  const { value, selectionEnd, maxLength } = target;
  const fitting = beginningOf(value.slice(0, selectionEnd), value.slice(selectionEnd), maxLength);
  target.setRangeText("", fitting.length, selectionEnd, "end");
  toast(say`There is no room for more in the title.`);
}

/// Several lines that are pasted become one, at the caret.
export function pasteTitle(event) {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  const { selectionStart, selectionEnd, value } = event.target;
  const line = text.split(/[\r\n]+/).map((one) => one.trim()).filter(Boolean).join(" ");
  const fitting = beginningOf(line, value.slice(0, selectionStart) + value.slice(selectionEnd), event.target.maxLength);
  const isWhole = fitting.length === line.length;
  if (isWhole && !/[\r\n]/.test(text)) return;
  event.preventDefault();
  event.target.setRangeText(fitting, selectionStart, selectionEnd, "end");
  event.target.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
  if (!isWhole) toast(say`What was pasted is too long for a title: its beginning stands there.`);
}
