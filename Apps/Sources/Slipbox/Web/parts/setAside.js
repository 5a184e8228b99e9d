// Texts that could not be saved, as they were written: to be read, copied, or kept as a file.

import { confirm, openDialog } from "../view/dialog.js";
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
  const where = texts.some((text) => text.isHereOnly) ? "This browser has no room left: copy what you need before you close the page." : "The words are kept in this browser.";
  told = toast(`${what} could not be saved. ${where}`, { kind: "bad", stays: true, act: { name: "Show", run: showSetAside } });
}

function showSetAside() {
  const texts = setAsideTexts();
  let said = "";
  return openDialog({
    title: "What could not be saved",
    kind: "wide",
    content: (close, draw) => html`
      <ul class="set-aside">${texts.map((text) => keyed(text.key, html`
        <li>
          <h3>${text.title}</h3>
          ${text.reason ? html`<p class="faint">${text.reason}</p>` : null}
          <p class="set-aside-words" tabindex="0" dir="auto">${text.words}</p>
          <button @click=${() => copy(text).then((answer) => { said = answer; draw(); })}>Copy</button>
        </li>`))}</ul>
      <p class="faint" role="status">${said}</p>
      <footer class="dialog-foot">
        <button class="bad" @click=${async () => (await askWhetherToDelete()) && (forgetAside(texts), close())}>Delete…</button>
        <span class="grow"></span>
        <button @click=${() => close()}>Close</button>
        <button class="main" data-first @click=${() => { saveAsFile(texts); forgetAside(texts); close(); }}>Save as file</button>
      </footer>`,
  });
}

const asWritten = ({ title, words }) => `${title}\n\n${words}\n`;

async function copy(text) {
  try {
    await navigator.clipboard.writeText(asWritten(text));
    return `${quoted(text.title)} was copied.`;
  } catch {
    return "The browser does not allow copying. Select the text and copy it yourself.";
  }
}

const askWhetherToDelete = () => confirm({ title: "Delete these words?", text: "They are nowhere else.", yes: "Delete" });

function saveAsFile(texts) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([texts.map(asWritten).join("\n\n")], { type: "text/plain" }));
  link.download = "Slipbox unsaved.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
