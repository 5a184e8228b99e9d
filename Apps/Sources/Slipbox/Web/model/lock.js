// The lock of the slip box in this browser, and the time in which nobody has used it.
//
//   pointer, keys ─▶ activity ─▶ PUT /api/lock/browser, at most once in 20 seconds
//   no activity for long, “Lock now”, 423, another tab ─▶ what is written is kept ─▶ the page is loaded again, and is the lock screen
//
// The server decides who is locked. A page is as quick as the server, and it decides where nobody answers.

import { coverPage } from "../view/cover.js";
import { say } from "../view/say.js";
import { call, Locked, onLocked, Refused, setReachable, Unreachable } from "../server/call.js";
import { canVerify, forgetLock, isOverdue, isVerified, keepActivity, keepLock, keptLock, verifierOf } from "../server/keptLock.js";

export const lock = { isSet: false, minutes: null };

/// The choices of the idle time.
export const MINUTES = [1, 5, 15, 30, 60];

const channel = "BroadcastChannel" in self ? new BroadcastChannel("slipbox-lock") : null;
/// So long a page that closes waits for an answer.
const PATIENCE = 2000;
const pause = (time) => new Promise((done) => setTimeout(done, time));
const patiently = (work) => Promise.race([work.catch(() => {}), pause(PATIENCE)]);

// MARK: - At the start

/// {isLocked, message?}: whether the page begins as the lock screen. Without the server, what this browser keeps decides.
export async function readLock() {
  const [kept, told] = await Promise.all([keptLock(), ask()]);
  if (told && !told.isSet) {
    if (kept) await forgetLock();
    return { isLocked: false };
  }
  if (!told) {
    if (!kept) return { isLocked: false };
    Object.assign(lock, { isSet: true, minutes: kept.minutes });
    last = kept.at;
    return { isLocked: kept.isLocked || isOverdue(kept) };
  }
  if (told.isLocked || kept?.isLocked) {
    // It was locked here while the server could not be reached.
    if (!told.isLocked) await lockAtServer();
    await keepLock({ isLocked: true, minutes: told.minutes ?? 1 });
    return { isLocked: true, message: told.message };
  }
  adopt(told);
  return { isLocked: false };
}

/// {isSet, isLocked, minutes, message}; null where nobody answers, a proxy does, or an earlier version of the server.
async function ask() {
  try {
    const told = await (await fetch("/api/lock")).json();
    return typeof told?.isSet === "boolean" ? told : null;
  } catch {
    return null;
  }
}

/// Without `call`: that the server answers this says nothing to a page that must not read anything.
const lockAtServer = () => patiently(fetch("/api/lock/browser", { method: "DELETE", keepalive: true }));

function adopt({ isSet, minutes = null }) {
  Object.assign(lock, { isSet, minutes });
  clearInterval(looking);
  if (isSet) looking = setInterval(() => isOver() && lockNow(), 1000);
}

// MARK: - Activity

const SIGNS = ["pointerdown", "pointermove", "keydown", "touchstart", "touchmove", "wheel"];

let last = Date.now();
let toldAt = 0;
let telling = null;
let looking = null;

/// `save()` ends when everything that is written in the page is at the server, or kept by the browser; `mayBeLost()` says whether
/// there is more, such as a drawing. Then the page stays, and `screen()` shows the lock screen over it, and gives what takes that away.
export function watchLock({ save, mayBeLost, screen }) {
  page = { save, mayBeLost, screen };
  if (channel) channel.onmessage = ({ data }) => hear(data);
  onLocked(lookWhetherLocked);
  for (const sign of SIGNS) addEventListener(sign, takeSign, { capture: true, passive: true });
  // A page that was frozen, or whose machine has slept.
  for (const name of ["visibilitychange", "focus", "pageshow"]) addEventListener(name, () => isOver() && lockNow());
  // A page that the browser keeps to go back to shows nothing until it has asked.
  addEventListener("pagehide", ({ persisted }) => persisted && lock.isSet && coverPage());
  if (lock.isSet) adopt(lock);
}

const isOver = () => lock.isSet && isOverdue({ minutes: lock.minutes, at: last });

function takeSign(event) {
  // Some browsers say that the pointer moves when what is below it does.
  if (event.type !== "pointermove" || event.movementX !== 0 || event.movementY !== 0) noteActivity();
}

/// Somebody uses the page, be it without pointer and keys.
export function noteActivity() {
  if (!lock.isSet || closing) return;
  if (isOver()) return lockNow();
  last = Date.now();
  telling ??= setTimeout(tell, Math.max(0, toldAt + pauseBetween() - last));
}

const pauseBetween = () => Math.min(20_000, lock.minutes * 6_000);

async function tell() {
  telling = null;
  toldAt = Date.now();
  if (!lock.isSet) return;
  keepActivity(last);
  channel?.postMessage({ at: last });
  try {
    const condition = await call("PUT", "/lock/browser");
    if (condition.isSet !== lock.isSet || condition.minutes !== lock.minutes) await take(condition);
  } catch (error) {
    // It is told with the next activity.
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

/// Another browser has changed the lock.
async function take(condition) {
  adopt(condition);
  await (condition.isSet ? keepLock({ isLocked: false, minutes: condition.minutes }) : forgetLock());
}

/// Another tab tells that it is used, has changed the lock, locks, or was unlocked.
function hear({ at, condition, isLocked, isOpen }) {
  if (at) last = Math.max(last, Math.min(at, Date.now()));
  if (condition) {
    last = Date.now();
    adopt(condition);
  }
  if (isLocked) lockNow(false);
  if (isOpen && isScreenShown) reopen();
}

/// The server has refused something. That may have been sent before this browser was unlocked, or has set the lock.
export const lookWhetherLocked = () => closing || (asking ??= lookOnce().finally(() => (asking = null)));

async function lookOnce() {
  const [kept, told] = await Promise.all([keptLock(), ask()]);
  if (told?.isLocked === false && !kept?.isLocked) setReachable(true);
  else await lockNow();
}

let asking = null;

// MARK: - Closing

let closing = null;
let page = null;

/// Keeps what is written, and loads the page again, which is the lock screen then; all tabs of the browser do. On the lock
/// screen, which watches nothing, there is nothing to do.
export const lockNow = (tells = true) => page && (closing ??= closeNow(tells));

async function closeNow(tells) {
  const uncover = coverPage();
  await patiently(page.save());
  await keepLock({ isLocked: true, minutes: lock.minutes ?? 1 });
  if (tells) {
    channel?.postMessage({ isLocked: true });
    await lockAtServer();
  }
  if (!page.mayBeLost()) return location.reload();
  await stayLocked();
  uncover();
  closing = null;
}

/// Ends when the browser is unlocked.
async function stayLocked() {
  const opened = new Promise((done) => (reopen = done));
  const takeAway = page.screen();
  await opened;
  takeAway();
  isScreenShown = false;
  reopen = () => location.reload();
}

// MARK: - Unlocking

let isScreenShown = false;
let reopen = () => location.reload();

/// Unlocks this browser, and loads the page again, unless it has stayed. Throws a sentence.
export async function unlock(passphrase) {
  try {
    const { minutes } = await call("POST", "/lock/browser", { passphrase });
    await keepOpen(passphrase, minutes);
  } catch (error) {
    if (error instanceof Locked || !(error instanceof Unreachable)) throw error;
    await unlockAlone(passphrase, error);
  }
  last = Date.now();
  channel?.postMessage({ isOpen: true });
  reopen();
}

async function keepOpen(passphrase, minutes) {
  await keepActivity(Date.now());
  await keepLock({ isLocked: false, minutes, verifier: await verifierOf(passphrase) });
}

/// Without the server, this browser recognizes the passphrase that unlocked it last.
async function unlockAlone(passphrase, unreachable) {
  const kept = await keptLock();
  if (!canVerify(kept?.verifier)) throw unreachable;
  if (!(await isVerified(passphrase, kept.verifier))) {
    await pause(1000);
    throw new Refused(403, { error: say`This is not the passphrase.` });
  }
  await keepActivity(Date.now());
  await keepLock({ isLocked: false });
}

/// The lock screen goes when another tab unlocks, or the lock was taken off elsewhere.
export function watchUnlocking() {
  isScreenShown = true;
  if (channel) channel.onmessage = ({ data }) => hear(data);
  const look = async () => {
    const there = isScreenShown ? await ask() : null;
    if (there && !there.isSet) reopen();
    // It was locked while the server could not be reached.
    else if (there && !there.isLocked) await lockAtServer();
  };
  addEventListener("online", look);
  addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
}

// MARK: - The lock itself

/// Sets or changes the lock; without a passphrase, the present one stays.
export async function setLock({ passphrase, minutes, present }) {
  const condition = await call("PUT", "/lock", { passphrase: passphrase || undefined, minutes, present });
  last = Date.now();
  await keepOpen(passphrase || present, minutes);
  tellTabs(condition);
}

export async function removeLock(present) {
  await call("DELETE", "/lock", { passphrase: present });
  await forgetLock();
  tellTabs({ isSet: false });
}

function tellTabs(condition) {
  adopt(condition);
  channel?.postMessage({ condition });
}
