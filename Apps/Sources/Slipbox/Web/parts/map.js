// The map of links: all notes, or those around one. What is on the canvas is a list too, for whoever cannot see it.

import { openDialog } from "../view/dialog.js";
import { Graph } from "../view/graph.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { complain, meanwhile } from "../view/toast.js";
import { count, counted, titleOf } from "../view/words.js";
import { get, post, Refused, Unreachable } from "../server/call.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { progress } from "../acts/progress.js";
import { front } from "./panes.js";

/// With more notes the map takes longer than anybody waits without a word.
const MANY = 3000;
const READING = say`Reading the links…`;

function sizeWords(map) {
  const [notes, links] = [counted(map.notes.length, "note", "notes"), counted(map.links.length, "link", "links")];
  return map.isWhole ? say`${notes}, ${links}` : say`${notes}, ${links}; the ${count(map.notes.length)} newest are shown`;
}

/// The notes around one, or without one all of them.
export async function openMap(around = null) {
  let map;
  try {
    map = around ? await meanwhile(READING, get(`/notes/${around.id}/map?depth=2`)) : await wholeMap();
    if (!map) return;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    return complain(error);
  }
  let graph = null;
  let looked = null;
  let redraw = () => {};
  const told = { open: (note) => choose(note), look: (note) => { looked = note; redraw(); } };
  let choose = () => {};
  const canvas = document.createElement("canvas");
  canvas.className = "map";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", say`${counted(map.notes.length, "note", "notes")} and ${counted(map.links.length, "link", "links")}; the notes are listed below`);
  canvas.addEventListener("keydown", (event) => press(event, graph));
  const chosen = await openDialog({
    title: around ? say`Around “${titleOf(around)}”` : say`Map of links`,
    kind: "full",
    onClose: () => graph?.end(),
    content: (close, draw) => {
      choose = close;
      redraw = draw;
      queueMicrotask(() => (graph ??= new Graph(canvas, map, told, { centre: around ? 0 : null })));
      return html`
        <div class="map-frame">${canvas}
          <div class="map-tools" role="group" aria-label=${say`View`}>
            <button class="plain" aria-label=${say`Larger`} title=${say`Larger (+)`} @click=${() => graph.zoom(1.4)}>${icon("plus")}</button>
            <button class="plain" aria-label=${say`Smaller`} title=${say`Smaller (−)`} @click=${() => graph.zoom(1 / 1.4)}>${icon("minus")}</button>
            <button class="plain" aria-label=${say`All of it`} title=${say`All of it (0)`} @click=${() => graph.all()}>${icon("fold-horizontal")}</button>
          </div>
        </div>
        <div class="map-foot">
          <span class="map-looked" role="status">${looked ? titleOf(looked) : sizeWords(map)}</span>
          ${around ? html`<button class="small-text" @click=${() => { close(); openMap(); }}>${say`All notes`}</button>`
            : front().note ? html`<button class="small-text" @click=${() => { close(); openMap(front().note); }}>${say`Around this note`}</button>` : null}
        </div>
        <details class="map-list"><summary>${say`Notes on the map`}</summary>
          <ul>${map.notes.slice(0, 300).map((note) => keyed(note.id, html`<li><button class="small-text" @click=${() => close(note)}>${titleOf(note)}</button></li>`))}</ul>
        </details>`;
    },
  });
  if (chosen) go(state.place === "trash" ? "all" : state.place, chosen.id);
}

/// Null where somebody has stopped it.
async function wholeMap() {
  if ((state.overview?.places.all ?? 0) <= MANY) return meanwhile(READING, get("/map"));
  const shown = progress(say`Map of links`, say`The map was stopped.`);
  try {
    const done = await shown.follow(await post("/maps"));
    return done && (await get(`/maps/${done.id}`));
  } finally {
    shown.close();
  }
}

function press(event, graph) {
  const pans = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
  if (event.key in pans) graph.pan(...pans[event.key]);
  else if (event.key === "+" || event.key === "=") graph.zoom(1.4);
  else if (event.key === "-") graph.zoom(1 / 1.4);
  else if (event.key === "0") graph.all();
  else return;
  event.preventDefault();
}
