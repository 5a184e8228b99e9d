// The keys of a tree: arrows go about in it, open and close, letters find names.

/// Whether a key was one of the tree. `items` are those that one sees: {id, name, parent, isOpen, hasChildren};
/// `focus(id)`, `setOpen(item, isOpen)`, `choose(item)` do what it asks for.
export function treeKey(event, items, at, { focus, setOpen, choose }) {
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const item = items[at];
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  if (event.key in steps) focus(items[steps[event.key]]?.id);
  else if (event.key === "ArrowRight") item.isOpen || !item.hasChildren ? item.hasChildren && focus(items[at + 1].id) : setOpen(item, true);
  else if (event.key === "ArrowLeft") item.isOpen && item.hasChildren ? setOpen(item, false) : focus(item.parent);
  else if (event.key === "Enter" || event.key === " ") choose(item);
  else if (event.key.length === 1 && /\S/.test(event.key) && event.key !== "?") {
    const later = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    focus(later.find((one) => one.name.toLowerCase().startsWith(event.key.toLowerCase()))?.id);
  } else return false;
  return true;
}
