// What the editor asks for while one writes: notes, headings and keywords to choose from, files to keep, and what a text
// of Markdown means.

import { say } from "../view/say.js";
import { complain, toast } from "../view/toast.js";
import { counted } from "../view/words.js";
import { get, post, Unreachable, upload } from "../server/call.js";
import { waitingNotes, withWaiting } from "../server/outbox.js";
import { untilParted } from "../model/parting.js";
import { openPage, sendingView } from "./picture.js";

/// `opened()` is the note that is open.
export const helpFor = (opened) => ({
  findNotes: (text) => findNotes(text, opened()),
  documentOf,
  findKeywords,
  keepFiles: (coming) => keepFiles(coming, opened()),
  fileFacts: (id) => opened()?.files?.find((file) => file.id === id) ?? kept.get(id),
  pagesOf: (file) => get(`/files/${file}/pages`),
  showPage: openPage,
  readMarkdown,
  lost: sayLost,
  leftBehind: sayLeftBehind,
});

// MARK: - To choose from

async function findNotes(text, writing) {
  const found = await get(`/suggest?text=${encodeURIComponent(text)}&limit=8`);
  // A title that waits to be sent is what the link will say.
  const notes = found.notes.map(withWaiting);
  const known = new Set([writing?.id, ...notes.map(({ id }) => id)]);
  const isMeant = ({ id, title }) => title && !known.has(id) && title.toLowerCase().includes(text.toLowerCase());
  return [...waitingNotes().filter(isMeant), ...notes.filter((note) => note.id !== writing?.id)];
}

/// The text of a note, for links that lead to a part of it.
async function documentOf(id) {
  await untilParted(id);
  return (waitingNotes().find((note) => note.id === id) ?? withWaiting(await get(`/notes/${id}`))).document;
}

/// A hyphen may stand where the name has a blank.
const findKeywords = (text) => get(`/keywords?text=${encodeURIComponent(text.split("-")[0])}&limit=100`);

// MARK: - Files

/// Files that were kept since the note was read.
const kept = new Map();
export const rememberKept = (facts) => void kept.set(facts.id, facts);

/// Sends files, which the text is to name; null in the place of one that was not taken.
async function keepFiles(coming, note) {
  const files = await Promise.all(coming);
  const lost = files.filter((file) => !file).length;
  if (lost > 0) sayLost(lost);
  const facts = [];
  for (const [index, file] of files.entries()) {
    if (!file) {
      facts.push(null);
      continue;
    }
    if (file.kept) {
      rememberKept(file.kept);
      facts.push(file.kept);
      continue;
    }
    try {
      sendingView.show(note, file.name, index + 1, files.length);
      const fact = await upload(`/notes/${note.id}/files`, file, sendingView.went);
      kept.set(fact.id, fact);
      facts.push(fact);
    } catch (error) {
      if (error instanceof Unreachable) sayNotPutIn(file, error);
      else complain(error);
      facts.push(null);
    }
  }
  sendingView.hide();
  return facts;
}

/// A file does not wait for the server as words do.
const sayNotPutIn = ({ type }, error) =>
  complain(new Error(type.startsWith("image/") ? say`${error.message} The picture was not inserted. Insert it again when Slipbox is reachable.`
    : say`${error.message} The file was not inserted. Insert it again when Slipbox is reachable.`));

/// Nothing is fetched from elsewhere.
const sayLost = (lost) => toast(say`${counted(lost, "picture was", "pictures were")} left out, because Slipbox does not load anything from other sites.`);

/// A note that is not open takes nothing.
const sayLeftBehind = () => toast(say`The file was not ready when you left the note. Insert it again.`, { kind: "bad" });

// MARK: - Markdown

/// What a text of Markdown means; where nobody answers, its lines.
async function readMarkdown(text) {
  try {
    return (await post("/markdown", { markdown: text })).document;
  } catch (error) {
    if (!(error instanceof Unreachable)) complain(error);
    return { content: text.split("\n").map((line) => ({ type: "paragraph", ...(line ? { content: [{ type: "text", text: line }] } : {}) })) };
  }
}
