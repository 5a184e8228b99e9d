// The works that texts cite, as the files of references in notes have them.

import { get, post, Refused, Unreachable } from "../server/call.js";

/// In milliseconds: a key that is typed is asked for when the writer pauses.
const PAUSE = 250;
/// Longer addresses are not sent.
const LONGEST_ADDRESS = 4000;

/// The works that were read last, by keys, for when the server cannot be reached.
const read = new Map();
const texts = new Set();

/// The works that one text cites: the names depend on each other, as “2020a” and “2020b” do.
export class CitedWorks {
  /// `tell()` is called when other works are known.
  constructor(tell) {
    this.tell = tell;
    this.forget();
    texts.add(this);
  }

  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { keys: "", wanted: [], works: new Map(), missing: new Set(), list: [], sources: [], problem: null, timer: null });
  }

  /// The keys that the text has now.
  cite(keys) {
    const sorted = [...keys].sort();
    const now = sorted.join("\n");
    if (now === this.keys) return;
    const isFirst = this.keys === "";
    Object.assign(this, { keys: now, wanted: sorted });
    clearTimeout(this.timer);
    if (isFirst || sorted.length === 0) this.ask();
    else this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  async ask() {
    const { keys, wanted } = this;
    // The caller is about to draw.
    await null;
    try {
      const answer = wanted.length > 0 ? await readCited(wanted) : { works: [], missing: [], sources: [] };
      // Another text is there, or other keys, for which another answer comes.
      if (keys === this.keys) this.take(answer);
    } catch (error) {
      if (error instanceof Unreachable) this.take({ works: wanted.flatMap((key) => read.get(key) ?? []), missing: [], sources: this.sources });
      else if (error instanceof Refused) this.take({ works: [], missing: [], sources: [] }, error.message);
      else throw error;
    }
  }

  take({ works, missing, sources }, problem = null) {
    for (const work of works) read.set(work.key, work);
    Object.assign(this, { list: works, works: new Map(works.map((work) => [work.key, work])), missing: new Set(missing), sources, problem });
    this.tell();
  }

  /// Some notes have changed; without any, it is not known which.
  concerns(notes) {
    return this.wanted.length > 0 && (this.missing.size > 0 || notes.length === 0 || notes.some((id) => this.sources.includes(id)));
  }

  /// The text is not shown any more.
  end() {
    this.forget();
    texts.delete(this);
  }
}

function readCited(keys) {
  const query = keys.map((key) => `key=${encodeURIComponent(key)}`).join("&");
  return query.length <= LONGEST_ADDRESS ? get(`/references/cited?${query}`) : post("/references/cited", { keys });
}

/// Asks again for the works of all texts that may have others now.
export function referencesChanged(notes = []) {
  for (const text of texts) if (text.concerns(notes)) text.ask();
}

export const findReferences = (text, limit = 8) => get(`/references?text=${encodeURIComponent(text)}&limit=${limit}`);
