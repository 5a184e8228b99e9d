// A folder of files as one zip archive, so that the server gets all of them, with their paths, at once. Nothing is pressed:
// what is sent stays on the way for moments.

import { say } from "../view/say.js";

const TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  for (let bit = 0; bit < 8; bit++) number = number & 1 ? (number >>> 1) ^ 0xedb88320 : number >>> 1;
  return number;
});

function checksum(bytes) {
  let sum = ~0;
  for (const byte of bytes) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 0xff];
  return ~sum >>> 0;
}

/// Numbers of so many bytes, the lowest first: numbers([4, 0x04034b50], [2, 20]).
function numbers(...fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, number] of fields) {
    if (size === 4) view.setUint32(at, number, true);
    else view.setUint16(at, number, true);
    at += size;
  }
  return view.buffer;
}

/// `files` are {path, file}; `went(done)` hears how far it is.
export async function pack(files, went = () => {}) {
  const parts = [];
  const list = [];
  let offset = 0;
  for (const [index, { path, file }] of files.entries()) {
    const name = new TextEncoder().encode(path);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const seconds = Math.min(Math.floor((file.lastModified ?? 0) / 1000), 0x7fffffff);
    const stamp = new Uint8Array([0x55, 0x54, 5, 0, 1, ...new Uint8Array(numbers([4, seconds]))]);
    const facts = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, checksum(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, stamp.length]];
    const header = numbers([4, 0x04034b50], ...facts);
    parts.push(header, name, stamp, file);
    list.push(numbers([4, 0x02014b50], [2, 0x031e], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name, stamp);
    offset += header.byteLength + name.length + stamp.length + bytes.length;
    went(index + 1);
  }
  if (files.length > 65_000 || offset > 0xf0000000) throw new Error(say`The folder is too large to be sent at once: put it into a zip archive, and import that.`);
  const size = new Blob(list).size;
  const end = numbers([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...list, end], { type: "application/zip" });
}
