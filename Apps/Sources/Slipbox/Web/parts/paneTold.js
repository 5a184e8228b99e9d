// The answers of the page to the editor of a pane: links and the notes behind them, keywords, and things to put into a text.

import { changed } from "../view/drawing.js";
import { say } from "../view/say.js";
import { toast } from "../view/toast.js";
import { isSame } from "../editor/tagging.js";
import { go } from "../model/route.js";
import { valueOf } from "../model/appearance.js";
import { watchEmbedded } from "../model/embedded.js";
import { languageOf } from "../model/properties.js";
import { CitedWorks, findReferences } from "../model/references.js";
import { showAt } from "../model/shownAt.js";
import { state } from "../model/state.js";
import { refreshAll } from "../acts/acts.js";
import { addKeyword, removeKeyword } from "./changes.js";
import { notesIn } from "./dragging.js";
import { helpFor, rememberKept } from "./inText.js";
import { anyColour } from "./keywords.js";
import { createNote, makeNote } from "./making.js";
import { refresh } from "./others.js";
import { chooseFilesFor, openPictureOf, PICTURES } from "./picture.js";

/// The entries of other parts for the menu of what can be put in; each gives {name, drawing, words, act} for a pane.
const otherThings = [];
export const putInAlso = (give) => void otherThings.push(give);

/// Opens a note beside the one that is open, as the part tells that does so; null where there is no room.
let besideOpener = () => null;
export const openBesideWith = (opener) => void (besideOpener = opener);

/// How a drawing of the text is changed, as the part tells that draws: (note, file, name, replace).
let drawingChanger = null;
export const changeDrawingsWith = (changer) => void (drawingChanger = changer);

/// Gives a block of a note a sign, as the part tells that does so.
let blockSigner = () => null;
export const signBlocksWith = (signer) => void (blockSigner = signer);

export const toldOf = (pane) => ({
  ...helpFor(() => pane.note),
  change: () => pane.edited(),
  look: changed,
  goAbove: () => pane.title.focusEnd(),
  isAlone: () => state.mode === "focus",
  openNote: (id, heading) => openLinked(pane, id, heading),
  openBeside: () => besideOpener(),
  signBlock: (id, block) => blockSigner(id, block),
  createNote: (title) => createNote(title, pane.note?.folder),
  makeNote: (title) => makeLoose(pane, title),
  // The bubble of a link is drawn once more as its note goes.
  titleOfNote: (id) => pane.note?.links?.find((link) => link.id === id)?.title,
  isDead: (id) => pane.note?.dead?.includes(id) ?? false,
  hasKeyword: (text) => hasKeyword(pane, text),
  tag: (keyword) => tag(pane, keyword),
  untag: (text) => untag(pane, text),
  showPicture: openPictureOf,
  editDrawing: (file, name, replace) => changeDrawing(pane, file, name, replace),
  moreToPutIn: () => moreToPutIn(pane),
  notesIn,
  findReferences: async (text) => (await findReferences(text)).references,
  citedWorks: (tell) => (pane.cited = citedBy(tell)),
  worksOfEmbed: (tell) => new CitedWorks(tell),
  embedded: watchEmbedded,
  ownID: () => pane.note?.id,
  ownNames: () => [pane.note?.title, ...(pane.note?.aliases ?? [])],
  quotes: () => (valueOf("quotes") === "language" ? languageOf(pane.note) ?? navigator.language : null),
  hintID: pane.idOf("text-hint"),
});

/// The works that the text cites; the page shows their list, too.
const citedBy = (tell) => new CitedWorks(() => {
  tell();
  changed();
});

// MARK: - Links

function openLinked(pane, id, heading = null) {
  if (pane.note?.id === id) return void (heading && pane.goToHeading(heading));
  showAt({ note: id, heading });
  go(state.place === "trash" ? "all" : state.place, id);
}

/// A note for `[[Title]]` in the text: the server makes links of all that wait for it, this one too.
async function makeLoose(pane, title) {
  await pane.saveNow();
  const made = await makeNote({ title, folder: pane.note?.folder }).catch(() => null);
  if (!made) return;
  toast(say`Note “${title}” created`, { act: { name: say`Open`, run: () => openLinked(pane, made.id) } });
  await refresh(pane);
  refreshAll();
}

// MARK: - Keywords

const hasKeyword = (pane, text) => pane.note?.keywords?.some(({ name }) => isSame(name, text)) ?? false;

/// A keyword that was chosen in the text.
function tag(pane, { id, name, color }) {
  if (hasKeyword(pane, name)) return;
  addKeyword(pane, id ? { id, name, color } : { name, color: anyColour() }, say`Keyword “${name}” added to the note`);
}

/// One that was typed in the text, and not meant.
function untag(pane, text) {
  const keyword = pane.note?.keywords?.find(({ name }) => isSame(name, text));
  if (!keyword?.id) return false;
  removeKeyword(pane, keyword);
  return true;
}

// MARK: - To put in

function changeDrawing(pane, file, name, replace) {
  return drawingChanger(pane.note.id, file, name, (facts) => {
    rememberKept(facts);
    return replace(facts);
  });
}

const moreToPutIn = (pane) => [
  { name: say`Picture`, drawing: "image-plus", act: () => chooseFilesFor((files) => pane.addFiles(files), PICTURES) },
  { name: say`File`, drawing: "paperclip", act: () => chooseFilesFor((files) => pane.addFiles(files)) },
  ...otherThings.flatMap((give) => give(pane)),
];
