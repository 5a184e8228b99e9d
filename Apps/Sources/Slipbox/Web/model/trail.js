// The way through a tab: the locations that were seen in it, and where one is. Back and Forward go along it.

const MOST = 50;

export const isSamePlace = (one, other) => one?.place === other?.place && one?.note === other?.note;

export const trailFrom = (location) => ({ seen: [location], at: 0 });

export const hereIn = (trail) => trail.seen[trail.at];

/// The location so many steps away, or undefined where the way ends.
export const stepIn = (trail, by) => trail.seen[trail.at + by];

/// Takes note of a location. `how` is "new", "replaced" or "again", as `openRoute` tells it.
export function goOn(trail, location, how) {
  if (isSamePlace(hereIn(trail), location)) return;
  if (how === "replaced") trail.seen[trail.at] = location;
  else if (how !== "again" || !turnBack(trail, location)) push(trail, location);
}

/// The browser went back or forward to a location of this way.
function turnBack(trail, location) {
  const places = trail.seen.flatMap((one, at) => (isSamePlace(one, location) ? [at] : []));
  if (places.length === 0) return false;
  trail.at = places.reduce((best, at) => (Math.abs(at - trail.at) < Math.abs(best - trail.at) ? at : best));
  return true;
}

function push(trail, location) {
  trail.seen = [...trail.seen.slice(0, trail.at + 1), location].slice(-MOST);
  trail.at = trail.seen.length - 1;
}

/// A way that was kept; null for anything else.
export function readTrail(kept) {
  const seen = Array.isArray(kept?.seen) ? kept.seen.slice(-MOST) : [];
  const isWay = seen.length > 0 && seen.every(isLocation) && Number.isInteger(kept.at) && kept.at >= 0 && kept.at < kept.seen.length;
  return isWay ? { seen, at: Math.max(0, kept.at - (kept.seen.length - seen.length)) } : null;
}

const isLocation = (one) => isShort(one?.place) && (one.note === null || isShort(one.note));
const isShort = (text) => typeof text === "string" && text.length > 0 && text.length < 200;
