// The dialog in which the lock of the slip box is set, changed and taken off.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { toast } from "../view/toast.js";
import { Refused, Unreachable } from "../server/call.js";
import { lock, MINUTES, removeLock, setLock } from "../model/lock.js";

const SHORTEST = 4;
const USUAL_MINUTES = 5;

export function openLock() {
  const wasSet = lock.isSet;
  let minutes = lock.minutes ?? USUAL_MINUTES;
  let isBusy = false;
  let said = null;
  return openDialog({
    title: say`Lock`,
    content: (close, draw) => html`
      <form class="dialog-form" @submit=${(event) => work(event, (fields) => save(fields, minutes), close, draw)}>
        <p class="dialog-text">${say`While the slip box is locked, a browser shows no notes and gets none from the server. It locks itself when nobody uses it, and every browser asks for the passphrase.`}</p>
        <p class="faint">${say`The files on the disk are not encrypted, and somebody who can delete the file “lock” in the folder of the notes can take the lock off.`}</p>
        <input type="text" name="username" autocomplete="username" value="Slipbox" hidden />
        ${wasSet ? html`
          <label>${say`Present passphrase`}<input type="password" name="present" data-first autocomplete="current-password" required maxlength="1000" /></label>` : null}
        <label>${say`Lock after`}<select .value=${String(minutes)} @change=${(event) => { minutes = Number(event.target.value); draw(); }}>${MINUTES.map((choice) => html`
          <option value=${choice} ?selected=${choice === minutes}>${wordsFor(choice)}</option>`)}</select></label>
        <label>${wasSet ? say`New passphrase, if you want another` : say`Passphrase`}<input type="password" name="passphrase" ?data-first=${!wasSet} autocomplete="new-password" ?required=${!wasSet} maxlength="1000" aria-describedby="lock-said" /></label>
        <label>${say`The same passphrase again`}<input type="password" name="again" autocomplete="new-password" ?required=${!wasSet} maxlength="1000" aria-describedby="lock-said" /></label>
        <p id="lock-said" class="sync-said" role="alert">${said ? html`${icon("circle-alert")}${said}` : null}</p>
        <footer class="dialog-foot">
          ${wasSet ? html`<button type="button" class="bad" ?disabled=${isBusy} @click=${(event) => work(event, takeOff, close, draw)}>${say`Take the lock off`}</button>` : null}
          <button class="main" ?disabled=${isBusy}>${wasSet ? say`Save` : say`Set the lock`}</button></footer>
      </form>`,
  });

  /// Does `act(fields)`, which gives what is told when the dialog has closed; a sentence of a problem stays in the dialog.
  async function work(event, act, close, draw) {
    event.preventDefault();
    const form = event.target.closest("form");
    [isBusy, said] = [true, null];
    draw();
    try {
      toast(await act(form.elements));
      return close();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      said = error.message;
    }
    isBusy = false;
    draw();
    form.elements[wasSet ? "present" : "passphrase"].focus();
  }
}

async function save({ passphrase, again, present }, minutes) {
  const wanted = passphrase.value;
  if (wanted !== again.value) throw new Refused(400, { error: say`The two passphrases differ. Type the same one twice.` });
  if (wanted && [...wanted].length < SHORTEST) throw new Refused(400, { error: say`A passphrase has at least 4 characters.` });
  const wasSet = lock.isSet;
  await setLock({ passphrase: wanted, minutes, present: present?.value });
  return wasSet ? say`The lock was changed` : say`The lock was set`;
}

async function takeOff({ present }) {
  if (!present.value) throw new Refused(400, { error: say`Type the present passphrase to take the lock off.` });
  await removeLock(present.value);
  return say`The lock was taken off`;
}

/// Sentences, so that each can be said in another language.
function wordsFor(minutes) {
  switch (minutes) {
    case 1: return say`1 minute without activity`;
    case 5: return say`5 minutes without activity`;
    case 15: return say`15 minutes without activity`;
    case 30: return say`30 minutes without activity`;
    default: return say`1 hour without activity`;
  }
}
