// Other devices: joining, leaving, how far it is, and what lost against the changes of others.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { html, keyed } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { counted, longDate, shortDate, time } from "../view/words.js";
import { get, post, Refused, remove, Unreachable } from "../server/call.js";
import { go } from "../model/route.js";
import { conflicts, onSync, readConflicts, readSync, sync, takeSync } from "../model/syncing.js";
import { refreshAll, remember } from "../acts/acts.js";

// MARK: - In a few words

/// "at 12:03" today, "on 12 May" later.
function when(text) {
  const date = new Date(text);
  return date.toDateString() === new Date().toDateString() ? `at ${time(date)}` : `on ${shortDate(text)}`;
}

/// "3 changes waiting, everything else synced at 12:03"
function syncWords(state) {
  const waiting = state.waiting > 0 ? `${counted(state.waiting, "change", "changes")} waiting` : "";
  // Without a count, nobody knows whether all of it is synced.
  if (state.uncounted) return waiting || (state.active ? "Looking for changes" : "Changes may be waiting");
  if (!state.confirmed) return waiting || (state.active ? "Syncing for the first time" : "Not synced yet");
  return waiting ? `${waiting}, everything else synced ${when(state.confirmed)}` : `Everything synced ${when(state.confirmed)}`;
}

const drawingOf = (state) => (state.problem ? "cloud-off" : "devices");

/// The line at the foot of the first column.
export function syncFootView() {
  if (!sync?.joined) return null;
  const words = [syncWords(sync), conflicts?.length > 0 ? counted(conflicts.length, "conflict", "conflicts") : null].filter(Boolean).join(", ");
  return html`<button class=${sync.problem ? "sync-foot troubled" : "sync-foot"} title=${sync.problem ?? "Other devices"} @click=${() => openSync()}>
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
    title: "Other devices",
    kind: "wide sync",
    onClose: forget,
    content: (close, draw) => {
      redraw = draw;
      if (sync) return sync.joined ? joinedView({ work, isBusy, said, close }) : joinView({ work, isBusy, said });
      return said ? refusedView({ said, read }) : html`<div class="spinner" role="status"><span class="sr">Loading</span></div>`;
    },
  });
}

const refusedView = ({ said, read }) => html`
  <div class="sync-body">
    <p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>
    <footer class="dialog-foot"><button class="main" @click=${read}>Try again</button></footer>
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
    <p class="dialog-text">Have the same notes on several devices. Run <code>coredata serve</code> on a machine that all of them can reach. Then paste the address or the pairing code that it prints, or the pairing code from another device.</p>
    <label>Pairing code or address<input name="address" data-first autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="2000" placeholder="pair-… or http://…/Notes#…" ?disabled=${isBusy} /></label>
    <label>Passphrase (optional), so that the server cannot read the notes<input name="passphrase" type="password" autocomplete="off" maxlength="2000" ?disabled=${isBusy} /></label>
    <p class="faint">Choose it on the first device. The other devices need the same passphrase, or the pairing code from a device that has it. If it is lost, nobody can read the notes on the server.</p>
    <p class="faint">The notes of this device and of the others are merged. Nothing is deleted.</p>
    ${said ? html`<p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>` : null}
    <footer class="dialog-foot"><button class="main" ?disabled=${isBusy}>${isBusy ? "Joining…" : "Join"}</button></footer>
  </form>`;

// MARK: - Joined

const joinedView = ({ work, isBusy, said, close }) => html`
  <div class="sync-body">
    <div class=${sync.problem ? "sync-status troubled" : "sync-status"} role="status">
      ${icon(drawingOf(sync))}
      <div><strong>${syncWords(sync)}</strong>
        ${sync.problem ? html`<p>${sync.problem}</p>` : null}
        ${sync.refused > 0 ? html`<p>${counted(sync.refused, "value", "values")} from other devices cannot be shown here. Everything else is shown.</p>` : null}
        <p class="faint">${sync.server ?? "The server of the pairing code"}${sync.readOnly ? ", read-only" : ""}</p>
        <p class="faint">${sync.encrypted ? "Encrypted: the server cannot read the notes." : "Not encrypted: anyone with access to the server can read the notes."}</p></div>
    </div>
    ${sync.problem && !sync.patient ? renewView({ work, isBusy }) : null}
    ${said ? html`<p class="sync-said" role="alert">${icon("circle-alert")}${said}</p>` : null}
    <div class="sync-acts">
      <button data-first ?disabled=${isBusy} @click=${() => work(() => post("/sync/now").then(takeSync))}>${icon("refresh-cw")}Sync now</button>
      <button @click=${showCode}>${icon("copy")}Pairing code for another device…</button>
      <button ?disabled=${isBusy} @click=${() => leave(work)}>Stop syncing…</button>
    </div>
    ${conflicts?.length > 0 ? html`
      <h3>Conflicts</h3>
      <p class="faint">Changed on two devices at once. The newer version was kept. The other one is kept for 30 days.</p>
      <ul class="conflicts" aria-label="Conflicts">${conflicts.map((conflict) => keyed(conflict.id, conflictView(conflict, work, close)))}</ul>`
      : conflicts ? html`<p class="faint">No conflicts.</p>` : null}
  </div>`;

/// A token that opens nothing any more, or only reads, is replaced by another of the same zone.
const renewView = ({ work, isBusy }) => html`
  <form class="dialog-form" @submit=${(event) => {
    event.preventDefault();
    const wanted = { address: event.target.elements.address.value.trim() };
    if (wanted.address) work(() => post("/sync", wanted).then(takeSync).then(refreshAll));
  }}>
    <label>New pairing code or address for the same notes<input name="address" autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="2000" placeholder="pair-… or http://…/Notes#…" ?disabled=${isBusy} /></label>
    <p class="faint">Changes that are waiting will be sent with it.</p>
    <footer class="dialog-foot"><button ?disabled=${isBusy}>Connect</button></footer>
  </form>`;

const conflictView = (conflict, work, close) => html`
  <li class="conflict">
    <div class="conflict-head"><h4>${conflict.about && conflict.kind === "note"
      ? html`<a href=${`#/all/${conflict.about}`} @click=${(event) => { event.preventDefault(); close(); go("all", conflict.about); }}>${conflict.name.trim() || "Untitled"}</a>`
      : conflict.name.trim() || "Untitled"}</h4><span class="faint">${longDate(conflict.date)}${conflict.device ? `, on ${conflict.device}` : ""}</span></div>
    ${conflict.fields.map((field) => html`
      <div class="sides" role="group" aria-label=${field.name}>
        <div class="side-lost"><h5>${field.name}, other version</h5><p tabindex="0">${field.lost || "Empty"}</p></div>
        <div class="side-now"><h5>${field.name}, current version</h5><p tabindex="0">${field.now === null ? "Deleted" : field.now || "Empty"}</p></div>
      </div>`)}
    <div class="dialog-foot">
      <button @click=${() => work(() => remove(`/sync/conflicts/${conflict.id}`).then(readConflicts))}>Keep current version</button>
      ${canBeTakenBack(conflict)
        ? html`<button class="main" @click=${() => work(() => takeBack(conflict).then(readConflicts))}>${conflict.about ? "Restore other version" : "Recreate"}</button>`
        : null}
    </div>
  </li>`;

/// Of deleted things, only notes can be recreated.
const canBeTakenBack = ({ about, kind }) => Boolean(about) || kind === "note";

async function takeBack(conflict) {
  const { undo } = await post(`/sync/conflicts/${conflict.id}`);
  remember(undo, `“${conflict.name.trim() || "Untitled"}” ${conflict.about ? "restored" : "recreated"}`);
  refreshAll();
}

async function showCode() {
  const found = await told(() => get("/sync/address"));
  if (!found?.code) return;
  openDialog({
    title: "Pairing code",
    kind: "small",
    content: (close) => html`
      <p class="dialog-text">Paste or type this code on the other device. Capital letters and hyphens do not matter, and mistyped letters are detected.</p>
      <output class="pairing-code" tabindex="0" aria-label="Pairing code">${found.code}</output>
      <p class="faint">Anyone with this code can ${sync.readOnly ? "read" : "read and change"} these notes${sync.encrypted ? ", because it contains the key" : ""}.</p>
      <footer class="dialog-foot">
        <button @click=${() => copy(found.address, "Address")}>Copy the address</button>
        <button class="main" data-first @click=${() => copy(found.code, "Code").then((isDone) => isDone && close())}>Copy the code</button>
      </footer>`,
  });
}

async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${name} copied.`);
    return true;
  } catch {
    toast("The browser does not allow copying.", { kind: "bad" });
    return false;
  }
}

// MARK: - Leaving

async function leave(work) {
  const waiting = sync.waiting > 0 ? ` ${counted(sync.waiting, "change has", "changes have")} not been sent. If you delete the notes here, ${sync.waiting === 1 ? "it is" : "they are"} lost.` : "";
  const lost = conflicts?.length > 0 ? ` The other ${conflicts.length === 1 ? "version" : "versions"} in ${counted(conflicts.length, "conflict", "conflicts")} can no longer be restored.` : "";
  const notes = await openDialog({
    title: "Stop syncing on this device?",
    kind: "small",
    content: (close) => html`
      <p class="dialog-text">Changes will no longer be exchanged with the other devices. They keep their notes.${waiting}${lost} If you join again later, their versions of the notes are used. Where your text differs, both are kept.</p>
      <footer class="dialog-foot">
        <button data-first @click=${() => close()}>Cancel</button>
        <button class="bad" @click=${() => close("delete")}>Stop and delete the notes here</button>
        <button class="main" @click=${() => close("keep")}>Stop and keep the notes</button>
      </footer>`,
  });
  if (!notes) return;
  await work(() => remove(`/sync?notes=${notes}`).then(takeSync));
  if (sync.joined) return;
  if (notes === "delete") go("all");
  toast(notes === "delete" ? "Syncing stopped. The notes are only on the other devices now." : "Syncing stopped. The notes stay on this device.");
  refreshAll();
}
