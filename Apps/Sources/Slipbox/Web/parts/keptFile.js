// A file that was made in the page, such as a memo, on its way into the note: it stays in its dialog until the server has it.

import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { kilobytes } from "../view/words.js";
import { upload } from "../server/call.js";

/// The files that are nowhere else yet.
const unsent = new Set();
export const madeMayBeLost = () => unsent.size > 0;

/// Something that is being made; gives what ends it.
export function holdMade() {
  const made = {};
  unsent.add(made);
  return () => void unsent.delete(made);
}

/// `sent(facts)` is called when the server has kept the file, `left()` when somebody gives it up. `draw()` draws the dialog again.
export function keptFile(note, file, { sent, left, draw }) {
  let problem = null;
  let part = 0;
  let address = null;
  let stopping = null;
  unsent.add(file);

  async function send() {
    problem = null;
    part = 0;
    stopping = new AbortController();
    draw();
    try {
      const progress = (now) => {
        part = now;
        draw();
      };
      const facts = await upload(`/notes/${note}/files`, file, progress, "PUT", stopping.signal);
      end();
      sent(facts);
    } catch (error) {
      problem = error.name === "AbortError" ? say`Sending was stopped.` : error.message;
      address ??= URL.createObjectURL(file);
      draw();
    }
  }

  function end() {
    unsent.delete(file);
    if (address) URL.revokeObjectURL(address);
  }

  function leave() {
    end();
    left();
  }

  send();
  return {
    stop: () => stopping.abort(),
    view: (what) => (problem ? problemView(what) : html`
      <p class="dialog-text" role="status"><label class="sending">${say`Sending ${file.name}, ${kilobytes(file.size)}`}
        <progress max="1" value=${part === null || part === 1 ? null : part}></progress></label></p>`),
  };

  function problemView(what) {
    return html`
      <p class="dialog-text" role="alert">${say`${problem} ${what} Send it again, or save it on this device.`}</p>
      <footer class="dialog-foot">
        <button @click=${leave}>${say`Discard`}</button>
        <a class="button" href=${address} download=${file.name}>${say`Save on this device`}</a>
        <button class="main" data-first @click=${send}>${say`Send again`}</button>
      </footer>`;
  }
}
