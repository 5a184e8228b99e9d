// Whether this browser is locked, for the worker: then it must answer nothing from its caches.
//
// The pages keep that (server/keptLock.js).

const LOCK = "slipbox-lock-1";

async function keptOfLock(name) {
  try {
    return await (await caches.match(`/lock/${name}`, { cacheName: LOCK }))?.json() ?? null;
  } catch {
    return null;
  }
}

/// Whether somebody has locked it; then the server is not asked, either, which may not have heard of that yet.
const isLockedHere = async () => Boolean((await keptOfLock("state"))?.isLocked);

/// The same without the server, which would know how long nobody has used the pages.
async function isLockedAlone() {
  const state = await keptOfLock("state");
  if (!state) return false;
  const at = (await keptOfLock("activity"))?.at ?? 0;
  return state.isLocked || Date.now() - at > state.minutes * 60_000 || at - Date.now() > 60_000;
}

const lockedAnswer = () => new Response(JSON.stringify({ error: "The slip box is locked in this browser. Unlock it with its passphrase." }), {
  status: 423,
  headers: { "Content-Type": "application/json" },
});
