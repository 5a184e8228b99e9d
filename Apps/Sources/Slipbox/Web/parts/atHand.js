// Shows which notes this device keeps for the time without a network, and switches that on or off.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { counted, count, kilobytes, shortDate, time } from "../view/words.js";
import { atHand, canKeepNotes, keepNotes, onAtHand } from "../model/atHand.js";
import { state } from "../model/state.js";

function when(text) {
  const date = new Date(text);
  return date.toDateString() === new Date().toDateString() ? say`at ${time(date)}` : say`on ${shortDate(text)}`;
}

/// "2,310 of 5,020 notes are on this device, as they were at 12:03."
function keptWords() {
  const { isFilling, isFull, isWhole, count: there, total, at } = atHand;
  if (isFilling) return say`Reading notes: ${count(there)} of ${count(total)}`;
  if (isFull) return say`The browser has no more room. ${counted(there, "note is", "notes are")} on this device.`;
  if (!at) return say`No notes have been read yet.`;
  const notes = counted(total, "note", "notes");
  return isWhole ? say`All notes are on this device (${notes}), as of the last change that was heard of, ${when(at)}.`
    : say`${count(there)} of ${notes} are on this device, those that were edited last, as of the last change that was heard of, ${when(at)}.`;
}

/// The line at the foot of the first column while the server is not reached.
export function atHandFootView() {
  if (state.reachable || !atHand?.isWanted || !atHand.at) return null;
  const words = atHand.isWhole ? say`All ${counted(atHand.count, "note", "notes")} here` : say`${counted(atHand.count, "note", "notes")} here`;
  return html`<button class="sync-foot" @click=${openAtHand}>${icon("download")}<span>${say`${words}, as ${when(atHand.at)}`}</span></button>`;
}

export function openAtHand() {
  let redraw = () => {};
  const forget = onAtHand(() => redraw());
  return openDialog({
    title: say`Notes on this device`,
    onClose: forget,
    content: (close, draw) => {
      redraw = draw;
      return html`
        <div class="dialog-form">
          <p class="dialog-text">${say`Without a network, notes that are on this device can be read, searched and written. What you write is sent when the server is there again. Pictures are here if they were shown before.`}</p>
          ${canKeepNotes() ? switchView() : html`<p class="dialog-text">${say`This browser keeps nothing for a page without HTTPS, or in a private window.`}</p>`}
          <footer class="dialog-foot"><button class="main" data-first @click=${() => close()}>${say`Done`}</button></footer>
        </div>`;
    },
  });
}

const switchView = () => html`
  <label class="check"><input type="checkbox" .checked=${Boolean(atHand?.isWanted)} @change=${(event) => keepNotes(event.target.checked)} />
    ${say`Keep all notes on this device`}</label>
  <p class="faint">${say`All notes up to 50 MB of text, and beyond that those of the last year. Anyone who can use this browser can read them.`}</p>
  ${atHand?.isWanted ? html`<p class="dialog-text" role="status">${keptWords()} ${atHand.bytes > 0 ? `(${kilobytes(atHand.bytes)})` : ""}</p>` : null}`;
