// The first column: smart places, the tree of folders, keywords.

import { icon } from "../view/icon.js";
import { keptText } from "../view/keptTexts.js";
import { contextMenu, openMenu } from "../view/menu.js";
import { html, keyed } from "../view/template.js";
import { commandKey, count, counted } from "../view/words.js";
import { hasNested } from "../model/keywordTree.js";
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
      <h1 class="brand-line"><a class="brand" href="#/all" aria-label="Slipbox, all notes"><img src="/icon.svg" alt="" width="24" height="24" />Slipbox</a></h1>
      <button class="plain" aria-label="Go to…" title=${`Go to… (${commandKey} K)`} @click=${() => openSwitcher()}>${icon("search")}</button>
      <button class="plain" aria-label="Settings and help" aria-haspopup="menu" title="Settings and help" @click=${openSettings}>${icon("settings-2")}</button>
    </header>
    <div class="side-tools" role="group" aria-label="Slip box">
      <button class="plain" title="The note of today (Alt T)" @click=${writeToday}>${icon("calendar")}Today</button>
      <button class="plain" title="Random note (Alt R)" @click=${openRandom}>${icon("die")}Random</button>
      <button class="plain" title="The map of links (Alt M)" @click=${() => openMap()}>${icon("map")}Map</button>
    </div>
    <div class="side-body">
      <ul class="places" aria-label="Places">${PLACES.map((place) => keyed(place.id, placeView(place, overview?.places[place.id])))}</ul>
      <div class="side-section">
        <h2 id="folders-title">Folders</h2>
        <button class="plain small" aria-label="New folder" title="New folder (Alt Shift N)" @click=${() => newFolder()}>${icon("folder-plus")}</button>
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

function placeView(place, number) {
  const isHere = state.place === place.id;
  const takes = place.id === "unfiled" ? (notes) => moveNotes(notes, null) : place.id === "trash" ? trashNotes : null;
  return html`
    <li><a class="place" href=${pathOf(place.id)} aria-current=${isHere ? "page" : null}
      ref=${(element) => takes && takesNotes(element, takes)} @contextmenu=${place.id === "trash" ? trashMenu : null}>
      ${icon(place.icon)}<span class="place-name">${place.name}</span>
      <span class="place-count">${number ? html`${count(number)}<span class="sr"> ${number === 1 ? "note" : "notes"}</span>` : null}</span></a></li>`;
}

const trashMenu = contextMenu(() => [{ name: "Empty trash…", icon: "trash-2", isBad: true, run: askEmptyTrash }], "Trash");

const keywordsView = (keywords) => html`
  <div class="side-section">
    <h2 id="keywords-title">Keywords</h2>
    <button class="plain small" aria-label="All keywords" title="All keywords" @click=${() => allKeywords()}>${icon("tags")}</button>
  </div>
  ${hasNested() ? keywordTree() : keywordList(keywords)}
  ${keywords.total > keywords.top.length ? html`<button class="place" @click=${() => allKeywords()}>
    ${icon("ellipsis")}<span class="place-name">All ${count(keywords.total)} keywords</span></button>` : null}`;

const keywordList = (keywords) => html`
  <ul class="places" aria-labelledby="keywords-title">
    ${keywords.top.map((keyword) => keyed(keyword.id, html`
      <li><a class="place" href=${pathOf(`keyword:${keyword.id}`)} aria-current=${state.place === `keyword:${keyword.id}` ? "page" : null}
        @contextmenu=${contextMenu(() => keywordMenu(keyword), `Keyword ${keyword.name}`)}>
        <i class="dot" $--dot=${keyword.color}></i><span class="place-name">${keyword.name}</span>
        <span class="place-count">${keyword.count ? html`${count(keyword.count)}<span class="sr"> ${keyword.count === 1 ? "note" : "notes"}</span>` : null}</span></a></li>`))}
  </ul>`;

const trashedFoldersView = (folders) => html`
  <div class="side-section"><h2 id="trashed-title">Folders in the trash</h2></div>
  <ul class="places" aria-labelledby="trashed-title">
    ${folders.map((folder) => keyed(folder.id, html`
      <li class="place trashed">${icon("folder")}<span class="place-name">${folder.name}</span>
        <button class="plain small" aria-label=${`Restore ${folder.name}`} title="Restore" @click=${() => restoreFolder(folder)}>${icon("rotate-ccw")}</button></li>`))}
  </ul>`;

/// What is to be heard has its place before it is said: many screen readers miss a place that comes with its words.
const connectionView = () => html`<div role="status">${isInStep() ? null : html`<div class="side-foot">${icon("cloud-off")}${connectionWords()}</div>`}</div>`;

const isInStep = () => state.reachable && state.waiting === 0;

function connectionWords() {
  const waiting = state.waiting > 0 ? `, ${counted(state.waiting, "edit waits", "edits wait")}` : "";
  return state.reachable ? `Sending${waiting}` : `Offline${waiting}`;
}

// MARK: - Settings

function openSettings(event) {
  const theme = keptText("theme") ?? "system";
  const themes = [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]];
  openMenu(event.currentTarget, [
    ...themes.map(([id, name]) => ({ name, isOn: theme === id, run: () => setTheme(id) })),
    { name: "Appearance…", icon: "eye", run: openAppearance },
    "line",
    { name: "Import files or an archive…", icon: "import", run: () => chooseFiles() },
    { name: "Import a folder…", icon: "folder-input", run: () => chooseFolder() },
    { name: "Export everything…", icon: "file-down", run: () => exportAll() },
    { name: "Other devices…", icon: "devices", run: () => openSync() },
    { name: "Notes on this device…", icon: "download", run: openAtHand },
    { name: "Published notes…", icon: "globe", run: openPublishedNotes },
    { name: "Clip pages…", icon: "link", run: openClipping },
    "line",
    { name: "Statistics…", icon: "bars", run: openStatistics },
    { name: "All keywords…", icon: "tags", run: () => allKeywords() },
    { name: "Keyboard shortcuts", icon: "keyboard", keys: "?", run: openKeys },
    { name: "Keys in the folder tree", icon: "info", run: () => openKeys(TREE_HELP) },
  ], "Settings and help");
}
