// The works that a note cites, below its text; and choosing one to cite.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { toast } from "../view/toast.js";
import { counted } from "../view/words.js";
import { isComposing } from "../view/composing.js";
import { lineView } from "../editor/citing.js";
import { cite } from "../editor/citingMenu.js";
import { Refused, Unreachable } from "../server/call.js";
import { findReferences } from "../model/references.js";
import { state } from "../model/state.js";
import { front } from "./panes.js";
import { putInAlso } from "./paneTold.js";
import { takeActs } from "./switcher.js";

/// In milliseconds: not each letter is looked for.
const PAUSE = 80;

export function referencesView(pane) {
  const { list = [], problem } = pane.cited ?? {};
  if (list.length === 0 && !problem) return null;
  return html`
    <section class="references" aria-labelledby=${`${pane.idOf("references-title")} ${pane.idOf("heading")}`}>
      <h2 id=${pane.idOf("references-title")}>${say`References`}</h2>
      ${problem ? html`<p class="faint">${problem}</p>` : null}
      <ul>${list.map(({ key, line }) => keyed(key, html`<li>${lineView(line)}</li>`))}</ul>
    </section>`;
}

// MARK: - Choosing

const isWritten = ({ note, editor }) => Boolean(note) && !note.trashed && Boolean(editor?.isEditable) && state.mode !== "reading";

async function chooseReference(pane) {
  pane.field.settle();
  const { opened } = pane.editor;
  const chosen = await openChooser();
  if (!chosen) return;
  if (pane.editor.opened !== opened || !isWritten(pane)) return void toast(say`The note is not open any more. Nothing was cited.`);
  cite(pane.editor, chosen.key);
}

function openChooser() {
  let text = "";
  let answer = null;
  let problem = null;
  let active = 0;
  let timer;
  let redraw = () => {};

  async function find() {
    const asked = text;
    try {
      const found = await findReferences(asked, 50);
      if (asked === text) [answer, problem] = [found, null];
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      problem = error.message;
    }
    redraw();
  }

  function type(event) {
    text = event.target.value;
    active = 0;
    clearTimeout(timer);
    timer = setTimeout(find, PAUSE);
    redraw();
  }

  function press(event, found, close) {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) active = (active + step + found.length) % found.length;
    else if (event.key === "Enter" && found[active]) close(found[active]);
    else return;
    event.preventDefault();
    redraw();
    document.getElementById(`reference-${active}`)?.scrollIntoView({ block: "nearest" });
  }

  find();
  return openDialog({
    title: say`Cite a work`,
    kind: "switcher",
    isTitleHidden: true,
    onClose: () => clearTimeout(timer),
    content: (close, draw) => {
      redraw = draw;
      const found = answer?.references ?? [];
      return html`
        <div class="switcher-field">${icon("quote")}
          <input type="text" data-first maxlength="200" role="combobox" aria-label=${say`Cite a work`} aria-expanded="true" aria-controls="reference-choices" aria-autocomplete="list"
            autocomplete="off" spellcheck="false" placeholder=${say`Author, year, title or key`} .value=${text} aria-activedescendant=${found.length > 0 ? `reference-${active}` : null}
            @input=${type} @keydown=${(event) => press(event, found, close)} /><kbd>Esc</kbd></div>
        <div id="reference-choices" class="choices" role="listbox" aria-label=${say`Works`}>
          ${found.map((one, index) => keyed(one.key, html`
            <div class="choice" role="option" id=${`reference-${index}`} aria-selected=${String(index === active)} @click=${() => close(one)}>${icon("quote")}
              <span class="choice-name">${one.authors} ${one.year}<span class="faint reference-title">${one.title}</span></span><span class="faint">@${one.key}</span></div>`))}
        </div>
        ${statusView(found.length)}${problemsView()}`;
    },
  });

  function statusView(count) {
    if (problem) return html`<p class="dialog-text" role="status">${problem}</p>`;
    if (!answer || count > 0) return null;
    return html`<p class="dialog-text" role="status">${answer.sources.length === 0
      ? say`No note has a file of references yet. Insert a BibTeX (.bib) or CSL JSON (.csl.json) file into any note.` : say`No work has these words.`}</p>`;
  }

  /// Entries that were left out.
  function problemsView() {
    const problems = answer?.problems ?? [];
    if (problems.length === 0) return null;
    return html`<details class="reference-problems"><summary>${icon("circle-alert")}${say`${counted(problems.length, "problem", "problems")} in files of references`}</summary>
      <ul>${problems.map((sentence) => html`<li>${sentence}</li>`)}</ul></details>`;
  }
}

putInAlso((pane) => [{ name: say`Citation`, drawing: "quote", words: say`cite reference bibliography literature bibtex @`, act: () => chooseReference(pane) }]);

takeActs(() => {
  const pane = front();
  return isWritten(pane) ? [{ name: say`Cite…`, icon: "quote", run: () => chooseReference(pane) }] : [];
});
