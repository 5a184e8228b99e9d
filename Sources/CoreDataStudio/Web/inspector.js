// The inspector: the options of one element, and the lists of what is in it.

import { h } from "/look/page.js";
import { childLists, options } from "./options.js";

/** The parts of the inspector for the element that an editor shows. */
export function inspector(editor) {
  const element = editor.at_(editor.at);
  const parts = [];
  const title = { model: "Model", entity: "Entity", attribute: "Attribute", relationship: "Relationship", fetchedProperty: "Fetched property", fetchIndex: "Index", fetchRequest: "Fetch request", composite: "Composite", configuration: "Configuration" }[element.name] ?? element.name;
  parts.push(h("h3", {}, title, " ", h("span", { class: "soft" }, element.name === "model" ? editor.version : element.attributes.name ?? "")));
  const form = h("form", { class: "options", onsubmit: (event) => event.preventDefault() });
  if (element.name !== "model") form.append(...nameRow(editor, element));
  for (const option of options(element, editor)) form.append(...optionRow(editor, element, editor.at, option));
  parts.push(form);
  if (element.name === "fetchedProperty") parts.push(...requestInside(editor, element));
  if (element.name === "fetchIndex") parts.push(indexElements(editor, element));
  if (element.name === "configuration") parts.push(members(editor, element));
  for (const list of childLists(element, editor)) parts.push(childList(editor, element, list));
  if (element.name === "entity") parts.push(constraints(editor, element));
  if (["entity", "attribute", "relationship", "fetchedProperty"].includes(element.name)) parts.push(userInfo(editor, element));
  if (element.name !== "model") {
    parts.push(h("p", { class: "buttons" }, h("button", { type: "button", onclick: () => editor.edit({ op: "remove", place: editor.at }) }, `Remove ${title.toLowerCase()}`)));
  }
  return parts;
}

const id = (at, name) => `option-${at.join("-")}-${name}`;

function row(at, name, label, input, hint) {
  return [h("label", { for: id(at, name), title: hint }, label), h("div", {}, input)];
}

function nameRow(editor, element) {
  const input = h("input", { id: id(editor.at, "name"), type: "text", value: element.attributes.name ?? "", autocomplete: "off", spellcheck: "false",
    onchange: () => editor.edit({ op: "rename", place: editor.at, name: input.value.trim(), follow: true }) });
  return row(editor.at, "name", "Name", input);
}

// MARK: options

function optionRow(editor, element, at, option) {
  const { name, label, hint, kind } = option;
  const value = element.attributes[name];
  const set = (attributes) => editor.edit({ op: "set", place: at, attributes });
  const key = id(at, name);
  const settings = { id: key, title: hint };
  switch (kind) {
    case "flag":
    case "scalar":
      return row(at, name, label, h("input", { ...settings, type: "checkbox", checked: value === "YES", onchange: (event) => set({ [name]: event.target.checked ? "YES" : kind === "scalar" ? "NO" : null }) }), hint);
    case "many":
      return row(at, name, label, h("input", { ...settings, type: "checkbox", checked: value === "YES",
        onchange: (event) => set(event.target.checked ? { toMany: "YES", maxCount: null } : { toMany: null, maxCount: "1", minCount: null, ordered: null }) }), hint);
    case "choice": {
      const values = option.values.some(([one]) => one === (value ?? "")) ? option.values : [...option.values, [value, value]];
      return row(at, name, label, h("select", { ...settings, onchange: (event) => set({ [name]: event.target.value || null }) },
        ...values.map(([one, words]) => h("option", { value: one, selected: one === (value ?? "") }, words))), hint);
    }
    case "inverse":
      return row(at, name, label, inverseSelect(editor, element, at, settings), hint);
    case "date": {
      const shown = value === undefined || value === "" ? "" : new Date((Number(value) + 978307200) * 1000).toISOString().replace(/(\.000)?Z$/, "");
      return row(at, name, label, h("input", { ...settings, type: "datetime-local", step: "1", value: shown,
        onchange: (event) => set({ [name]: event.target.value ? String(Date.parse(`${event.target.value}Z`) / 1000 - 978307200) : null }) }), "In UTC");
    }
    case "derived":
      return row(at, name, label, h("input", { ...settings, type: "text", value: value ?? "", autocomplete: "off", spellcheck: "false", placeholder: hint,
        onchange: (event) => { const text = event.target.value.trim(); set({ derivationExpression: text || null, derived: text ? "YES" : null }); } }), hint);
    default:
      return row(at, name, label, h("input", { ...settings, type: "text", value: value ?? "", autocomplete: "off", spellcheck: "false", placeholder: hint ?? "", onchange: (event) => set({ [name]: event.target.value === "" ? null : event.target.value }) }), hint);
  }
}

function inverseSelect(editor, element, at, settings) {
  const destination = editor.draft.root.children.find((one) => one.name === "entity" && one.attributes.name === element.attributes.destinationEntity);
  const names = (destination?.children ?? []).filter((one) => one.name === "relationship").map((one) => one.attributes.name);
  const now = element.attributes.inverseName ?? "";
  if (now && !names.includes(now)) names.push(now);
  return h("select", { ...settings, onchange: (event) => editor.edit({ op: "inverse", place: at, name: event.target.value || null }) },
    ...["", ...names].map((one) => h("option", { value: one, selected: one === now }, one || "None")));
}

// MARK: lists

function childList(editor, element, list) {
  const own = element.children.map((child, number) => [child, [...editor.at, number]]).filter(([child]) => child.name === list.child);
  const add = async () => {
    const names = new Set(element.children.map((one) => one.attributes.name));
    let name = list.stem;
    for (let number = 1; names.has(name); number += 1) name = `${list.stem}${number}`;
    const at = await editor.edit({ op: "insert", place: editor.at, element: list.child, attributes: list.start(name) }, !list.inside);
    if (at && list.inside) {
      const [child, attributes] = list.inside;
      await editor.edit({ op: "insert", place: at, element: child, attributes }, true);
    }
  };
  return h("section", {}, h("h4", {}, list.title),
    h("ul", { class: "children" }, ...own.map(([child, at]) => h("li", {}, h("button", { type: "button", class: "plain", onclick: () => editor.choose(at, true) }, child.attributes.name ?? ""), h("span", { class: "soft" }, ` ${detail(child)}`)))),
    h("p", { class: "buttons" }, h("button", { type: "button", id: `add-${list.child}`, onclick: add }, `Add ${words[list.child]}`)));
}

const words = { entity: "entity", attribute: "attribute", relationship: "relationship", fetchedProperty: "fetched property", fetchIndex: "index", composite: "composite", configuration: "configuration", fetchRequest: "fetch request" };

function detail(child) {
  const { attributeType, destinationEntity, toMany, optional, parentEntity, predicateString } = child.attributes;
  if (child.name === "attribute") return `${attributeType ?? "Undefined"}${optional === "YES" ? "" : ", required"}`;
  if (child.name === "relationship") return `${toMany === "YES" ? "many " : ""}${destinationEntity ?? "nowhere"}${optional === "YES" ? "" : ", required"}`;
  if (child.name === "entity") return parentEntity ? `of ${parentEntity}` : "";
  if (child.name === "fetchIndex") return child.children.map((one) => one.attributes.property ?? one.attributes.expression).join(", ");
  return predicateString ?? "";
}

function requestInside(editor, element) {
  const number = element.children.findIndex((one) => one.name === "fetchRequest");
  if (number < 0) return [];
  const at = [...editor.at, number];
  const form = h("form", { class: "options", onsubmit: (event) => event.preventDefault() });
  for (const option of options(element.children[number], editor)) form.append(...optionRow(editor, element.children[number], at, option));
  return [h("h4", {}, "Fetch request"), form];
}

function smallButton(label, words, action) {
  return h("button", { type: "button", class: "plain small", "aria-label": label, onclick: action }, words);
}

function indexElements(editor, element) {
  const owner = editor.at_(editor.at.slice(0, -1));
  const names = owner.children.filter((one) => ["attribute", "relationship"].includes(one.name)).map((one) => one.attributes.name);
  const item = ([child, at]) => {
    const set = (attributes) => editor.edit({ op: "set", place: at, attributes });
    const now = child.attributes.property ?? "";
    const all = now && !names.includes(now) ? [...names, now] : names;
    const what = child.attributes.expression !== undefined
      ? h("input", { id: id(at, "expression"), type: "text", value: child.attributes.expression, "aria-label": "Expression", onchange: (event) => set({ expression: event.target.value }) })
      : h("select", { id: id(at, "property"), "aria-label": "Property", onchange: (event) => set({ property: event.target.value }) }, ...["", ...all].map((one) => h("option", { value: one, selected: one === now }, one || "Choose a property")));
    return h("li", {}, what,
      h("select", { id: id(at, "order"), "aria-label": "Order", onchange: (event) => set({ order: event.target.value }) }, ...["ascending", "descending"].map((one) => h("option", { value: one, selected: one === (child.attributes.order ?? "ascending") }, one))),
      h("select", { id: id(at, "type"), "aria-label": "Kind", onchange: (event) => set({ type: event.target.value }) }, ...["Binary", "RTree"].map((one) => h("option", { value: one, selected: one === (child.attributes.type ?? "Binary") }, one))),
      smallButton("Move up", "↑", () => editor.edit({ op: "move", place: at, step: -1 })), smallButton("Move down", "↓", () => editor.edit({ op: "move", place: at, step: 1 })),
      smallButton(`Remove ${now}`, "Remove", () => editor.edit({ op: "remove", place: at })));
  };
  const add = (attributes) => editor.edit({ op: "insert", place: editor.at, element: "fetchIndexElement", attributes: { ...attributes, type: "Binary", order: "ascending" } });
  return h("section", {}, h("h4", {}, "In its order"), h("ul", { class: "children" }, ...element.children.map((child, number) => [child, [...editor.at, number]]).filter(([child]) => child.name === "fetchIndexElement").map(item)),
    h("p", { class: "buttons" }, h("button", { type: "button", onclick: () => add({ property: names[0] ?? "" }) }, "Add property"), h("button", { type: "button", onclick: () => add({ expression: "" }) }, "Add expression")));
}

function members(editor, element) {
  const known = new Map(element.children.map((child, number) => [child.attributes.name, [...editor.at, number]]));
  const toggle = (name) => (event) => editor.edit(event.target.checked
    ? { op: "insert", place: editor.at, element: "memberEntity", attributes: { name } } : { op: "remove", place: known.get(name) });
  return h("section", {}, h("h4", {}, "Entities"), h("div", { class: "boxes" }, ...editor.entities.map((name) =>
    h("label", {}, h("input", { type: "checkbox", id: `member-${name}`, checked: known.has(name), onchange: toggle(name) }), name))));
}

/** Each constraint is a list of attributes whose values together are unique. */
function constraints(editor, element) {
  const number = element.children.findIndex((one) => one.name === "uniquenessConstraints");
  const at = [...editor.at, number];
  const all = number < 0 ? [] : element.children[number].children.map((one, place) => [one.children.map((child) => child.attributes.value), [...at, place]]);
  const field = h("input", { type: "text", id: "new-constraint", "aria-label": "Attributes of a new constraint", placeholder: "name, or name, country", autocomplete: "off", spellcheck: "false" });
  const add = async () => {
    const names = field.value.split(",").map((one) => one.trim()).filter(Boolean);
    if (names.length === 0) return field.focus();
    const owner = number < 0 ? await editor.edit({ op: "insert", place: editor.at, element: "uniquenessConstraints", attributes: {} }) : at;
    const own = owner && await editor.edit({ op: "insert", place: owner, element: "uniquenessConstraint", attributes: {} });
    for (const value of own ? names : []) await editor.edit({ op: "insert", place: own, element: "constraint", attributes: { value } });
  };
  const remove = (place) => editor.edit({ op: "remove", place: all.length === 1 ? at : place });
  return h("section", {}, h("h4", {}, "Unique values"), h("ul", { class: "children" }, ...all.map(([names, place]) =>
    h("li", {}, h("code", {}, names.join(", ")), " ", smallButton(`Remove ${names.join(", ")}`, "Remove", () => remove(place))))),
  h("p", { class: "buttons" }, field, h("button", { type: "button", onclick: add }, "Add constraint")));
}

function userInfo(editor, element) {
  const number = element.children.findIndex((one) => one.name === "userInfo");
  const at = [...editor.at, number];
  const all = number < 0 ? [] : element.children[number].children.map((one, place) => [one, [...at, place]]);
  const [key, value] = ["key", "value"].map((name) => h("input", { type: "text", id: `new-${name}`, "aria-label": `New ${name}`, placeholder: name, autocomplete: "off", spellcheck: "false" }));
  const add = async () => {
    if (!key.value.trim()) return key.focus();
    const attributes = { key: key.value.trim(), value: value.value };
    const owner = number < 0 ? await editor.edit({ op: "insert", place: editor.at, element: "userInfo", attributes: {} }) : at;
    if (owner) await editor.edit({ op: "insert", place: owner, element: "entry", attributes });
  };
  const remove = (place) => editor.edit({ op: "remove", place: all.length === 1 ? at : place });
  return h("details", { open: all.length > 0 }, h("summary", {}, "User info"), h("ul", { class: "children" }, ...all.map(([entry, place]) =>
    h("li", {}, h("code", {}, entry.attributes.key), h("input", { type: "text", id: id(place, "value"), "aria-label": `Value of ${entry.attributes.key}`, value: entry.attributes.value ?? "", onchange: (event) => editor.edit({ op: "set", place, attributes: { value: event.target.value } }) }),
      smallButton(`Remove ${entry.attributes.key}`, "Remove", () => remove(place))))),
  h("p", { class: "buttons" }, key, value, h("button", { type: "button", onclick: add }, "Add")));
}
