// The one way to have the page drawn again.

let draw = () => {};
let isDue = false;

/// Gives the way in which it was drawn before.
export function drawWith(paint) {
  const former = draw;
  draw = paint;
  return former;
}

/// Has the page drawn once, soon, however often it is called.
export function changed() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
}
