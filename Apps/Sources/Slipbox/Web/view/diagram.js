// Draws diagrams: a frame with Mermaid in it is opened for the first one, and makes a picture of each.
//
//   drawDiagram("flowchart LR\n  A --> B", false)   ─▶   {address, width, height, label}
//
// Drawn pictures are kept for a while: a text is drawn again with each letter beside it.

import { say } from "./say.js";
import { count } from "./words.js";

/// The longest source that is drawn; Mermaid has the same limit.
export const LONGEST = 20_000;
const PATIENCE = 20_000;
const MOST_KEPT = 60;

const kept = new Map();
const asked = new Map();
let frame = null;
let number = 0;

/// The picture of a diagram, in light or dark colours; throws an error whose message says what is wrong.
export function drawDiagram(source, isDark) {
  const key = `${isDark}\n${source}`;
  if (!kept.has(key)) keep(key, ask(source, isDark));
  return kept.get(key);
}

function keep(key, drawing) {
  kept.set(key, drawing);
  // A file that failed because nothing was there is tried again.
  drawing.catch(({ isOfDiagram }) => isOfDiagram || kept.delete(key));
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
}

async function ask(source, isDark) {
  if (source.length > LONGEST) throw problem(say`The diagram is too long: ${count(source.length)} characters, at most ${count(LONGEST)} are drawn.`);
  const { contentWindow } = await opened();
  const mine = (number += 1);
  const answer = await new Promise((done, failed) => {
    const timer = setTimeout(() => failed(new Error(say`The diagram took too long to draw.`)), PATIENCE);
    asked.set(mine, (data) => {
      clearTimeout(timer);
      done(data);
    });
    contentWindow.postMessage({ number: mine, source, isDark }, location.origin);
  }).finally(() => asked.delete(mine));
  if (answer.problem) throw problem(inWords(answer.problem, source));
  const { svg, width, height, kind, words } = answer;
  const label = words || say`Diagram (${nameOf(kind)}): ${source.slice(0, 500)}`;
  return { address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height, label };
}

/// The frame, once it can draw.
function opened() {
  frame ??= new Promise((done, failed) => {
    const element = Object.assign(document.createElement("iframe"), { src: "/view/diagramFrame.html", title: say`Draws diagrams`, tabIndex: -1, className: "diagram-frame" });
    element.setAttribute("aria-hidden", "true");
    const timer = setTimeout(() => {
      element.remove();
      frame = null;
      failed(new Error(say`The diagram cannot be drawn: the server cannot be reached.`));
    }, PATIENCE);
    addEventListener("message", ({ data, origin, source }) => {
      if (origin !== location.origin || source !== element.contentWindow || !data?.diagram) return;
      if (data.diagram !== "ready") return asked.get(data.diagram)?.(data);
      clearTimeout(timer);
      done(element);
    });
    document.body.append(element);
  });
  return frame;
}

const problem = (sentence) => Object.assign(new Error(sentence), { isOfDiagram: true });

/// Returns a message of Mermaid in words.
function inWords(message, source) {
  if (/No diagram type detected|UnknownDiagram/.test(message)) return say`The first line must name the kind of diagram, such as “flowchart LR”, “sequenceDiagram” or “pie”.`;
  const line = /(?:Parse|Lexical) error on line (\d+)/.exec(message)?.[1];
  // It counts the end of the source as a line.
  if (line) return say`Line ${Math.min(line, source.trimEnd().split("\n").length)} of the diagram cannot be read.`;
  if (/Maximum text size/.test(message)) return say`The diagram is too long: at most ${count(LONGEST)} characters are drawn.`;
  if (/Edge limit exceeded/.test(message)) return say`The diagram has too many lines: at most 500 are drawn.`;
  const first = message.split("\n")[0].slice(0, 200);
  return first ? say`The diagram cannot be read: ${first}` : say`The diagram cannot be read.`;
}

const NAMES = { "flowchart-v2": say`flowchart`, flowchart: say`flowchart`, graph: say`flowchart`, sequence: say`sequence`, class: say`classes`, classDiagram: say`classes`, stateDiagram: say`states`, state: say`states`, er: say`entities`, gantt: say`timetable`, pie: say`pie chart`, journey: say`journey`, mindmap: say`mind map`, timeline: say`timeline`, gitGraph: say`branches`, quadrantChart: say`quadrants` };
const nameOf = (kind) => NAMES[kind] ?? String(kind ?? "").replace(/-v\d+$/, "");
