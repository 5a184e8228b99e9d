// Other devices: joining, leaving, how far it is, and what lost against the changes of others.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { counted, longDate, shortDate, time } from "../view/words.js";
import { get, post, Refused, remove, Unreachable } from "../server/call.js";
import { translated } from "../server/sentences.js";
import { go } from "../model/route.js";
import { conflicts, onSync, readConflicts, readSync, sync, takeSync } from "../model/syncing.js";
import { refreshAll, remember } from "../acts/acts.js";

const nameOf = (conflict) => conflict.name.trim() || say`Untitled`;
const serverName = () => sync.server ?? say`The server of the pairing code`;

// MARK: - In a few words

/// "at 12:03" today, "on 12 May" later.
function when(text) {
  const date = new Date(text);
  return date.toDateString() === new Date().toDateString() ? say`at ${time(date)}` : say`on ${shortDate(text)}`;
}

/// "3 changes waiting, everything else synced at 12:03"
function syncWords(state) {
  const waiting = state.waiting > 0 ? counted(state.waiting, "change waiting", "changes waiting") : "";
  // Without a count, nobody knows whether all of it is synced.
  if (state.uncounted) return waiting || (state.active ? say`Looking for changes` : say`Changes may be waiting`);
  if (!state.confirmed) return waiting || (state.active ? say`Syncing for the first time` : say`Not synced yet`);
  return waiting ? say`${waiting}, everything else synced ${when(state.confirmed)}` : say`Everything synced ${when(state.confirmed)}`;
}

const drawingOf = (state) => (state.problem ? "cloud-off" : "devices");

/// The line at the foot of the first column.
export function syncFootView() {
  if (!sync?.joined) return null;
  const words = [syncWords(sync), conflicts?.length > 0 ? counted(conflicts.length, "conflict", "conflicts") : null].filter(Boolean).join(", ");
  return html`<button class=${sync.problem ? "sync-foot troubled" : "sync-foot"} title=${sync.problem ?? say`Other devices`} @click=${() => openSync()}>
    ${icon(drawingOf(sync))}<span>${words}</span></button>`;
}

// MARK: - The page

export function openSync() {
  let redraw = () => {};
  let said = null;
  let isBusy = false;
  /// Does something that takes a moment; a sentence of the server's stays beside the button.
  const work = async (act) => {
    const pressed = document.activeElement;
    const dialog = pressed?.closest("dialog");
    isBusy = true;
    said = null;
    redraw();
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
      said = error.message;
      return null;
    } finally {
      isBusy = false;
      redraw();
      // What takes no keys for a moment, or goes, has lost them.
      if (document.activeElement === document.body && dialog?.isConnected) {
        (pressed.isConnected ? pressed : dialog.querySelector("[data-first]"))?.focus({ preventScroll: true });
      }
    }
  };
  const forget = onSync(() => redraw());
  const read = () => work(() => get("/sync").then(takeSync));
  if (sync) readSync();
  else read();
  return openDialog({
    title: say`Other devices`,
    kind: "wide sync",
    onClose: forget,
    content: (close, draw) => {
      redraw = draw;
      if (sync) return sync.joined ? joinedView({ work, isBusy, said, close }) : joinView({ work, isBusy, said });
      return said ? refusedView({ said, read }) : html`<div class="spinner" role="status"><span class="sr">${say`Loading`}</span></div>`;
    },
  });
}

const refusedView = ({ said, read }) => html`
  <div class="sync-body">
    <p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>
    <footer class="dialog-foot"><button class="main" @click=${read}>${say`Try again`}</button></footer>
  </div>`;

/// What went wrong is told, and there is no answer.
async function told(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    complain(error);
    return null;
  }
}

// MARK: - Joining

const joinView = ({ work, isBusy, said }) => html`
  <form class="dialog-form sync-body" @submit=${(event) => {
    event.preventDefault();
    const { address, passphrase } = event.target.elements;
    const wanted = { address: address.value.trim(), passphrase: passphrase.value };
    if (wanted.address) work(() => post("/sync", wanted).then(takeSync).then(refreshAll));
  }}>
    <p class="dialog-text">${say`Have the same notes on several devices. Run ${html`<code>coredata serve</code>`} on a machine that all of them can reach. Then paste the address or the pairing code that it prints, or the pairing code from another device.`}</p>
    <label>${say`Pairing code or address`}<input name="address" data-first autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="2000" placeholder=${say`pair-… or http://…/Notes#…`} ?disabled=${isBusy} /></label>
    <label>${say`Passphrase (optional), so that the server cannot read the notes`}<input name="passphrase" type="password" autocomplete="off" maxlength="2000" ?disabled=${isBusy} /></label>
    <p class="faint">${say`Choose it on the first device. The other devices need the same passphrase, or the pairing code from a device that has it. If it is lost, nobody can read the notes on the server.`}</p>
    <p class="faint">${say`The notes of this device and of the others are merged. Nothing is deleted.`}</p>
    ${said ? html`<p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>` : null}
    <footer class="dialog-foot"><button class="main" ?disabled=${isBusy}>${isBusy ? say`Joining…` : say`Join`}</button></footer>
  </form>`;

// MARK: - Joined

const joinedView = ({ work, isBusy, said, close }) => html`
  <div class="sync-body">
    <div class=${sync.problem ? "sync-status troubled" : "sync-status"} role="status">
      ${icon(drawingOf(sync))}
      <div><strong>${syncWords(sync)}</strong>
        ${sync.problem ? html`<p>${sync.problem}</p>` : null}
        ${sync.refused > 0 ? html`<p>${say`${counted(sync.refused, "value", "values")} from other devices cannot be shown here. Everything else is shown.`}</p>` : null}
        <p class="faint">${sync.readOnly ? say`${serverName()}, read-only` : serverName()}</p>
        <p class="faint">${sync.encrypted ? say`Encrypted: the server cannot read the notes.` : say`Not encrypted: anyone with access to the server can read the notes.`}</p></div>
    </div>
    ${sync.problem && !sync.patient ? renewView({ work, isBusy }) : null}
    ${said ? html`<p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>` : null}
    <div class="sync-acts">
      <button data-first ?disabled=${isBusy} @click=${() => work(() => post("/sync/now").then(takeSync))}>${icon("refresh-cw")}${say`Sync now`}</button>
      <button @click=${showCode}>${icon("copy")}${say`Pairing code for another device…`}</button>
      <button ?disabled=${isBusy} @click=${() => leave(work)}>${say`Stop syncing…`}</button>
    </div>
    ${conflicts?.length > 0 ? html`
      <h3>${say`Conflicts`}</h3>
      <p class="faint">${say`Changed on two devices at once. The newer version was kept. The other one is kept for 30 days.`}</p>
      <ul class="conflicts" aria-label=${say`Conflicts`}>${conflicts.map((conflict) => keyed(conflict.id, conflictView(conflict, work, close)))}</ul>`
      : conflicts ? html`<p class="faint">${say`No conflicts.`}</p>` : null}
  </div>`;

/// A token that opens nothing any more, or only reads, is replaced by another of the same zone.
const renewView = ({ work, isBusy }) => html`
  <form class="dialog-form" @submit=${(event) => {
    event.preventDefault();
    const wanted = { address: event.target.elements.address.value.trim() };
    if (wanted.address) work(() => post("/sync", wanted).then(takeSync).then(refreshAll));
  }}>
    <label>${say`New pairing code or address for the same notes`}<input name="address" autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="2000" placeholder=${say`pair-… or http://…/Notes#…`} ?disabled=${isBusy} /></label>
    <p class="faint">${say`Changes that are waiting will be sent with it.`}</p>
    <footer class="dialog-foot"><button ?disabled=${isBusy}>${say`Connect`}</button></footer>
  </form>`;

const conflictView = (conflict, work, close) => html`
  <li class="conflict">
    <div class="conflict-head"><h4>${conflict.about && conflict.kind === "note"
      ? html`<a href=${`#/all/${conflict.about}`} @click=${(event) => { event.preventDefault(); close(); go("all", conflict.about); }}>${nameOf(conflict)}</a>`
      : nameOf(conflict)}</h4><span class="faint">${conflict.device ? say`${longDate(conflict.date)}, on ${conflict.device}` : longDate(conflict.date)}</span></div>
    ${conflict.fields.map((field) => html`
      <div class="sides" role="group" aria-label=${field.name}>
        <div class="side-lost"><h5>${say`${translated(field.name)}, other version`}</h5><p tabindex="0">${field.lost || say`Empty`}</p></div>
        <div class="side-now"><h5>${say`${translated(field.name)}, current version`}</h5><p tabindex="0">${field.now === null ? say`Deleted` : field.now || say`Empty`}</p></div>
      </div>`)}
    <div class="dialog-foot">
      <button @click=${() => work(() => remove(`/sync/conflicts/${conflict.id}`).then(readConflicts))}>${say`Keep current version`}</button>
      ${canBeTakenBack(conflict)
        ? html`<button class="main" @click=${() => work(() => takeBack(conflict).then(readConflicts))}>${conflict.about ? say`Restore other version` : say`Recreate`}</button>`
        : null}
    </div>
  </li>`;

/// Of deleted things, only notes can be recreated.
const canBeTakenBack = ({ about, kind }) => Boolean(about) || kind === "note";

async function takeBack(conflict) {
  const { undo } = await post(`/sync/conflicts/${conflict.id}`);
  remember(undo, conflict.about ? say`“${nameOf(conflict)}” restored` : say`“${nameOf(conflict)}” recreated`);
  refreshAll();
}

async function showCode() {
  const found = await told(() => get("/sync/address"));
  if (!found?.code) return;
  openDialog({
    title: say`Pairing code`,
    kind: "small",
    content: (close) => html`
      <p class="dialog-text">${say`Paste or type this code on the other device. Capital letters and hyphens do not matter, and mistyped letters are detected.`}</p>
      <output class="pairing-code" tabindex="0" aria-label=${say`Pairing code`}>${found.code}</output>
      <p class="faint">${codeWords()}</p>
      <footer class="dialog-foot">
        <button @click=${() => copy(found.address, say`Address copied.`)}>${say`Copy the address`}</button>
        <button class="main" data-first @click=${() => copy(found.code, say`Code copied.`).then((isDone) => isDone && close())}>${say`Copy the code`}</button>
      </footer>`,
  });
}

function codeWords() {
  if (sync.readOnly) return sync.encrypted ? say`Anyone with this code can read these notes, because it contains the key.` : say`Anyone with this code can read these notes.`;
  return sync.encrypted ? say`Anyone with this code can read and change these notes, because it contains the key.` : say`Anyone with this code can read and change these notes.`;
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
    return true;
  } catch {
    toast(say`The browser does not allow copying.`, { kind: "bad" });
    return false;
  }
}

// MARK: - Leaving

async function leave(work) {
  const words = [
    say`Changes will no longer be exchanged with the other devices. They keep their notes.`,
    sync.waiting > 0 && counted(sync.waiting, "change has not been sent. If you delete the notes here, it is lost.", "changes have not been sent. If you delete the notes here, they are lost."),
    conflicts?.length === 1 && say`The other version in 1 conflict can no longer be restored.`,
    conflicts?.length > 1 && say`The other versions in ${counted(conflicts.length, "conflict", "conflicts")} can no longer be restored.`,
    say`If you join again later, their versions of the notes are used. Where your text differs, both are kept.`,
  ].filter(Boolean).join(" ");
  const notes = await openDialog({
    title: say`Stop syncing on this device?`,
    kind: "small",
    content: (close) => html`
      <p class="dialog-text">${words}</p>
      <footer class="dialog-foot">
        <button data-first @click=${() => close()}>${say`Cancel`}</button>
        <button class="bad" @click=${() => close("delete")}>${say`Stop and delete the notes here`}</button>
        <button class="main" @click=${() => close("keep")}>${say`Stop and keep the notes`}</button>
      </footer>`,
  });
  if (!notes) return;
  await work(() => remove(`/sync?notes=${notes}`).then(takeSync));
  if (sync.joined) return;
  if (notes === "delete") go("all");
  toast(notes === "delete" ? say`Syncing stopped. The notes are only on the other devices now.` : say`Syncing stopped. The notes stay on this device.`);
  refreshAll();
}
