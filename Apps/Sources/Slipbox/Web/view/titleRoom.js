// How much of a line is a title: with one that is longer the server takes no text.

/// By the server.
const MOST_BYTES = 2000;
const bytesOf = (text) => new TextEncoder().encode(text).length;

/// As much of a line as there is room for beside `others`; a sign stays whole.
export function beginningOf(line, others, mostLetters = Infinity) {
  let letters = mostLetters - others.length;
  let bytes = MOST_BYTES - bytesOf(others);
  let end = 0;
  for (const sign of line) {
    letters -= sign.length;
    bytes -= bytesOf(sign);
    if (letters < 0 || bytes < 0) break;
    end += sign.length;
  }
  return line.slice(0, end);
}

/// Whether all of a line is a title.
export const hasRoomFor = (line) => bytesOf(line) <= MOST_BYTES;

/// A title with something behind it; where both are too long, the title ends earlier.
export const titleWith = (title, ending) => beginningOf(title, ending) + ending;
