// The slip box in numbers, and a year of days: the more notes were made, the darker the day.

import { openDialog } from "../view/dialog.js";
import { say } from "../view/say.js";
import { html } from "../view/template.js";
import { complain, meanwhile } from "../view/toast.js";
import { count, counted } from "../view/words.js";
import { get, Refused, Unreachable } from "../server/call.js";

export async function openStatistics() {
  let numbers;
  try {
    numbers = await meanwhile(say`Counting…`, get("/statistics"));
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    return complain(error);
  }
  const facts = [
    [say`Notes`, numbers.notes], [say`Draft`, numbers.draft], [say`Review`, numbers.review], [say`Archived`, numbers.archived], [say`Folders`, numbers.folders],
    [say`Keywords`, numbers.keywords], [say`Linking to others`, numbers.linked], [say`Without any link`, numbers.alone], [say`With open tasks`, numbers.openTasks],
  ];
  return openDialog({
    title: say`Statistics`,
    kind: "wide",
    content: () => html`
      <div class="statistics" tabindex="0" role="region" aria-label=${say`Statistics`}>
        <dl class="numbers">${facts.map(([name, number]) => html`<div><dt>${name}</dt><dd>${count(number)}</dd></div>`)}</dl>
        ${yearView(numbers.days)}
      </div>`,
  });
}

const dayKey = (date) => date.toLocaleDateString("sv");

function yearView(days) {
  const today = new Date();
  const cells = [];
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 52 * 7 - ((today.getDay() + 6) % 7));
  for (let date = first; date <= today; date = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)) cells.push({ key: dayKey(date), made: days[dayKey(date)] ?? 0 });
  const most = Math.max(1, ...cells.map(({ made }) => made));
  const all = cells.reduce((sum, { made }) => sum + made, 0);
  const busy = cells.filter(({ made }) => made > 0).length;
  return html`
    <h3>${say`Notes made in the last year`}</h3>
    <div class="year" role="img" aria-label=${all === 0 ? say`No note was made in the last year` : say`${counted(all, "note", "notes")} on ${counted(busy, "day", "days")} of the last year`}>
      ${cells.map(({ key, made }) => html`<i class=${`level-${made === 0 ? 0 : Math.min(4, Math.ceil((4 * made) / most))}`} title=${`${key}: ${count(made)}`}></i>`)}
    </div>
    <p class="faint">${all === 0 ? say`No note was made in the last year.` : say`${counted(all, "note", "notes")} on ${counted(busy, "day", "days")}, at most ${count(most)} on one day.`}</p>`;
}
