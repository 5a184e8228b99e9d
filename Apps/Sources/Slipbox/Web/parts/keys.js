// The keys and what they do. Browsers keep Ctrl N, T and W for themselves.

import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { toast } from "../view/toast.js";
import { commandKey, letterOf } from "../view/words.js";
import { lock, lockNow } from "../model/lock.js";
import { catchUp } from "../model/route.js";
import { savingText } from "../model/saving.js";
import { state } from "../model/state.js";
import { areTabsShown, goAlong, hasClosedTabs, hasRoomForTabs } from "../model/tabs.js";
import { redoLast, undoLast } from "../acts/acts.js";
import { newFolder } from "../acts/filing.js";
import { openRandom } from "../acts/kit.js";
import { chooseBesideAct, otherSideAct } from "./beside.js";
import { findNext, isFinding, openFinding } from "./finding.js";
import { openMap } from "./map.js";
import { newNote } from "./opening.js";
import { leaveMode, setMode } from "./modes.js";
import { openOutline } from "./outline.js";
import { front } from "./panes.js";
import { addProperty } from "./properties.js";
import { focusSearch } from "./search.js";
import { openKeys } from "./shortcuts.js";
import { openSwitcher } from "./switcher.js";
import { closeTab, moveActive, reopenTab, stepTab } from "./tabActs.js";
import { writeToday } from "./typing.js";

const isTyping = (target) => target.matches?.("input, textarea, select, [contenteditable=true], .ProseMirror, .ProseMirror *") ?? false;

/// On a Mac some keyboards have signs and letters behind such keys that are nowhere else: a German one has @ behind L and “ behind
/// 2, a British one # behind 3 and € behind 2, a Polish one ł behind L, a French one œ behind O and “ behind 3. An American one
/// has ø and ƒ there, which stay commands: who writes ø has a key for it. Behind N most have a dead key, with which ñ and a
/// German ~ begin, and most browsers begin them whatever a page does.
const isWritten = (key) => key === "Dead" || /^[!-/:-@[-`{-~€“”‘’„‚«»]$/.test(key) || /^(?![a-zøƒ])\p{Script=Latin}$/iu.test(key);

export function listenToKeys() {
  addEventListener("keydown", press, { capture: true });
}

function press(event) {
  if (isComposing(event)) return;
  if (document.querySelector("dialog[open]") && !(isCommand(event) && letterOf(event) === "S") && !isForLock(event)) return;
  catchUp();
  const act = actFor(event);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/// Somebody who leaves does not look first whether a dialog is open.
const isForLock = (event) => lock.isSet && event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey && letterOf(event) === "L";

const isCommand = (event) => (event.ctrlKey || event.metaKey) && !event.altKey;

function actFor(event) {
  const { code, shiftKey } = event;
  const letter = letterOf(event);
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (isWritten(event.key) && isTyping(event.target)) return null;
    if (letter === "N") return shiftKey ? () => newFolder() : () => newNote();
    if (isForLock(event)) return () => lockNow();
    if (letter === "F" && !shiftKey && front().note) return () => setMode("focus");
    if (letter === "L" && !shiftKey && front().note) return () => setMode("reading");
    if (letter === "T" && !shiftKey) return writeToday;
    if (letter === "R" && !shiftKey) return openRandom;
    if (letter === "M" && !shiftKey) return () => openMap();
    if (letter === "O" && !shiftKey && front().note) return () => openOutline();
    // On a Mac these keys go by words; its browsers have ⌘ [ and ⌘ ].
    if (commandKey !== "⌘" && !shiftKey && event.key === "ArrowLeft") return () => goAlong(-1);
    if (commandKey !== "⌘" && !shiftKey && event.key === "ArrowRight") return () => goAlong(1);
    const tabAct = tabActFor(event, letter);
    if (tabAct) return tabAct;
    if (letter === "P" && !shiftKey && front().note) return () => addProperty(front());
    if (letter === "B" && !shiftKey && chooseBesideAct()) return chooseBesideAct();
    if (letter === "X" && !shiftKey && otherSideAct()) return otherSideAct();
    if (code === "Digit1") return () => focusColumn("side");
    if (code === "Digit2") return () => focusColumn("list");
    if (code === "Digit3") return () => focusColumn("page");
    return null;
  }
  if (isCommand(event)) {
    if (commandKey === "⌘" && areTabsShown() && !shiftKey && /^[[\]]$/.test(event.key)) return () => goAlong(event.key === "[" ? -1 : 1);
    if (letter === "K" || letter === "P") return shiftKey ? null : () => openSwitcher();
    if (letter === "F") return !shiftKey && isInNote() ? () => openFinding(front()) : () => focusSearch(shiftKey ? "all" : "here");
    if (letter === "G" && isFinding(front())) return () => findNext(front(), shiftKey ? -1 : 1);
    if (letter === "S" && !shiftKey) return save;
    if (code === "Backslash") return onlyTheNote;
    if (isTyping(event.target)) return null;
    if (letter === "Z") return shiftKey ? redoLast : undoLast;
    if (letter === "Y") return redoLast;
    return null;
  }
  // What is open above the text hears of Escape first.
  if (event.key === "Escape" && state.mode && !isFinding(front()) && !document.querySelector(".completion, .menu, .link-bubble")) return leaveMode;
  if (event.key === "F3" && isFinding(front())) return () => findNext(front(), shiftKey ? -1 : 1);
  if (/^Arrow(Up|Down)$/.test(event.key) && event.target === document.body) return () => intoList(event.key);
  if (isTyping(event.target)) return null;
  return event.key === "?" ? () => openKeys() : null;
}

/// With Alt: W for closing, the page keys for going from tab to tab.
function tabActFor({ code, shiftKey }, letter) {
  if (letter === "W" && shiftKey) return hasRoomForTabs() && hasClosedTabs() ? reopenTab : null;
  if (!areTabsShown()) return null;
  if (letter === "W") return () => closeTab();
  const by = { PageDown: 1, PageUp: -1 }[code];
  return by ? () => (shiftKey ? moveActive(by) : stepTab(by)) : null;
}

/// Where nothing has the focus, arrows are for the list.
function intoList(key) {
  const rows = document.querySelector(".rows");
  rows?.focus();
  rows?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/// Where the note has the focus, or is all there is to see.
function isInNote() {
  if (!front().note) return false;
  return Boolean(document.activeElement?.closest(".page")) || !document.querySelector(".list").checkVisibility();
}

async function save() {
  const pane = front();
  const { draft } = pane;
  await pane.saveNow();
  // What was refused is told by whoever has sent it.
  if (draft && draft === pane.draft && ["saved", "waiting"].includes(draft.state)) toast(savingText(draft));
}

function onlyTheNote() {
  state.isWriting = !state.isWriting;
  changed();
}

function focusColumn(name) {
  state.isWriting = false;
  changed();
  const target = { side: '.tree [tabindex="0"], .places a', list: ".rows", page: `#${front().idOf("pane")} .ProseMirror` }[name];
  queueMicrotask(() => document.querySelector(target)?.focus());
}
