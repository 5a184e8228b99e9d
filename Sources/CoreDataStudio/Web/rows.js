// The rows of one table as the server has them: pages of a hundred, of which a bounded number is kept.

import { ask } from "/look/page.js";

const size = 100;
const most = 60;

export class Rows {
  /** `expected` is the number of rows if it is known before; tells `changed` whenever something new is known. */
  constructor(entity, query, changed, expected = null) {
    this.address = `/api/entities/${encodeURIComponent(entity)}/rows`;
    this.query = query;
    this.changed = changed;
    this.pages = new Map();
    this.former = new Map();
    this.asked = new Set();
    this.total = expected;
    this.expected = expected ?? 0;
    this.isComplete = false;
    this.isCut = false;
    this.columns = null;
    this.problem = null;
    this.milliseconds = null;
    this.isLeft = false;
  }

  /** The row at a place; undefined while it is not here yet. */
  row(place) {
    const page = Math.floor(place / size);
    return (this.pages.get(page) ?? this.former.get(page))?.[place % size];
  }

  /** Fetches what is missing of a part. */
  want(first, count) {
    const last = Math.floor(Math.max(first, first + count - 1) / size);
    for (let page = Math.floor(first / size); page <= last; page += 1) {
      if (this.pages.has(page)) {
        // Pages that were looked at lately stay longest.
        const rows = this.pages.get(page);
        this.pages.delete(page);
        this.pages.set(page, rows);
      } else if (!this.asked.has(page)) {
        this.fetch(page);
      }
    }
  }

  async fetch(page, isFresh = false) {
    this.asked.add(page);
    const query = new URLSearchParams({ ...this.query, from: page * size, count: size });
    if (isFresh) query.set("fresh", "");
    try {
      const answer = await ask("GET", `${this.address}?${query}`);
      if (this.isLeft) return;
      this.take(page, answer);
    } catch (problem) {
      if (this.isLeft) return;
      this.problem = problem;
    }
    this.asked.delete(page);
    this.changed(page);
    if (!this.problem && !this.isComplete && page === 0) this.count();
  }

  take(page, answer) {
    this.problem = null;
    this.columns ??= answer.columns;
    this.total = answer.isComplete ? answer.total : Math.max(answer.total, this.expected);
    this.isComplete ||= answer.isComplete;
    this.isCut = answer.isCut;
    if (this.isComplete) this.forgetBeyond();
    if (page === 0 && this.milliseconds === null) this.milliseconds = answer.milliseconds;
    // A page at the end of a table that is still being read has more rows later.
    if (answer.rows.length === size || answer.isComplete) this.pages.set(page, answer.rows);
    while (this.pages.size > most) this.pages.delete(this.pages.keys().next().value);
  }

  forgetBeyond() {
    for (const page of this.former.keys()) if (page * size >= this.total) this.former.delete(page);
  }

  /** Asks for the number of rows until all are found. */
  async count() {
    while (!this.isComplete && !this.isLeft && !this.problem) {
      await new Promise((done) => setTimeout(done, 150));
      if (this.isLeft) return;
      const before = this.total;
      const page = Math.floor((this.total ?? 0) / size) + 1;
      try {
        const query = new URLSearchParams({ ...this.query, from: page * size, count: 1 });
        const answer = await ask("GET", `${this.address}?${query}`);
        this.total = answer.isComplete ? answer.total : Math.max(answer.total, this.expected);
        this.isComplete = answer.isComplete;
        this.isCut = answer.isCut;
      } catch (problem) {
        this.problem = problem;
      }
      if (this.total !== before || this.isComplete || this.problem) this.changed(null);
    }
  }

  /** Reads the table again because the store has changed; the old rows stay until the new ones are here. */
  async refresh() {
    const query = new URLSearchParams({ ...this.query, from: 0, count: size, fresh: "" });
    try {
      const answer = await ask("GET", `${this.address}?${query}`);
      if (this.isLeft) return;
      this.former = new Map([...this.former, ...this.pages].slice(-most));
      this.pages.clear();
      this.asked.clear();
      this.isComplete = false;
      this.expected = this.total ?? 0;
      this.take(0, answer);
    } catch (problem) {
      this.problem = problem;
    }
    this.changed(0);
    if (!this.problem && !this.isComplete) this.count();
  }

  leave() {
    this.isLeft = true;
  }
}
