// Blocks that the page draws by itself: pictures and files.

export function removeNode(editor, at, node) {
  editor.chain().deleteRange({ from: at, to: at + node.nodeSize }).focus().run();
}

/// The view of a node that keeps what happens in some of its elements to itself.
export const viewOf = (dom, elements, update) => ({
  dom,
  update,
  stopEvent: (event) => Boolean(event.target.closest?.(elements)) && !/^drag/.test(event.type),
  ignoreMutation: () => true,
  selectNode: () => dom.classList.add("chosen"),
  deselectNode: () => dom.classList.remove("chosen"),
});
