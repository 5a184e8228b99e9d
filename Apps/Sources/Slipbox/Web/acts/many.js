// What is done with many notes at once.

import { askText, openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { counted, titleOf } from "../view/words.js";
import { post, Refused, Unreachable } from "../server/call.js";
import { state } from "../model/state.js";
import { search } from "../model/searching.js";
import { touch } from "../model/untouched.js";
import { perform, quoted, refreshAll, remember, undoOf } from "./acts.js";

/// At the server.
const MOST_MERGED = 100;

const ids = (notes) => notes.map((note) => note.id);

export const editNotes = (notes, edit, said) =>
  perform({ method: "POST", path: "/notes/edit", body: { notes: ids(notes), edit } }, say`${counted(notes.length, "note", "notes")}: ${said}`);

export async function askKeyword(notes) {
  const known = state.overview?.keywords.top.map((keyword) => keyword.name) ?? [];
  const had = new Set(notes.flatMap((note) => note.keywords ?? []).map((keyword) => keyword.name));
  const name = await askText({
    title: say`Keyword for ${counted(notes.length, "note", "notes")}`,
    label: say`Name (-name removes it)`,
    yes: say`Apply`,
    choices: [...known, ...[...had].map((name) => `-${name}`)],
  });
  if (!name) return;
  if (!name.startsWith("-")) return editNotes(notes, { addKeywords: [{ name }] }, say`keyword “${name}” added`);
  const wanted = name.slice(1).trim().toLowerCase();
  const found = notes.flatMap((note) => note.keywords ?? []).find((keyword) => keyword.name.toLowerCase() === wanted);
  if (!found) return toast(say`None of the notes has the keyword “${wanted}”.`);
  await editNotes(notes, { removeKeywords: [found.id] }, say`keyword “${found.name}” removed`);
}

/// The texts of several notes come into one of them, and the others go to the trash.
export async function askMerge(notes) {
  if (notes.length > MOST_MERGED) {
    toast(say`At most ${MOST_MERGED} notes can be merged at once; ${notes.length} are chosen.`);
    return null;
  }
  const first = await openDialog({
    title: say`Merge ${counted(notes.length, "note", "notes")}`,
    kind: "tall",
    content: (close) => html`
      <p class="dialog-text">${say`Choose the note that keeps its name. The texts of the others follow in it, each under its title, and links to them lead there. The others go to the trash.`}</p>
      <div class="choices">${notes.map((note, index) => keyed(note.id, html`
        <button class="choice" ?data-first=${index === 0} @click=${() => close(note)}>${icon("file-text")}<span class="choice-name">${titleOf(note)}</span></button>`))}</div>`,
  });
  if (!first) return null;
  const others = notes.filter((note) => note !== first);
  for (const note of notes) touch(note.id);
  return perform({ method: "POST", path: "/notes/merge", body: { notes: ids([first, ...others]) } }, say`${counted(notes.length, "note", "notes")} merged into ${quoted(titleOf(first))}`);
}

let replaced = null;

/// What was replaced by the search that is asked now, which finds nothing any more: {said, undo}.
export function replacedHere() {
  const undo = replaced?.text === search.text ? undoOf(replaced.done) : null;
  return undo && { said: replaced.said, undo };
}

/// Says how many there are before anything is changed.
export async function askReplace(notes) {
  let told = "";
  let isNowhere = false;
  const wanted = { find: "", replace: "", matchCase: false };
  let timer;
  const body = (more) => ({ notes: ids(notes), ...wanted, ...more });
  const count = (draw) => {
    clearTimeout(timer);
    isNowhere = false;
    if (!wanted.find) {
      told = "";
      return draw();
    }
    timer = setTimeout(async () => {
      const { find, matchCase } = wanted;
      const trial = await post("/notes/replace", body({ trial: true })).catch((error) => ({ error }));
      // Something else was typed since.
      if (find !== wanted.find || matchCase !== wanted.matchCase) return;
      isNowhere = trial.count === 0;
      told = trial.error ? trial.error.message : say`${counted(trial.count, "match", "matches")} in ${counted(trial.notes, "note", "notes")}`;
      draw();
    }, 200);
  };
  const isWanted = await openDialog({
    title: say`Replace in ${counted(notes.length, "note", "notes")}`,
    kind: "small",
    content: (close, draw) => html`
      <form class="dialog-form" @submit=${(event) => { event.preventDefault(); if (wanted.find && !isNowhere) close(true); }}>
        <label>${say`Find`}<input data-first type="text" autocomplete="off" required .value=${wanted.find} @input=${(event) => { wanted.find = event.target.value; count(draw); }} /></label>
        <label>${say`Replace with`}<input type="text" autocomplete="off" placeholder=${say`Nothing`} .value=${wanted.replace} @input=${(event) => (wanted.replace = event.target.value)} /></label>
        <label class="check"><input type="checkbox" .checked=${wanted.matchCase} @change=${(event) => { wanted.matchCase = event.target.checked; count(draw); }} />${say`Match case`}</label>
        <p class="faint" role="status">${told}</p>
        <footer class="dialog-foot"><button type="button" @click=${() => close()}>${say`Cancel`}</button><button class="main" ?disabled=${isNowhere}>${say`Replace all`}</button></footer>
      </form>`,
  });
  if (!isWanted) return;
  try {
    const done = await post("/notes/replace", body());
    const said = say`${counted(done.count, "match", "matches")} in ${counted(done.notes, "note", "notes")} replaced`;
    if (done.undo) replaced = { text: search.text, said, done: remember(done.undo, said) };
    else toast(say`No matches in these notes.`);
    refreshAll();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    complain(error);
  }
}
