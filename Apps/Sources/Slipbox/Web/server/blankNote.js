// A note as it is made, before the server has heard of it.

/// `marks` are its marks, as fields: { favourite: true }.
export function blankNote({ id, folder = null, marks = {}, made = new Date() }) {
  const now = made.toISOString();
  return {
    id, title: "", status: "draft", ...marks, created: now, modified: now, keywords: [], properties: [], links: [], backlinks: [], attachment: null,
    folder, revision: 0, trashed: null, document: null,
  };
}
