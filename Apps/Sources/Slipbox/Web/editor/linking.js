// A link in the text: while the caret is in it, a small bubble below shows where it leads, and what can be
// done with it. Alt Enter goes into the bubble, Escape back to the text.

import { say } from "../view/say.js";
import { html, render } from "../view/template.js";
import { icon } from "../view/icon.js";
import { openDialog } from "../view/dialog.js";
import { complain } from "../view/toast.js";
import { commandKey } from "../view/words.js";
import { looseAt } from "./loose.js";
import { headingOf, isKept, isSafe, noteOf } from "./schema.js";

/// `told` opens notes and knows their titles: openNote(id, heading), openBeside() gives what opens a note on the other side, titleOfNote(id), isDead(id), makeNote(title).
export function linkBubble(element, told) {
  const bubble = document.createElement("div");
  bubble.className = "link-bubble";
  bubble.setAttribute("role", "group");
  bubble.setAttribute("aria-label", say`Link`);
  bubble.addEventListener("keydown", pressInside);
  let editor = null;
  let shown = null;
  let dismissed = null;

  element.addEventListener("focusin", () => editor && follow(editor));
  element.addEventListener("focusout", (event) => element.contains(event.relatedTarget) || hide());

  /// The bubble goes where the caret is.
  function follow(followed) {
    editor = followed;
    const link = editor.isEditable ? linkAt(editor.state) ?? looseAt(editor.state) : null;
    if (link?.href !== dismissed) dismissed = null;
    if (!link || dismissed) return hide();
    if (!shown && !element.contains(document.activeElement)) return;
    shown = link;
    draw();
  }

  function draw() {
    const note = noteOf(shown.href);
    if (shown.title) return drawLoose();
    render(html`
      ${icon(note ? "file-text" : "link")}
      <span class="link-address">${note ? addressOf(note) : shown.href}</span>
      ${isSafe(shown.href) ? html`<button class="small-text" title=${say`Open (a click on the link does the same)`} @click=${open}>${say`Open`}</button>` : null}
      ${note && told.openBeside() ? html`<button class="small-text" aria-label=${say`Open beside`} title=${say`Open on the other side (${commandKey} Shift with a click does the same)`} @click=${openBeside}>${say`Beside`}</button>` : null}
      ${note ? null : html`<button class="small-text" @click=${() => leave(() => editLink(editor))}>${say`Edit`}</button>`}
      <button class="small-text" @click=${() => leave(() => setLink(editor, "", true))}>${say`Remove`}</button>`, bubble);
    if (!bubble.isConnected) element.append(bubble);
    place();
  }

  function addressOf(note) {
    if (told.isDead(note)) return say`This note is in the trash, or gone`;
    const title = told.titleOfNote(note) ?? shown.text;
    const heading = headingOf(shown.href);
    return heading ? `${title} › ${heading}` : title;
  }

  function drawLoose() {
    const { title } = shown;
    render(html`
      ${icon("file-plus")}<span class="link-address">${say`No note “${title}” yet`}</span>
      <button class="small-text" @click=${() => leave(() => told.makeNote(title))}>${say`Create`}</button>`, bubble);
    if (!bubble.isConnected) element.append(bubble);
    place();
  }

  /// Below the line of the caret, and on a phone below the handle of the caret too.
  function place() {
    const around = element.getBoundingClientRect();
    const caret = editor.view.coordsAtPos(editor.state.selection.from);
    const gap = matchMedia("(pointer: coarse)").matches ? 26 : 6;
    const left = editor.view.coordsAtPos(shown.from).top === caret.top ? editor.view.coordsAtPos(shown.from).left : caret.left;
    bubble.style.left = `${Math.max(0, Math.min(left - around.left, around.width - bubble.offsetWidth))}px`;
    bubble.style.top = `${caret.bottom - around.top + gap}px`;
  }

  /// A finger that opens a note wants to read it: the keys of a phone go away.
  function open() {
    const { href } = shown;
    if (matchMedia("(pointer: coarse)").matches) {
      document.activeElement.blur();
      hide();
    } else editor.view.focus();
    openLink(href, told);
  }

  function openBeside() {
    const { href } = shown;
    editor.view.focus();
    told.openBeside()?.(noteOf(href), { heading: headingOf(href) ?? undefined });
  }

  function leave(act) {
    editor.view.focus();
    act();
  }

  function hide() {
    shown = null;
    bubble.remove();
  }

  /// In the text.
  function press(event) {
    if (event.key === "Enter" && event.altKey) {
      // ProseMirror hears of the caret a little later than who types fast.
      editor?.view.domObserver?.flush();
      dismissed = null;
      if (editor) follow(editor);
      if (!shown) return false;
      bubble.querySelector("button").focus();
    } else if (shown && event.key === "Escape") {
      dismissed = shown.href;
      hide();
    } else return false;
    event.preventDefault();
    return true;
  }

  function pressInside(event) {
    const buttons = [...bubble.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    if (event.key === "Escape") editor.view.focus();
    else if (event.key === "ArrowRight") buttons[(at + 1) % buttons.length].focus();
    else if (event.key === "ArrowLeft") buttons.at(at - 1).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return { follow, press, hide };
}

export function openLink(href, told) {
  const note = noteOf(href);
  if (note) told.openNote(note, headingOf(href));
  // The address of another program is for that program.
  else if (isSafe(href)) window.open(href, "_blank", "noopener");
}

/// The link the caret is in, or at an edge of: {from, to, href, text}.
function linkAt({ selection, schema }) {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock) return null;
  let run = null;
  let found = null;
  $from.parent.forEach((child, offset) => {
    const href = schema.marks.link.isInSet(child.marks)?.attrs.href ?? null;
    const from = $from.start() + offset;
    if (href === null || run?.href !== href) run = href === null ? null : { from, to: from, href, text: "" };
    if (!run) return;
    run.to = from + child.nodeSize;
    run.text += child.text ?? "";
    if (run.from <= $from.pos && $from.pos <= run.to && !(found && found !== run && found.to > $from.pos)) found = run;
  });
  return found;
}

// MARK: - Changing it

export async function editLink(editor) {
  const href = editor.getAttributes("link").href ?? linkAt(editor.state)?.href ?? "";
  const note = noteOf(href);
  const isThere = href !== "";
  const result = await openDialog({
    title: say`Link`,
    kind: "small",
    content: (close) => html`
      <form class="dialog-form" @submit=${(event) => { event.preventDefault(); close({ href: event.target.elements.href.value.trim() }); }}>
        ${note ? html`<p class="dialog-text">${say`This is a link to a note.`}</p>` : html`
        <label>${say`Address`}<input name="href" type="text" inputmode="url" data-first placeholder="https://" autocomplete="off" value=${href} /></label>`}
        <footer class="dialog-foot">
          ${isThere ? html`<button type="button" @click=${() => close({ href: "" })}>${say`Remove link`}</button>` : null}
          ${isThere && isSafe(href) ? html`<button type="button" @click=${() => close({ open: true })}>${say`Open`}</button>` : null}
          ${note ? null : html`<button class="main">${isThere ? say`Change` : say`Link`}</button>`}
        </footer>
      </form>`,
  });
  if (!result) return editor.commands.focus();
  if (result.open) {
    if (note) location.hash = `#/all/${note}`;
    else window.open(href, "_blank", "noopener");
    return;
  }
  const address = whole(result.href);
  // A number behind the name is the port of a server.
  const isLink = isSafe(address) || (isKept(address) && !/^(?!tel:)[\w-]+:\d/i.test(address));
  if (address && !isLink) return complain(new Error(say`A link begins with http:, https: or mailto:, or with the name of another program, as zotero:.`));
  setLink(editor, address, isThere);
}

/// What somebody types of an address, with what it begins with.
function whole(typed) {
  if (!typed || /^[a-z]+:/i.test(typed)) return typed;
  return /^[^\s@/]+@[^\s@/]+$/.test(typed) ? `mailto:${typed}` : `https://${typed}`;
}

function setLink(editor, address, isThere) {
  const link = editor.state.selection.empty ? linkAt(editor.state) : null;
  const caret = editor.state.selection.from;
  const chain = link ? editor.chain().focus().setTextSelection(link) : editor.chain().focus().extendMarkRange("link");
  if (!address) chain.unsetMark("link").run();
  else if (editor.state.selection.empty && !isThere) chain.insertContent({ type: "text", text: address, marks: [{ type: "link", attrs: { href: address } }] }).run();
  else chain.setMark("link", { href: address }).run();
  // What is typed next must not take the place of the link.
  if (link) editor.commands.setTextSelection(caret);
}
