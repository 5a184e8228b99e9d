// Ways to make several notes of one: a part of the text becomes a note, or each section does.

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { toast } from "../view/toast.js";
import { counted, titleOf } from "../view/words.js";
import { extract } from "../editor/extracting.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { perform, quoted, refreshAll } from "../acts/acts.js";
import { makeNote } from "./making.js";

/// For the menu of a note, and so for the palette.
export const extractingItems = (pane) => (isWritten(pane) ? [
  { name: say`Extract to a new note`, icon: "file-plus", run: () => extractPart(pane) },
  { name: say`Split at headings…`, icon: "between-horizontal-end", run: () => askSplit(pane) },
] : []);

const isWritten = ({ note, editor }) => Boolean(note) && !note.trashed && Boolean(editor?.isEditable);

async function extractPart(pane) {
  const { folder } = pane.note;
  // If a note is refused, `makeNote` has said so, and the text is as it was.
  const make = async (body) => (await makeNote({ ...body, folder }).catch(() => null))?.id;
  let wasAsked = false;
  const made = await extract(pane.editor, (body) => ((wasAsked = true), make(body)));
  if (!made) return void (wasAsked || toast(say`Put the caret into what shall become a note, or select it.`));
  const open = { name: say`Open`, run: () => go(state.place === "trash" ? "all" : state.place, made.id) };
  const said = say`Note ${quoted(made.title || say`Untitled`)} made`;
  if (made.isReplaced) toast(said, { act: open });
  else toast(say`${said}. The text has changed meanwhile, and still has these words.`, { act: open });
  refreshAll();
}

const LEVELS = [say`Titles`, say`Headings`, say`Subheadings`, say`Headings 4`, say`Headings 5`, say`Headings 6`];
/// The server makes no more at once.
const MOST_SECTIONS = 200;

/// The headings of each level that are in no list, quote or callout: {level, titles}.
function levelsOf({ doc }) {
  const headings = doc.children.filter(({ type }) => type.name === "heading");
  return LEVELS.map((_, index) => ({ level: index + 1, titles: headings.filter(({ attrs }) => attrs.level === index + 1).map((one) => one.textContent.trim() || say`Untitled`) }))
    .filter(({ titles }) => titles.length > 0);
}

async function askSplit(pane) {
  const { note } = pane;
  pane.field.settle();
  const levels = levelsOf(pane.editor.state);
  if (levels.length === 0) return toast(say`This note has no headings outside of lists and quotes.`);
  const chosen = await openDialog({
    title: say`Split at headings`,
    kind: "tall",
    content: (close) => html`
      <p class="dialog-text">${say`Each section becomes a note in the same folder, and a list of links takes its place.`}</p>
      <div class="choices">${levels.map(({ level, titles }, index) => keyed(level, html`
        <button class="choice" ?data-first=${index === 0} ?disabled=${titles.length > MOST_SECTIONS} @click=${() => close({ level, titles })}>${icon("heading")}
          <span class="choice-name">${LEVELS[level - 1]}: ${counted(titles.length, "note", "notes")}</span><span class="faint">${shortList(titles)}</span></button>`))}</div>`,
  });
  if (!chosen) return;
  await pane.saveNow();
  await perform({ method: "POST", path: `/notes/${note.id}/split`, body: { level: chosen.level }, note: note.id },
    say`${counted(chosen.titles.length, "note", "notes")} made of ${quoted(titleOf(note))}`);
}

const shortList = (titles) => titles.slice(0, 3).join(", ") + (titles.length > 3 ? "…" : "");
