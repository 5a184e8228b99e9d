// The page in a frame that draws diagrams with Mermaid, for view/diagram.js.
//
// Mermaid writes styles into what it draws, which the policy of the page around it forbids. This page may have styles,
// and besides them only scripts of this server: it loads no pictures, and reaches no other address. It returns a picture
// as text, and the page shows it as a picture, in which nothing runs and no link leads anywhere.

import { mermaid } from "../vendor/mermaid/mermaid.js";

const FONT = "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
const LIGHT = { ground: "#fffefb", soft: "#f3f0ea", strong: "#dce8f2", note: "#fbeed6", ink: "#24211d", line: "#5d574e", border: "#8f887c",
  shades: ["#a9c8e4", "#f0d28f", "#a9d3b4", "#eeb4ac", "#d9cfa0", "#cdbde6", "#a5d3e0", "#d5cfc4"] };
const DARK = { ground: "#211f1d", soft: "#2f2c28", strong: "#263747", note: "#3a2d16", ink: "#ebe6dd", line: "#b8b1a6", border: "#7d766c",
  shades: ["#3b6286", "#7d5f17", "#3d6f4c", "#86423a", "#5c5325", "#5d4b85", "#2f6274", "#5a554c"] };
let count = 0;

/// The settings that no diagram can change are in `secure`.
function settings(isDark) {
  const { ground, soft, strong, note, ink, line, border, shades } = isDark ? DARK : LIGHT;
  // Slices, branches of mind maps and of histories, and their words.
  const shaded = shades.flatMap((shade, index) => [[`pie${index + 1}`, shade], [`cScale${index}`, shade], [`cScaleLabel${index}`, ink], [`git${index}`, shade], [`gitBranchLabel${index}`, ink]]);
  return {
    startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, maxTextSize: 20_000, maxEdges: 500,
    secure: ["secure", "securityLevel", "startOnLoad", "suppressErrorRendering", "maxTextSize", "maxEdges", "htmlLabels", "theme", "themeCSS", "fontFamily"],
    htmlLabels: false, flowchart: { htmlLabels: false }, class: { htmlLabels: false }, fontFamily: FONT,
    theme: "base",
    themeVariables: {
      darkMode: isDark, fontFamily: FONT, fontSize: "15px", background: ground, mainBkg: soft, primaryColor: soft, primaryTextColor: ink,
      primaryBorderColor: border, secondaryColor: strong, tertiaryColor: ground, lineColor: line, textColor: ink, titleColor: ink, nodeTextColor: ink,
      edgeLabelBackground: ground, clusterBkg: ground, clusterBorder: border, noteBkgColor: note, noteTextColor: ink, noteBorderColor: border,
      pieStrokeColor: border, pieOuterStrokeColor: border, pieStrokeWidth: "1px", pieOuterStrokeWidth: "1px", pieOpacity: "1", pieTitleTextColor: ink,
      pieSectionTextColor: ink, pieLegendTextColor: ink, ...Object.fromEntries(shaded), actorTextColor: ink, signalTextColor: ink, labelTextColor: ink, loopTextColor: ink,
    },
  };
}

/// The picture as text of its own, with a width and a height: a page knows how large a picture is only by these.
function picture(svg) {
  const holder = document.createElement("template");
  holder.innerHTML = svg;
  const drawing = holder.content.querySelector("svg");
  const [, , width, height] = drawing.getAttribute("viewBox").split(/[\s,]+/).map(Number);
  const size = { width: Math.ceil(width), height: Math.ceil(height) };
  drawing.setAttribute("width", size.width);
  drawing.setAttribute("height", size.height);
  drawing.style.removeProperty("max-width");
  const words = ["title", "desc"].map((name) => drawing.querySelector(`:scope > ${name}`)?.textContent.trim()).filter(Boolean).join(". ");
  return { svg: new XMLSerializer().serializeToString(drawing), ...size, words };
}

async function draw({ source, isDark }) {
  mermaid.initialize(settings(isDark));
  const { svg, diagramType } = await mermaid.render(`diagram-${(count += 1)}`, source);
  return { ...picture(svg), kind: diagramType };
}

addEventListener("message", async ({ data, origin, source }) => {
  if (source !== parent || origin !== location.origin) return;
  const answer = await draw(data).catch((error) => ({ problem: String(error?.message ?? error) }));
  parent.postMessage({ diagram: data.number, ...answer }, origin);
});

parent.postMessage({ diagram: "ready" }, location.origin);
