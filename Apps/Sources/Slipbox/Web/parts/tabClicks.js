// Clicks on links and rows that open a note elsewhere than in the place of the one that is open.
//
//   middle click, or Ctrl or ⌘ on a link       in a tab; in the list Ctrl chooses several notes
//   Shift with these, also in the list         beside

import { commandKey } from "../view/words.js";
import { locationIn } from "../model/route.js";
import { state } from "../model/state.js";
import { hasRoomForTabs } from "../model/tabs.js";
import { besideActFor } from "./beside.js";
import { openInTab } from "./tabActs.js";

export function watchTabClicks() {
  for (const name of ["mousedown", "mouseup", "click", "auxclick"]) addEventListener(name, take, { capture: true });
}

function take(event) {
  const isMiddle = event.button === 1;
  const isWithKey = event.button === 0 && (commandKey === "⌘" ? event.metaKey : event.ctrlKey) && !event.altKey;
  if (!hasRoomForTabs() || !(isMiddle || isWithKey)) return;
  const found = noteAt(event.target, isMiddle || event.shiftKey);
  if (!found) return;
  // Without this, the browser pastes, scrolls or opens a page of its own.
  event.preventDefault();
  event.stopPropagation();
  if (event.type !== (isMiddle ? "auxclick" : "click")) return;
  const openBeside = event.shiftKey ? besideActFor(found.id, found) : null;
  if (openBeside) openBeside();
  else openInTab(found.id, { ...found, isBehind: !event.shiftKey });
}

function noteAt(element, takesRows) {
  const row = takesRows ? element.closest?.(".rows .row[id]") : null;
  if (row) return { id: row.id.replace(/^row-/, ""), title: null };
  const link = element.closest?.("a[href^='#/']");
  const { place, note } = locationIn(link?.getAttribute("href") ?? "");
  if (!note) return null;
  // A link in a text names no place of its own.
  return { id: note, heading: link.dataset.heading, place: link.closest(".text") ? state.place : place };
}
