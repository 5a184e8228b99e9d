// The pages of a PDF in its place, one at a time, as pictures that the server draws.

import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { icon } from "../view/icon.js";

const addressOf = (file, number, size) => `/api/files/${file}/pages/${number}?size=${size}`;

/// `told.pagesOf(file)` gives {pages, unsearched}, or throws an error with a sentence. `draw()` draws what is around it again.
export function pdfPages(told, draw) {
  let isOpen = false;
  let facts = null;
  let problem = null;
  let number = 1;
  let isLoading = false;

  async function toggle(file) {
    isOpen = !isOpen;
    problem = null;
    draw();
    if (!isOpen || facts) return;
    isLoading = true;
    try {
      facts = await told.pagesOf(file);
    } catch (error) {
      problem = error.message;
    }
    isLoading = false;
    draw();
  }

  function go(to) {
    const wanted = Math.min(Math.max(1, to), facts.pages);
    if (wanted === number) return;
    number = wanted;
    problem = null;
    isLoading = true;
    draw();
  }

  function arrive() {
    isLoading = false;
    draw();
  }

  function miss() {
    isLoading = false;
    problem = say`Page ${number} cannot be shown. The file’s name above saves the file.`;
    draw();
  }

  function press(event) {
    const to = { PageDown: number + 1, PageUp: number - 1, Home: 1, End: facts.pages }[event.key];
    if (!to || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
  }

  function pagesView(file, name) {
    if (!facts) return problem ? html`<p class="file-word" role="alert">${problem}</p>` : html`<p class="file-word" role="status">${say`Reading the pages…`}</p>`;
    const said = say`Page ${number} of ${facts.pages}`;
    return html`
      <div class="pdf-pages" role="group" aria-label=${say`Pages of ${name}`} @keydown=${press}>
        ${problem ? html`<p class="file-word" role="alert">${problem}</p>` : null}
        <button type="button" class="pdf-page" aria-label=${say`Show page ${number} of ${name} in full`} ?hidden=${problem !== null} @click=${() => told.showPage?.(addressOf(file, number, 2400), say`${name}, page ${number}`)}>
          <img src=${addressOf(file, number, 1200)} alt=${say`Page ${number} of ${name}`} draggable="false" decoding="async" @load=${arrive} @error=${miss} />
        </button>
        <div class="pdf-steps">
          <button type="button" class="plain" aria-label=${say`Previous page`} title=${say`Previous page (Page Up)`} aria-disabled=${String(number === 1)} @click=${() => go(number - 1)}>${icon("chevron-left")}</button>
          <span role="status">${isLoading ? `${said}…` : said}</span>
          <button type="button" class="plain" aria-label=${say`Next page`} title=${say`Next page (Page Down)`} aria-disabled=${String(number === facts.pages)} @click=${() => go(number + 1)}>${icon("chevron-right")}</button>
        </div>
        ${facts.unsearched ? html`<p class="file-word">${facts.unsearched}</p>` : null}
      </div>`;
  }

  return {
    buttonView: (file, name) => html`<button type="button" class="plain small pdf-open" aria-expanded=${String(isOpen)} aria-label=${say`Pages of ${name}`} title=${isOpen ? say`Hide the pages` : say`Show the pages`}
      @click=${() => toggle(file)}>${icon(isOpen ? "chevron-down" : "chevron-right")}</button>`,
    view: (file, name) => (isOpen ? pagesView(file, name) : null),
  };
}
