// One door to the server. What comes back is JSON, a `Refused` (the server said no, in a sentence)
// or an `Unreachable` (nobody answered: the edit can wait, the reading may come from the cache), which is `Locked` where the
// server answers nothing until somebody brings the passphrase.

import { say } from "../view/say.js";
import { translated } from "./sentences.js";

/// This tab's name: the server puts it on the changes that come back as events.
export const clientID = newID();

export class Refused extends Error {
  constructor(status, body) {
    super(translated(body?.error) ?? say`The server answered ${status}.`);
    this.status = status;
    this.body = body ?? {};
  }
}

export class Unreachable extends Error {
  constructor(sentence = say`Slipbox cannot be reached.`) {
    super(sentence);
  }
}

/// This browser is locked: what is written waits until it is not.
export class Locked extends Unreachable {}

let hearLocked = () => {};

/// Calls a function when the server says that this browser is locked.
export const onLocked = (hear) => void (hearLocked = hear);

function locked(json) {
  setReachable(false);
  hearLocked();
  return new Locked(json?.error);
}

const listeners = new Set();
let reachable = true;

export const isReachable = () => reachable;
export const onReachable = (listen) => listeners.add(listen);

export function setReachable(value) {
  if (reachable === value) return;
  reachable = value;
  for (const listen of listeners) listen(value);
}

export const get = (path, signal) => call("GET", path, undefined, signal);
export const post = (path, body = {}) => call("POST", path, body);
export const patch = (path, body) => call("PATCH", path, body);
export const remove = (path) => call("DELETE", path);

export const call = async (method, path, body, signal) => answer(await fetched(method, path, body, signal));

async function fetched(method, path, body, signal) {
  const headers = { "X-Slipbox-Client": clientID };
  const isForm = body instanceof FormData || body instanceof Blob;
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  try {
    return await fetch(`/api${path}`, {
      method, headers, signal, ...sendable(body, isForm),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setReachable(false);
    throw new Unreachable();
  }
}

/// Throws where the server gives no file at a path. Only the whole answer says why.
export async function mustGiveFile(path) {
  const { ok, headers } = await fetched("HEAD", path);
  if (!ok || !headers.has("Content-Disposition")) await get(path);
}

/// What is small enough outlives the page that sends it.
function sendable(body, isForm) {
  if (body === undefined || isForm) return { body };
  const text = JSON.stringify(body);
  return { body: text, keepalive: text.length < 20_000 };
}

async function answer(response) {
  // The service worker marks what it had kept: true, but perhaps no longer the latest.
  const isKept = response.headers.has("X-Slipbox-Kept");
  if (response.status === 503 && isKept) {
    setReachable(false);
    throw new Unreachable();
  }
  // The server is there, but this browser has no key for it: what is written waits until it has.
  if (response.status === 401) {
    setReachable(false);
    throw new Unreachable(say`Slipbox does not know this browser any more: open the address that it printed when it was started.`);
  }
  const text = await textOf(response);
  const json = text ? parse(text) : null;
  if (response.status === 423) throw locked(json);
  if (isOfProxy(response.status, text, json)) {
    setReachable(false);
    throw new Unreachable();
  }
  setReachable(!isKept);
  if (!response.ok) throw new Refused(response.status, json);
  return json;
}

/// An answer that breaks off is as good as none.
async function textOf(response) {
  try {
    return await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setReachable(false);
    throw new Unreachable();
  }
}

/// A page of the proxy before the server: that nobody answers behind it, that one shall wait or sign in. All that the
/// server says is JSON. Only that a text is too large is true however often it is sent.
const isOfProxy = (status, text, json) => json === null && status !== 413 && (text !== "" || status >= 502);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/// One answer may overtake another. Who asks begins a reading; its `isLatest()`, asked when the answer is there and
/// about to be taken, is false where one that was begun later was taken already.
export function readings() {
  let begun = 0;
  let taken = 0;
  return () => {
    const mine = ++begun;
    return () => {
      if (mine < taken) return false;
      taken = mine;
      return true;
    };
  };
}

/// Sends a file and tells how far it is. (fetch cannot tell the progress of what it sends.)
export function upload(path, file, progress, method = "PUT", signal = null) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, `/api${path}`);
    request.setRequestHeader("X-Slipbox-Client", clientID);
    request.setRequestHeader("X-File-Name", encodeURIComponent(file.name || "picture"));
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : null);
    request.onerror = () => reject(new Unreachable());
    signal?.addEventListener("abort", () => {
      request.abort();
      reject(signal.reason);
    });
    request.onload = () => {
      const json = request.responseText ? parse(request.responseText) : null;
      if (isOfProxy(request.status, request.responseText, json)) reject(new Unreachable());
      else if (request.status >= 200 && request.status < 300) resolve(json);
      else if (request.status === 401) reject(new Unreachable(json?.error));
      else if (request.status === 423) reject(locked(json));
      else reject(new Refused(request.status, json));
    };
    request.send(file);
  });
}

/// `crypto.randomUUID` is only there over HTTPS and on localhost.
export function newID() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
