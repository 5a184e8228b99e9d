// The property that the rows of a list show, and the orders by one.

import { keepText } from "../view/keptTexts.js";
import { openMenu } from "../view/menu.js";
import { say } from "../view/say.js";
import { columnKey, columnOf, openList, sortOf } from "../model/list.js";
import { propertyNames, sortedProperty, sortsBy } from "../model/properties.js";
import { state } from "../model/state.js";
import { toast } from "../view/toast.js";

/// Shows a property in the rows of this list from now on; none with an empty name.
export function showColumn(name) {
  keepText(columnKey(state.place), name);
  openList();
  if (name) toast(say`The list shows “${name}”`);
}

/// Menu items for the orders; `setSort` takes one.
export function sortItems(setSort) {
  const now = sortOf(state.place);
  const name = sortedProperty(now);
  return [
    ...(name ? sortsBy(name).map((sort) => ({ name: sort.name, isOn: sort.id === now, run: () => setSort(sort.id) })) : []),
    propertyNames().length > 0 && { name: say`By a property…`, icon: "list", run: () => chooseOrder(setSort) },
  ];
}

const beside = () => document.querySelector(".list-head [aria-label='Sort order']");

function chooseOrder(setSort) {
  const now = sortOf(state.place);
  const items = propertyNames().flatMap(({ name }) => sortsBy(name)).map((sort) => ({ name: sort.name, isOn: sort.id === now, run: () => setSort(sort.id) }));
  openMenu(beside(), items, say`Order by a property`);
}

export function chooseColumn() {
  const now = columnOf(state.place);
  openMenu(document.querySelector(".list-head [aria-label='More for this list']"), [
    { name: say`None`, isOn: !now, run: () => showColumn("") },
    ...propertyNames().map(({ name }) => ({ name, isOn: name === now, run: () => showColumn(name) })),
  ], say`Property in the rows`);
}

/// For the palette.
export const columnActs = (setSort) => propertyNames().flatMap(({ name }) => [
  ...sortsBy(name).map((sort) => ({ name: say`Order: ${sort.name}`, icon: "arrow-down-up", run: () => setSort(sort.id) })),
  { name: say`Show “${name}” in the list`, icon: "table", run: () => showColumn(name) },
]);
