// One object: its values, what it leads to, who points here, its history, its row.

import { ask, h, toast } from "/look/page.js";
import { dateElement, whole, wholeContent } from "./cells.js";
import { showPast } from "./past.js";
import { cardPlace, editPlace, objectPath, pastPlace, sqlPlace, tablePlace } from "./place.js";

const portion = 20;

export async function showCard({ names, query }, store) {
  const id = names.join("/");
  if (query.get("at")) return showPast(id, query.get("at"));
  const card = await ask("GET", objectPath(id));
  const many = card.values.filter(({ column }) => column.isToMany);
  const single = card.values.filter(({ column }) => !column.isToMany);
  const elements = [
    h("header", { class: "title" },
      h("p", { class: "soft" }, ...trail(card.chain)),
      h("h2", {}, card.title || card.id),
      h("p", { class: "soft" }, h("code", {}, card.id), " ", copyButton(card.uri)), takeAway(card.id, store),
    ),
    h("dl", { class: "values" }, ...single.flatMap(({ column, cell }) => [
      h("dt", {}, h("span", { class: "key" }, column.key), h("span", { class: "type" }, column.destination ?? column.type)),
      h("dd", {}, wholeContent(cell, column, card.id)),
    ])),
    ...many.map(({ column, cell }) => members(card.id, column, Number(cell?.text ?? 0), store)),
    pointers(card.id),
    story(card.id),
    card.sql ? h("section", {}, h("h3", {}, "Row"), h("pre", { tabindex: "0", "aria-label": "SQL of the row" }, card.sql), h("p", {}, h("a", { href: sqlPlace(card.sql) }, "Open in SQL"))) : "",
  ];
  return { title: card.title || card.id, entity: card.entity, elements: [h("article", { class: "card" }, ...elements)] };
}

/** `Item › Note`: the entity behind those above it. */
function trail(chain) {
  return [...chain].reverse().flatMap((name, place) => [place ? " › " : "", h("a", { href: tablePlace(name) }, name)]);
}

function copyButton(uri) {
  const copy = async () => {
    await navigator.clipboard.writeText(uri);
    toast("The address of the object was copied.");
  };
  return h("button", { class: "plain small", type: "button", title: uri, onclick: copy }, "Copy address");
}

/** The object and those that its relationships lead to, as a file. */
function takeAway(id, store) {
  const depth = h("select", { "aria-label": "How far relationships are followed", onchange: () => set() },
    ...["This object alone", "With those it leads to", "Two relationships far", "Three relationships far"].map((name, place) => h("option", { value: place, selected: place === 1 }, name)));
  const link = h("a", { class: "button", download: `${id.replace("/p", "-")}.json` }, "Save as JSON");
  const set = () => link.setAttribute("href", `${objectPath(id, "graph")}?depth=${depth.value || 1}`);
  depth.value = "1";
  set();
  return h("p", { class: "buttons" }, store.canChange ? h("a", { class: "button", href: editPlace(id) }, "Edit") : "", depth, link);
}

// MARK: relationships

function members(id, column, count, store) {
  const list = h("ul", { class: "members" });
  const more = h("button", { type: "button", class: "plain", hidden: true });
  const section = h("section", { "aria-label": column.key },
    h("h3", {}, column.key, h("span", { class: "soft" }, ` ${whole.format(count)} · ${column.destination}`)), list, more);
  let known = 0;
  const fetch = async () => {
    try {
      const answer = await ask("GET", `${objectPath(id, "members", column.key)}?from=${known}&count=${portion}`);
      const first = list.childElementCount;
      list.append(...answer.members.map((one) => h("li", {}, h("a", { href: cardPlace(one.id) }, one.name || one.id), h("span", { class: "soft" }, one.name ? ` ${one.id}` : ""))));
      known += answer.members.length;
      const hadFocus = document.activeElement === more;
      more.hidden = known >= answer.total;
      more.textContent = `Show ${whole.format(Math.min(portion, answer.total - known))} more of ${whole.format(answer.total - known)}`;
      if (hadFocus) list.children[first]?.querySelector("a").focus();
    } catch (problem) {
      list.append(h("li", { class: "problem" }, problem.message));
      more.hidden = true;
    }
  };
  more.addEventListener("click", fetch);
  if (count > 0) fetch();
  const inverse = properties(store, column);
  if (inverse && count > portion) section.append(h("p", {}, h("a", { href: tablePlace(column.destination, { where: inverse(id) }) }, "Show as a table")));
  return section;
}

/** The condition that finds the members from their side. */
function properties(store, column) {
  if (!column.inverse) return null;
  const other = store.entities.find((one) => one.name === column.destination)?.properties.find((one) => one.name === column.inverse);
  if (!other) return null;
  return (id) => `${other.isToMany ? "ANY " : ""}${other.name} == "${id}"`;
}

function pointers(id) {
  const section = h("section", { hidden: true }, h("h3", {}, "Who points here"));
  ask("GET", objectPath(id, "pointers")).then(
    (answer) => {
      section.hidden = answer.pointers.length === 0;
      section.append(h("ul", { class: "members" }, ...answer.pointers.map((one) =>
        h("li", {}, h("a", { href: tablePlace(one.entity, { where: one.condition }) }, `${one.entity}.${one.relationship}`),
          h("span", { class: "soft" }, ` ${whole.format(one.total)}${one.isComplete ? "" : " or more"}`)))));
    },
    (problem) => {
      section.hidden = false;
      section.append(h("p", { class: "problem" }, problem.message));
    },
  );
  return section;
}

// MARK: history

function story(id) {
  const section = h("section", {}, h("h3", {}, "History"));
  ask("GET", objectPath(id, "history")).then(
    (answer) => {
      if (!answer.isKept) return section.append(h("p", { class: "soft" }, "This store does not keep a history."));
      if (answer.changes.length === 0) return section.append(h("p", { class: "soft" }, "The history has no change of this object."));
      section.append(h("ol", { class: "story" }, ...answer.changes.map((one) => change(one, id))));
      if (answer.hasMore) section.append(h("p", { class: "soft" }, `Earlier changes are left out after ${answer.changes.length}.`));
    },
    (problem) => section.append(h("p", { class: "problem" }, problem.message)),
  );
  return section;
}

function change(one, id) {
  const who = [one.author, one.context, one.program || one.process].filter(Boolean).join(" · ");
  return h("li", {}, one.date ? dateElement(one.date) : "", h("span", { class: `kind ${one.kind}` }, one.kind),
    h("span", {}, one.properties.join(", ")), h("span", { class: "soft" }, who),
    h("a", { href: pastPlace(id, one.number), "aria-label": `As it was after change ${one.number}` }, "As it was then"));
}
