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
import { html, keyed } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { isNamed } from "../server/properties.js";
import { dateField, iconOf, isNumber, KINDS, propertyNamed, propertyNames, searchOf, shownValue } from "../model/properties.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { showColumn } from "./columns.js";
import { change, createNote, page, putInAlso } from "./note.js";
import { runSearch } from "./search.js";
import { openSwitcher } from "./switcher.js";

/// The property whose field has words that are not sent yet, and these: {note, name, text}.
let typed = null;
/// The property that is being added: {note, name, kind}.
let adding = null;
/// The property whose field takes the keys when it is drawn.
let wanted = null;

const ofOpen = () => page.note?.properties ?? [];
const edit = (property, body, said) => change({ properties: [{ name: property.name, ...body }] }, said);

export function propertiesView(note) {
  const isWritten = !note.trashed;
  const isAdding = adding?.note === note.id;
  if (!note.properties?.length && !isAdding) return null;
  return html`
    <div class=${page.isTold ? "properties told" : "properties"} role="group" aria-label="Properties of the note">
      ${(note.properties ?? []).map((property, index) => keyed(property.name, html`
        <div class="property">
          ${nameView(property, index, isWritten)}
          <div class=${`property-value of-${property.kind}`} data-property=${property.name} ref=${(box) => queueMicrotask(() => takeKeys(box))}>${isWritten ? fieldOf(property) : shownView(property)}</div>
        </div>`))}
      ${isAdding ? addingView() : null}
    </div>`;
}

/// The quiet way to the first property, beside the keywords.
export const addPropertyButton = () => html`
  <button class="chip-button add-property" @click=${addProperty}>${icon("plus")}Property</button>`;

const nameView = (property, index, isWritten) => (isWritten
  ? html`<button class="plain property-name" aria-haspopup="menu" aria-label=${`Property ${property.name}`} title=${property.name}
      @click=${(event) => openMenu(event.currentTarget, menuOf(property, index), `Property ${property.name}`)}>${icon(iconOf(property.kind))}<span>${property.name}</span></button>`
  : html`<span class="property-name">${icon(iconOf(property.kind))}<span>${property.name}</span></span>`);

// MARK: - Values

function shownView(property) {
  if (property.kind === "other") return html`<pre class="property-other">${property.value.trim()}</pre>`;
  if (property.note) return linkTo(property);
  return html`<span class="property-text">${shownValue(property)}</span>`;
}

function fieldOf(property) {
  switch (property.kind) {
    case "checkbox":
      return html`<label class="property-check"><input type="checkbox" class="property-field" aria-label=${property.name} .checked=${property.value === "true"}
        @change=${(event) => edit(property, { value: String(event.target.checked) })} /></label>`;
    case "list": return listField(property);
    case "link": return linkField(property);
    case "other":
      return html`<pre class="property-other" tabindex="0" role="region" aria-label=${`${property.name}, as it was imported`} title="Kept as it was imported. Change its type to edit it.">${property.value.trim()}</pre>`;
    case "date": return dateField(property.value) ? lineField(property, dateField(property.value)) : lineField(property, "text");
    case "number": return lineField(property, "text");
    default: return textField(property);
  }
}

const textOf = (property) => (typed?.note === page.note?.id && typed.name === property.name ? typed.text : property.value);

/// One line; `type` is that of the browser's field.
const lineField = (property, type) => keyed(type, html`
  <input class=${`property-field of-${property.kind}`} type=${type} aria-label=${property.name} autocomplete="off" maxlength="8000" placeholder=${type === "text" ? "Empty" : ""}
    inputmode=${property.kind === "number" ? "decimal" : null} max=${type === "date" ? "9999-12-31" : type === "datetime-local" ? "9999-12-31T23:59" : null} .value=${textOf(property)}
    @input=${(event) => take(property, event.target.value)} @blur=${() => finish(property)} @keydown=${(event) => press(event, property)} />`);

/// A text may be longer than a line, and has no line breaks of its own.
const textField = (property) => html`
  <textarea class="property-field" rows="1" aria-label=${property.name} maxlength="8000" placeholder="Empty" .value=${textOf(property)}
    @input=${(event) => take(property, event.target.value)} @blur=${() => finish(property)} @keydown=${(event) => press(event, property)}></textarea>`;

function take({ name }, text) {
  typed = { note: page.note.id, name, text };
  changed();
}

/// Sends what was typed; false if it is not a value of its kind, and stays to be corrected.
function finish(property) {
  if (typed?.note !== page.note?.id || typed.name !== property.name) return true;
  const text = typed.text.replace(/\s*\n\s*/g, " ").trim();
  if (property.kind === "number" && text !== "" && !isNumber(text)) {
    complain(new Error(`“${text}” is not a number, such as 4 or 3.5.`));
    return false;
  }
  typed = null;
  if (text !== property.value) edit(property, { value: text });
  changed();
  return true;
}

function press(event, property) {
  if (isComposing(event)) return;
  if (event.key === "Enter") {
    event.preventDefault();
    if (finish(property)) focusBehind(property);
  } else if (event.key === "Escape" && typed) {
    event.preventDefault();
    event.stopPropagation();
    typed = null;
    changed();
  }
}

/// The field of the next property, or the button that adds one.
function focusBehind({ name }) {
  const all = ofOpen();
  const next = all[all.findIndex((one) => isNamed(one, name)) + 1];
  if (next) focusField(next.name);
  else queueMicrotask(() => queueMicrotask(() => document.querySelector(".add-property")?.focus()));
}

function focusField(name) {
  wanted = name;
  changed();
  queueMicrotask(() => queueMicrotask(() => takeKeys(document.querySelector(`.property-value[data-property="${CSS.escape(name)}"]`))));
}

function takeKeys(box) {
  if (wanted === null || !box || !isNamed({ name: box.dataset.property }, wanted)) return;
  const field = box.querySelector(".property-field");
  if (!field) return;
  wanted = null;
  field.focus();
  field.select?.();
}

// MARK: - Lists

const listField = (property) => html`
  ${(property.items ?? []).map((item, index) => keyed(`${index} ${item}`, html`
    <span class="chip property-item"><span>${item}</span><button class="plain tiny" aria-label=${`Remove ${item} from ${property.name}`}
      @click=${() => setItems(property, property.items.filter((_, at) => at !== index))}>${icon("x")}</button></span>`))}
  <input type="text" class="property-field item" aria-label=${`Add to ${property.name}`} placeholder=${property.items?.length ? "Add" : "Empty"} autocomplete="off" maxlength="1000"
    .value=${typed?.name === property.name ? typed.text : ""} @input=${(event) => take(property, event.target.value)} @blur=${() => addItem(property)}
    @keydown=${(event) => pressItem(event, property)} />`;

const setItems = (property, items) => edit(property, { kind: "list", items });

function addItem(property) {
  const item = typed?.note === page.note?.id && typed.name === property.name ? typed.text.trim() : "";
  typed = null;
  if (item && !(property.items ?? []).includes(item)) setItems(property, [...(property.items ?? []), item]);
  else changed();
  return item !== "";
}

function pressItem(event, property) {
  if (isComposing(event)) return;
  if (event.key === "Backspace" && event.target.value === "" && property.items?.length) {
    event.preventDefault();
    setItems(property, property.items.slice(0, -1));
  } else if (event.key === "Enter" || (event.key === "," && event.target.value.trim())) {
    event.preventDefault();
    // Enter in an empty field: that was the last one.
    if (!addItem(property) && event.key === "Enter") focusBehind(property);
    else focusField(property.name);
  } else if (event.key === "Escape" && event.target.value) {
    event.preventDefault();
    event.stopPropagation();
    typed = null;
    changed();
  }
}

// MARK: - Links

const linkTo = ({ note, value }) => html`<a class="property-link" href=${`#/${state.place === "trash" ? "all" : state.place}/${note}`}>${value}</a>`;

const linkField = (property) => html`
  ${property.note ? linkTo(property) : property.value ? html`<span class="property-text missing" title="There is no note of this title">${property.value}</span>
    <button class="plain property-act" @click=${() => makeNote(property)}>Create</button>` : null}
  <button class="plain property-field property-act" aria-label=${`Choose the note of ${property.name}`} @click=${() => chooseNote(property)}>${property.value ? "Change…" : "Choose a note…"}</button>`;

async function chooseNote(property) {
  const note = await openSwitcher({ title: "Link to a note", notesOnly: true, without: page.note.id });
  if (note) edit(property, { kind: "link", note: note.id, title: note.title });
}

async function makeNote(property) {
  const made = await createNote(property.value);
  if (made) edit(property, { kind: "link", note: made.id, title: property.value });
}

// MARK: - The menu of a property

function menuOf(property, index) {
  const { name, kind } = property;
  return [
    { name: "Rename…", icon: "pencil", run: () => askRename(property) },
    "line",
    ...KINDS.map((one) => ({ name: one.name, isOn: one.id === kind, run: () => setKind(property, one) })),
    "line",
    { name: "Move up", icon: "arrow-up", isOff: index === 0, run: () => edit(property, { place: index - 1 }) },
    { name: "Move down", icon: "arrow-down", isOff: index === ofOpen().length - 1, run: () => edit(property, { place: index + 1 }) },
    kind !== "other" && { name: "Notes with this value", icon: "search", run: () => { go("all", page.note.id); runSearch(searchOf(property)); } },
    { name: "Show in the list", icon: "table", run: () => showColumn(name) },
    "line",
    { name: "Remove", icon: "trash-2", isBad: true, run: () => edit(property, { removed: true }, `Property “${name}” removed`) },
  ];
}

async function askRename(property) {
  const newName = await askText({ title: "Rename property", label: "Name", value: property.name, yes: "Rename" });
  if (newName && newName !== property.name) edit(property, { newName });
}

async function setKind(property, kind) {
  if (kind.id === property.kind) return;
  const result = await edit(property, { kind: kind.id });
  if (result !== null) focusField(property.name);
}

// MARK: - Adding

/// Unfolds the facts, and asks for the name of a new property.
export function addProperty() {
  if (!page.note || page.note.trashed) return;
  page.isTold = true;
  keepText("facts", "told");
  adding = { note: page.note.id, name: "", kind: null };
  changed();
}

const kindOfNew = () => adding.kind ?? propertyNamed(adding.name)?.kind ?? "text";

const addingView = () => html`
  <form class="property adding" @submit=${(event) => { event.preventDefault(); add(); }} @keydown=${pressAdding}
    @focusout=${(event) => event.currentTarget.contains(event.relatedTarget) || !event.relatedTarget || (adding.name.trim() ? null : stopAdding())}>
    <input type="text" class="property-new" list="property-names" aria-label="Name of the property" placeholder="Name" autocomplete="off" maxlength="100" .value=${adding.name}
      ref=${(input) => queueMicrotask(() => input.focus())} @input=${(event) => { adding.name = event.target.value; changed(); }} />
    <datalist id="property-names">${propertyNames().filter((one) => !ofOpen().some((has) => isNamed(has, one.name))).map(({ name }) => html`<option value=${name}></option>`)}</datalist>
    <span class="property-kinds">
      <select aria-label="Type of the property" .value=${kindOfNew()} @change=${(event) => { adding.kind = event.target.value; changed(); }}>
        ${KINDS.map(({ id, name }) => html`<option value=${id} ?selected=${id === kindOfNew()}>${name}</option>`)}</select>
      <button class="small-text" ?disabled=${!adding.name.trim()}>Add</button>
      <button type="button" class="small-text" @click=${stopAdding}>Cancel</button>
    </span>
  </form>`;

function pressAdding(event) {
  if (isComposing(event) || event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  stopAdding();
}

function stopAdding() {
  adding = null;
  changed();
  queueMicrotask(() => queueMicrotask(() => document.querySelector(".add-property")?.focus()));
}

async function add() {
  const name = adding.name.trim();
  if (!name) return;
  const known = ofOpen().find((one) => isNamed(one, name));
  const kind = kindOfNew();
  const wasAdding = adding;
  adding = null;
  if (known) {
    toast(`The note has a property “${known.name}” already.`);
    return focusField(known.name);
  }
  wanted = name;
  const result = await change({ properties: [{ name, kind }] });
  if (result !== null) return;
  // The name was refused, and is there to be mended.
  wanted = null;
  adding = wasAdding;
  changed();
}

// The slash menu has it, too.
putInAlso(() => [{ name: "Property", drawing: "list", words: "front matter field yaml", act: addProperty }]);
