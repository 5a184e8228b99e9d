// What others change, as it happens: one event stream for the whole browser.
//
// A browser gives a host six connections, so the tabs agree on one that listens (a lock makes the
// leader, and a new one when its tab closes) and tells the others on a channel. Without HTTPS a browser has no locks: the
// tabs that are seen listen then.

import { changed } from "../view/drawing.js";
import { keepText, keptText } from "../view/keptTexts.js";
import { get, isReachable, setReachable } from "./call.js";

const TOKEN = "slipbox-token";
const channel = "BroadcastChannel" in self ? new BroadcastChannel("slipbox") : null;
let hear = () => {};

/// `listen({type: "changed" | "reload" | …, …})` hears the other tabs, before anything is read: what one of them tells
/// from then on may be newer than what is read. With `openLive` it hears the server too.
export function listenToTabs(listen) {
  hear = listen;
  if (channel) channel.onmessage = (event) => hear(event.data);
}

/// The server tells what is newer than `token`.
export function openLive(token) {
  if (token) keepText(TOKEN, token);
  if (!navigator.locks) return listenWhileSeen();
  navigator.locks.request("slipbox-live", () => {
    listenToServer();
    return new Promise(() => {});
  });
}

/// A tab that is not seen leaves its connection to the others, and catches up when it is.
function listenWhileSeen() {
  const isSeen = () => document.visibilityState !== "hidden";
  if (isSeen()) listenToServer();
  addEventListener("visibilitychange", () => {
    clearTimeout(again);
    stream?.close();
    if (!isSeen()) return;
    listenToServer();
    hear({ type: "reload" });
  });
}

function tellTabs(message) {
  channel?.postMessage(message);
}

function everyTab(message) {
  hear(message);
  tellTabs(message);
}

let stream;
let again;

function listenToServer() {
  const token = keptText(TOKEN);
  stream = new EventSource(`/api/events${token ? `?since=${encodeURIComponent(token)}` : ""}`);
  stream.onopen = () => setReachable(true);
  stream.addEventListener("hello", (event) => note(event, JSON.parse(event.data).token));
  stream.addEventListener("changed", (event) => {
    note(event);
    everyTab({ type: "changed", ...JSON.parse(event.data) });
  });
  // It has no place in the history.
  stream.addEventListener("sync", (event) => everyTab({ type: "sync", state: JSON.parse(event.data) }));
  stream.addEventListener("follow", (event) => everyTab({ type: "follow", state: JSON.parse(event.data) }));
  stream.addEventListener("published", () => everyTab({ type: "published" }));
  stream.addEventListener("locked", () => {
    everyTab({ type: "locked" });
    // The browser that has set or changed the lock goes on: its old stream knows nothing of its new cookie.
    stream.close();
    listenToServer();
  });
  stream.addEventListener("reload", (event) => {
    note(event);
    everyTab({ type: "reload" });
  });
  stream.onerror = () => {
    setReachable(false);
    // A stream that is closed for good (a proxy's error page, a worker's 503) is begun again.
    if (stream.readyState === EventSource.CLOSED) again = setTimeout(listenToServer, 3000);
  };
}

function note(event, token = event.lastEventId) {
  setReachable(true);
  if (token) keepText(TOKEN, token);
}

/// The leader hears of the server's return by its stream; the others, and a stream behind a proxy, ask.
export function watchReturn() {
  setInterval(() => {
    if (!isReachable() && navigator.onLine) get("/overview").catch(() => {});
  }, 4000);
}
