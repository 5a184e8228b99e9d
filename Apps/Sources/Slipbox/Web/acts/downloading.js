// Files that the server makes, and the browser keeps.

import { mustGiveFile } from "../server/call.js";

/// Asked for by a link, a refusal would be the file, or nothing would come of it; so the server is asked first, and what it
/// says is thrown.
export async function download(path) {
  await mustGiveFile(path);
  const link = document.createElement("a");
  link.href = `/api${path}`;
  link.download = "";
  link.click();
}
