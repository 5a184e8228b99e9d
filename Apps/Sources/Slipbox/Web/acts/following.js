// Texts that follow a new title, where they are more than its save had time for: the tab that has changed the title says
// how far they are, and every page says which texts could not be written.

import { openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { complain, dismiss, progressed, toast } from "../view/toast.js";
import { count, counted, titleOf } from "../view/words.js";
import { clientID, post, remove } from "../server/call.js";
import { refreshAll } from "./acts.js";

/// What is shown of a note whose title is followed, by the note.
const shown = new Map();

export function takeFollowing(state) {
  const title = titleOf(state);
  const before = shown.get(state.note);
  if (state.stage === "running" && before?.title === title && before.progress) return progressed(before, state.done, state.total);
  // The note shows the sentences that link to it.
  if (state.by === clientID && (state.stage === "done" || state.stage === "stuck")) refreshAll();
  dismiss(before);
  shown.delete(state.note);
  if (state.stage === "running" && state.by === clientID) {
    const { done, total } = state;
    shown.set(state.note, Object.assign(toast(say`Texts follow the new title “${title}”`, { stays: true, progress: { done, total } }), { title }));
  } else if (state.stage === "done" && state.by === clientID) {
    toast(say`${counted(state.total, "text says", "texts say")} “${title}” now`);
  } else if (state.stage === "stuck") {
    const text = say`${counted(state.behindCount, "text", "texts")} could not follow the new title “${title}”`;
    shown.set(state.note, toast(text, { kind: "bad", stays: true, act: { name: say`Show`, run: () => tellBehind(state) }, whenDismissed: () => leave(state) }));
  }
}

/// They link to the note as before; only the words that they show for it are the old ones.
async function tellBehind(state) {
  const more = state.behindCount - state.behind.length;
  const again = await openDialog({
    title: say`Texts that say the old title of “${titleOf(state)}”`,
    kind: "small",
    content: (close) => html`
      <p class="dialog-text">${say`Their links lead to the note as before, but show its old title. ${state.reason}`}</p>
      <ul class="refused" tabindex="0" aria-label=${say`Texts that could not be written`}>
        ${state.behind.map((note) => html`<li><strong>${titleOf(note)}</strong></li>`)}
        ${more > 0 ? html`<li>${say`and ${count(more)} more`}</li>` : null}
      </ul>
      <footer class="dialog-foot">
        <button @click=${() => close(false)}>${say`Leave them`}</button>
        <button class="main" data-first @click=${() => close(true)}>${say`Try again`}</button>
      </footer>`,
  });
  if (again) post(`/notes/${state.note}/follow`).catch(complain);
  else if (again === false) leave(state);
  // Who has only looked sees it again.
  else takeFollowing(state);
}

const leave = (state) => remove(`/notes/${state.note}/follow`).catch(complain);
