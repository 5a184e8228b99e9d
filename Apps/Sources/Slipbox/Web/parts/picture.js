// The picture of a note: chosen, pasted or dropped; sent with its progress; small here, whole in a dialog.

import { openDialog } from "../view/dialog.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { complain, toast } from "../view/toast.js";
import { kilobytes, titleOf } from "../view/words.js";
import { upload } from "../server/call.js";
import { perform, refreshAll, remember } from "../acts/acts.js";

let sending = null;

export function choosePicture(note) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "image/jpeg,image/png,image/webp,image/gif,image/heic,image/avif";
  input.addEventListener("change", () => input.files[0] && addPicture(note, input.files[0]));
  input.click();
}

async function addPicture(note, file) {
  sending = { note: note.id, name: file.name, part: 0 };
  changed();
  try {
    const { undo } = await upload(`/notes/${note.id}/attachment`, file, (part) => {
      if (sending) sending.part = part;
      changed();
    });
    if (undo) remember(undo, say`“${file.name}” is the picture now`);
    else toast(say`“${file.name}” added`);
  } catch (error) {
    complain(error);
  } finally {
    sending = null;
    changed();
    refreshAll();
  }
}

/// Files that are on their way into the text.
export const sendingView = {
  shown: null,
  show(note, name, number, total) {
    this.shown = { note: note.id, name: total > 1 ? say`${name} (${number} of ${total})` : name, part: 0 };
    changed();
  },
  went(part) {
    if (sendingView.shown) sendingView.shown.part = part;
    changed();
  },
  hide() {
    this.shown = null;
    changed();
  },
};

export function filesProgressView(note) {
  const { shown } = sendingView;
  if (shown?.note !== note.id) return null;
  return html`<div class="progress" role="status"><label>${say`Sending ${shown.name}`}
    <progress max="1" value=${shown.part === null || shown.part === 1 ? null : shown.part}></progress></label></div>`;
}

/// A picture of the text in full.
export function openPictureOf(file, caption) {
  return openDialog({
    title: caption || say`Picture`,
    kind: "picture-dialog",
    content: () => html`
      <div class="picture-full"><img src=${`/api/files/${file}/thumbnail?size=2400`} alt=${caption || say`Picture`} /></div>
      <footer class="dialog-foot"><span class="grow"></span><a class="button" href=${`/api/files/${file}`} download="">${icon("download")}${say`Download`}</a></footer>`,
  });
}

/// A page of a PDF in full.
export const openPage = (address, title) => openDialog({
  title,
  kind: "picture-dialog",
  content: () => html`<div class="picture-full"><img src=${address} alt=${title} /></div>`,
});

export function chooseFilesFor(put, accept = "") {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = accept;
  input.addEventListener("change", () => input.files.length > 0 && put([...input.files]));
  input.click();
}

export const PICTURES = "image/jpeg,image/png,image/webp,image/gif,image/heic,image/avif,image/svg+xml";

export function progressView(note) {
  if (sending?.note !== note.id) return null;
  return html`<div class="progress" role="status"><label>${say`Sending ${sending.name}`}
    <progress max="1" value=${sending.part === null || sending.part === 1 ? null : sending.part}></progress></label></div>`;
}

const address = (note, size) => {
  const { name, bytes } = note.attachment;
  return `/api/notes/${note.id}/${size ? `thumbnail?size=${size}&` : "attachment?"}v=${encodeURIComponent(name ?? "")}-${bytes}`;
};

export function pictureView(note) {
  const { attachment } = note;
  if (!attachment) return null;
  return html`
    <figure class="picture">
      <button class="picture-open" aria-label=${say`Show ${attachment.name} in full`} @click=${() => openPicture(note)}>
        <img src=${address(note, 600)} alt=${say`Picture of the note: ${attachment.name}`} loading="lazy" decoding="async"
          $--ratio=${attachment.width && attachment.height ? `${attachment.width} / ${attachment.height}` : "4 / 3"} />
      </button>
      <figcaption>
        <span class="picture-name">${attachment.name}</span>
        <span class="faint">${kilobytes(attachment.bytes)}${attachment.width ? ` · ${attachment.width} × ${attachment.height}` : ""}</span>
        <span class="grow"></span>
        ${note.trashed ? null : html`
          <button class="plain small" aria-label=${say`Replace the picture`} title=${say`Replace`} @click=${() => choosePicture(note)}>${icon("refresh-cw")}</button>
          <button class="plain small" aria-label=${say`Remove the picture`} title=${say`Remove`} @click=${() => removePicture(note)}>${icon("trash-2")}</button>`}
      </figcaption>
    </figure>`;
}

function removePicture(note) {
  return perform({ method: "DELETE", path: `/notes/${note.id}/attachment`, note: note.id }, say`Picture of “${titleOf(note)}” removed`);
}

function openPicture(note) {
  const { attachment } = note;
  let isLoaded = false;
  return openDialog({
    title: attachment.name,
    kind: "picture-dialog",
    content: (close, draw) => html`
      <div class="picture-full">
        ${isLoaded ? null : html`<div class="spinner" role="status"><span class="sr">${say`Loading the picture`}</span></div>`}
        <img src=${address(note)} alt=${attachment.name} @load=${() => { isLoaded = true; draw(); }} @error=${() => { isLoaded = true; draw(); }} />
      </div>
      <footer class="dialog-foot">
        <span class="grow">${say`${kilobytes(attachment.bytes)} · ${attachment.width} × ${attachment.height} pixels`}</span>
        <a class="button" href=${address(note)} download=${attachment.name}>${icon("download")}${say`Download`}</a>
      </footer>`,
  });
}
