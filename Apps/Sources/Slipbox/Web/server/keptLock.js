// The state of the lock that this browser keeps for the time in which the server cannot be asked.
//
//   /lock/state     {isLocked, minutes, verifier: {salt, hash, rounds}}
//   /lock/activity  {at}: when somebody has used a page last
//
// It is in the cache storage, where the service worker reads it, too (swLock.js). The two are apart, so that a page that tells
// of activity does not write over what another has just locked. The verifier recognizes the passphrase without the server.

const LOCK = "slipbox-lock-1";
const STATE = "/lock/state";
const ACTIVITY = "/lock/activity";
const ROUNDS = 600_000;
const MOST_ROUNDS = 10_000_000;

/// {isLocked, minutes, verifier, at}; null if this browser knows of no lock, or keeps nothing.
export async function keptLock() {
  const state = await read(STATE);
  if (!Number.isFinite(state?.minutes)) return null;
  const at = (await read(ACTIVITY))?.at;
  return { ...state, at: Number.isFinite(at) ? at : 0 };
}

/// Whether nobody has used the pages for too long; a clock that was set back counts as that.
export const isOverdue = ({ minutes, at }, now = Date.now()) => now - at > minutes * 60_000 || at - now > 60_000;

export const keepLock = async (change) => write(STATE, { ...(await read(STATE)), ...change });

export const keepActivity = (at) => write(ACTIVITY, { at });

/// There is no lock any more.
export async function forgetLock() {
  await self.caches?.delete(LOCK).catch(() => {});
}

async function read(name) {
  try {
    return await (await caches.match(name, { cacheName: LOCK }))?.json() ?? null;
  } catch {
    return null;
  }
}

/// A browser without room, or one that does not trust the connection, keeps nothing: then the server alone locks.
async function write(name, value) {
  try {
    const cache = await caches.open(LOCK);
    await cache.put(name, new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } }));
  } catch {
    // Nothing depends on it while the server answers.
  }
}

// MARK: - The passphrase

/// Null where the browser has no cryptography: only over HTTPS and on localhost it does.
export async function verifierOf(passphrase) {
  if (!crypto.subtle) return null;
  const salt = crypto.getRandomValues(new Uint8Array(16));
  return { salt: textOf(salt), hash: await hashOf(passphrase, salt, ROUNDS), rounds: ROUNDS };
}

export const canVerify = (verifier) => Boolean(crypto.subtle && typeof verifier?.salt === "string" && verifier.rounds >= 1 && verifier.rounds <= MOST_ROUNDS);

export const isVerified = async (passphrase, { salt, hash, rounds }) => (await hashOf(passphrase, bytesOf(salt), rounds)) === hash;

async function hashOf(passphrase, salt, iterations) {
  // The same text, whichever way a keyboard composes its letters.
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(passphrase.normalize("NFC")), "PBKDF2", false, ["deriveBits"]);
  return textOf(new Uint8Array(await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, key, 256)));
}

const textOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
