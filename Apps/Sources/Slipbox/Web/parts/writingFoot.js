// The line below a text in focus mode: the number of words, of selected words, and the progress towards a goal.

import { askText } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { toast } from "../view/toast.js";
import { count, counted, wordCount } from "../view/words.js";
import { setGoal, wordGoal, writtenWords } from "../model/goal.js";
import { state } from "../model/state.js";

const MOST = 100_000;

/// "12 of 312 words", or all of them if nothing is selected.
export function wordsTold({ editor, words }) {
  const chosen = chosenWords(editor);
  return chosen > 0 ? say`${count(chosen)} of ${counted(words, "word", "words")}` : counted(words, "word", "words");
}

/// The count for a selection that is drawn again is the same: {from, to, words}, by document.
const counts = new WeakMap();

function chosenWords(editor) {
  if (!editor) return 0;
  const { doc, selection: { from, to } } = editor.state;
  if (from === to) return 0;
  const known = counts.get(doc);
  if (known?.from === from && known.to === to) return known.words;
  const words = wordCount(doc.textBetween(from, to, "\n", " "));
  counts.set(doc, { from, to, words });
  return words;
}

export function writingFootView(pane) {
  if (state.mode !== "focus") return null;
  const goal = wordGoal();
  const written = writtenWords();
  return html`
    <div class="writing-foot">
      <span>${wordsTold(pane)}</span>
      ${goal ? html`<progress max=${goal} .value=${Math.min(written, goal)} aria-label=${say`${count(written)} of ${count(goal)} words written`}></progress>` : null}
      <button class="plain small-text" title=${say`How many words to write now`} @click=${askGoal}>${goal ? written >= goal ? say`${count(written)} of ${count(goal)}, done` : say`${count(written)} of ${count(goal)}` : say`Set a goal`}</button>
    </div>`;
}

async function askGoal() {
  const answer = await askText({ title: say`Words to write now`, label: say`Number of words; 0 for no goal`, value: wordGoal() ? String(wordGoal()) : "", yes: say`Set` });
  if (!answer) return;
  const words = Number(answer.replace(/[.,\s]/g, ""));
  if (words === 0) setGoal(null);
  else if (Number.isInteger(words) && words > 0 && words <= MOST) setGoal(words);
  else toast(say`A goal is a number of words between 1 and ${count(MOST)}.`, { kind: "bad" });
}
