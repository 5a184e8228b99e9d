// A list of choices at the caret, about what stands before it: arrows, Enter, Tab, Escape, or a tap. The editor keeps the
// focus, so it is the editor that says which choice is active.

import { html, keyed, render } from "../view/template.js";
import { endInARow, placeBeside } from "../view/menu.js";

/// `choices(asked)` gives what is offered about what `show` was told, `key(choice)` tells them apart, `line(choice)` shows one,
/// and `take(choice, asked)` puts it in the place of `asked.from` to `asked.to` when the list is gone. `nothing(asked)` is said
/// where there are none; else there is no list.
export function caretMenu({ id, label, look = "completion", scrolls = false, choices, key, line, take, nothing }) {
  const box = document.createElement("div");
  box.className = look;
  box.id = id;
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", label);
  // Whoever hears the page may want to scroll it.
  if (scrolls) box.tabIndex = 0;
  let open = null;
  let dismissed = null;
  const pieces = new Set();

  /// It comes when somebody types, and not where a word stands already, nor again where Escape has closed it, or where
  /// something is on its way.
  const mayShow = (from, { docChanged }) => dismissed !== from && (open !== null || docChanged) && ![...pieces].some((piece) => piece.from === from);

  /// A piece of the text that something comes in the place of, later: it moves with what is typed meanwhile.
  function hold(editor, from, to) {
    const piece = { editor, from, to, opened: editor.opened, words: editor.state.doc.textBetween(from, to) };
    pieces.add(piece);
    return piece;
  }

  function move({ mapping }) {
    for (const piece of pieces) Object.assign(piece, { from: mapping.map(piece.from), to: mapping.map(piece.to, -1) });
  }

  /// Lets go of a piece; false where it is not what it was, or of a note that is not open any more.
  function letGo(piece) {
    const { editor } = piece;
    editor.view.domObserver?.flush();
    pieces.delete(piece);
    const { doc } = editor.state;
    return editor.isEditable && editor.opened === piece.opened && piece.from < piece.to && piece.to <= doc.content.size
      && doc.textBetween(piece.from, piece.to) === piece.words;
  }

  /// `asked` is {editor, from, text, …}; where it `isAwaited`, Enter takes what `fill` will bring.
  function show(asked) {
    open = { active: 0, ...asked };
    draw();
    return open;
  }

  /// What was looked for is there.
  function fill(asked, found) {
    Object.assign(asked, found, { isAwaited: false });
    if (asked.piece) return takeFirst(asked);
    if (open === asked) draw();
  }

  /// Who types fast means what was typed, not what was found before, and writes on.
  function takeLater() {
    const { editor, from } = open;
    open.piece = hold(editor, from, editor.state.selection.from);
    hide();
  }

  function takeFirst(asked) {
    const [first] = choices(asked);
    if (letGo(asked.piece) && first) take(first, { ...asked, from: asked.piece.from, to: asked.piece.to });
  }

  function draw() {
    const { view, state } = open.editor;
    const found = choices(open);
    if (found.length === 0 && !nothing) return remove(view.dom);
    if (!box.isConnected) (view.dom.closest("main") ?? document.body).append(box);
    open.active = Math.max(0, Math.min(open.active, found.length - 1));
    render(found.length > 0 ? found.map(choiceView)
      : html`<div class="choice faint" role="option" aria-selected="false">${nothing(open)}</div>`, box);
    const caret = view.coordsAtPos(state.selection.from);
    endInARow(box, ".choice");
    placeBeside(box, { x: caret.left - 8, y: caret.bottom, top: caret.top });
    if (scrolls) document.getElementById(`${id}-${open.active}`)?.scrollIntoView({ block: "nearest" });
    view.dom.setAttribute("aria-controls", id);
    view.dom.setAttribute("aria-activedescendant", `${id}-${open.active}`);
  }

  /// A finger that is put on a choice may be about to scroll.
  const choiceView = (choice, index) => keyed(key(choice), html`
    <div class="choice" role="option" id=${`${id}-${index}`} aria-selected=${String(index === open.active)}
      @pointerdown=${(event) => event.preventDefault()} @click=${() => choose(choice)}>${line(choice)}</div>`);

  function hide() {
    if (!open) return;
    remove(open.editor.view.dom);
    open = null;
  }

  function remove(field) {
    box.remove();
    field.removeAttribute("aria-controls");
    field.removeAttribute("aria-activedescendant");
  }

  /// Nothing stands before the caret that it is about.
  function leave() {
    dismissed = null;
    hide();
  }

  function choose(choice) {
    const asked = open;
    const { editor } = asked;
    hide();
    editor.view.focus();
    take(choice, { ...asked, to: editor.state.selection.from });
  }

  function press(event) {
    if (!open) return false;
    const found = choices(open);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTaking = event.key === "Enter" || event.key === "Tab";
    if (step && box.isConnected) open.active = (open.active + step + found.length) % Math.max(1, found.length);
    else if (isTaking && open.isAwaited) takeLater();
    else if (isTaking && found.length > 0) choose(found[open.active]);
    else if (event.key === "Escape") {
      dismissed = open.from;
      hide();
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    if (open) draw();
    return true;
  }

  /// What it is shown for; null where it is not.
  return { get asked() { return open; }, mayShow, show, fill, hide, leave, press, move, hold, letGo };
}

/// Also where the second sign of code is not typed yet.
export const isCode = ($from) => isMarkedCode($from) || textBefore($from).split("`").length % 2 === 0;
export const isMarkedCode = ($from) => $from.marks().some((mark) => mark.type.spec.code);

/// The text of the paragraph before the caret; none in a block of code.
export function textBefore($from) {
  if ($from.parent.type.spec.code) return "";
  return $from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc");
}
