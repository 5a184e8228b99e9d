// Where notes shall be shown when they open next: at a heading that a link names, or where they were left in their tab.

let places = [];

/// Each is {note, heading?, top?}; takes the place of those before.
export const showAt = (...wanted) => void (places = wanted);

/// The place of a note that opens, or undefined; it is asked for once.
export function takePlace(id) {
  const place = places.find(({ note }) => note === id);
  places = places.filter((one) => one !== place);
  return place;
}
