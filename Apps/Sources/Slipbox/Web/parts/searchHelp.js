// What the search understands.

import { say } from "../view/say.js";
import { TRAITS } from "../model/searchNames.js";
import { openDialog } from "../view/dialog.js";
import { html } from "../view/template.js";

const trait = (sign, [usual, ...others]) => [`${sign}:${usual}`, say`also ${others.join(", ")}`];

const ROWS = [
  ["slip box", say`both words, or words that begin so`],
  ['"slip box"', say`next to each other; also slip-box and slip boxes`],
  ["slip OR card", say`one of them`],
  ["-draft", say`without it; works with everything below`],
  ["tag:reading", say`has the keyword, or one below it such as reading/slow; also #reading`],
  ["folder:essays", say`in the folder, or in one inside of it; also path:essays`],
  ["title:slip", say`in the title; also file:slip`],
  trait("is", TRAITS.is),
  trait("has", TRAITS.has),
  ["due:<2026-12-01", say`a property of that name; also rating:>3, pages:100..200, done:true, due:week`],
  ["status:open", say`a property with such a word; also due:none, due:any, "due date":today`],
  ["edited:>2026-01", say`also created:2026, edited:today, created:7d, edited:2026-01..2026-03`],
];

export const openSearchHelp = () =>
  openDialog({
    title: say`What can be searched for`,
    kind: "wide",
    content: () => html`
      <div class="shortcuts" tabindex="0" role="region" aria-label=${say`What can be searched for`}><section class="search-help"><dl>${ROWS.map(([typed, does]) => html`
        <div><dt><kbd>${typed}</kbd></dt><dd>${does}</dd></div>`)}</dl></section></div>`,
  });
