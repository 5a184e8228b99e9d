// The menu of the note that is open in a pane. The palette has its entries, too.

import { askLines } from "../view/dialog.js";
import { say } from "../view/say.js";
import { complain, toast } from "../view/toast.js";
import { commandKey } from "../view/words.js";
import { movingActs } from "../editor/moving.js";
import { textActs } from "../editor/toolbar.js";
import { post, Refused, Unreachable } from "../server/call.js";
import { MARKS, markItems } from "../model/marks.js";
import { state } from "../model/state.js";
import { hasRoomForTabs } from "../model/tabs.js";
import { restoreNote, trashNotes } from "../acts/acts.js";
import { askDeleteForever, askWhere } from "../acts/asking.js";
import { download } from "../acts/downloading.js";
import { copyOf } from "../acts/kit.js";
import { sideItems } from "./beside.js";
import { change } from "./changes.js";
import { extractingItems } from "./extracting.js";
import { openFinding } from "./finding.js";
import { openHistory } from "./history.js";
import { openMap } from "./map.js";
import { setMode } from "./modes.js";
import { openOutline } from "./outline.js";
import { front } from "./panes.js";
import { choosePicture } from "./picture.js";
import { addProperty } from "./properties.js";
import { openPublishing } from "./publishing.js";
import { takeActs } from "./switcher.js";
import { leaveOpen, openInTab } from "./tabActs.js";

export function noteMenu(pane) {
  const { note } = pane;
  if (!note) return [];
  if (note.trashed) {
    return [
      { name: say`Find in this note…`, icon: "search", keys: `${commandKey} F`, run: () => openFinding(pane) },
      { name: say`Restore`, icon: "rotate-ccw", run: () => restoreNote(note) },
      { name: say`Delete for good…`, icon: "trash-2", isBad: true, run: () => askDeleteForever(note) },
    ];
  }
  const save = (as, metadata) => () => exportNote(pane, as, metadata);
  // A picture may say where and when it was taken; it leaves without that, unless somebody asks for it.
  const whole = note.attachment ? [{ name: say`Export as HTML, with the picture's place and date`, icon: "file-down", run: save("html", "keep") }] : [];
  return [
    { name: say`Save now`, icon: "check", keys: `${commandKey} S`, run: () => pane.saveNow() },
    { name: say`Find in this note…`, icon: "search", keys: `${commandKey} F`, run: () => openFinding(pane) },
    { name: say`Headings…`, icon: "heading", keys: "Alt O", run: () => openOutline() },
    { name: say`Map around this note…`, icon: "map", run: () => openMap(note) },
    hasRoomForTabs() && { name: say`Open in a new tab`, icon: "plus", run: () => openInTab(note.id, { title: note.title }) },
    ...sideItems(),
    { name: say`Write without distraction`, icon: "pencil", keys: "Alt F", run: () => setMode("focus") },
    { name: say`Read`, icon: "eye", keys: "Alt L", run: () => setMode("reading") },
    "line",
    ...markItems(note, MARKS.filter(({ isButton }) => !isButton), (edit, said) => change(pane, edit, said, note)),
    { name: say`Move to…`, icon: "folder-input", run: () => askWhere([note]) },
    { name: note.attachment ? say`Replace the picture…` : say`Add a picture…`, icon: "image-plus", run: () => choosePicture(note) },
    { name: say`History…`, icon: "history", run: () => openHistory(note) },
    { name: say`Other names…`, icon: "tag", run: () => askNames(pane) },
    { name: say`Add a property`, icon: "list", keys: "Alt P", run: () => addProperty(pane) },
    ...extractingItems(pane),
    { name: say`Make a copy`, icon: "copy", run: async () => { await pane.saveNow(); copyOf(note); } },
    { name: say`Copy link to this note`, icon: "link-2", run: () => copyLink(note) },
    { name: say`Copy as Markdown`, icon: "copy", run: () => copyMarkdown(pane) },
    { name: say`Publish…`, icon: "globe", run: () => openPublishing(pane) },
    "line",
    { name: say`Export as Markdown`, icon: "file-down", run: save("markdown") },
    { name: say`Export as HTML`, icon: "file-down", run: save("html") },
    ...whole,
    { name: say`Print…`, icon: "printer", run: () => print() },
    // With pandoc at the server.
    state.overview?.makesWordFiles && { name: say`Export as DOCX`, icon: "file-down", run: save("docx") },
    { name: say`Export as RTF`, icon: "file-down", run: save("rtf") },
    "line",
    { name: say`Move to trash`, icon: "trash-2", isBad: true, run: () => trashOpen(pane) },
  ];
}

takeActs(() => noteMenu(front()));
takeActs(() => (front().note && !front().note.trashed && front().editor?.isEditable ? [...textActs(front().editor), ...movingActs(front().editor)] : []));

async function trashOpen(pane) {
  const { note } = pane;
  await pane.saveNow();
  // Another may have been opened while it was saved.
  if (state.noteID === note.id) leaveOpen();
  await trashNotes([note]);
}

async function exportNote(pane, as, metadata) {
  const { note } = pane;
  await pane.saveNow();
  try {
    await download(`/notes/${note.id}/export?as=${as}${metadata ? `&metadata=${metadata}` : ""}`);
  } catch (error) {
    return complain(error);
  }
  if (note.attachment && !takesPicture(as, note.attachment)) sayLeftOut(note);
}

/// Markdown comes with its pictures beside it; RTF takes two kinds.
const takesPicture = (as, { type }) => as !== "rtf" || (as === "rtf" && ["image/jpeg", "image/png", "image/heic"].includes(type));

function sayLeftOut(note) {
  const save = () => {
    const link = document.createElement("a");
    link.href = `/api/notes/${note.id}/attachment`;
    link.download = note.attachment.name;
    link.click();
  };
  toast(say`The file has no place for the picture of the note.`, { act: { name: say`Save the picture`, run: save } });
}

/// Other names by which texts can link to the note.
async function askNames(pane) {
  const { note } = pane;
  const aliases = await askLines({ title: say`Other names of the note`, label: say`Names, each on a line of its own`, lines: note.aliases ?? [], yes: say`Save` });
  if (aliases) change(pane, { aliases }, undefined, note);
}

/// The selected text, or all of it.
async function copyMarkdown(pane) {
  try {
    const { markdown } = await post("/markdown/written", { document: pane.field.selectedDocument() });
    await navigator.clipboard.writeText(markdown);
    toast(say`Copied as Markdown`);
  } catch (error) {
    // Without HTTPS a browser has no clipboard at all.
    complain(error instanceof Refused || error instanceof Unreachable ? error : new Error(say`The browser does not allow copying.`));
  }
}

async function copyLink(note) {
  try {
    await navigator.clipboard.writeText(`${location.origin}/#/all/${note.id}`);
    toast(say`Link copied`);
  } catch {
    toast(say`The browser does not allow copying.`, { kind: "bad" });
  }
}
