// Markdown, text, RTF and HTML files become notes.

import { openDialog } from "../view/dialog.js";
import { html } from "../view/template.js";
import { complain, dismiss, toast } from "../view/toast.js";
import { counted } from "../view/words.js";
import { call } from "../server/call.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { refreshAll } from "./acts.js";

const PORTION = 50;

export function chooseFiles() {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = ".md,.markdown,.txt,.rtf,.html,.htm";
  input.addEventListener("change", () => input.files.length && importFiles([...input.files]));
  input.click();
}

export async function importFiles(files) {
  const folder = state.place.startsWith("folder:") ? `?folder=${state.place.slice(7)}` : "";
  const working = files.length > 3 ? toast(`Importing ${counted(files.length, "file", "files")}…`) : null;
  try {
    const notes = [];
    const refused = [];
    // A whole folder of notes goes in portions that the server takes.
    for (let first = 0; first < files.length; first += PORTION) {
      const form = new FormData();
      for (const file of files.slice(first, first + PORTION)) form.append("files", file, file.name);
      const answer = await call("POST", `/import${folder}`, form);
      notes.push(...answer.notes);
      refused.push(...answer.refused);
    }
    if (notes.length > 0) {
      toast(`${counted(notes.length, "note", "notes")} imported`);
      go(state.place === "trash" ? "all" : state.place, notes[0].id);
    }
    if (refused.length > 0) tellRefused(refused);
  } catch (error) {
    complain(error);
  }
  if (working) dismiss(working);
  refreshAll();
}

const tellRefused = (refused) =>
  openDialog({
    title: `${counted(refused.length, "file", "files")} not imported`,
    kind: "small",
    content: (close) => html`
      <ul class="refused">${refused.map(({ name, reason }) => html`<li><strong>${name}</strong> ${reason}</li>`)}</ul>
      <footer class="dialog-foot"><button class="main" data-first @click=${() => close()}>OK</button></footer>`,
  });
