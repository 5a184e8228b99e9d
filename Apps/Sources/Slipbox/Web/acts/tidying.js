// New notes that were left as they were made.

import { state } from "../model/state.js";
import { notesBehind } from "../model/tabs.js";
import { isAnyHeld, takeAwayUntouched } from "../model/untouched.js";
import { refreshAll } from "./acts.js";

/// Deletes them, except those that are open, on their way, or in a tab.
export async function tidyUp() {
  // The page has only begun: the note of the address will be asked for.
  const coming = isAnyHeld() || !state.noteID ? [] : [state.noteID];
  if (await takeAwayUntouched([...coming, ...notesBehind()])) refreshAll();
}
