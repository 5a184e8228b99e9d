// The strokes of a drawing, and the SVG that they are kept in, which can be read again.
//
//   <svg data-slipbox="drawing" viewBox="0 0 1000 600" …>
//   <rect …/><g stroke="#1d4ed8"><path stroke-width="3" d="M10 10Q20 20 25 25"/><path stroke-width="4" …/></g> …
//
// A stroke is a group; its pieces have the widths that the pressure of the pen has given them.

const NAMESPACE = "http://www.w3.org/2000/svg";
/// Slipbox shows larger drawings as files.
export const MOST_BYTES = 3_500_000;
const MOST_STROKES = 20_000;

/// Points are [x, y, pressure from 0 to 1]; gives {color, pieces: [{width, path}]}.
export function strokeOf(points, color, width) {
  const [first] = points;
  if (points.length === 1) return { color, pieces: [{ width: widthAt(first, width), path: `M${place(first)}l0 0` }] };
  const pieces = [];
  let from = first;
  for (let at = 1; at < points.length; at++) {
    const isLast = at === points.length - 1;
    const to = isLast ? points[at] : middle(points[at], points[at + 1]);
    const now = widthAt(points[at], width);
    const curve = `Q${place(points[at])} ${place(to)}`;
    if (pieces.at(-1)?.width === now) pieces.at(-1).path += curve;
    else pieces.push({ width: now, path: `M${place(from)}${curve}` });
    from = to;
  }
  return { color, pieces };
}

const tenth = (number) => String(Math.round(number * 10) / 10);
const place = ([x, y]) => `${tenth(x)} ${tenth(y)}`;
const middle = (one, other) => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
/// In steps, so that a stroke has few pieces.
const widthAt = ([, , pressure], width) => Math.max(0.5, Math.round(width * (0.4 + 1.2 * pressure) * 2) / 2);

/// How many bytes a stroke takes.
export const sizeOf = ({ pieces }) => pieces.reduce((sum, { path }) => sum + path.length + 40, 40);

export function elementOf({ color, pieces }) {
  const group = element("g", { stroke: color });
  for (const { width, path } of pieces) group.append(element("path", { "stroke-width": width, d: path }));
  return group;
}

export function element(name, attributes) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/// The drawing as a file; `box` is [x, y, width, height].
export function svgOf(strokes, box) {
  const [x, y, width, height] = box;
  const svg = element("svg", { "data-slipbox": "drawing", viewBox: box.join(" "), width, height, fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" });
  svg.append(element("rect", { x, y, width, height, fill: "#fff" }), ...strokes.map(elementOf));
  return new XMLSerializer().serializeToString(svg);
}

/// Reads a drawing that `svgOf` has written: {strokes, box}; null for other files. It takes letters that it expects, and parses
/// nothing: what else may be in a file does not come into the page.
export function readDrawing(text) {
  const [head, facts] = /^<svg ([^<>]*data-slipbox="drawing"[^<>]*)><rect [^<>]*\/>/.exec(text) ?? [""];
  const box = /viewBox="([^"]*)"/.exec(facts)?.[1].split(" ").map(Number) ?? [];
  if (box.length !== 4 || !box.every((number) => Number.isFinite(number) && Math.abs(number) <= 100_000) || box[2] < 1 || box[3] < 1) return null;
  const strokes = [];
  const group = /<g stroke="(#[0-9a-f]{6})">((?:<path [^<>]*\/>)+)<\/g>/gy;
  group.lastIndex = head.length;
  let end = head.length;
  for (let found; strokes.length <= MOST_STROKES && (found = group.exec(text)); end = group.lastIndex) {
    const stroke = strokeIn(found[1], found[2]);
    if (!stroke) return null;
    strokes.push(stroke);
  }
  return text.slice(end) === "</svg>" ? { strokes, box } : null;
}

function strokeIn(color, text) {
  const pieces = [...text.matchAll(/<path stroke-width="([\d.]{1,6})" d="([MQl\d .-]+)"\/>/g)];
  const isWhole = pieces.map(([piece]) => piece).join("") === text;
  return isWhole ? { color, pieces: pieces.map(([, width, path]) => ({ width: Number(width), path })) } : null;
}
