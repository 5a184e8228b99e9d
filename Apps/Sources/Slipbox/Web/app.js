// Slipbox in the browser: three columns, drawn from what the server says.
//
//   places and folders │ notes │ the note          #/place/note stands in the address
//
// An act goes to the server (or, when nobody answers, into the outbox), and what changed is read again.
// What others change comes in as events and takes the same way.

import { changed, drawWith } from "./view/drawing.js";
import { keepText, keptText } from "./view/keptTexts.js";
import { closeMenu } from "./view/menu.js";
import { say } from "./view/say.js";
import { html, render } from "./view/template.js";
import { complain, drawToasts } from "./view/toast.js";
import { titleOf } from "./view/words.js";
import { clientID, get, isReachable, onReachable, readings, Refused, Unreachable } from "./server/call.js";
import { listenToTabs, openLive, watchReturn } from "./server/live.js";
import { notesOfWaiting, onWaiting, openOutbox, waitingCount } from "./server/outbox.js";
import { beginKeeping, notesChanged, refillNotes } from "./model/atHand.js";
import { forgetChosen } from "./model/chosen.js";
import { embeddedChanged } from "./model/embedded.js";
import { referencesChanged } from "./model/references.js";
import { list, openList, refreshList, refreshListSoon } from "./model/list.js";
import { lookWhetherLocked, readLock, watchLock } from "./model/lock.js";
import { beAlive, recover, recoverLater } from "./model/recovering.js";
import { openRoute } from "./model/route.js";
import { readPublished } from "./model/published.js";
import { search } from "./model/searching.js";
import { state } from "./model/state.js";
import { readSync, takeSync } from "./model/syncing.js";
import { beginTabs, visited } from "./model/tabs.js";
import { reveal } from "./model/tree.js";
import { revealKeyword } from "./model/keywordTree.js";
import { refreshWith } from "./acts/acts.js";
import { takeFollowing } from "./acts/following.js";
import { tidyUp } from "./acts/tidying.js";
import { listView } from "./parts/column.js";
import { drawFolders } from "./parts/folders.js";
import { listenToKeys } from "./parts/keys.js";
import { showLockScreen, showScreenOver } from "./parts/lockScreen.js";
import "./parts/memo.js";
import { showNotes } from "./parts/opening.js";
import { answered } from "./parts/others.js";
import { pageView } from "./parts/page.js";
import { flush, front, hide, leaveAllFields, markFound, mayBeLost, openPanes, paneOf, panesInSight, refreshNotes, saveAll, settleNotes } from "./parts/panes.js";
import { watchLinks } from "./parts/preview.js";
import { drawRows } from "./parts/rows.js";
import { offerSetAside } from "./parts/setAside.js";
import "./parts/sketching.js";
import { offerShared, sharedThings } from "./parts/sharing.js";
import { sidebarView } from "./parts/sidebar.js";
import "./parts/signing.js";
import { followTitles, readTitles } from "./parts/tabActs.js";
import { watchTabClicks } from "./parts/tabClicks.js";
import { followTabs } from "./parts/tabs.js";

async function start() {
  const { isLocked, message } = await readLock();
  if (isLocked) return showLockScreen(message);
  watchLock({ save: saveAll, mayBeLost, screen: showScreenOver });
  const shared = sharedThings();
  drawWith(draw);
  changed();
  refreshWith(refreshAll);
  onReachable(reachabilityChanged);
  onWaiting((count) => {
    state.waiting = count;
    settleNotes();
    embeddedChanged(notesOfWaiting());
    changed();
  });
  listenToTabs(hear);
  beAlive();
  await openOutbox(answeredLater);
  recoverLater(() => {
    offerSetAside();
    refreshAll();
  });
  await recover();
  offerSetAside();
  await readOverview();
  await welcome();
  await beginTabs();
  openRoute(arrive, visited);
  listenToKeys();
  watchLinks();
  watchTabClicks();
  readTitles();
  readSync();
  readPublished();
  openLive(state.overview?.token);
  watchReturn();
  keepShell();
  lookForDeleted();
  beginKeeping();
  tidyUp();
  offerShared(shared);
  addEventListener("beforeunload", (event) => {
    leaveAllFields();
    // The browser asks whether to leave.
    if (mayBeLost()) event.preventDefault();
  });
  addEventListener("pagehide", flush);
  // A page that the browser froze and brings back may have missed everything.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  // A file dropped beside its place must not take the page away.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("visibilitychange", () => document.visibilityState === "hidden" && hide());
}

/// Whoever comes for the first time, and nowhere in particular, reads what this is.
async function welcome() {
  if (location.hash || keptText("welcomed")) return;
  keepText("welcomed", "yes");
  // Without an answer the list is as good a beginning.
  const found = await get("/notes?in=all&text=title:Welcome&limit=1").catch(() => null);
  const [first] = found?.rows ?? [];
  if (first?.title.startsWith("Welcome")) history.replaceState({ from: null }, "", `#/all/${first.id}`);
}

// MARK: - Drawing

function draw() {
  render(shell(), document.getElementById("app"));
  drawFolders();
  drawRows();
  drawToasts();
  markFound();
  followTitles();
  followTabs();
  const { note } = front();
  document.title = note ? `${titleOf(note)} — Slipbox` : "Slipbox";
}

function skipToNote() {
  if (front().note) front().title.focus();
  else front().focus();
}

const shell = () => html`
  <a class="skip" href="#page" @click=${(event) => { event.preventDefault(); skipToNote(); }}>${say`Skip to the note`}</a>
  <main class=${["shell", state.isWriting || state.mode ? "only-note" : "", state.mode ? `mode-${state.mode}` : "", panesInSight().length > 1 ? "two-notes" : ""].filter(Boolean).join(" ")} data-column=${state.column}>
    <nav class="side" aria-label=${say`Folders and keywords`}>${sidebarView()}</nav>
    <section class="list" aria-label=${say`List of notes`}>${listView()}</section>
    <section class="page" id="page" aria-label=${say`Note`}>${pageView()}</section>
  </main>`;

// MARK: - Going places

let lastColumn = null;

function arrive({ isNewPlace }) {
  if (isNewPlace) {
    // What was typed, or opened, while the page began is for the place where it opens.
    if (lastColumn) leavePlace();
    if (state.place.startsWith("folder:")) reveal(state.place.slice(7));
    if (state.place.startsWith("keyword:")) revealKeyword(state.place.slice(8));
  }
  // Alone without a note there is nothing to see.
  if (!state.noteID) Object.assign(state, { isWriting: false, mode: null });
  openList();
  showNotes();
  if (lastColumn && lastColumn !== state.column) queueMicrotask(focusColumn);
  lastColumn = state.column;
}

/// What was opened, chosen or searched for is of the place before.
function leavePlace() {
  closeMenu();
  forgetChosen();
  Object.assign(search, { text: "", tokens: [], scope: "here", isOpen: false });
}

/// On a phone another column is another page: the focus goes with it, not into what is hidden.
function focusColumn() {
  if (matchMedia("(min-width: 45rem)").matches) return;
  if (document.activeElement && document.activeElement !== document.body && document.activeElement.offsetParent) return;
  document.querySelector({ side: ".brand", list: ".list-title", page: ".pane" }[state.column])?.focus({ preventScroll: true });
}

// MARK: - Reading

const beginReading = readings();

async function readOverview() {
  const isLatest = beginReading();
  try {
    const overview = await get("/overview");
    if (!isLatest()) return;
    state.overview = overview;
    changed();
  } catch (error) {
    if (error instanceof Refused) complain(error);
    else if (!(error instanceof Unreachable)) throw error;
  }
}

function refreshAll() {
  readOverview();
  refreshList();
  refreshNotes();
}

/// One reading for a burst of events.
function soon(work, delay) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, delay);
  };
}

const readOverviewSoon = soon(readOverview, 150);
const refreshNotesSoon = soon(refreshNotes, 100);

function hear(event) {
  if (event.type === "sync") {
    takeSync(event.state);
  } else if (event.type === "follow") {
    takeFollowing(event.state);
  } else if (event.type === "published") {
    readPublished();
  } else if (event.type === "locked") {
    lookWhetherLocked();
  } else if (event.type === "reload") {
    readPublished();
    readOverviewSoon();
    refreshListSoon();
    refreshNotesSoon();
    readTitles();
    lookForDeleted();
    refillNotes();
    embeddedChanged();
    referencesChanged();
  } else if (event.type === "changed") {
    readOverviewSoon();
    refreshListSoon();
    embeddedChanged(event.notes);
    referencesChanged(event.notes);
    readTitles(event.notes);
    const isMine = event.by === clientID;
    // The open note that this page saves is kept with the answer.
    if (!(isMine && event.notes.length === 1 && paneOf(event.notes[0]))) notesChanged(event.notes);
    // What this browser deletes, the worker sees itself.
    if (!isMine && event.notes.length > 0) lookForDeleted(event.notes);
    if (openPanes().some(({ note }) => concerns(event, note, isMine))) refreshNotesSoon();
  }
}

/// An open note itself, and those it speaks of: they may have been renamed, or be gone. What this page saves of one note
/// may concern the other.
function concerns({ notes, keywords, folders }, note, isMine) {
  if (isMine && (openPanes().length < 2 || notes.length === 0 || notes.every((id) => id === note.id))) return false;
  const isSpokenOf = (id) => note.dead?.includes(id) || [...(note.links ?? []), ...(note.backlinks ?? [])].some((link) => link.id === id);
  return notes.some((id) => id === note.id || isSpokenOf(id)) || (!isMine && (keywords.length > 0 || folders.length > 0));
}

function reachabilityChanged(reachable) {
  state.reachable = reachable;
  changed();
  if (!reachable) return;
  refreshAll();
  embeddedChanged();
  referencesChanged();
  // That the slip box has left is told to those who listen just then, and so are links.
  readSync();
  readPublished();
}

function answeredLater(edit, result) {
  answered(paneOf(edit.note), edit, result);
  if (waitingCount() > 0) return;
  refreshAll();
  tidyUp();
}

// MARK: - Offline

function keepShell() {
  if (!navigator.serviceWorker) return;
  // Without it everything works but reading offline: a private window may refuse it.
  navigator.serviceWorker.register("/sw.js").catch(() => {});
  // A page that was reloaded by force goes past it: what is saved would not be kept.
  navigator.serviceWorker.ready.then(({ active }) => {
    if (!navigator.serviceWorker.controller) active.postMessage("claim");
    // Four megabytes, which nothing waits for; somebody who pays for them gets them with the first formula or diagram.
    if (!navigator.connection?.saveData) setTimeout(() => active.postMessage({ type: "drawing" }), 5000);
  });
}

/// The worker forgets what it has kept of notes that were deleted for good; without names it looks for all of them.
function lookForDeleted(notes) {
  navigator.serviceWorker?.controller?.postMessage({ type: "look", notes });
}

addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") return event.preventDefault();
  if (event.reason instanceof Unreachable || event.reason instanceof Refused) {
    event.preventDefault();
    complain(event.reason);
  }
});

state.reachable = isReachable();
start();
