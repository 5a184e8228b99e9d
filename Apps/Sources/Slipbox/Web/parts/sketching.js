// Drawing in a note: paper in a dialog; what is drawn comes into the text as a picture, and can be changed there later.

import { confirm, openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { Sketch } from "../view/sketch.js";
import { readDrawing, svgOf } from "../view/strokes.js";
import { html } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { holdMade, keptFile } from "./keptFile.js";
import { paneOf } from "./panes.js";
import { changeDrawingsWith, putInAlso } from "./paneTold.js";

const COLORS = [[say`Black`, "#1b1b1b"], [say`Blue`, "#1d4ed8"], [say`Red`, "#c0262d"], [say`Green`, "#1a7f37"], [say`Yellow`, "#e0a800"]];
const WIDTHS = [[say`Thin`, 2], [say`Medium`, 4], [say`Thick`, 10], [say`Broad`, 24]];
const PAPER = 1_000;

const nameOfNew = () => {
  const now = new Date();
  return `Drawing ${now.toLocaleDateString("sv")} ${now.toLocaleTimeString("sv").slice(0, 5).replace(":", ".")}.svg`;
};

/// A new drawing, where the caret is.
const drawNew = (note) => draw(note, { strokes: [], box: paperFor(), name: nameOfNew() }, (pane, facts) => pane.addKept(facts));

/// The shape of the page that it is drawn on, so that a phone has a high paper.
const paperFor = () => [0, 0, PAPER, Math.round(PAPER * Math.min(1.4, Math.max(0.6, (innerHeight - 200) / Math.min(innerWidth, 1_100))))];

/// Changes a drawing of the text; `replace(facts)` puts another file in its place, and gives false if the drawing is gone.
async function drawAgain(note, file, name, replace) {
  let read;
  try {
    const answer = await fetch(`/api/files/${file}`);
    if (!answer.ok) throw new Error(say`The drawing cannot be read now. Try again when Slipbox is reachable.`);
    read = readDrawing(await answer.text());
  } catch (error) {
    return complain(error instanceof TypeError ? new Error(say`Slipbox cannot be reached, so the drawing cannot be changed.`) : error);
  }
  if (!read) return toast(say`“${name}” was not drawn here, so it cannot be changed here.`, { kind: "bad" });
  return draw(note, { ...read, name }, (_, facts) => replace(facts) || toast(say`The drawing is not in this note any more.`, { kind: "bad" }));
}

/// `put(pane, facts)` puts the picture into the note.
function draw(note, { strokes, box, name }, put) {
  let kept = null;
  let close = () => {};
  let redraw = () => {};
  let release = () => {};
  const sketch = new Sketch(strokes, box, {
    changed() {
      release();
      release = sketch.isChanged ? holdMade() : () => {};
      redraw();
    },
    full: () => toast(say`The drawing is full. Insert it, and begin another one.`, { kind: "bad" }),
  });

  function insert() {
    if (sketch.strokes.length === 0) return;
    const file = new File([svgOf(sketch.strokes, box)], name, { type: "image/svg+xml" });
    release();
    kept = keptFile(note, file, { sent, left: close, draw: redraw });
    redraw();
  }

  function sent(facts) {
    close();
    const pane = paneOf(note);
    if (pane) put(pane, facts);
    else toast(say`“${name}” was sent, but its note is not open any more.`, { kind: "bad" });
  }

  /// Nobody loses a drawing by a key.
  function mayClose() {
    kept?.stop();
    if (!kept && sketch.isChanged) {
      confirm({ title: say`Discard the drawing?`, text: say`What was drawn since it was opened goes.`, yes: say`Discard` }).then((isMeant) => isMeant && close());
    }
    return !kept && !sketch.isChanged;
  }

  function press(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) sketch.redo();
    else sketch.undo();
  }

  const choose = (change) => {
    Object.assign(sketch.tool, change);
    redraw();
  };

  return openDialog({
    title: say`Drawing`,
    kind: "wide sketch",
    mayClose,
    onClose: () => release(),
    content(closes, draws) {
      close = closes;
      redraw = draws;
      if (kept) return kept.view(say`The drawing is still here.`);
      return html`
        <div class="sketch-frame" @keydown=${press}>
          ${toolsView(sketch, choose)}
          <div class="sketch-place">${sketch.svg}</div>
          <p class="sr" id="sketch-hint">${say`Arrows move the pen, with Shift a little. Space sets it down and lifts it.`}</p>
        </div>
        <footer class="dialog-foot">
          <button @click=${() => mayClose() && close()}>${say`Cancel`}</button>
          <button class="main" ?disabled=${sketch.strokes.length === 0} @click=${insert}>${icon("check")}${say`Insert`}</button>
        </footer>`;
    },
  });
}

function toolsView(sketch, choose) {
  const { color, width, isEraser } = sketch.tool;
  return html`
    <div class="sketch-tools" role="group" aria-label=${say`Drawing tools`}>
      <span class="sketch-set" role="group" aria-label=${say`Colour`}>
        ${COLORS.map(([name, value]) => html`<button type="button" class="plain sketch-color" aria-label=${name} title=${name} aria-pressed=${String(!isEraser && color === value)}
          $--pen=${value} @click=${() => choose({ color: value, isEraser: false })}><i></i></button>`)}
      </span>
      <button type="button" class="plain" aria-label=${say`Eraser`} title=${say`Eraser`} aria-pressed=${String(isEraser)} @click=${() => choose({ isEraser: !isEraser })}>${icon("eraser")}</button>
      <span class="sketch-set" role="group" aria-label=${say`Width`}>
        ${WIDTHS.map(([name, value]) => html`<button type="button" class="plain sketch-width" aria-label=${name} title=${name} aria-pressed=${String(!isEraser && width === value)}
          $--width=${`${Math.max(2, value / 1.6)}px`} @click=${() => choose({ width: value, isEraser: false })}><i></i></button>`)}
      </span>
      <button type="button" class="plain" aria-label=${say`Undo`} title=${say`Undo`} aria-disabled=${String(!sketch.canUndo)} @click=${() => sketch.undo()}>${icon("undo-2")}</button>
      <button type="button" class="plain" aria-label=${say`Redo`} title=${say`Redo`} aria-disabled=${String(!sketch.canRedo)} @click=${() => sketch.redo()}>${icon("redo-2")}</button>
    </div>`;
}

changeDrawingsWith(drawAgain);
putInAlso(({ note }) => [{ name: say`Drawing`, drawing: "pen-line", words: say`sketch pen draw handwriting ink`, act: () => drawNew(note.id) }]);
