// Keywords below others: `travel/italy` is below `travel`, whether a keyword is called so or not.

import { changed } from "../view/drawing.js";
import { keepText, keptList } from "../view/keptTexts.js";
import { state } from "./state.js";

const OPEN_KEYWORDS = "open-keywords";
let openKeywords = new Set(keptList(OPEN_KEYWORDS));

const canonical = (name) => name.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();

/// The parts of a name; one that has an empty part, as `/home`, is one word.
function partsOf(name) {
  const parts = name.split("/");
  return parts.includes("") ? [name] : parts;
}

/// {id, path, name, keyword?, total, children}, in the order of the keywords; what only one keyword is below is part of
/// its name.
function treeOf({ top, above }) {
  const root = { children: [] };
  const nodes = new Map();
  const node = (parts) => {
    if (parts.length === 0) return root;
    const id = canonical(parts.join("/"));
    if (!nodes.has(id)) {
      const made = { id, path: parts.join("/"), name: parts.at(-1), keyword: null, total: 0, children: [] };
      nodes.set(id, made);
      node(parts.slice(0, -1)).children.push(made);
    }
    return nodes.get(id);
  };
  for (const keyword of top) {
    const parts = partsOf(keyword.name);
    Object.assign(node(parts), { keyword, path: keyword.name, name: parts.at(-1), total: keyword.total ?? keyword.count });
  }
  for (const group of above ?? []) if (nodes.has(canonical(group.name))) nodes.get(canonical(group.name)).total = group.total;
  return joined(root).children;
}

function joined(node) {
  node.children = node.children.map(joined);
  if (!node.id || node.keyword || node.children.length !== 1) return node;
  const [only] = node.children;
  return { ...only, name: `${node.name}/${only.name}` };
}

let kept = { keywords: null, tree: [] };

function tree() {
  const keywords = state.overview?.keywords;
  if (keywords && kept.keywords !== keywords) kept = { keywords, tree: treeOf(keywords) };
  return keywords ? kept.tree : [];
}

/// Whether any keyword is shown below another.
export const hasNested = () => tree().some((node) => node.children.length > 0);

export function setKeywordOpen(id, isOpen) {
  if (isOpen) openKeywords.add(id);
  else openKeywords.delete(id);
  keepText(OPEN_KEYWORDS, JSON.stringify([...openKeywords]));
  changed();
}

/// What one sees, from top to bottom, with its depth and its place among its siblings.
export function visibleKeywords(children = tree(), parent = null, level = 1) {
  return children.flatMap((node, index) => {
    const isOpen = openKeywords.has(node.id);
    const item = { ...node, parent, level, isOpen, hasChildren: node.children.length > 0, place: index + 1, size: children.length };
    return [item, ...(isOpen ? visibleKeywords(node.children, node.id, level + 1) : [])];
  });
}

/// Opens what is above a keyword, so that it can be seen.
export function revealKeyword(id) {
  const above = (children) => {
    for (const node of children) {
      if (node.keyword?.id === id) return [];
      const found = above(node.children);
      if (found) return [node.id, ...found];
    }
    return null;
  };
  for (const id of above(tree()) ?? []) if (!openKeywords.has(id)) setKeywordOpen(id, true);
}
