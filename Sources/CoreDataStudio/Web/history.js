// The changes of the store, the newest first: their authors, times and objects.

import { ask, h } from "/look/page.js";
import { dateElement } from "./cells.js";
import { cardPlace, historyPlace, pastPlace } from "./place.js";

export async function showHistory({ query }, store) {
  const asked = Object.fromEntries(["author", "entity", "since", "until"].map((name) => [name, query.get(name) ?? ""]));
  const authors = h("datalist", { id: "authors" });
  const author = h("input", { type: "text", list: "authors", value: asked.author, autocomplete: "off" });
  const entity = h("select", {}, h("option", { value: "" }, "All entities"), ...store.entities.map((one) => h("option", { value: one.name, selected: one.name === asked.entity }, one.name)));
  const since = h("input", { type: "date", value: asked.since });
  const until = h("input", { type: "date", value: asked.until });
  const go = (event) => {
    event.preventDefault();
    location.hash = historyPlace({ author: author.value.trim(), entity: entity.value, since: since.value, until: until.value });
  };
  const field = (name, input) => h("label", {}, h("span", {}, name), input);
  const filters = h("form", { class: "filters", onsubmit: go }, field("Author", author), field("Entity", entity), field("From", since), field("To", until),
    h("button", { class: "primary" }, "Show"), h("a", { class: "button", href: historyPlace() }, "All"), authors);
  const list = h("ol", { class: "timeline" });
  const state = h("p", { class: "soft", role: "status" });
  const more = h("button", { type: "button", hidden: true, onclick: () => fetch() }, "Earlier changes");
  let last = null;
  let transaction = null;
  let changes = null;
  const seen = new Set();

  const add = (change) => {
    if (change.transaction !== transaction) {
      transaction = change.transaction;
      changes = h("ul", { class: "changes" });
      const who = [change.author, change.context, change.program || change.process].filter(Boolean);
      list.append(h("li", {}, h("p", {}, dateElement(change.date), " ", h("span", { class: "soft" }, who.join(" · "))), changes));
    }
    if (change.author && !seen.has(change.author)) {
      seen.add(change.author);
      authors.append(h("option", { value: change.author }));
    }
    changes.append(h("li", {}, h("span", { class: `kind ${change.kind}` }, change.kind), " ",
      change.kind === "deleted" ? h("code", {}, change.id) : h("a", { href: cardPlace(change.id) }, change.id), " ", h("span", {}, change.properties.join(", ")), " ",
      change.kind === "deleted" ? "" : h("a", { class: "quiet", href: pastPlace(change.id, change.number), "aria-label": `${change.id} as it was after change ${change.number}` }, "as it was then")));
  };

  const fetch = async () => {
    const wanted = Object.fromEntries(Object.entries({ ...asked, before: last ?? "" }).filter(([, value]) => value !== ""));
    const answer = await ask("GET", `/api/history?${new URLSearchParams(wanted)}`);
    const first = list.childElementCount;
    for (const change of answer.changes) add(change);
    last = answer.changes.at(-1)?.number ?? last;
    const hadFocus = document.activeElement === more;
    more.hidden = !answer.hasMore;
    if (hadFocus && more.hidden) list.children[first]?.querySelector("a")?.focus();
    state.textContent = !answer.isKept ? "This store does not keep a history." : list.childElementCount === 0 ? "No change matches." : "";
  };
  await fetch();
  return {
    title: "History",
    elements: [h("h2", { class: "unseen" }, "History"), filters, h("div", { class: "told" }, state, list, more)],
    refresh: async () => {
      list.replaceChildren();
      [last, transaction] = [null, null];
      await fetch();
    },
  };
}
