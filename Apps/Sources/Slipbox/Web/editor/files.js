// Pictures and other files between the paragraphs. The text names them, the server keeps them.
//
//   {"type": "picture", "attrs": {"file": "…", "caption": "A tree", "width": 400}}
//   {"type": "file", "attrs": {"file": "…", "name": "Letter.pdf"}}

import { say } from "../view/say.js";
import { mergeAttributes, Node } from "../vendor/editor.js";
import { isComposing } from "../view/composing.js";
import { html, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { fileAddress, fileNode } from "./attachedFile.js";
import { removeNode, viewOf } from "./blocks.js";

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const FILE = new RegExp(`^/api/files/(${ID})(?![0-9a-f-])`, "i");
const FILE_ID = new RegExp(`^${ID}$`, "i");
const SIZES = [[say`Small`, 240], [say`Medium`, 420], [say`Full`, null]];

/// The file that an element names, or shows; null for elements of other programs.
function fileOf({ dataset, src = "" }) {
  const named = dataset.file ?? dataset.attached;
  if (named !== undefined) return FILE_ID.test(named) ? named : null;
  return FILE.exec(src.replace(location.origin, ""))?.[1] ?? null;
}

const ofFile = (element) => (fileOf(element) ? null : false);
const captionOf = (element) => element.dataset.caption ?? element.querySelector("figcaption")?.textContent ?? "";
const widthOf = ({ dataset: { width } }) => (/^\d{1,4}$/.test(width) ? Number(width) : null);

/// `told.fileFacts(id)` gives {name, type, bytes, width, height} of a file, if they are known; `told.showPicture(id, caption)`.
export const filesOf = (told) => [
  Node.create({
    name: "picture",
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () => ({ file: { default: null, parseHTML: fileOf }, caption: { default: "", parseHTML: captionOf }, width: { default: null, parseHTML: widthOf } }),
    parseHTML: () => [{ tag: "figure[data-file]", getAttrs: ofFile }, { tag: "img[src]", getAttrs: ofFile }],
    renderHTML: ({ node: { attrs } }) => ["figure", mergeAttributes({ "data-file": attrs.file }, attrs.width ? { "data-width": String(attrs.width) } : {}),
      ["img", { src: `${location.origin}${fileAddress(attrs.file)}`, alt: attrs.caption }], ["figcaption", attrs.caption]],
    addNodeView: () => (place) => pictureNode(place, told),
  }),
  Node.create({
    name: "file",
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () => ({ file: { default: null, parseHTML: fileOf }, name: { default: "file", parseHTML: ({ textContent }) => textContent || "file" } }),
    parseHTML: () => [{ tag: "p[data-attached]", priority: 60, getAttrs: ofFile }],
    renderHTML: ({ node: { attrs } }) => ["p", { "data-attached": attrs.file }, attrs.name],
    addNodeView: () => (place) => fileNode(place, told),
  }),
];

/// By its name; whether it can be changed is seen when it is opened.
const isDrawnHere = (facts) => facts?.type === "image/svg+xml" && facts.name.startsWith("Drawing ");

// MARK: - A picture

/// Where the browser does not make a field as high as its words by itself.
function fit(field) {
  if (!field || CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

function pictureNode({ node, getPos, editor }, told) {
  const dom = document.createElement("figure");
  dom.className = "text-picture";
  let shown = node;
  const set = (name, value) => editor.view.dispatch(editor.state.tr.setNodeAttribute(getPos(), name, value));

  function draw() {
    const { file, caption, width } = shown.attrs;
    const facts = told.fileFacts?.(file);
    dom.dataset.file = file;
    render(html`
      <button class="text-picture-open" type="button" contenteditable="false" aria-label=${caption ? say`Show “${caption}” in full` : say`Show the picture in full`} @click=${() => told.showPicture?.(file, caption)}>
        <img src=${`${fileAddress(file)}/thumbnail?size=${width && width <= 300 ? 600 : 1200}`} alt=${caption || facts?.name || say`Picture`} loading="lazy" decoding="async" draggable="false"
          width=${facts?.width || null} height=${facts?.height || null} @error=${(event) => event.target.classList.add("missing")} @load=${(event) => event.target.classList.remove("missing")} />
      </button>
      ${editor.isEditable ? html`
        <figcaption contenteditable="false" data-caption=${caption}>
          <textarea class="caption-field" rows="1" aria-label=${say`Caption`} placeholder=${say`Caption`} maxlength="1000" .value=${caption}
            ref=${(field) => requestAnimationFrame(() => fit(field))} @input=${write} @keydown=${leave}></textarea>
          <span class="picture-tools" role="group" aria-label=${say`Picture`}>
            ${isDrawnHere(facts) && told.editDrawing ? html`<button type="button" class="plain small" aria-label=${say`Change the drawing`} title=${say`Change the drawing`} @click=${change}>${icon("pen-line")}</button>` : null}
            ${SIZES.map(([name, size]) => html`<button type="button" class="plain tiny-text" aria-pressed=${String((width ?? null) === size)} @click=${() => set("width", size)}>${name}</button>`)}
            <button type="button" class="plain small" aria-label=${say`Remove the picture from the text`} title=${say`Remove`} @click=${remove}>${icon("trash-2")}</button>
          </span>
        </figcaption>`
        : caption ? html`<figcaption>${caption}</figcaption>` : null}`, dom);
    dom.style.maxWidth = width ? `${width}px` : "";
  }

  /// A caption is one line of words, in as many rows as they take.
  function write({ target }) {
    if (/[\r\n]/.test(target.value)) target.value = target.value.replaceAll(/\s*[\r\n]+\s*/g, " ");
    fit(target);
    set("caption", target.value);
  }

  /// Enter and the arrow below the last row go on in the text.
  function leave(event) {
    if (isComposing(event)) return;
    const isAtEnd = event.target.selectionEnd === event.target.value.length;
    if (event.key !== "Enter" && event.key !== "Escape" && !(event.key === "ArrowDown" && isAtEnd)) return;
    event.preventDefault();
    const end = getPos() + shown.nodeSize;
    const chain = editor.chain();
    if (editor.state.doc.resolve(end).nodeAfter?.isTextblock) chain.setTextSelection(end + 1).run();
    else chain.insertContentAt(end, { type: "paragraph" }).setTextSelection(end + 1).run();
    // At once: with Tiptap's own command, which waits for a frame, the next letters went into the caption.
    editor.view.focus();
  }

  const remove = () => removeNode(editor, getPos(), shown);

  function change() {
    const { file } = shown.attrs;
    told.editDrawing(file, told.fileFacts(file).name, ({ id }) => {
      if (!dom.isConnected || shown.attrs.file !== file) return false;
      set("file", id);
      return true;
    });
  }

  draw();
  return viewOf(dom, "textarea, button", (updated) => updated.type === shown.type && ((shown = updated), draw(), true));
}
