// Sentences of the server, which are English, in the language of the pages.
//
//   translated("The disk is full: this was not saved.")    "Die Festplatte ist voll: Das wurde nicht gespeichert."
//
// The sentences that people meet are known here, with numbers in the place of their values, and translated as texts of the pages
// are. Others stay as they are. `Scripts/languages.py` looks for each of them among the sources of the server.

import { language, translationOf } from "../view/say.js";

const known = (strings, ...numbers) => strings.reduce((text, piece, index) => `${text}{${numbers[index - 1]}}${piece}`);

const SENTENCES = [
  // Notes that cannot be written now.
  known`Another program keeps changing the same notes. Try again in a moment.`,
  known`Another program keeps the notes locked. Try again in a moment.`,
  known`The notes cannot be written: their folder is read-only.`,
  known`The disk is full: this was not saved.`,
  known`This was not saved: the file of the notes was removed or replaced while Slipbox ran. Put it back, or restart Slipbox.`,
  known`The database does not answer. Try again in a moment.`,
  known`The notes cannot be written: the database does not let its user write.`,
  known`Something else that takes long is under way: an import, an export or a map. Try again when it is done.`,
  known`That is not there any more. Begin again.`,
  // Undoing.
  known`This cannot be undone any more: the text was edited since.`,
  known`This cannot be undone any more: what it was about has been changed or deleted since.`,
  known`This cannot be undone any more: that is possible for an hour, and for the last 50 acts, or fewer where large pictures are among them.`,
  known`This cannot be undone any more: “${0}” was edited since.`,
  // Notes, folders and keywords.
  known`“${0}” was changed elsewhere since you began to edit it. Both texts are kept: yours is a note of its own now.`,
  known`There is no note ${0}. It may have been deleted for good.`,
  known`There is no folder ${0}. It may have been deleted for good.`,
  known`There is no keyword ${0}. It may have been deleted.`,
  known`A folder cannot lie in itself.`,
  known`“${0}” cannot be moved into “${1}”, which lies in it.`,
  known`The folder “${0}” is in the trash; restore it first.`,
  known`“${0}” is in the trash; restore it first.`,
  known`“${0}” is in the trash. Restore it to publish it.`,
  known`At most 1,000 notes can be published. Stop publishing another one first.`,
  known`There is a keyword “${0}” already.`,
  known`There are ${0} searches already.`,
  known`A title has at most 2,000 bytes; this one has ${0}.`,
  known`The text is longer than a note may be.`,
  known`The note cannot be made from this template: ${0}.`,
  known`“${0}” does not name “${1}” any more.`,
  known`The notes cannot be merged: ${0}. Choose fewer of them.`,
  known`“${0}” has no headings of level ${1} outside of lists and quotes.`,
  known`At most ${0} notes can be changed at once.`,
  known`${0} notes have these words; ${1} can be changed at once.`,
  known`The texts of these ${0} notes are too long to be changed at once. Choose fewer.`,
  known`The name of a property has no colon, quote or backslash, and does not begin with “slipbox-”: “${0}” cannot be one.`,
  known`“${0}” is not the name of a property: files have something else of a note under it. Choose another name.`,
  known`This wording was settled already.`,
  // Searches.
  known`“${0}:${1}” is looked for as a word. Behind “${2}:” there can be ${3}.`,
  known`“${0}” is neither a number nor a date such as 2026-12-01, so “${1}” is compared with it as a text.`,
  // Files, imports and exports.
  known`The file is empty.`,
  known`A file has at most ${0} MB.`,
  known`The file is damaged.`,
  known`The file is not text in UTF-8.`,
  known`The file is larger than ${0} MB.`,
  known`Files of ${0} can be imported, and archives of them.`,
  known`More than ${0} notes are not imported at once.`,
  known`It lies in Bear’s trash.`,
  known`It was deleted in Notes.`,
  known`It lies in Keep’s trash.`,
  known`It lies in Simplenote’s trash.`,
  known`It lies in Joplin’s trash.`,
  known`It lies in the trash of Standard Notes.`,
  known`Its path is too long.`,
  known`Its file “${0}” is missing.`,
  known`Links to other places are not followed.`,
  known`More files than are listed here were left out.`,
  known`It is an overview of what Google has exported.`,
  known`It lists the pages of the export, which are imported.`,
  known`Pages in Org mode are not imported.`,
  known`It is encrypted. Wait until Joplin has decrypted all notes, and export them again.`,
  known`Some of its words are encrypted, which only Evernote can undo.`,
  known`Reading titles`,
  known`Bringing in notes`,
  known`Writing notes`,
  known`Writing pictures and files`,
  known`Reading notes`,
  known`Reading links`,
  // The lock.
  known`The slip box is locked in this browser. Unlock it with its passphrase.`,
  known`Somebody else has just set a lock.`,
  known`The slip box has no lock any more. Reload the page.`,
  known`Too many wrong passphrases. Try again in 1 second.`,
  known`Too many wrong passphrases. Try again in ${0} seconds.`,
  // Other devices.
  known`This conflict was settled already, or is older than thirty days.`,
  known`This was deleted in the meantime.`,
  known`That is too long for an address or a passphrase.`,
  known`A slip box in memory cannot be kept in step.`,
  known`This slip box is on this device only, and nothing was deleted. Move notes to the trash to delete them.`,
  known`This slip box already syncs with other devices. Stop syncing first, then join again.`,
  known`Parent folder`,
  known`Name of a property`,
  known`Property “${0}”`,
];

/// The sentences as patterns, made for the first one that is heard.
let patterns = null;

export function translated(sentence) {
  if (language === "en" || !sentence) return sentence;
  patterns ??= SENTENCES.map((key) => ({ key, pattern: patternOf(key) }));
  for (const { key, pattern } of patterns) {
    const [found, ...values] = pattern.exec(sentence) ?? [];
    if (found) return translationOf(key).replace(/\{(\d+)\}/g, (_, number) => values[number]);
  }
  // A word alone may be a text of the pages, too.
  return translationOf(sentence);
}

const patternOf = (key) => new RegExp(`^${key.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\d+\}/g, "(.+)")}$`, "s");
