// A memo: the microphone is recorded in a dialog, and the recording comes into the note where the caret is.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { toast } from "../view/toast.js";
import { noteActivity } from "../model/lock.js";
import { record } from "../model/recorder.js";
import { keptFile } from "./keptFile.js";
import { paneOf } from "./panes.js";
import { putInAlso } from "./paneTold.js";

/// In milliseconds.
const PACE = 200;

async function recordMemo(note) {
  const memo = { recording: null, kept: null, problem: null, isOver: false, isWanted: true };
  let timer;
  let draw = () => {};
  let close = () => {};

  function ended(file) {
    clearInterval(timer);
    memo.recording = null;
    if (!memo.isWanted) return;
    if (file) memo.kept = keptFile(note, file, { sent, left: close, draw });
    else memo.problem = say`Nothing was recorded.`;
    draw();
  }

  function sent(facts) {
    close();
    const pane = paneOf(note);
    if (pane) pane.addKept(facts);
    else toast(say`“${facts.name}” was sent, but its note is not open any more.`, { kind: "bad" });
  }

  /// Escape ends the recording and keeps it; then it ends the sending, so that one can choose.
  function mayClose() {
    memo.recording?.stop();
    memo.kept?.stop();
    return !memo.recording && !memo.kept;
  }

  function discard() {
    memo.isWanted = false;
    memo.recording?.stop();
    close();
  }

  async function begin() {
    memo.problem = null;
    draw();
    try {
      memo.recording = await record(ended);
      if (memo.isOver) return discard();
      timer = setInterval(() => {
        // Speaking is using the page, too.
        noteActivity();
        draw();
      }, PACE);
    } catch (error) {
      memo.problem = error.message;
    }
    draw();
  }

  const opened = openDialog({
    title: say`Record a memo`,
    kind: "small memo",
    content(closes, draws) {
      close = closes;
      draw = () => memo.isOver || draws();
      return memoView(memo, { begin, discard });
    },
    mayClose,
    onClose: () => {
      memo.isOver = true;
      clearInterval(timer);
    },
  });
  begin();
  await opened;
}

function memoView({ recording, kept, problem }, { begin, discard }) {
  if (kept) return kept.view(say`The memo is still here.`);
  if (problem) {
    return html`
      <p class="dialog-text" role="alert">${problem}</p>
      <footer class="dialog-foot"><button @click=${discard}>${say`Close`}</button><button class="main" data-first @click=${begin}>${say`Record again`}</button></footer>`;
  }
  if (!recording) return html`<p class="dialog-text" role="status">${say`Waiting for the microphone. The browser may ask whether Slipbox may use it.`}</p>`;
  const seconds = recording.seconds();
  return html`
    <div class="memo-now">
      ${icon("mic")}<span class="memo-time" role="timer" aria-label=${say`Recorded`}>${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</span>
      <meter min="0" max="1" value=${recording.loudness().toFixed(2)} aria-label=${say`Loudness`}></meter>
    </div>
    <footer class="dialog-foot"><button @click=${discard}>${say`Discard`}</button><button class="main" data-first @click=${recording.stop}>${say`Stop and insert`}</button></footer>`;
}

putInAlso(({ note }) => [{ name: say`Voice memo`, drawing: "mic", words: say`record audio sound microphone dictate`, act: () => recordMemo(note.id) }]);
