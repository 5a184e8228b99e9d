// What was dropped on the page: files, and folders with all that is in them.

/// The path that a file has in the folder that was dropped or chosen.
export const pathOf = (file) => paths.get(file) ?? (file.webkitRelativePath || file.name);

const paths = new WeakMap();

/// Whether a folder is among what was dropped; a bundle of Bear is one, too.
export const hasFolder = (transfer) => entriesOf(transfer).some((entry) => entry.isDirectory);

// Asked for before anybody waits: what was dropped is forgotten right after the event.
const entriesOf = (transfer) => [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);

export async function droppedFiles(transfer) {
  const entries = entriesOf(transfer);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const files = [];
  const waiting = entries.reverse();
  while (waiting.length > 0) {
    const entry = waiting.pop();
    if (entry.isDirectory) waiting.push(...(await inside(entry)).reverse());
    else files.push(await fileOf(entry));
  }
  return files;
}

/// A folder tells what is in it in portions, the last of which is empty.
async function inside(folder) {
  const reader = folder.createReader();
  const entries = [];
  while (true) {
    const more = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) return entries;
    entries.push(...more);
  }
}

async function fileOf(entry) {
  const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
  paths.set(file, entry.fullPath.slice(1));
  return file;
}
