// Language of the pages, typeface, size, width and lines of texts, and the rows of lists.

import { openDialog } from "../view/dialog.js";
import { dropText, keepText } from "../view/keptTexts.js";
import { chosenLanguage, LANGUAGES, say } from "../view/say.js";
import { html } from "../view/template.js";
import { choose, CHOICES, valueOf } from "../model/appearance.js";

export const openAppearance = () => openDialog({
  title: say`Appearance`,
  content: (close, draw) => html`
    <div class="dialog-form appearance">
      <div class="appearance-line"><span id="look-language">${say`Language`}</span>
        <select aria-labelledby="look-language" .value=${chosenLanguage() ?? ""} @change=${(event) => chooseLanguage(event.target.value)}>
          <option value="" ?selected=${!chosenLanguage()}>${say`As the browser`}</option>
          ${LANGUAGES.map(([code, name]) => html`<option value=${code} lang=${code} ?selected=${chosenLanguage() === code}>${name}</option>`)}</select></div>
      ${CHOICES.map(({ id, name, values }, place) => html`
        <div class="appearance-line"><span id=${`look-${id}`}>${name}</span>
          <div class="segments" role="group" aria-labelledby=${`look-${id}`}>
            ${values.map(([value, word]) => html`<button type="button" ?data-first=${place === 0 && valueOf(id) === value} aria-pressed=${String(valueOf(id) === value)} @click=${() => { choose(id, value); draw(); }}>${word}</button>`)}
          </div></div>`)}
      <p class="appearance-sample text">${say`The quick brown fox jumps over the lazy dog, and thinks about it for a while before it goes on.`}</p>
      <footer class="dialog-foot"><button class="main" @click=${() => close()}>${say`Done`}</button></footer>
    </div>`,
});

/// The texts are there from the beginning of a page, so it begins again.
function chooseLanguage(code) {
  if (code) keepText("language", code);
  else dropText("language");
  location.reload();
}
