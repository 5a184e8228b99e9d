// What is asked before notes are moved or deleted.

import { confirm } from "../view/dialog.js";
import { say } from "../view/say.js";
import { counted, titleOf } from "../view/words.js";
import { forgetChosen } from "../model/chosen.js";
import { deleteForever, emptyTrash, moveNotes } from "./acts.js";
import { chooseFolder } from "./filing.js";

export async function askDeleteForever(note) {
  const yes = await confirm({ title: say`Delete for good?`, text: say`“${titleOf(note)}” will be gone, with its picture and its history.`, yes: say`Delete` });
  if (yes) await deleteForever(note);
  return yes;
}

export async function askWhere(notes) {
  const target = await chooseFolder({ title: notes.length === 1 ? say`Move “${titleOf(notes[0])}” to…` : say`Move ${counted(notes.length, "note", "notes")} to…` });
  if (target) {
    forgetChosen();
    await moveNotes(notes, target.folder);
  }
}

export async function askEmptyTrash() {
  const yes = await confirm({ title: say`Empty the trash?`, text: say`All notes and folders in the trash will be deleted for good.`, yes: say`Empty trash` });
  if (yes) emptyTrash();
}
