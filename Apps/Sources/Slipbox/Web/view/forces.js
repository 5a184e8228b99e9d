// Where the points of a map go: every point pushes the others away, links pull, and all of it falls towards the middle.
// Works apart from the page, so that a map of ten thousand points moves smoothly while it settles.
//
//   in    {points: n, links: [[from, to], …]}
//   out   Float32Array x, y, x, y, … as often as something has moved; `isDone` the last time

const NEAR = 60;
const STEPS = 260;

if (typeof document === "undefined") {
  self.onmessage = ({ data }) => settle(data, (places, isDone) => self.postMessage({ places, isDone }, [places.buffer]));
}

async function settle({ points, links }, tell) {
  const layout = new Layout(points, links);
  for (let step = 0, told = 0; step < STEPS; step++) {
    layout.step(1 - step / STEPS);
    if (performance.now() - told > 60 || step === STEPS - 1) {
      told = performance.now();
      tell(layout.places.slice(), step === STEPS - 1);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

class Layout {
  constructor(points, links) {
    this.count = points;
    this.links = links;
    this.places = new Float32Array(points * 2);
    this.speeds = new Float32Array(points * 2);
    this.degrees = new Uint32Array(points);
    for (const [from, to] of links) {
      this.degrees[from] += 1;
      this.degrees[to] += 1;
    }
    // On a spiral, so that no two begin at one place, and each map looks the same the next time.
    for (let index = 0; index < points; index++) {
      const angle = index * 2.399963;
      const radius = 12 * Math.sqrt(index + 0.5);
      this.places[index * 2] = radius * Math.cos(angle);
      this.places[index * 2 + 1] = radius * Math.sin(angle);
    }
  }

  /// One step; `heat` falls from 1 to 0.
  step(heat) {
    this.pushAway();
    this.pull();
    const { places, speeds } = this;
    const most = 4 + 26 * heat;
    for (let at = 0; at < places.length; at++) {
      speeds[at] = Math.max(-most, Math.min(most, (speeds[at] - places[at] * 0.004) * 0.82));
      places[at] += speeds[at];
    }
  }

  /// Only what is near pushes: points are sorted into squares, and look into their own and those around.
  pushAway() {
    const { places, speeds, count } = this;
    const squares = new Map();
    for (let index = 0; index < count; index++) {
      const key = keyOf(Math.floor(places[index * 2] / NEAR), Math.floor(places[index * 2 + 1] / NEAR));
      const square = squares.get(key);
      if (square) square.push(index);
      else squares.set(key, [index]);
    }
    for (let index = 0; index < count; index++) {
      const x = places[index * 2];
      const y = places[index * 2 + 1];
      const column = Math.floor(x / NEAR);
      const row = Math.floor(y / NEAR);
      for (let beside = -1; beside <= 1; beside++) {
        for (let below = -1; below <= 1; below++) {
          const square = squares.get(keyOf(column + beside, row + below));
          if (!square) continue;
          // Where very many are, some of them stand for all.
          const stride = Math.max(1, Math.floor(square.length / 24));
          for (let other = index % stride; other < square.length; other += stride) push(places, speeds, index, square[other], x, y, stride);
        }
      }
    }
  }

  pull() {
    const { places, speeds, degrees } = this;
    for (const [from, to] of this.links) {
      const dx = places[to * 2] - places[from * 2];
      const dy = places[to * 2 + 1] - places[from * 2 + 1];
      const distance = Math.hypot(dx, dy) || 1;
      const force = ((distance - 34) / distance) * 0.06;
      const share = degrees[from] / (degrees[from] + degrees[to]);
      speeds[from * 2] += dx * force * (1 - share);
      speeds[from * 2 + 1] += dy * force * (1 - share);
      speeds[to * 2] -= dx * force * share;
      speeds[to * 2 + 1] -= dy * force * share;
    }
  }
}

const keyOf = (column, row) => column * 65_536 + row;

function push(places, speeds, index, other, x, y, weight) {
  if (other === index) return;
  const dx = x - places[other * 2];
  const dy = y - places[other * 2 + 1];
  const squared = dx * dx + dy * dy;
  if (squared > NEAR * NEAR) return;
  const force = (26 * weight) / Math.max(squared, 20);
  speeds[index * 2] += dx * force;
  speeds[index * 2 + 1] += dy * force;
}
