// Tabs outlive the page: the tab of the browser keeps them for itself, and one of them for the next start of the program.

import { dropText, keepText, keepTextOfTab, keptText, textOfTab } from "../view/keptTexts.js";
import { readTrail } from "./trail.js";

const KEPT = "tabs";

/// Whether this page keeps its tabs for the next start.
let isKeeper = false;
/// Whether those that are kept are of this page.
let isMine = false;
/// The tabs of this page as text, or null where there is one only.
let last = null;

export function keepTabs({ all, active }) {
  last = all.length > 1 ? JSON.stringify({ active: all.indexOf(active), tabs: all.map(({ key, trail, title, beside }) => ({ key, trail, title, beside })) }) : null;
  keepTextOfTab(KEPT, last);
  keepForNextStart();
}

function keepForNextStart() {
  if (!isKeeper || (!last && !isMine)) return;
  isMine = last !== null;
  if (last) keepText(KEPT, last);
  else dropText(KEPT);
}

/// {kept, isOfPage}: the tabs {all, active} that were open when this page was loaded, or when the program was last used;
/// null without any.
export async function keptTabs(most) {
  const mine = readTabs(textOfTab(KEPT), most);
  isKeeper = await becomesKeeper();
  const kept = mine ?? (isKeeper ? readTabs(keptText(KEPT), most) : null);
  if (kept) isMine = isKeeper;
  return { kept, isOfPage: mine !== null };
}

/// Of several pages in one browser, the one that came first keeps its tabs for the next start.
function becomesKeeper() {
  if (!navigator.locks) return true;
  const held = new Promise(() => {});
  return new Promise((tell) => {
    navigator.locks.request("slipbox-tabs", { ifAvailable: true }, (lock) => {
      tell(lock !== null);
      return lock ? held : navigator.locks.request("slipbox-tabs", () => {
        isKeeper = true;
        keepForNextStart();
        return held;
      });
    });
  });
}

/// Tabs that were kept; null for what another version, or somebody else, has put there.
function readTabs(text, most) {
  const kept = parsed(text);
  if (!Array.isArray(kept?.tabs)) return null;
  const all = kept.tabs.slice(0, most).flatMap(({ key, trail, title, beside } = {}) => {
    const way = readTrail(trail);
    const known = { key, trail: way, title: typeof title === "string" ? title : null, beside: typeof beside === "string" ? beside : undefined };
    return way && typeof key === "string" ? [known] : [];
  });
  return all.length > 1 ? { all, active: all[kept.active] ?? all[0] } : null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
