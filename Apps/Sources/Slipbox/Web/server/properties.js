// The properties of a note as they will be when edits that wait have gone out.

import { plain } from "../view/words.js";

export const isNamed = (property, name) => plain(property.name.trim()) === plain(name.trim());

/// `edits` are those of the server: {name, newName?, kind?, value?, items?, note?, place?, removed?}, one after the other.
export const propertiesAfter = (properties, edits) => edits.reduce(after, properties);

function after(properties, edit) {
  const at = properties.findIndex((one) => isNamed(one, edit.name));
  if (edit.removed) return properties.filter((_, index) => index !== at);
  // It has the new name already, or is gone.
  if (at < 0 && edit.newName && edit.value === undefined) return properties;
  const known = properties[at] ?? { name: edit.name.trim(), kind: "text", value: "", items: null, note: null };
  const changed = withValue({ ...known, name: edit.newName?.trim() || known.name }, edit);
  const others = properties.filter((_, index) => index !== at);
  const place = edit.place ?? (at < 0 ? others.length : at);
  return [...others.slice(0, place), changed, ...others.slice(place)];
}

function withValue(property, { kind = property.kind, value = property.value, items, note = null, title }) {
  // Without a value of its own the property says the same in another kind.
  const isSame = kind === property.kind && value === property.value && !items && !note;
  if (isSame) return property;
  const written = items ?? (kind === "list" ? value.split(",").map((item) => item.trim()).filter(Boolean) : null);
  return { ...property, kind, value: items ? items.join(", ") : title ?? value, items: written, note };
}
