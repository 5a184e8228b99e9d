// The attributes of an entity in figures, as they become known.

import { ask, h } from "/look/page.js";
import { cellContent, whole } from "./cells.js";
import { Job } from "./job.js";
import { tablePlace } from "./place.js";

const svgSpace = "http://www.w3.org/2000/svg";
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export async function showFigures({ names: [entity] }, store) {
  if (!store.entities.some((one) => one.name === entity)) throw new Error(`The model has no entity “${entity}”.`);
  const words = h("p", { class: "soft", role: "status" }, "Reading…");
  const bar = h("progress", { "aria-label": "Figures" });
  const stop = h("button", { type: "button", onclick: () => job.stop() }, "Stop");
  const again = h("button", { type: "button", hidden: true, onclick: () => readAgain() }, "Read again");
  const list = h("div", { class: "figures" });
  const address = `/api/entities/${encodeURIComponent(entity)}/figures`;
  const shown = new Map();
  const job = new Job(address, (state) => {
    const isRunning = state.state === "running";
    bar.hidden = stop.hidden = !isRunning;
    again.hidden = isRunning;
    words.classList.toggle("problem", state.state === "failed");
    bar.max = Math.max(1, state.total ?? 1);
    bar.value = state.done ?? 0;
    words.textContent = { running: state.subject ? `Reading ${state.subject}…` : "Reading…", failed: state.error, done: "", none: "The reading was stopped.", stopped: "The reading was stopped." }[state.state];
    if (isRunning && state.done === 0) {
      shown.clear();
      list.replaceChildren();
    }
    for (const one of state.result ?? []) {
      if (shown.has(one.key)) continue;
      shown.set(one.key, one);
      list.append(figure(one, entity));
    }
    if (state.state === "done" && (state.result ?? []).length === 0) words.textContent = `${entity} has no stored attributes.`;
  });
  const readAgain = async () => {
    try {
      job.follow(await ask("GET", `${address}?fresh`));
    } catch (problem) {
      job.told({ state: "failed", error: problem.message });
    }
  };
  return {
    title: `Figures of ${entity}`,
    entity,
    elements: [h("article", { class: "health" }, h("h2", {}, "Figures of ", h("a", { href: tablePlace(entity) }, entity)),
      h("div", { class: "buttons" }, words, bar, stop, again), list)],
    start: () => job.follow(),
    leave: () => job.leave(),
  };
}

const value = (cell) => cellContent(cell, {}, "");

function figure(one, entity) {
  const line = (name, ...content) => [h("dt", {}, name), h("dd", {}, ...content)];
  const share = one.rows > 0 ? one.nils / one.rows : 0;
  const rows = [
    line(one.isSample ? "First rows" : "Rows", whole.format(one.rows), one.isSample ? h("span", { class: "soft" }, " (all of them take too long)") : ""),
    line("nil", one.nils === 0 ? "none" : h("a", { href: tablePlace(entity, { where: `${one.key} == nil` }) }, `${whole.format(one.nils)}, ${percent.format(share)}`)),
  ];
  if (one.different !== null) rows.push(line("Different", whole.format(one.different)));
  if (one.least !== null) rows.push(line("Least", value(one.least)), line("Greatest", value(one.greatest)));
  const frequent = one.frequent.length === 0 ? "" : h("div", {}, h("h4", {}, "Most frequent"),
    h("ol", { class: "frequent" }, ...one.frequent.map((each) => h("li", {}, h("span", { class: "of" }, value(each.value)), h("span", { class: "soft" }, `${whole.format(each.count)}, ${percent.format(each.count / Math.max(1, one.rows))}`)))));
  return h("section", { class: "figure", "aria-label": one.key },
    h("h3", {}, one.key, h("span", { class: "soft" }, ` ${one.type}`)),
    h("dl", { class: "facts" }, ...rows.flat()), frequent, spread(one.spread));
}

const units = { value: "Spread", length: "Spread of lengths, in characters", size: "Spread of sizes, in bytes of the row" };

/** The numbers of values in equal parts between the least and the greatest. */
function spread(one) {
  if (!one) return "";
  const most = Math.max(1, ...one.counts);
  const [width, height] = [240, 48];
  const step = width / one.counts.length;
  const picture = document.createElementNS(svgSpace, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("class", "spread");
  picture.setAttribute("role", "img");
  const fullest = one.counts.indexOf(Math.max(...one.counts));
  picture.setAttribute("aria-label", `${units[one.unit]}: ${one.counts.length} equal parts; part ${fullest + 1} has most values, ${whole.format(one.counts[fullest])}.`);
  one.counts.forEach((count, place) => {
    const tall = count === 0 ? 0 : Math.max(1, (height * count) / most);
    const bar = document.createElementNS(svgSpace, "rect");
    for (const [name, number] of Object.entries({ x: place * step + 0.5, y: height - tall, width: step - 1, height: tall })) bar.setAttribute(name, String(number));
    const title = document.createElementNS(svgSpace, "title");
    title.textContent = whole.format(count);
    bar.append(title);
    picture.append(bar);
  });
  return h("div", {}, h("h4", {}, units[one.unit]), picture, h("p", { class: "ends soft" }, h("span", {}, value(one.low)), h("span", {}, value(one.high))));
}
