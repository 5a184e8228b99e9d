// The page while the browser is locked: a field for the passphrase, and nothing of the notes.

import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, render } from "../view/template.js";
import { Refused, Unreachable } from "../server/call.js";
import { unlock, watchUnlocking } from "../model/lock.js";

/// With a message, the lock cannot be opened here, and it says why.
export function showLockScreen(message, place = document.getElementById("app")) {
  let isBusy = false;
  let said = null;
  document.title = "Slipbox";
  watchUnlocking();
  draw();
  place.querySelector("input[type=password], button").focus();

  function draw() {
    render(html`
      <main class="locked">
        <img src="/icon.svg" alt="" width="56" height="56" />
        <h1>Slipbox</h1>
        ${message ? damageView(message) : formView()}
      </main>`, place);
  }

  function formView() {
    return html`
      <form class="dialog-form" @submit=${submit}>
        <p>${say`The slip box is locked.`}</p>
        <input type="text" name="username" autocomplete="username" value="Slipbox" hidden />
        <label>${say`Passphrase`}<input type="password" name="passphrase" autocomplete="current-password" required maxlength="1000" aria-describedby="locked-said" /></label>
        <p id="locked-said" class="sync-said" role="alert">${said ? html`${icon("circle-alert")}${said}` : null}</p>
        <button class="main" ?disabled=${isBusy}>${say`Unlock`}</button>
      </form>`;
  }

  async function submit(event) {
    event.preventDefault();
    const field = event.target.elements.passphrase;
    [isBusy, said] = [true, null];
    draw();
    try {
      // The page is loaded again.
      return await unlock(field.value);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      said = error.message;
    }
    isBusy = false;
    draw();
    field.focus();
    field.select();
  }
}

/// Shows the lock screen over a page that has something which is nowhere else; gives what takes it away.
export function showScreenOver() {
  const dialog = document.createElement("dialog");
  dialog.className = "locked-over";
  dialog.setAttribute("aria-label", say`Locked`);
  for (const name of ["keydown", "cancel"]) dialog.addEventListener(name, (event) => (event.key ?? "Escape") === "Escape" && event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  showLockScreen(null, dialog);
  return () => dialog.remove();
}

const damageView = (message) => html`
  <p class="locked-damage" role="alert">${message}</p>
  <button class="main" @click=${() => location.reload()}>${say`Try again`}</button>`;
