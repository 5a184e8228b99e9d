// Work of the server in the background: asked for until it has ended.

import { ask } from "/look/page.js";

const often = 300;

/** Follows the job of an address; `told(state)` hears of each state until the job has ended or `leave` is called. */
export class Job {
  constructor(address, told) {
    this.address = address;
    this.told = told;
    this.isLeft = false;
    this.round = 0;
  }

  /** Asks until the job has ended; begins with the state that a first question has answered. */
  async follow(first = null) {
    const round = (this.round += 1);
    let state = first;
    for (;;) {
      try {
        state ??= await ask("GET", this.address);
      } catch (problem) {
        state = { state: "failed", error: problem.message };
      }
      if (this.isLeft || round !== this.round) return;
      this.told(state);
      if (state.state !== "running") return;
      state = null;
      await new Promise((done) => setTimeout(done, often));
      if (this.isLeft || round !== this.round) return;
    }
  }

  /** Stops the work. */
  async stop() {
    this.round += 1;
    this.told(await ask("DELETE", this.address.split("?")[0]));
  }

  leave() {
    this.isLeft = true;
  }
}
