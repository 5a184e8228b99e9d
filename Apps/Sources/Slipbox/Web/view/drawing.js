// The one way to have the page drawn again.

let draw = () => {};
let isDue = false;

export const drawWith = (paint) => (draw = paint);

/// Has the page drawn once, soon, however often it is called.
export function changed() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
}
