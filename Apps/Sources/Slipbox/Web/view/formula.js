// Draws formulas with KaTeX, which is fetched when the first one is to be seen.
//
//   drawFormula(element, "x^2", { isDisplay: false, source: "$x^2$" })
//
// Until it is there, and where it cannot be fetched, the element shows the source. A formula that is wrong shows the
// source and a sentence. KaTeX makes elements and sets their styles by script, which our policy allows, and adds MathML
// for screen readers; it follows no links, loads nothing, and runs nothing that a formula says.

import { say } from "./say.js";

/// So many milliseconds of drawing before the browser may show a frame: a note may have a thousand formulas.
const TURN = 12;

let katex = null;
let loading = null;
let waiting = [];
let spent = 0;
let isTurnCounted = false;

/// KaTeX writes these two with style attributes, which the policy blocks.
const MACROS = { "\\pmb": "\\boldsymbol{#1}", "\\fcolorbox": "\\colorbox{#2}{#3}" };

export function drawFormula(element, tex, { isDisplay, source }) {
  element.textContent = source;
  const work = () => draw(element, tex, isDisplay, source);
  if (katex && waiting.length === 0 && hasTime()) return timed(work);
  waiting.push(work);
  if (waiting.length === 1) start(element);
}

async function start(element) {
  try {
    await load();
    takeTurns();
  } catch {
    // There is no connection: the sources stay, and the next formula tries again.
    waiting = [];
    element.title = say`The formula cannot be drawn: the server cannot be reached.`;
  }
}

function load() {
  loading ??= Promise.all([import("../vendor/katex/katex.js"), styles("/vendor/katex/katex.css")]).then(([module]) => (katex = module.default));
  loading.catch(() => (loading = null));
  return loading;
}

function styles(address) {
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
    link.onload = done;
    link.onerror = () => {
      link.remove();
      failed(new Error(`${address} cannot be loaded`));
    };
    document.head.append(link);
  });
}

function takeTurns() {
  while (waiting.length > 0 && hasTime()) timed(waiting.shift());
  if (waiting.length > 0) setTimeout(takeTurns);
}

function hasTime() {
  if (!isTurnCounted) {
    isTurnCounted = true;
    setTimeout(() => {
      spent = 0;
      isTurnCounted = false;
    });
  }
  return spent < TURN;
}

function timed(work) {
  const begun = performance.now();
  work();
  spent += performance.now() - begun;
}

// Paper waits for nobody.
addEventListener("beforeprint", () => katex && waiting.splice(0).forEach((work) => work()));

function draw(element, tex, isDisplay, source) {
  try {
    // `trust` would allow links and pictures; `maxExpand` bounds macros, `maxSize` lengths, in units of the size of letters.
    katex.render(tex, element, { displayMode: isDisplay, throwOnError: true, trust: false, strict: "ignore", maxSize: 50, maxExpand: 1000, macros: { ...MACROS } });
  } catch (error) {
    complain(element, source, complaintOf(error));
  }
}

/// Shows the source of something that cannot be drawn, and a sentence that says why.
export function complain(element, source, sentence) {
  const code = Object.assign(document.createElement("code"), { textContent: source });
  const words = Object.assign(document.createElement("span"), { className: "drawn-complaint", textContent: sentence });
  element.classList.add("wrong");
  element.replaceChildren(...(source ? [code, " ", words] : [words]));
}

/// Returns the reason of an error in words.
function complaintOf({ message = "" }) {
  const text = message.replace(/^KaTeX parse error: /, "").replace(/ at (?:position \d+|end of input): .*$/su, "");
  const command = /^Undefined control sequence: (\S+)/.exec(message.replace(/^KaTeX parse error: /, ""))?.[1];
  if (command) return say`There is no command ${command}.`;
  if (/expected '}'/i.test(text)) return say`A closing } is missing.`;
  if (/expected '\\right'/i.test(text)) return say`\\left needs a \\right.`;
  if (/^Expected group after '(.+)'/.test(text)) return say`Something is missing after ${/after '(.+)'/.exec(text)[1]}.`;
  if (/^Expected group as argument to '(.+)'/.test(text)) return say`Something is missing after ${/to '(.+)'/.exec(text)[1]}.`;
  const script = /^Double (super|sub)script/.exec(text)?.[1];
  if (script) return script === "super" ? say`Two superscripts at one place: put the first part in { }.` : say`Two subscripts at one place: put the first part in { }.`;
  if (/^No such environment: (.+)/.test(text)) return say`There is no environment ${/: (.+)/.exec(text)[1]}.`;
  if (/Too many expansions/.test(text)) return say`The commands of this formula lead in a circle.`;
  return text.length > 0 && text.length < 200 ? say`This cannot be read: ${text}${/[.!?]$/.test(text) ? "" : "."}` : say`This formula cannot be read.`;
}
