// What takes long, and how far it is: the server works, and we ask.

import { openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { count } from "../view/words.js";
import { get, Refused, remove } from "../server/call.js";
import { translated } from "../server/sentences.js";

/// Three seconds are long enough to say nothing, a minute is not: a dialog tells how far it is, and stops it.
export function progress(title, whenStopped = say`${title} was stopped: nothing was changed.`) {
  let now = { what: "", done: 0, total: 0 };
  let job = null;
  let isOpen = true;
  const stopping = new AbortController();
  let draw = () => {};
  let close = () => {};
  openDialog({
    title,
    kind: "small",
    onClose: () => {
      // Who closes it does not want it.
      if (isOpen) stopping.abort();
      if (isOpen && job) remove(`/jobs/${job}`).catch(complain);
      isOpen = false;
    },
    content: (closeDialog, drawDialog) => {
      [close, draw] = [closeDialog, drawDialog];
      return html`
        <div class="dialog-text" role="status"><label class="job">${now.what || say`Beginning`}${now.total > 1 ? html` <span class="faint" aria-hidden="true">${say`${count(Math.floor(now.done))} of ${count(now.total)}`}</span>` : null}
          <progress max=${String(now.total || 1)} value=${now.total ? String(now.done) : null}></progress></label></div>
        <footer class="dialog-foot"><button data-first @click=${() => closeDialog()}>${say`Cancel`}</button></footer>`;
    },
  });
  return {
    /// Tells that it is stopped before the server has begun.
    signal: stopping.signal,
    tell(what, done, total) {
      now = { what: translated(what), done, total };
      if (isOpen) draw();
    },
    /// Asks until it is done; null where it was cancelled.
    async follow(begun) {
      job = begun.id;
      // It was closed before the server had begun.
      if (!isOpen) await remove(`/jobs/${job}`);
      const began = performance.now();
      for (let step = begun; ; step = await get(`/jobs/${job}`)) {
        if (step.state === "failed") throw new Refused(400, { error: step.error });
        if (step.state === "done") return step;
        if (step.state === "cancelled" || !isOpen) return this.stopped();
        this.tell(step.what, step.done, step.total);
        // A job that is short has its first question soon.
        await new Promise((resolve) => setTimeout(resolve, Math.min(250, 30 + (performance.now() - began) / 8)));
      }
    },
    stopped() {
      toast(whenStopped);
      return null;
    },
    close() {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) close();
    },
  };
}
