// Ctrl/⌘ K: some letters, and there you are. Notes, folders, keywords, and what can be done.

import { openDialog } from "../view/dialog.js";
import { isComposing } from "../view/composing.js";
import { changed } from "../view/drawing.js";
import { icon } from "../view/icon.js";
import { marked } from "../view/marked.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { commandKey, titleOf } from "../view/words.js";
import { get } from "../server/call.js";
import { waitingNotes, withWaiting } from "../server/outbox.js";
import { list } from "../model/list.js";
import { lock, lockNow } from "../model/lock.js";
import { catchUp, go } from "../model/route.js";
import { beginChoosing } from "../model/chosen.js";
import { search } from "../model/searching.js";
import { PLACES, state } from "../model/state.js";
import { goAlong, hasRoomForTabs, hasRoomForTwo } from "../model/tabs.js";
import { pathOfFolder, reveal } from "../model/tree.js";
import { redoLast, undoLast } from "../acts/acts.js";
import { askEmptyTrash } from "../acts/asking.js";
import { newFolder } from "../acts/filing.js";
import { newFromTemplate, newTitled, openRandom } from "../acts/kit.js";
import { chooseFiles, chooseFolder, exportAll } from "../acts/importing.js";
import { setTheme } from "../acts/theme.js";
import { openAppearance } from "./appearance.js";
import { openAtHand } from "./atHand.js";
import { allKeywords } from "./keywords.js";
import { newNote } from "./opening.js";
import { openLock } from "./lock.js";
import { openMap } from "./map.js";
import { openPublishedNotes } from "./publishing.js";
import { focusSearch, runSearch } from "./search.js";
import { openSearchHelp } from "./searchHelp.js";
import { openStatistics } from "./statistics.js";
import { openClipping } from "./sharing.js";
import { openKeys } from "./shortcuts.js";
import { writeToday } from "./typing.js";

/// What can be done with what is open, as the parts tell that show it: with the note, its text, the list, the folder.
const givers = [];
export const takeActs = (give) => void givers.push(give);

/// Opens a note in a tab of its own, as the part tells that shows the tabs.
let takeInTab = () => {};
export const openTabsWith = (open) => void (takeInTab = open);

/// Opens a note beside the one that is open, as the part tells that knows both sides.
let takeBeside = () => {};
export const openBesideFrom = (open) => void (takeBeside = open);

const here = () => givers.flatMap((give) => give()).filter((item) => item && item !== "line" && !item.isOff);

const acts = () => [
  ...here().map(({ name, icon: drawing, keys, run }) => ({ name, drawing, keys, run, isOfHere: true })),
  { name: say`Today’s note`, drawing: "calendar", keys: "Alt T", run: writeToday },
  { name: say`Random note`, drawing: "die", keys: "Alt R", run: openRandom },
  { name: say`New note from a template…`, drawing: "file-plus", run: newFromTemplate },
  { name: say`Map of links`, drawing: "map", keys: "Alt M", run: () => openMap() },
  { name: say`Statistics`, drawing: "bars", run: openStatistics },
  { name: say`Notes on this device`, drawing: "download", run: openAtHand },
  { name: say`Published notes`, drawing: "globe", run: openPublishedNotes },
  { name: say`Clip pages`, drawing: "link", run: openClipping },
  { name: say`Choose several notes`, drawing: "list-checks", run: beginChoosing },
  { name: say`Undo`, drawing: "undo-2", run: undoLast },
  { name: say`Redo`, drawing: "redo-2", run: redoLast },
  { name: say`Empty trash…`, drawing: "trash-2", run: askEmptyTrash },
  { name: say`Hide the other columns`, drawing: "notebook-text", run: () => { state.isWriting = !state.isWriting; changed(); } },
  { name: say`What can be searched for`, drawing: "info", run: openSearchHelp },
  { name: say`Colours of the system`, drawing: "sun-moon", run: () => setTheme("system") },
  ...(state.overview?.searches ?? []).map(({ name, text }) => ({ name: say`Search: ${name}`, drawing: "search", run: () => { go("all"); catchUp(); runSearch(text); } })),
  { name: say`New note`, drawing: "square-pen", keys: "Alt N", run: newNote },
  { name: say`New folder`, drawing: "folder-plus", keys: "Alt Shift N", run: () => newFolder() },
  { name: say`Back`, drawing: "arrow-left", keys: commandKey === "⌘" ? "⌘ [" : "Alt ←", run: () => goAlong(-1) },
  { name: say`Forward`, drawing: "arrow-right", keys: commandKey === "⌘" ? "⌘ ]" : "Alt →", run: () => goAlong(1) },
  { name: say`Search all notes`, drawing: "search", run: () => focusSearch("all") },
  { name: say`Import files`, drawing: "import", run: chooseFiles },
  { name: say`Import a folder`, drawing: "folder-input", run: chooseFolder },
  { name: say`Export everything`, drawing: "file-down", run: exportAll },
  { name: say`All keywords`, drawing: "tags", run: allKeywords },
  { name: say`Appearance`, drawing: "eye", run: openAppearance },
  { name: say`Lock`, drawing: "lock", run: openLock },
  ...(lock.isSet ? [{ name: say`Lock now`, drawing: "lock", keys: "Alt Shift L", run: () => lockNow() }] : []),
  { name: say`Dark`, drawing: "moon", run: () => setTheme("dark") },
  { name: say`Light`, drawing: "sun", run: () => setTheme("light") },
  { name: say`Keyboard shortcuts`, drawing: "keyboard", keys: "?", run: openKeys },
  ...PLACES.map((place) => ({ name: place.name, drawing: place.icon, run: () => go(place.id) })),
];

/// What others call it.
const OTHER_WORDS = new Map([
  [say`History…`, say`versions revisions restore`], [say`Move to trash`, say`delete remove`], [say`Today’s note`, say`daily journal diary`], [say`Random note`, say`any`], [say`Map of links`, say`graph`],
  [say`Map around this note…`, say`graph local`], [say`Statistics`, say`numbers count`], [say`Notes on this device`, say`offline network`], [say`Appearance`, say`font size width typeface compact`], [say`Lock`, say`passphrase password idle privacy`], [say`Lock now`, say`close leave away`], [say`Clip pages`, say`bookmarklet web share`], [say`Publish…`, say`share link public web read`], [say`Published notes`, say`share links public web`], [say`Dark`, say`theme night`], [say`Light`, say`theme day`], [say`Colours of the system`, say`theme automatic`],
  [say`Export everything`, say`backup download`], [say`Write without distraction`, say`focus zen`], [say`Read`, say`preview reading`], [say`Open in a new tab`, say`window`], [say`Open a note beside…`, say`split view two sides panes column`], [say`Go to the other side`, say`split view switch panes`], [say`End side by side`, say`split view close one pane`], [say`Make a copy`, say`duplicate`], [say`Move to…`, say`file folder`],
  [say`Headings…`, say`outline contents`], [say`Split at headings…`, say`sections divide refactor`], [say`Extract to a new note`, say`selection section move refactor`], [say`Move the block up`, say`line paragraph item`], [say`Move the block down`, say`line paragraph item`], [say`Keyboard shortcuts`, say`hotkeys help`], [say`All keywords`, say`tags labels`], [say`Find in this note…`, say`replace search`], [say`Print…`, say`pdf paper`], [say`Export as DOCX`, say`word libreoffice document`],
  [say`Back`, say`previous history return`], [say`Forward`, say`next history`], [say`Other names…`, say`aliases`], [say`Add a property`, say`front matter field yaml metadata`], [say`Import files`, say`obsidian bear evernote apple notion keep joplin simplenote standard csv json`], [say`Import a folder`, say`obsidian vault logseq joplin notion`], [say`Copy link to this note`, say`url address share`],
  [say`New note`, say`create write`], [say`New folder`, say`create`], [say`Search all notes`, say`find`], [say`What can be searched for`, say`help operators`],
]);

const isMeant = ({ name }, typed) =>
  name.toLowerCase().includes(typed) || (OTHER_WORDS.get(name) ?? "").split(" ").some((word) => word.startsWith(typed));

/// The browser tells later that a dialog was closed; who presses Escape and Ctrl K at once wants it to open again.
const isOpen = () => document.querySelector("dialog.switcher[open]") !== null;

/// Goes there, or with `notesOnly` gives the note that was chosen.
export async function openSwitcher({ title = say`Go to…`, notesOnly = false, without = null } = {}) {
  if (isOpen()) return null;
  let text = "";
  let found = { notes: [], folders: [], keywords: [] };
  let foundFor = null;
  let active = 0;
  let isEntered = false;
  let isForTab = false;
  let isForSide = false;
  let redraw = () => {};
  let timer;

  const find = async () => {
    const asked = text;
    try {
      const answer = await get(`/suggest?text=${encodeURIComponent(asked.trim())}&limit=12`);
      if (asked !== text) return;
      found = answer;
    } catch {
      // Offline: what the sidebar knows can still be reached.
      const has = (name) => name.toLowerCase().includes(asked.trim().toLowerCase());
      found = { notes: [], folders: (state.overview?.folders ?? []).filter((one) => has(one.name)), keywords: (state.overview?.keywords.top ?? []).filter((one) => has(one.name)) };
    }
    foundFor = asked;
    // Arrows may have been pressed already.
    active = Math.max(0, Math.min(active, choices().length - 1));
    redraw();
  };
  find();

  const choice = await openDialog({
    title,
    kind: "switcher",
    isTitleHidden: true,
    content: (close, draw) => {
      redraw = draw;
      const items = choices();
      return html`
        <div class="switcher-field">${icon(notesOnly ? "link-2" : "search")}
          <input type="text" data-first maxlength="200" role="combobox" aria-label=${title} aria-expanded="true" aria-controls="switcher-choices" aria-autocomplete="list"
            autocomplete="off" spellcheck="false" placeholder=${notesOnly ? say`Find a note` : say`Find a note, a folder, a keyword, or what to do`} .value=${text}
            aria-activedescendant=${items.length ? `switch-${active}` : null}
            @input=${(event) => { text = event.target.value; active = 0; clearTimeout(timer); timer = setTimeout(find, 80); draw(); }}
            @keydown=${(event) => press(event, items, close, draw)} /><kbd>Esc</kbd></div>
        <div id="switcher-choices" class="choices" role="listbox" aria-label=${title}>
          ${groupsOf(items).map(([name, group]) => keyed(name, html`<div role="group" aria-label=${name}>
            <div class="choice-head" aria-hidden="true">${name}</div>
            ${group.map((item) => itemView(item, items.indexOf(item), close))}</div>`))}
        </div>
        ${items.length === 0 ? html`<p class="dialog-text" role="status">${say`Nothing found`}</p>` : null}`;
    },
  });
  if (!choice) return null;
  if (notesOnly) return choice.note;
  if (isForSide && choice.note) takeBeside(choice.note);
  else if (isForTab && choice.note) takeInTab(choice.note);
  else choice.run();
  return null;

  function choices() {
    const typed = text.trim().toLowerCase();
    const notes = foundNotes(typed).filter((note) => note.id !== without)
      .map((note) => ({ group: typed ? say`Notes` : say`Changed lately`, name: titleOf(note), drawing: "file-text", more: note.folder?.name ?? note.folder ?? "", note, run: () => go(placeFor(), note.id) }));
    if (notesOnly) return notes;
    const folders = found.folders.map((folder) => ({ group: say`Folders`, name: folder.name, drawing: "folder", more: pathAbove(folder), run: () => { reveal(folder.id); go(`folder:${folder.id}`); } }));
    const keywords = found.keywords.map((keyword) => ({ group: say`Keywords`, name: keyword.name, color: keyword.color, run: () => go(`keyword:${keyword.id}`) }));
    const todo = acts().filter((act) => typed && isMeant(act, typed)).map((act) => ({ group: say`Do`, ...act }));
    const fresh = typed ? [] : acts().filter((act) => !act.isOfHere).slice(0, 3).map((act) => ({ group: say`Do`, ...act }));
    const title = text.trim();
    const isThere = notes.some((note) => note.name.toLowerCase() === typed);
    const create = typed && !isThere ? [{ group: say`Write`, name: say`New note “${title}”`, drawing: "square-pen", run: () => newTitled(title) }] : [];
    return [...notes, ...folders, ...keywords, ...todo, ...fresh, ...create];
  }

  /// With the notes that wait to be sent, and under the names that wait.
  function foundNotes(typed) {
    const isUnsent = ({ id, title, trashed }) => title && !trashed && title.toLowerCase().includes(typed) && found.notes.every((note) => note.id !== id);
    return [...waitingNotes().filter(isUnsent), ...found.notes.map(withWaiting)];
  }

  function itemView(item, index, close) {
    const at = item.name.toLowerCase().indexOf(text.trim().toLowerCase());
    const hits = text.trim() && at >= 0 ? [[at, text.trim().length]] : [];
    return html`
      <div class="choice" role="option" id=${`switch-${index}`} aria-selected=${String(index === active)} @click=${() => close(item)}>
        ${item.color ? html`<i class="dot" $--dot=${item.color}></i>` : icon(item.drawing)}<span class="choice-name">${marked(item.name, hits)}</span>
        ${item.more ? html`<span class="faint">${item.more}</span>` : null}${item.keys ? html`<kbd>${item.keys}</kbd>` : null}</div>`;
  }

  /// Who types fast and presses Enter means what was typed, not what was found before.
  async function enter(items, close) {
    if (foundFor !== text) {
      clearTimeout(timer);
      isEntered = true;
      await find();
      isEntered = false;
      items = choices();
    }
    if (items[active]) close(items[active]);
  }

  function press(event, items, close, draw) {
    if (isComposing(event)) return;
    // What is typed until it is found is for the note that will open, and no part of its name.
    if (isEntered && event.key !== "Escape") return event.preventDefault();
    if (event.key === "ArrowDown") active = (active + 1) % Math.max(1, items.length);
    else if (event.key === "ArrowUp") active = (active + items.length - 1) % Math.max(1, items.length);
    else if (event.key === "Enter") {
      isForTab = (event.ctrlKey || event.metaKey) && hasRoomForTabs();
      isForSide = isForTab && event.shiftKey && hasRoomForTwo();
      enter(items, close);
    } else return;
    event.preventDefault();
    draw();
    document.getElementById(`switch-${active}`)?.scrollIntoView({ block: "nearest" });
  }
}

const placeFor = () => (state.place === "trash" ? "all" : state.place);

function pathAbove(folder) {
  const known = state.overview?.folders.find((one) => one.id === folder.id);
  return known?.parent ? pathOfFolder(known).split(" › ").slice(0, -1).join(" › ") : "";
}

function groupsOf(items) {
  const groups = new Map();
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  return [...groups];
}
