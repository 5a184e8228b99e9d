// A file between the paragraphs: its name, which saves it; a sound or film plays in its place, and a PDF shows its pages.

import { say } from "../view/say.js";
import { html, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { kilobytes } from "../view/words.js";
import { removeNode, viewOf } from "./blocks.js";
import { pdfPages } from "./pdfPages.js";

export const fileAddress = (file) => `/api/files/${file}`;

/// `told.fileFacts(id)` gives {name, type, bytes} of a file, if they are known. The server has read its type from its contents.
export function fileNode({ node, getPos, editor }, told) {
  const dom = document.createElement("div");
  dom.className = "text-file";
  dom.contentEditable = "false";
  let shown = node;
  let isRefused = false;
  const pages = pdfPages(told, () => draw());

  function draw() {
    const { file, name } = shown.attrs;
    const facts = told.fileFacts?.(file);
    const isPDF = facts?.type === "application/pdf" && Boolean(told.pagesOf);
    render(html`<div class="file-line">${isPDF ? pages.buttonView(file, name) : icon(drawingOf(facts))}
      <a class="file-name" href=${fileAddress(file)} download=${name} @click=${(event) => event.stopPropagation()}>${name}</a>
      ${facts ? html`<span class="faint">${kilobytes(facts.bytes)}</span>` : null}
      <span class="grow"></span>
      ${editor.isEditable ? html`<button type="button" class="plain small" aria-label=${say`Remove ${name} from the text`} title=${say`Remove`} @click=${remove}>${icon("x")}</button>` : null}</div>
      ${isPDF ? pages.view(file, name) : playerView(file, name, facts)}`, dom);
  }

  function playerView(file, name, facts) {
    const kind = kindOf(facts);
    if (kind !== "audio" && kind !== "video") return null;
    if (isRefused) return html`<p class="file-word">${say`This cannot be played here. Its name above saves the file.`}</p>`;
    if (kind === "audio") return html`<audio controls preload="metadata" src=${fileAddress(file)} aria-label=${name} @loadedmetadata=${measure} @error=${refuse}></audio>`;
    return html`<video controls playsinline preload="metadata" src=${fileAddress(file)} aria-label=${name} @loadedmetadata=${measure} @error=${refuse}></video>`;
  }

  /// The browser does not know the kind, or the file is damaged. If only the connection is gone, playing goes on later.
  function refuse({ target: { error } }) {
    if (error?.code === MediaError.MEDIA_ERR_NETWORK) return;
    isRefused = true;
    draw();
  }

  const remove = () => removeNode(editor, getPos(), shown);

  draw();
  return viewOf(dom, "a, button, audio, video", (updated) => {
    if (updated.type !== shown.type) return false;
    if (updated.attrs.file !== shown.attrs.file) isRefused = false;
    shown = updated;
    draw();
    return true;
  });
}

/// A recording of a browser does not say how long it is: the player knows once it has looked at the end.
function measure({ target }) {
  if (target.duration !== Infinity) return;
  target.addEventListener("durationchange", () => (target.currentTime = 0), { once: true });
  target.currentTime = Number.MAX_SAFE_INTEGER;
}

const kindOf = (facts) => facts?.type?.split("/")[0];

function drawingOf(facts) {
  return { audio: "music", video: "film" }[kindOf(facts)] ?? "paperclip";
}
