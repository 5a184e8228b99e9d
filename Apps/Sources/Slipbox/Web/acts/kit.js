// The note of the day, any note, and notes from a title, from templates and from another note.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { titleWith } from "../view/titleRoom.js";
import { complain, meanwhile, toast } from "../view/toast.js";
import { titleOf, utcOffset } from "../view/words.js";
import { get, newID, patch, post, Refused, Unreachable, upload } from "../server/call.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { refreshAll } from "./acts.js";

const place = () => (state.place === "trash" ? "all" : state.place);

async function told(text, work) {
  try {
    return await meanwhile(text, work());
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    complain(error);
    return null;
  }
}

/// The note whose title is the date, made where it is not there; gives its identifier.
export async function openToday() {
  // Swedes write days as everybody's computers do: 2026-11-21.
  const note = await told(say`Opening the note of today…`, () => post("/today", { day: new Date().toLocaleDateString("sv"), utcOffset: utcOffset() }));
  if (!note) return null;
  go("all", note.id);
  refreshAll();
  return note.id;
}

export async function openRandom() {
  const found = await told(say`Looking for a note…`, () => get(`/random?in=${encodeURIComponent(place())}`));
  if (found?.id) go(place(), found.id);
  else if (found) toast(say`There is no note here yet.`);
}

export async function newFromTemplate() {
  const templates = await told(say`Looking for templates…`, () => get("/templates"));
  if (!templates) return;
  const chosen = await openDialog({
    title: say`New note from a template`,
    kind: "tall",
    content: (close) => (templates.length === 0
      ? html`<p class="dialog-text">${say`There is no template yet. Open a note and choose “Use as a template” in its menu. In a template, {{date}}, {{time}}, {{weekday}} and {{title}} stand for what they say.`}</p>`
      : html`<div class="choices">${templates.map((note, index) => keyed(note.id, html`
        <button class="choice" ?data-first=${index === 0} @click=${() => close(note)}>${icon("file-plus")}${titleOf(note)}</button>`))}</div>`),
  });
  if (!chosen) return;
  await open(say`Making the note…`, () => post("/notes", { id: newID(), template: chosen.id, utcOffset: utcOffset(), ...folderHere() }));
}

export const newTitled = (title) => open(say`Making the note…`, () => post("/notes", { id: newID(), title, ...folderHere() }));

/// Another note that says the same, beside the first.
export const copyOf = (note) => open(say`Making the copy…`, async () => {
  const { title, document, folder, status, keywords, attachment } = await get(`/notes/${note.id}`);
  const copy = await post("/notes", { id: newID(), title: titleWith(titleOf({ title }), ` ${say`(copy)`}`), document, status, propertiesOf: note.id, ...(folder ? { folder: folder.id } : {}) });
  if (keywords.length > 0) await patch(`/notes/${copy.id}`, { addKeywords: keywords.map(({ id }) => ({ id })) });
  if (attachment) await upload(`/notes/${copy.id}/attachment`, await pictureOf(note, attachment), () => {});
  return copy;
});

async function pictureOf(note, { name }) {
  const answer = await fetch(`/api/notes/${note.id}/attachment`);
  if (!answer.ok) throw new Refused(answer.status, { error: say`The picture could not be copied.` });
  const picture = await answer.blob();
  return new File([picture], name ?? say`Picture`, { type: picture.type });
}

const folderHere = () => (state.place.startsWith("folder:") ? { folder: state.place.slice(7) } : {});

async function open(text, making) {
  const note = await told(text, making);
  if (!note) return;
  go(place(), note.id);
  refreshAll();
}
