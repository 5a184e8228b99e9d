// The suggestions for a predicate: keys, operators and words, by the text before the cursor.

const comparisons = ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"];
const ofTexts = ["==", "CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES", "!=", "IN"];
const words = ["ANY", "ALL", "NONE", "NOT", "SUBQUERY(", "nil", "TRUE", "FALSE"];
const joins = ["AND", "OR"];
const operators = /^(==|=|!=|<>|<|<=|>|>=|=<|=>|BETWEEN|IN|LIKE|CONTAINS|BEGINSWITH|ENDSWITH|MATCHES)(\[[cdlwnt]+\])?$/i;

/** The pieces of a text: texts in quotation marks are one piece. */
function pieces(text) {
  return text.match(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_$@][\w.@$]*(?:\[[cdlwnt]*\]?)?|[<>=!]+|-?\d[\d.]*|\S/g) ?? [];
}

/** The property at the end of a path, and the entity in which its last name is looked for. */
export function follow(path, entity, entities) {
  const names = path.split(".");
  let place = entity;
  for (const name of names.slice(0, -1)) {
    if (name.startsWith("@") || name === "SELF" || name === "self") continue;
    const property = properties(place, entities).find((one) => one.name === name);
    if (!property) return null;
    if (property.elements?.length) return { within: property.elements, last: names.at(-1) };
    if (!property.destination) return null;
    place = property.destination;
  }
  return { within: properties(place, entities), last: names.at(-1) };
}

/** The properties of an entity and of those above it. */
export function properties(name, entities) {
  const found = [];
  for (let entity = entities.find((one) => one.name === name); entity; entity = entities.find((one) => one.name === entity.parent)) {
    found.push(...entity.properties.filter((one) => !one.isTransient && one.type !== "fetched"));
  }
  return found;
}

/** What the words before the cursor wait for: a `key`, an `operator`, a `value` or a `join`. */
function expectation(before) {
  let state = "key";
  for (const piece of before) {
    if (/^(AND|OR|NOT|&&|\|\||!|\()$/i.test(piece)) state = "key";
    else if (/^(ANY|ALL|NONE|SOME)$/i.test(piece)) state = "key";
    else if (piece === ")") state = "join";
    else if (operators.test(piece)) state = "value";
    else if (state === "key") state = "operator";
    else if (state === "value") state = "join";
  }
  return state;
}

/**
 * The suggestions at a cursor: `{ from, list: [{ text, detail }] }`; each replaces the text from `from` on.
 */
export function suggestions(text, cursor, entity, entities) {
  const head = text.slice(0, cursor);
  const all = pieces(head);
  const isOpen = /[\w.@$[]$|[<>=!]$/.test(head) && all.length > 0;
  const typed = isOpen ? all.at(-1) : "";
  if (/^["']/.test(all.at(-1) ?? "") && !/^(".*"|'.*')$/s.test(all.at(-1))) return { from: cursor, list: [] };
  const before = isOpen ? all.slice(0, -1) : all;
  const state = expectation(before);
  const from = cursor - typed.length;
  const fit = (list, start = typed) => list.filter((one) => one.text.toLowerCase().startsWith(start.toLowerCase()) && one.text !== typed);
  if (state === "operator") return { from, list: fit(operatorsFor(before.at(-1), entity, entities).map((one) => ({ text: one, detail: "" }))) };
  if (state === "join") return { from, list: fit(joins.map((one) => ({ text: one, detail: "" }))) };
  const place = follow(typed, entity, entities);
  const keys = place ? keyList(place, typed) : [];
  const more = state === "key" ? words : ["nil", "TRUE", "FALSE", "CAST(", "NOW()"];
  const plain = typed.includes(".") ? [] : fit(more.map((one) => ({ text: one, detail: "" })));
  return { from, list: [...keys, ...(typed || state === "key" ? plain : fit(more.map((one) => ({ text: one, detail: "" }))))].slice(0, 60) };
}

function keyList({ within, last }, typed) {
  const head = typed.slice(0, typed.length - last.length);
  const ofMany = head && within.every((one) => !one.elements) ? ["@count"] : [];
  const named = within.filter((one) => one.name.toLowerCase().startsWith(last.toLowerCase()) && one.name !== last);
  return [
    ...named.map((one) => ({ text: head + one.name, detail: detail(one) })),
    ...ofMany.filter((one) => last && one.startsWith(last) && one !== last).map((one) => ({ text: head + one, detail: "number" })),
  ];
}

const detail = (property) =>
  property.type === "relationship" ? `${property.isToMany ? "many" : "one"} ${property.destination}` : property.type;

function operatorsFor(key, entity, entities) {
  const place = follow(key ?? "", entity, entities);
  const property = place?.within.find((one) => one.name === place.last);
  if (property?.type === "String") return ofTexts;
  if (property?.type === "relationship" && property.isToMany) return [".@count", "CONTAINS"];
  if (["Boolean", "relationship"].includes(property?.type)) return ["==", "!="];
  return comparisons;
}
