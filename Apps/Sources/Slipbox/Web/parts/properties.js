// The properties of the open note: typed fields between its facts and its text, which fold with the facts.
//
//   ⌗ rating      4
//   ▤ genre       myth ×  epic ×  [ Add ]
//   ⊞ [ name ] [ kind ]                       while one is added
//
// A field keeps what is typed until it is left, or Enter is pressed.

import { isComposing } from "../view/composing.js";
import { askText } from "../view/dialog.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { keepText } from "../view/keptTexts.js";
import { openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { isNamed } from "../server/properties.js";
import { dateField, iconOf, isNumber, KINDS, propertyNamed, propertyNames, searchOf, shownValue } from "../model/properties.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { showColumn } from "./columns.js";
import { change, leaveWith } from "./changes.js";
import { createNote } from "./making.js";
import { leaveMode } from "./modes.js";
import { putInAlso } from "./paneTold.js";
import { runSearch } from "./search.js";
import { openSwitcher } from "./switcher.js";

// A pane keeps in `properties` what is typed and not sent yet, {note, name, text}, what is being added, {note, name, kind},
// and the name of the property that is `wanted`: its field takes the keys when it is drawn.

const ofOpen = ({ note }) => note?.properties ?? [];
const edit = (pane, property, body, said) => change(pane, { properties: [{ name: property.name, ...body }] }, said);

export function propertiesView(pane) {
  const { note, properties: { adding } } = pane;
  const isWritten = !note.trashed;
  const isAdding = adding?.note === note.id;
  if (!note.properties?.length && !isAdding) return null;
  return html`
    <div class=${state.areFactsTold ? "properties told" : "properties"} role="group" aria-label=${say`Properties of the note`}>
      ${(note.properties ?? []).map((property, index) => keyed(property.name, html`
        <div class="property">
          ${nameView(pane, property, index, isWritten)}
          <div class=${`property-value of-${property.kind}`} data-property=${property.name} ref=${(box) => queueMicrotask(() => takeKeys(pane, box))}>${isWritten ? fieldOf(pane, property) : shownView(property)}</div>
        </div>`))}
      ${isAdding ? addingView(pane) : null}
    </div>`;
}

/// The quiet way to the first property, beside the keywords.
export const addPropertyButton = (pane) => html`
  <button class="chip-button add-property" @click=${() => addProperty(pane)}>${icon("plus")}${say`Property`}</button>`;

const nameView = (pane, property, index, isWritten) => (isWritten
  ? html`<button class="plain property-name" aria-haspopup="menu" aria-label=${say`Property ${property.name}`} title=${property.name}
      @click=${(event) => openMenu(event.currentTarget, menuOf(pane, property, index), say`Property ${property.name}`)}>${icon(iconOf(property.kind))}<span>${property.name}</span></button>`
  : html`<span class="property-name">${icon(iconOf(property.kind))}<span>${property.name}</span></span>`);

// MARK: - Values

function shownView(property) {
  if (property.kind === "other") return html`<pre class="property-other">${property.value.trim()}</pre>`;
  if (property.note) return linkTo(property);
  return html`<span class="property-text" dir="auto">${shownValue(property)}</span>`;
}

function fieldOf(pane, property) {
  switch (property.kind) {
    case "checkbox":
      return html`<label class="property-check"><input type="checkbox" class="property-field" aria-label=${property.name} .checked=${property.value === "true"}
        @change=${(event) => edit(pane, property, { value: String(event.target.checked) })} /></label>`;
    case "list": return listField(pane, property);
    case "link": return linkField(pane, property);
    case "other":
      return html`<pre class="property-other" tabindex="0" role="region" aria-label=${say`${property.name}, as it was imported`} title=${say`Kept as it was imported. Change its type to edit it.`}>${property.value.trim()}</pre>`;
    case "date": return dateField(property.value) ? lineField(pane, property, dateField(property.value)) : lineField(pane, property, "text");
    case "number": return lineField(pane, property, "text");
    default: return textField(pane, property);
  }
}

const isTyped = ({ note, properties: { typed } }, property) => typed !== null && typed.note === note?.id && typed.name === property.name;
const textOf = (pane, property) => (isTyped(pane, property) ? pane.properties.typed.text : property.value);

/// One line; `type` is that of the browser's field.
const lineField = (pane, property, type) => keyed(type, html`
  <input class=${`property-field of-${property.kind}`} type=${type} dir="auto" aria-label=${property.name} autocomplete="off" maxlength="8000" placeholder=${type === "text" ? say`Empty` : ""}
    inputmode=${property.kind === "number" ? "decimal" : null} max=${type === "date" ? "9999-12-31" : type === "datetime-local" ? "9999-12-31T23:59" : null} .value=${textOf(pane, property)}
    @input=${(event) => take(pane, property, event.target.value)} @blur=${() => finish(pane, property)} @keydown=${(event) => press(event, pane, property)} />`);

/// A text may be longer than a line, and has no line breaks of its own.
const textField = (pane, property) => html`
  <textarea class="property-field" rows="1" dir="auto" aria-label=${property.name} maxlength="8000" placeholder=${say`Empty`} .value=${textOf(pane, property)}
    @input=${(event) => take(pane, property, event.target.value)} @blur=${() => finish(pane, property)} @keydown=${(event) => press(event, pane, property)}></textarea>`;

function take(pane, { name }, text) {
  pane.properties.typed = { note: pane.note.id, name, text };
  changed();
}

/// Sends a value. One that the server refuses is in its field again, to be corrected.
async function send(pane, { name }, body, text) {
  const { id } = pane.note;
  if ((await edit(pane, { name }, body)) !== null || pane.properties.typed) return;
  pane.properties.typed = { note: id, name, text };
  changed();
}

leaveWith((pane) => {
  const property = ofOpen(pane).find((one) => isTyped(pane, one));
  if (property) (property.kind === "list" ? addItem : finish)(pane, property);
});

/// Sends what was typed; false if it is not a value of its kind, and stays to be corrected.
function finish(pane, property) {
  if (!isTyped(pane, property)) return true;
  const text = pane.properties.typed.text.replace(/\s*\n\s*/g, " ").trim();
  if (property.kind === "number" && text !== "" && !isNumber(text)) {
    complain(new Error(say`“${text}” is not a number, such as 4 or 3.5.`));
    return false;
  }
  pane.properties.typed = null;
  // Where others have taken the property away meanwhile, what was typed brings it back as it was.
  const isThere = ofOpen(pane).some((one) => isNamed(one, property.name));
  if (text !== property.value) send(pane, property, { ...(isThere ? {} : { kind: property.kind }), value: text }, text);
  changed();
  return true;
}

function press(event, pane, property) {
  if (isComposing(event)) return;
  if (event.key === "Enter") {
    event.preventDefault();
    if (finish(pane, property)) focusBehind(pane, property);
  } else if (event.key === "Escape" && isTyped(pane, property)) {
    event.preventDefault();
    event.stopPropagation();
    pane.properties.typed = null;
    changed();
  }
}

/// The field of the next property, or the button that adds one.
function focusBehind(pane, { name }) {
  const all = ofOpen(pane);
  const next = all[all.findIndex((one) => isNamed(one, name)) + 1];
  if (next) focusField(pane, next.name);
  else focusAddButton(pane);
}

const focusAddButton = (pane) => queueMicrotask(() => queueMicrotask(() => pane.element?.querySelector(".add-property")?.focus()));

function focusField(pane, name) {
  pane.properties.wanted = name;
  changed();
  queueMicrotask(() => queueMicrotask(() => takeKeys(pane, pane.element?.querySelector(`.property-value[data-property="${CSS.escape(name)}"]`))));
}

function takeKeys(pane, box) {
  const { wanted } = pane.properties;
  if (wanted === null || !box || !isNamed({ name: box.dataset.property }, wanted)) return;
  const field = box.querySelector(".property-field");
  if (!field) return;
  pane.properties.wanted = null;
  field.focus();
  field.select?.();
}

// MARK: - Lists

const listField = (pane, property) => html`
  ${(property.items ?? []).map((item, index) => keyed(`${index} ${item}`, html`
    <span class="chip property-item"><span dir="auto">${item}</span><button class="plain tiny" aria-label=${say`Remove ${item} from ${property.name}`}
      @click=${() => setItems(pane, property, property.items.filter((_, at) => at !== index))}>${icon("x")}</button></span>`))}
  <input type="text" class="property-field item" dir="auto" aria-label=${say`Add to ${property.name}`} placeholder=${property.items?.length ? say`Add` : say`Empty`} autocomplete="off" maxlength="1000"
    .value=${isTyped(pane, property) ? pane.properties.typed.text : ""} @input=${(event) => take(pane, property, event.target.value)} @blur=${() => addItem(pane, property)}
    @keydown=${(event) => pressItem(event, pane, property)} />`;

const withItems = (items) => ({ kind: "list", items });
const setItems = (pane, property, items) => edit(pane, property, withItems(items));

function addItem(pane, property) {
  if (!isTyped(pane, property)) return false;
  const item = pane.properties.typed.text.trim();
  pane.properties.typed = null;
  const isThere = (property.items ?? []).includes(item);
  if (isThere) toast(say`“${item}” is in the list already.`);
  if (item && !isThere) send(pane, property, withItems([...(property.items ?? []), item]), item);
  else changed();
  return item !== "";
}

function pressItem(event, pane, property) {
  if (isComposing(event)) return;
  if (event.key === "Backspace" && event.target.value === "" && property.items?.length) {
    event.preventDefault();
    setItems(pane, property, property.items.slice(0, -1));
  } else if (event.key === "Enter" || (event.key === "," && event.target.value.trim())) {
    event.preventDefault();
    // Enter in an empty field: that was the last one.
    if (!addItem(pane, property) && event.key === "Enter") focusBehind(pane, property);
    else focusField(pane, property.name);
  } else if (event.key === "Escape" && event.target.value) {
    event.preventDefault();
    event.stopPropagation();
    pane.properties.typed = null;
    changed();
  }
}

// MARK: - Links

const linkTo = ({ note, value }) => html`<a class="property-link" dir="auto" href=${`#/${state.place === "trash" ? "all" : state.place}/${note}`}>${value}</a>`;

const linkField = (pane, property) => html`
  ${property.note ? linkTo(property) : property.value ? html`<span class="property-text missing" dir="auto" title=${say`There is no note of this title`}>${property.value}</span>
    <button class="plain property-act" @click=${() => makeNote(pane, property)}>${say`Create`}</button>` : null}
  <button class="plain property-field property-act" aria-label=${say`Choose the note of ${property.name}`} @click=${() => chooseNote(pane, property)}>${property.value ? say`Change…` : say`Choose a note…`}</button>`;

async function chooseNote(pane, property) {
  const note = await openSwitcher({ title: say`Link to a note`, notesOnly: true, without: pane.note.id });
  if (note) edit(pane, property, { kind: "link", note: note.id, title: note.title });
}

async function makeNote(pane, property) {
  const made = await createNote(property.value, pane.note?.folder);
  if (made) edit(pane, property, { kind: "link", note: made.id, title: property.value });
}

// MARK: - The menu of a property

function menuOf(pane, property, index) {
  const { name, kind } = property;
  return [
    { name: say`Rename…`, icon: "pencil", run: () => askRename(pane, property) },
    "line",
    ...KINDS.map((one) => ({ name: one.name, isOn: one.id === kind, run: () => setKind(pane, property, one) })),
    "line",
    { name: say`Move up`, icon: "arrow-up", isOff: index === 0, run: () => edit(pane, property, { place: index - 1 }) },
    { name: say`Move down`, icon: "arrow-down", isOff: index === ofOpen(pane).length - 1, run: () => edit(pane, property, { place: index + 1 }) },
    kind !== "other" && { name: say`Notes with this value`, icon: "search", run: () => { go("all", pane.note.id); runSearch(searchOf(property)); } },
    { name: say`Show in the list`, icon: "table", run: () => showColumn(name) },
    "line",
    { name: say`Remove`, icon: "trash-2", isBad: true, run: () => edit(pane, property, { removed: true }, say`Property “${name}” removed`) },
  ];
}

async function askRename(pane, property) {
  const newName = await askText({ title: say`Rename property`, label: say`Name`, value: property.name, yes: say`Rename` });
  if (newName && newName !== property.name) edit(pane, property, { newName });
}

async function setKind(pane, property, kind) {
  if (kind.id === property.kind) return;
  const result = await edit(pane, property, { kind: kind.id });
  if (result !== null) focusField(pane, property.name);
}

// MARK: - Adding

/// Unfolds the facts, which a mode hides, and asks for the name of a new property.
export function addProperty(pane) {
  if (!pane.note || pane.note.trashed) return;
  if (state.mode) leaveMode();
  state.areFactsTold = true;
  keepText("facts", "told");
  pane.properties.adding = { note: pane.note.id, name: "", kind: null };
  changed();
}

const kindOf = (adding) => adding.kind ?? propertyNamed(adding.name)?.kind ?? "text";

function addingView(pane) {
  const { adding } = pane.properties;
  const kind = kindOf(adding);
  const names = propertyNames().filter((one) => !ofOpen(pane).some((has) => isNamed(has, one.name)));
  return html`
  <form class="property adding" @submit=${(event) => { event.preventDefault(); add(pane); }} @keydown=${(event) => pressAdding(event, pane)}
    @focusout=${(event) => event.currentTarget.contains(event.relatedTarget) || !event.relatedTarget || (adding.name.trim() ? null : stopAdding(pane))}>
    <input type="text" class="property-new" list=${pane.idOf("property-names")} aria-label=${say`Name of the property`} placeholder=${say`Name`} autocomplete="off" maxlength="100" .value=${adding.name}
      ref=${(input) => queueMicrotask(() => input.focus())} @input=${(event) => { adding.name = event.target.value; changed(); }} />
    <datalist id=${pane.idOf("property-names")}>${names.map(({ name }) => html`<option value=${name}></option>`)}</datalist>
    <span class="property-kinds">
      <select aria-label=${say`Type of the property`} .value=${kind} @change=${(event) => { adding.kind = event.target.value; changed(); }}>
        ${KINDS.map(({ id, name }) => html`<option value=${id} ?selected=${id === kind}>${name}</option>`)}</select>
      <button class="small-text" ?disabled=${!adding.name.trim()}>${say`Add`}</button>
      <button type="button" class="small-text" @click=${() => stopAdding(pane)}>${say`Cancel`}</button>
    </span>
  </form>`;
}

function pressAdding(event, pane) {
  if (isComposing(event) || event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  stopAdding(pane);
}

function stopAdding(pane) {
  pane.properties.adding = null;
  changed();
  focusAddButton(pane);
}

async function add(pane) {
  const { adding } = pane.properties;
  const name = adding.name.trim();
  if (!name) return;
  const known = ofOpen(pane).find((one) => isNamed(one, name));
  pane.properties.adding = null;
  if (known) {
    toast(say`The note has a property “${known.name}” already.`);
    return focusField(pane, known.name);
  }
  pane.properties.wanted = name;
  const result = await change(pane, { properties: [{ name, kind: kindOf(adding) }] });
  if (result !== null) return;
  // The name was refused, and is there to be mended.
  Object.assign(pane.properties, { wanted: null, adding });
  changed();
}

// The slash menu has it, too.
putInAlso((pane) => [{ name: say`Property`, drawing: "list", words: say`front matter field yaml`, act: () => addProperty(pane) }]);
