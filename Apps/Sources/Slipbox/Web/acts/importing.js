// What other programs have written comes in, and everything goes out.
//
//   a few texts                          a form, and the first of them is opened
//   a folder, an archive, Evernote       sent as one file; the server works, we ask how far it is and tell what came of it

import { openDialog } from "../view/dialog.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { complain, dismiss, toast } from "../view/toast.js";
import { count, counted } from "../view/words.js";
import { call, post, upload } from "../server/call.js";
import { translated } from "../server/sentences.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { refreshAll, remember, undoLast } from "./acts.js";
import { download } from "./downloading.js";
import { droppedFiles, pathOf } from "./dropping.js";
import { pack } from "./packing.js";
import { progress } from "./progress.js";

const FEW = 50;
/// The endings of files that become notes. A test compares them with those that the server reads.
const ARCHIVES = ["enex", "zip", "textpack", "bear", "bear2bk", "bearbk", "jex", "tgz", "tar"];
const TEXTS = ["md", "markdown", "mdown", "html", "htm", "txt", "text", "rtf", "canvas"];
/// Files that some programs keep notes in, and others anything.
const PERHAPS = ["json", "csv"];
const SMALL = 60 << 20;

export function chooseFiles() {
  choose({ accept: [...TEXTS, ...PERHAPS, ...ARCHIVES].map((ending) => `.${ending}`).join(",") });
}

/// Whether a file becomes notes; others are put into one.
export const isNotes = (file) => endsWith(file, TEXTS) || isArchive(file);

const isArchive = (file) => endsWith(file, ARCHIVES);
const endsWith = ({ name }, endings) => endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));

export function chooseFolder() {
  choose({ isFolder: true });
}

function choose({ accept = "", isFolder = false }) {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = accept;
  input.webkitdirectory = isFolder;
  input.addEventListener("change", () => input.files.length > 0 && importFiles([...input.files]));
  input.click();
}

const target = () => (state.place.startsWith("folder:") ? `?folder=${state.place.slice(7)}` : "");

export const importDropped = (transfer) => droppedFiles(transfer).then(importFiles).catch(complain);

async function importFiles(files) {
  try {
    const isPlain = files.every((file) => !isArchive(file) && !pathOf(file).includes("/"));
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (isPlain && files.length <= FEW && size < SMALL) await importTexts(files);
    else await importAll(files);
  } catch (error) {
    complain(error);
  }
  refreshAll();
}

async function importTexts(files) {
  const working = files.length > 3 ? toast(say`Importing ${counted(files.length, "file", "files")}…`) : null;
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  const { notes, refused, changes, undo } = await call("POST", `/import${target()}`, form).finally(() => working && dismiss(working));
  if (notes.length > 0) {
    remember(undo, counted(notes.length, "note imported", "notes imported"));
    go(state.place === "trash" ? "all" : state.place, notes[0].id);
  }
  if (changes.length > 0) toast(say`Some parts were changed during the import.`, { kind: "bad", act: { name: say`Show`, run: () => tellChanged(changes) } });
  if (refused.length > 0) tellRefused(refused);
}

const tellChanged = (changes) =>
  openDialog({
    title: say`Changed during the import`,
    kind: "small",
    content: (close) => html`
      ${changesView(changes)}
      <footer class="dialog-foot"><button class="main" data-first @click=${() => close()}>${say`OK`}</button></footer>`,
  });

const tellRefused = (refused) =>
  openDialog({
    title: counted(refused.length, "file not imported", "files not imported"),
    kind: "small",
    content: (close) => html`
      ${refusedView(refused)}
      <footer class="dialog-foot"><button class="main" data-first @click=${() => close()}>${say`OK`}</button></footer>`,
  });

/// More than the first of them is a number.
const unusedView = ({ unused, unusedNames: names }) => html`
  <ul class="refused" tabindex="0" aria-label=${say`Files that no note uses`}>
    ${names.map((name) => html`<li>${name}</li>`)}
    ${unused > names.length ? html`<li>${say`and ${count(unused - names.length)} more`}</li>` : null}
  </ul>`;

const refusedView = (refused) => html`
  <ul class="refused" tabindex="0" aria-label=${say`Files that were not imported`}>${refused.map(({ name, reason }) => html`<li><strong>${name}</strong> ${translated(reason)}</li>`)}</ul>`;

/// What became something else in the texts, by its name in the report.
const BECAME = {
  frontMatter: say`remarks and other lines of front matter that are no properties: they are a code block at the beginning now`,
  appearance: say`front matter about its look in another program: it was left out`,
  task: say`tasks with signs other than x, or with numbers: they are list items now, with the sign before the text`,
  html: say`HTML: it is shown as text`,
  webPicture: say`pictures on the web: they are links now`,
  embeddedNote: say`embedded notes inside of sentences: they are links now`,
  missingFile: say`pictures, files or notes that are missing: where the text showed them, it has their names`,
  leftOutPicture: say`embedded pictures that were left out: insert them by hand`,
  leftOutText: say`words in text boxes, headers, footers or comments, or hidden words: they were left out`,
  link: say`links to places that were not imported: only their words are left`,
  pictureLink: say`links around pictures: their addresses were left out`,
  embeddedPage: say`embedded films, sounds or pages: they are links now`,
  mergedCells: say`table cells that span columns or rows: they are single cells now`,
  cellBlocks: say`lists or paragraphs in table cells: they are lines of the cell now`,
  formula: say`formulas of MathML: only their letters are left`,
  formField: say`fields of forms that were left out`,
  looks: say`colours, typefaces, sizes or sides of words: they were left out`,
  places: say`cards on a plane: they are below each other now`,
  facts: say`facts that a note has no fields for, such as author and place: they were left out`,
};

const lineIn = (name, line) => (line ? say`${name}, line ${count(line)}` : name);
const whereWords = (files, first, line) => (files > 1 ? say`First in ${lineIn(first, line)}.` : say`In ${lineIn(first, line)}.`);

const changesView = (changes) => html`
  <ul class="refused" tabindex="0" aria-label=${say`Changed during the import`}>
    ${changes.map(({ kind, files, first, line }) => html`<li><strong>${counted(files, "file has", "files have")}</strong> ${BECAME[kind] ?? kind}. ${whereWords(files, first, line)}</li>`)}
  </ul>`;

// MARK: - Much at once

async function importAll(files) {
  const shown = progress(say`Importing`);
  try {
    const { file, name } = await sendable(files, shown);
    shown.tell(say`Sending`, 0, 1);
    const job = await upload(`/imports${target()}`, new File([file], name), (part) => shown.tell(say`Sending`, part ?? 0, 1), "POST", shown.signal);
    const done = await shown.follow(job);
    shown.close();
    if (done) tellReport(done.report);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    shown.stopped();
  } finally {
    shown.close();
  }
}

/// One archive or file of Evernote as it is; everything else is put into an archive, without what programs hide.
async function sendable(files, shown) {
  if (files.length === 1 && isArchive(files[0])) return { file: files[0], name: files[0].name };
  const wanted = files.map((file) => ({ file, path: pathOf(file) }))
    .filter(({ path }) => !/(^|\/)(\.(?!(?:obsidian\/bookmarks|slipbox)\.json$)|node_modules\/|__MACOSX\/)/.test(path));
  return { file: await pack(wanted, (done) => shown.tell(say`Packing`, done, wanted.length)), name: "folder.zip" };
}

function embeddedWords(number, found) {
  const words = counted(number, "embedded note is a link now", "embedded notes are links now");
  return found ? say`${words}: first in ${found.first}, line ${count(found.line)}` : words;
}

function tellReport(report) {
  if (report.undo) remember(report.undo);
  refreshAll();
  // The number of these is told above.
  const embedded = report.changes.find(({ kind }) => kind === "embeddedNote");
  const changes = report.changes.filter((change) => report.embedded === 0 || change !== embedded);
  const facts = [
    ["file-text", counted(report.notes, "note imported", "notes imported")],
    report.folders > 0 && ["folder", counted(report.folders, "folder created", "folders created")],
    report.files > 0 && ["image", counted(report.files, "picture or file imported", "pictures and files imported")],
    report.embedded > 0 && ["link", embeddedWords(report.embedded, embedded)],
    changes.length > 0 && ["pencil", say`Some parts were changed:`, changesView(changes)],
    report.unused > 0 && ["paperclip", counted(report.unused, "file was left out, because no note uses it", "files were left out, because no note uses them"), report.unusedNames?.length > 0 && unusedView(report)],
    report.refusedCount > 0 && ["circle-alert", counted(report.refusedCount, "file was not imported:", "files were not imported:"), report.refused.length > 0 && refusedView(report.refused)],
  ].filter(Boolean);
  return openDialog({
    title: say`Imported`,
    kind: "small",
    content: (close) => html`
      <ul class="report">${facts.map(([drawing, words, more]) => html`<li>${icon(drawing)}<span>${words}</span>${more || null}</li>`)}</ul>
      <footer class="dialog-foot">
        ${report.undo ? html`<button @click=${() => { close(); undoLast(); }}>${say`Undo the import`}</button>` : null}
        <button class="main" data-first @click=${() => { close(); if (report.first) go(state.place === "trash" ? "all" : state.place, report.first); }}>${report.first ? say`Open` : say`OK`}</button>
      </footer>`,
  });
}

// MARK: - Everything out

export const exportAll = () => exportSome({});

export const exportNotes = (notes) => exportSome({ notes: notes.map((note) => note.id) });

async function exportSome(body) {
  const shown = progress(say`Exporting`);
  try {
    const done = await shown.follow(await post("/exports", body));
    if (done) await download(`/exports/${done.id}`);
  } catch (error) {
    complain(error);
  } finally {
    shown.close();
  }
}
