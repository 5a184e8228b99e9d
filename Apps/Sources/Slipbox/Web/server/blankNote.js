// A note as it is made, before the server has heard of it.

export function blankNote({ id, folder = null, favourite = false, made = new Date() }) {
  const now = made.toISOString();
  return {
    id, title: "", status: "draft", favourite, created: now, modified: now, keywords: [], links: [], backlinks: [], attachment: null,
    folder, revision: 0, trashed: null, document: null,
  };
}
