// Takes texts from other programs: from a phone's "Share", and from the bookmarklet that clips a page. A note is made
// only when somebody presses the button, because any page can open this address.

import { openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { toast } from "../view/toast.js";
import { newID } from "../server/call.js";
import { send } from "../server/outbox.js";
import { go } from "../model/route.js";
import { refreshAll } from "../acts/acts.js";

/// As long as an address may be that a server takes.
const LONGEST = 6_000;

/// Reads the shared title, text and source from the address of the page; null if it is another address.
export function sharedThings() {
  if (location.pathname !== "/share") return null;
  const given = new URLSearchParams(location.search);
  const [title, text, url] = ["title", "text", "url"].map((name) => (given.get(name) ?? "").slice(0, LONGEST).trim());
  // Some programs put the address into the text.
  const found = /https?:\/\/\S+$/.exec(text)?.[0] ?? "";
  const source = isWebAddress(url) ? url : isWebAddress(found) ? found : "";
  history.replaceState({ from: null }, "", "/#/all");
  return { title: title.replace(/\s+/g, " "), text: source && text.endsWith(source) ? text.slice(0, -source.length).trim() : text, source };
}

const isWebAddress = (text) => /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text);

/// Asks whether a note shall be made of what was given, and makes it; without a network it is sent later.
export async function offerShared(shared) {
  if (!shared || !(shared.title || shared.text || shared.source)) return;
  const kept = await openDialog({
    title: say`Keep as a note`,
    content: (close) => html`
      <form class="dialog-form" @submit=${(event) => {
        event.preventDefault();
        close({ title: event.target.elements.title.value.trim(), text: event.target.elements.text.value.trim() });
      }}>
        <label>${say`Title`}<input name="title" data-first maxlength="500" .value=${shared.title} /></label>
        <label>${say`Text`}<textarea name="text" rows="8" .value=${shared.text}></textarea></label>
        ${shared.source ? html`<p class="faint">${say`From ${shared.source}`}</p>` : null}
        <footer class="dialog-foot"><button type="button" @click=${() => close()}>${say`Cancel`}</button><button class="main">${say`Keep`}</button></footer>
      </form>`,
  });
  if (!kept) return;
  const id = newID();
  const body = { id, title: kept.title, document: documentOf(kept.text, shared.source) };
  await send({ kind: "create", method: "POST", path: "/notes", body, note: id, line: id });
  refreshAll();
  go("all", id);
  toast(say`Kept as a note.`);
}

function documentOf(text, source) {
  const paragraph = (content) => ({ type: "paragraph", ...(content.length > 0 ? { content } : {}) });
  const paragraphs = text.split(/\n{2,}/).filter(Boolean).map((part) => paragraph(linesOf(part)));
  if (source) paragraphs.push(paragraph([{ type: "text", text: source, marks: [{ type: "link", attrs: { href: source } }] }]));
  return { type: "doc", content: paragraphs.length > 0 ? paragraphs : [paragraph([])] };
}

const linesOf = (part) => part.split("\n").flatMap((line, index) => [
  ...(index > 0 ? [{ type: "hardBreak" }] : []), ...(line ? [{ type: "text", text: line }] : []),
]);

/// Shows the bookmarklet, which opens the address above with the page that one reads.
export function openClipping() {
  const code = `javascript:void open(${JSON.stringify(`${location.origin}/share?`)}+new URLSearchParams({title:document.title,url:location.href,text:String(getSelection()).slice(0,4000)}))`;
  return openDialog({
    title: say`Clip pages`,
    content: (close) => html`
      <div class="dialog-form">
        <p class="dialog-text">${say`Make a bookmark with this address. When you press it on a page, its title, its address and what you have selected are offered as a note.`}</p>
        <label>${say`Address of the bookmark`}<textarea rows="4" readonly data-first @focus=${(event) => event.target.select()} .value=${code}></textarea></label>
        <p class="faint">${say`On a phone on which Slipbox is installed, choose Slipbox behind “Share” instead.`}</p>
        <footer class="dialog-foot"><button class="main" @click=${() => close()}>${say`Done`}</button></footer>
      </div>`,
  });
}
