// What makes several notes of one: a part of the text becomes a note, or each section does.

import { toast } from "../view/toast.js";
import { extract } from "../editor/extracting.js";
import { go } from "../model/route.js";
import { state } from "../model/state.js";
import { quoted, refreshAll } from "../acts/acts.js";
import { makeNote } from "./making.js";

/// For the menu of a note, and so for the palette.
export const extractingItems = (pane) => (isWritten(pane) ? [
  { name: "Extract to a new note", icon: "file-plus", run: () => extractPart(pane) },
] : []);

const isWritten = ({ note, editor }) => Boolean(note) && !note.trashed && Boolean(editor?.isEditable);

async function extractPart(pane) {
  const { folder } = pane.note;
  // What is refused was told, and the text is as it was.
  const make = async (body) => (await makeNote({ ...body, folder }).catch(() => null))?.id;
  let wasAsked = false;
  const made = await extract(pane.editor, (body) => ((wasAsked = true), make(body)));
  if (!made) return void (wasAsked || toast("Put the caret into what shall become a note, or select it."));
  const open = { name: "Open", run: () => go(state.place === "trash" ? "all" : state.place, made.id) };
  const said = `Note ${quoted(made.title || "Untitled")} made`;
  if (made.isReplaced) toast(said, { act: open });
  else toast(`${said}. The text has changed meanwhile, and still has these words.`, { act: open });
  refreshAll();
}
