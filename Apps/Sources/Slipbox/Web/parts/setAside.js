// Texts that could not be saved, as they were written: to be read, copied, or kept as a file.

import { confirm, openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { dismiss, toast } from "../view/toast.js";
import { counted } from "../view/words.js";
import { forgetAside, setAsideTexts } from "../model/recovering.js";
import { quoted } from "../acts/acts.js";

let told;

/// Says what there is, each time the program starts, until somebody has taken it.
export function offerSetAside() {
  const texts = setAsideTexts();
  dismiss(told);
  if (texts.length === 0) return;
  const what = texts.length === 1 ? quoted(texts[0].title) : counted(texts.length, "text", "texts");
  const where = texts.some((text) => text.isHereOnly) ? say`This browser has no room left: copy what you need before you close the page.` : say`The words are kept in this browser.`;
  told = toast(say`${what} could not be saved. ${where}`, { kind: "bad", stays: true, act: { name: say`Show`, run: showSetAside } });
}

function showSetAside() {
  const texts = setAsideTexts();
  let said = "";
  return openDialog({
    title: say`What could not be saved`,
    kind: "wide",
    content: (close, draw) => html`
      <ul class="set-aside">${texts.map((text) => keyed(text.key, html`
        <li>
          <h3>${text.title}</h3>
          ${text.reason ? html`<p class="faint">${text.reason}</p>` : null}
          <p class="set-aside-words" tabindex="0" dir="auto">${text.words}</p>
          <button @click=${() => copy(text).then((answer) => { said = answer; draw(); })}>${say`Copy`}</button>
        </li>`))}</ul>
      <p class="faint" role="status">${said}</p>
      <footer class="dialog-foot">
        <button class="bad" @click=${async () => (await askWhetherToDelete()) && (forgetAside(texts), close())}>${say`Delete…`}</button>
        <span class="grow"></span>
        <button @click=${() => close()}>${say`Close`}</button>
        <button class="main" data-first @click=${() => { saveAsFile(texts); forgetAside(texts); close(); }}>${say`Save as file`}</button>
      </footer>`,
  });
}

const asWritten = ({ title, words }) => `${title}\n\n${words}\n`;

async function copy(text) {
  try {
    await navigator.clipboard.writeText(asWritten(text));
    return say`${quoted(text.title)} was copied.`;
  } catch {
    return say`The browser does not allow copying. Select the text and copy it yourself.`;
  }
}

const askWhetherToDelete = () => confirm({ title: say`Delete these words?`, text: say`They are nowhere else.`, yes: say`Delete` });

function saveAsFile(texts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([texts.map(asWritten).join("\n\n")], { type: "text/plain" }));
  link.download = "Slipbox unsaved.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
