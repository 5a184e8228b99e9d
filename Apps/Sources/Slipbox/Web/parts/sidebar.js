// The first column: smart places, the tree of folders, keywords.

import { icon } from "../view/icon.js";
import { keptText } from "../view/keptTexts.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { html, keyed } from "../view/template.js";
import { commandKey, count, counted } from "../view/words.js";
import { hasNested } from "../model/keywordTree.js";
import { lock, lockNow } from "../model/lock.js";
import { pathOf } from "../model/route.js";
import { PLACES, state } from "../model/state.js";
import { moveNotes, restoreFolder, trashNotes } from "../acts/acts.js";
import { askEmptyTrash } from "../acts/asking.js";
import { newFolder } from "../acts/filing.js";
import { chooseFiles, chooseFolder, exportAll } from "../acts/importing.js";
import { openRandom } from "../acts/kit.js";
import { setTheme } from "../acts/theme.js";
import { openAppearance } from "./appearance.js";
import { atHandFootView, openAtHand } from "./atHand.js";
import { takesNotes } from "./dragging.js";
import { folderTree, TREE_HELP } from "./folders.js";
import { allKeywords, keywordMenu } from "./keywords.js";
import { keywordTree } from "./keywordTree.js";
import { openLock } from "./lock.js";
import { openMap } from "./map.js";
import { writeToday } from "./typing.js";
import { openPublishedNotes } from "./publishing.js";
import { openClipping } from "./sharing.js";
import { openKeys } from "./shortcuts.js";
import { openStatistics } from "./statistics.js";
import { searchesView } from "./searches.js";
import { openSwitcher } from "./switcher.js";
import { openSync, syncFootView } from "./sync.js";

export function sidebarView() {
  const overview = state.overview;
  return html`
    <header class="side-head">
      <h1 class="brand-line"><a class="brand" href="#/all" aria-label=${say`Slipbox, all notes`}><img src="/icon.svg" alt="" width="24" height="24" />Slipbox</a></h1>
      <button class="plain" aria-label=${say`Go to…`} title=${say`Go to… (${commandKey} K)`} @click=${() => openSwitcher()}>${icon("search")}</button>
      <button class="plain" aria-label=${say`Settings and help`} aria-haspopup="menu" title=${say`Settings and help`} @click=${openSettings}>${icon("settings-2")}</button>
    </header>
    <div class="side-tools" role="group" aria-label=${say`Slip box`}>
      <button class="plain" title=${say`The note of today (Alt T)`} @click=${writeToday}>${icon("calendar")}${say`Today`}</button>
      <button class="plain" title=${say`Random note (Alt R)`} @click=${openRandom}>${icon("die")}${say`Random`}</button>
      <button class="plain" title=${say`The map of links (Alt M)`} @click=${() => openMap()}>${icon("map")}${say`Map`}</button>
    </div>
    <div class="side-body">
      <ul class="places" aria-label=${say`Places`}>${PLACES.map((place) => keyed(place.id, placeView(place, overview?.places[place.id])))}</ul>
      <div class="side-section">
        <h2 id="folders-title">${say`Folders`}</h2>
        <button class="plain small" aria-label=${say`New folder`} title=${say`New folder (Alt Shift N)`} @click=${() => newFolder()}>${icon("folder-plus")}</button>
      </div>
      ${overview ? folderTree() : html`<div class="spinner"></div>`}
      ${overview?.searches?.length > 0 ? searchesView(overview.searches) : null}
      ${overview?.keywords.total > 0 ? keywordsView(overview.keywords) : null}
      ${overview?.trashedFolders?.length > 0 && state.place === "trash" ? trashedFoldersView(overview.trashedFolders) : null}
    </div>
    ${syncFootView()}
    ${atHandFootView()}
    ${connectionView()}`;
}

const numberView = (number) => html`<span aria-hidden="true">${count(number)}</span><span class="sr">${counted(number, "note", "notes")}</span>`;

function placeView(place, number) {
  const isHere = state.place === place.id;
  const takes = place.id === "unfiled" ? (notes) => moveNotes(notes, null) : place.id === "trash" ? trashNotes : null;
  return html`
    <li><a class="place" href=${pathOf(place.id)} aria-current=${isHere ? "page" : null}
      ref=${(element) => takes && takesNotes(element, takes)} @contextmenu=${place.id === "trash" ? trashMenu : null}>
      ${icon(place.icon)}<span class="place-name">${place.name}</span>
      <span class="place-count">${number ? numberView(number) : null}</span></a></li>`;
}

const trashMenu = contextMenu(() => [{ name: say`Empty trash…`, icon: "trash-2", isBad: true, run: askEmptyTrash }], say`Trash`);

const keywordsView = (keywords) => html`
  <div class="side-section">
    <h2 id="keywords-title">${say`Keywords`}</h2>
    <button class="plain small" aria-label=${say`All keywords`} title=${say`All keywords`} @click=${() => allKeywords()}>${icon("tags")}</button>
  </div>
  ${hasNested() ? keywordTree() : keywordList(keywords)}
  ${keywords.total > keywords.top.length ? html`<button class="place" @click=${() => allKeywords()}>
    ${icon("ellipsis")}<span class="place-name">${say`All ${count(keywords.total)} keywords`}</span></button>` : null}`;

const keywordList = (keywords) => html`
  <ul class="places" aria-labelledby="keywords-title">
    ${keywords.top.map((keyword) => keyed(keyword.id, html`
      <li><a class="place" href=${pathOf(`keyword:${keyword.id}`)} aria-current=${state.place === `keyword:${keyword.id}` ? "page" : null}
        @contextmenu=${contextMenu(() => keywordMenu(keyword), say`Keyword ${keyword.name}`)}>
        <i class="dot" $--dot=${keyword.color}></i><span class="place-name">${keyword.name}</span>
        <span class="place-count">${keyword.count ? numberView(keyword.count) : null}</span></a></li>`))}
  </ul>`;

const trashedFoldersView = (folders) => html`
  <div class="side-section"><h2 id="trashed-title">${say`Folders in the trash`}</h2></div>
  <ul class="places" aria-labelledby="trashed-title">
    ${folders.map((folder) => keyed(folder.id, html`
      <li class="place trashed">${icon("folder")}<span class="place-name">${folder.name}</span>
        <button class="plain small" aria-label=${say`Restore ${folder.name}`} title=${say`Restore`} @click=${() => restoreFolder(folder)}>${icon("rotate-ccw")}</button></li>`))}
  </ul>`;

/// What is to be heard has its place before it is said: many screen readers miss a place that comes with its words.
const connectionView = () => html`<div role="status">${isInStep() ? null : html`<div class="side-foot">${icon("cloud-off")}${connectionWords()}</div>`}</div>`;

const isInStep = () => state.reachable && state.waiting === 0;

function connectionWords() {
  const edits = state.waiting > 0 && counted(state.waiting, "edit waits", "edits wait");
  if (edits) return state.reachable ? say`Sending, ${edits}` : say`Offline, ${edits}`;
  return state.reachable ? say`Sending` : say`Offline`;
}

// MARK: - Settings

function openSettings(event) {
  const theme = keptText("theme") ?? "system";
  const themes = [["system", say`As the system`], ["light", say`Light`], ["dark", say`Dark`]];
  openMenu(event.currentTarget, [
    ...themes.map(([id, name]) => ({ name, isOn: theme === id, run: () => setTheme(id) })),
    { name: say`Appearance…`, icon: "eye", run: openAppearance },
    { name: say`Lock…`, icon: "lock", run: openLock },
    ...(lock.isSet ? [{ name: say`Lock now`, icon: "lock", keys: "Alt Shift L", run: () => lockNow() }] : []),
    "line",
    { name: say`Import files or an archive…`, icon: "import", run: () => chooseFiles() },
    { name: say`Import a folder…`, icon: "folder-input", run: () => chooseFolder() },
    { name: say`Export everything…`, icon: "file-down", run: () => exportAll() },
    { name: say`Other devices…`, icon: "devices", run: () => openSync() },
    { name: say`Notes on this device…`, icon: "download", run: openAtHand },
    { name: say`Published notes…`, icon: "globe", run: openPublishedNotes },
    { name: say`Clip pages…`, icon: "link", run: openClipping },
    "line",
    { name: say`Statistics…`, icon: "bars", run: openStatistics },
    { name: say`All keywords…`, icon: "tags", run: () => allKeywords() },
    { name: say`Keyboard shortcuts`, icon: "keyboard", keys: "?", run: openKeys },
    { name: say`Keys in the folder tree`, icon: "info", run: () => openKeys(TREE_HELP) },
  ], say`Settings and help`);
}
