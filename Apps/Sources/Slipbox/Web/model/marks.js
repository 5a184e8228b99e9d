// What is either so or not so of a note, told once for its row, its page, its menus and searches.
//
//   { pinned: true }  ─▶  a pin in the row, "Unpin" in the menu, found by is:pinned

import { say } from "../view/say.js";

/// id: the note's field, and the word behind `is:`. put, takenOff: the acts of menus; said: what is told then.
/// isInRow: rows know of it. isButton: above the note, not in its menu. ofMany: said of several notes.
/// place: where a note is made with it.
export const MARKS = [
  {
    id: "favourite", name: say`Favourite`, icon: "star", put: say`Add to favourites`, takenOff: say`Remove from favourites`, isInRow: true, isButton: true,
    ofMany: { put: say`favourites`, takenOff: say`not favourites any more` }, place: "favourites",
  },
  { id: "pinned", name: say`Pinned`, icon: "pin", put: say`Pin on top`, takenOff: say`Unpin`, isInRow: true },
  {
    id: "template", name: say`Template`, icon: "file-plus", put: say`Use as a template`, takenOff: say`No template any more`,
    said: { put: say`New notes can be made from this one`, takenOff: say`No template any more` },
  },
];

/// Menu items that put marks on a note, or take them off; `change` is given the edit, and what is told of it.
export const markItems = (note, marks, change) => marks.map(({ id, icon, said, ...mark }) => {
  const act = note[id] ? "takenOff" : "put";
  return { name: mark[act], icon, run: () => change({ [id]: !note[id] }, said?.[act]) };
});

/// The same for several notes, of which some may have a mark: each act by itself.
export const markItemsOfMany = (edit) => MARKS.filter(({ ofMany }) => ofMany).flatMap(({ id, icon, ofMany, ...mark }) => [
  { name: mark.put, icon, run: () => edit({ [id]: true }, ofMany.put) },
  { name: mark.takenOff, icon, run: () => edit({ [id]: false }, ofMany.takenOff) },
]);

/// The marks of a note that is made in a place: `{ favourite: true }`.
export const marksIn = (place) => Object.fromEntries(MARKS.filter((mark) => mark.place === place).map(({ id }) => [id, true]));

/// Whether two notes have the same marks; one that is not told of is none.
export const haveSameMarks = (one, other) => MARKS.every(({ id }) => Boolean(one[id]) === Boolean(other[id]));
