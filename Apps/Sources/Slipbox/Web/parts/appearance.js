// Typeface, size, width and lines of texts, and the rows of lists.

import { openDialog } from "../view/dialog.js";
import { html } from "../view/template.js";
import { choose, CHOICES, valueOf } from "../model/appearance.js";

export const openAppearance = () => openDialog({
  title: "Appearance",
  content: (close, draw) => html`
    <div class="dialog-form appearance">
      ${CHOICES.map(({ id, name, values }, place) => html`
        <div class="appearance-line"><span id=${`look-${id}`}>${name}</span>
          <div class="segments" role="group" aria-labelledby=${`look-${id}`}>
            ${values.map(([value, word]) => html`<button type="button" ?data-first=${place === 0 && valueOf(id) === value} aria-pressed=${String(valueOf(id) === value)} @click=${() => { choose(id, value); draw(); }}>${word}</button>`)}
          </div></div>`)}
      <p class="appearance-sample text">The quick brown fox jumps over the lazy dog, and thinks about it for a while before it goes on.</p>
      <footer class="dialog-foot"><button class="main" @click=${() => close()}>Done</button></footer>
    </div>`,
});
