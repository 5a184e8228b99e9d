// What was typed into a field of one line, so that it can be undone however the field was changed: by keys, by pasting, by the
// page itself. The browser's own memory is lost each time the page sets the value.

const PAUSE = 600;

export class TitleHistory {
  #steps;
  #at = 0;
  #last = 0;

  constructor(value) {
    this.#steps = [{ value, caret: value.length }];
  }

  /// As it stands in the step where we are.
  get value() {
    return this.#steps[this.#at].value;
  }

  /// What is typed in one go is one step.
  typed(value, caret, { isWhole = false } = {}) {
    if (value === this.#steps[this.#at].value) return;
    const now = Date.now();
    const goesOn = !isWhole && this.#at > 0 && now - this.#last < PAUSE;
    this.#steps = [...this.#steps.slice(Math.max(0, this.#at - 200), goesOn ? this.#at : this.#at + 1), { value, caret }];
    this.#at = this.#steps.length - 1;
    this.#last = isWhole ? 0 : now;
  }

  /// One step back or on: {value, caret}; null where there is none.
  step(by) {
    const step = this.#steps[this.#at + by];
    if (!step) return null;
    this.#at += by;
    this.#last = 0;
    return step;
  }
}
