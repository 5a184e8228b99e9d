// The model's editor: the elements of a version, the inspector of one, and the picture beside it.

import { ask, h, toast } from "/look/page.js";
import { inspector } from "./inspector.js";
import { addressKeeper, differencePlace, editorPlace } from "./place.js";
import { refill } from "./refill.js";
import { drawnModel } from "./view.js";

const editorPath = (version, ...more) => `/api/editor/${[version, ...more].map(encodeURIComponent).join("/")}`;

export async function showEditor(here) {
  const { names: [version], query } = here;
  const model = await ask("GET", "/api/editor");
  if (!model.isEditable) return notEditable(model);
  if (!version) {
    if (location.hash === here.hash) location.replace(editorPlace(model.current));
    return { title: "", elements: [] };
  }
  const editor = new Editor(model, version, await ask("GET", editorPath(version)), place(query.get("at")), addressKeeper(here));
  return {
    title: `Edit ${version}`,
    elements: [h("h2", { class: "unseen" }, `Edit ${version}`), editor.bar, editor.told, editor.element],
    start: () => {
      document.addEventListener("keydown", editor.pressed);
      editor.show();
    },
    leave: () => document.removeEventListener("keydown", editor.pressed),
  };
}

const place = (text) => (text ? text.split(".").map(Number).filter(Number.isInteger) : []);

function notEditable(model) {
  const told = h("p", { role: "status", class: "problem" });
  const write = async () => {
    try {
      const answer = await ask("POST", "/api/editor/source");
      toast(`${answer.name} is written.`);
      location.hash = editorPlace(answer.current);
    } catch (problem) {
      told.textContent = problem.message;
    }
  };
  return {
    title: "Edit model",
    elements: [h("article", { class: "health" }, h("h2", {}, "Edit model"),
      h("p", {}, "Studio edits models as Xcode keeps them in a project, a .xcdatamodeld. This one is compiled, or is the one in the store."),
      model.place ? h("p", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: write }, "Save as source"), h("span", { class: "soft" }, `writes ${model.place} beside it, to be edited here`)) : "", told)],
  };
}

class Editor {
  constructor(model, version, draft, at, keepAddress) {
    Object.assign(this, { model, version, draft, at, keepAddress });
    this.told = h("p", { role: "status", class: "told-line" });
    this.tree = h("nav", { class: "tree", "aria-label": "Elements of the model" });
    this.inspector = h("section", { class: "inspector", "aria-label": "Inspector" });
    this.problems = h("section", { class: "problems", "aria-label": "Problems" });
    this.picture = h("div", { class: "frame beside", tabindex: "0", role: "group", "aria-label": "Picture of the model. Arrow keys move it, plus and minus zoom." });
    this.element = h("div", { class: "editor" }, this.tree, h("div", { class: "middle" }, this.problems, this.inspector), this.picture);
    this.bar = h("div", { class: "tools" });
    this.drawn = 0;
    this.pressed = (event) => this.keyed(event);
  }

  /** The element at a place. */
  at_(at) {
    return at.reduce((element, number) => element?.children[number], this.draft.root);
  }

  get entities() {
    return this.draft.root.children.filter((one) => one.name === "entity").map((one) => one.attributes.name);
  }

  get composites() {
    return this.draft.root.children.filter((one) => one.name === "composite").map((one) => one.attributes.name);
  }

  show() {
    while (this.at.length && !this.at_(this.at)) this.at.pop();
    this.showBar();
    this.showTree();
    this.showProblems();
    this.showInspector();
    this.draw();
  }

  choose(at, focus = false) {
    this.at = at;
    this.keepAddress(editorPlace(this.version, at.join(".")));
    this.show();
    if (focus) this.inspector.querySelector("input, select, textarea")?.select?.();
    if (focus) this.inspector.querySelector("input, select, textarea")?.focus();
  }

  // MARK: edits

  /** Makes an edit after those that are on their way. */
  edit(edit, focus = false) {
    return this.inTurn(() => this.editNow(edit, focus));
  }

  inTurn(work) {
    this.turn = (this.turn ?? Promise.resolve()).then(work);
    return this.turn;
  }

  async editNow(edit, focus) {
    try {
      const answer = await ask("POST", editorPath(this.version), { revision: this.draft.revision, ...edit });
      this.draft = answer.draft;
      this.tell("");
      if (edit.op === "insert" || edit.op === "remove" || edit.op === "move" || edit.follow) this.at = this.visible(answer.place);
      this.keepAddress(editorPlace(this.version, this.at.join(".")));
      this.show();
      if (focus) this.inspector.querySelector("input")?.select();
      if (focus) this.inspector.querySelector("input")?.focus();
      return answer.place;
    } catch (problem) {
      this.tell(problem.message, true);
      if (problem.status === 409) this.draft = await ask("GET", editorPath(this.version));
      this.show();
      return null;
    }
  }

  /** The nearest element that the inspector shows: parts of indexes and the like are in that of their owner. */
  visible(at) {
    const shown = ["model", "entity", "attribute", "relationship", "fetchedProperty", "fetchIndex", "fetchRequest", "composite", "configuration"];
    let [found, parent] = [at, null];
    for (;;) {
      const element = this.at_(found);
      parent = found.length > 1 ? this.at_(found.slice(0, -1)) : null;
      if (element && shown.includes(element.name) && !(element.name === "fetchRequest" && parent?.name === "fetchedProperty")) return found;
      if (found.length === 0) return [];
      found = found.slice(0, -1);
    }
  }

  decide(what) {
    return this.inTurn(() => this.decideNow(what));
  }

  async decideNow(what) {
    try {
      this.draft = await ask("POST", editorPath(this.version, ...what.split("?").slice(0, 1)) + (what.includes("?") ? `?${what.split("?")[1]}` : ""));
      this.tell(what.startsWith("save") ? "Saved." : "");
      this.show();
    } catch (problem) {
      if (problem.status === 409 && what === "save") {
        this.told.classList.add("problem");
        this.told.replaceChildren(problem.message, " ", h("button", { type: "button", onclick: () => this.decide("reload") }, "Read it again"), " ", h("button", { type: "button", onclick: () => this.decide("save?over") }, "Save over it"));
        return;
      }
      this.tell(problem.message, true);
    }
  }

  tell(text, isBad = false) {
    this.told.classList.toggle("problem", isBad);
    this.told.textContent = text;
  }

  keyed(event) {
    if (!(event.ctrlKey || event.metaKey)) return;
    const isText = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    const key = event.key.toLowerCase();
    if (key === "s") {
      event.preventDefault();
      document.activeElement?.blur();
      setTimeout(() => this.decide("save"), 50);
    } else if (key === "z" && !isText) {
      event.preventDefault();
      this.decide(event.shiftKey ? "redo" : "undo");
    }
  }

  // MARK: parts

  showBar() {
    const versions = h("select", { "aria-label": "Version", onchange: () => (location.hash = editorPlace(versions.value)) },
      ...this.model.versions.map((one) => h("option", { value: one.name, selected: one.name === this.version }, one.name + (one.name === this.model.current ? " (current)" : ""))));
    const { isChanged, canUndo, canRedo } = this.draft;
    const others = this.model.versions.filter((one) => one.name !== this.version);
    refill(this.bar, () => this.bar.replaceChildren(versions,
      h("button", { type: "button", class: "primary", id: "save-model", disabled: !isChanged, onclick: () => this.decide("save"), title: "Ctrl or Command and S" }, "Save"),
      h("button", { type: "button", id: "undo-model", disabled: !canUndo, onclick: () => this.decide("undo") }, "Undo"),
      h("button", { type: "button", id: "redo-model", disabled: !canRedo, onclick: () => this.decide("redo") }, "Redo"),
      this.model.hasVersions ? h("button", { type: "button", onclick: () => this.addVersion() }, "New version") : "",
      this.model.hasVersions && this.version !== this.model.current ? h("button", { type: "button", onclick: () => this.makeCurrent() }, "Make current") : "",
      others.length ? h("a", { class: "button", href: differencePlace(others.at(-1).name, this.version) }, "Differences") : "",
      h("span", { class: "count" }, isChanged ? "Not saved yet" : "")));
  }

  async addVersion() {
    try {
      const answer = await ask("POST", "/api/editor", { from: this.version });
      toast(`${answer.added} is the current version now; ${this.version} stays as it is.`);
      location.hash = editorPlace(answer.added);
    } catch (problem) {
      this.tell(problem.message, true);
    }
  }

  async makeCurrent() {
    try {
      this.model = await ask("PUT", "/api/editor", { name: this.version });
      this.show();
    } catch (problem) {
      this.tell(problem.message, true);
    }
  }

  showTree() {
    const link = (at, text, kind) => h("a", { href: editorPlace(this.version, at.join(".")), class: kind, "aria-current": at.join(".") === this.at.join(".") && "true",
      onclick: (event) => { event.preventDefault(); this.choose(at, true); } }, text);
    const inside = (element, at) => h("ul", {}, ...element.children.map((child, number) => [child, [...at, number]])
      .filter(([child]) => ["attribute", "relationship", "fetchedProperty", "fetchIndex"].includes(child.name))
      .map(([child, place]) => h("li", {}, link(place, child.attributes.name ?? "", child.name))));
    const tops = this.draft.root.children.map((child, number) => [child, [number]])
      .filter(([child]) => ["entity", "composite", "configuration", "fetchRequest"].includes(child.name));
    const open = (at) => this.at[0] === at[0];
    const had = this.tree.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const scroll = this.tree.scrollTop;
    this.tree.replaceChildren(h("ul", {}, h("li", {}, link([], "Model", "model")),
      ...tops.map(([child, at]) => h("li", {}, link(at, child.attributes.name ?? "", child.name), open(at) && ["entity", "composite"].includes(child.name) ? inside(child, at) : ""))));
    this.tree.scrollTop = scroll;
    if (had) [...this.tree.querySelectorAll("a")].find((one) => one.getAttribute("href") === had)?.focus();
  }

  showProblems() {
    const { problems } = this.draft;
    this.problems.hidden = problems.length === 0;
    const find = ({ entity, property }) => {
      const number = this.draft.root.children.findIndex((one) => one.name === "entity" && one.attributes.name === entity);
      if (number < 0) return null;
      const child = this.draft.root.children[number].children.findIndex((one) => one.attributes.name === property?.split(".")[0]);
      return child < 0 ? [number] : [number, child];
    };
    this.problems.replaceChildren(h("ul", { class: "findings-list" }, ...problems.map((one) => {
      const at = one.entity ? find(one) : null;
      const name = [one.entity, one.property].filter(Boolean).join(".");
      const words = at ? h("button", { type: "button", class: "plain", onclick: () => this.choose(at, true) }, name) : name;
      return h("li", { class: one.severity }, words, name ? " " : "", `${one.sentence}.`, one.line ? h("span", { class: "soft" }, ` Line ${one.line}`) : "");
    })));
  }

  showInspector() {
    refill(this.inspector, () => this.inspector.replaceChildren(...inspector(this)));
  }

  async draw() {
    const round = (this.drawn += 1);
    if (getComputedStyle(this.picture).display === "none") return;
    const address = `/api/model.svg?${new URLSearchParams({ version: this.version, revision: this.draft.revision })}`;
    try {
      if (this.shownAddress !== address) {
        const { picture, view, boxes } = await drawnModel(address);
        if (round !== this.drawn) return;
        this.shownAddress = address;
        const part = this.view?.part;
        [this.view, this.boxes] = [view, boxes];
        const fresh = this.picture.cloneNode(false);
        this.picture.replaceWith(fresh);
        this.picture = fresh;
        fresh.append(picture);
        view.follow(fresh);
        for (const one of boxes) one.element.addEventListener("click", () => this.chooseEntity(one.name));
        if (part) view.part = part;
        if (part) view.apply();
        else view.all();
      }
      const name = this.draft.root.children[this.at[0]]?.attributes.name;
      for (const one of this.boxes) one.element.classList.toggle("hit", one.name === name);
      const box = this.boxes.find((one) => one.name === name);
      if (box && this.centred !== name) this.view.centre(box.element);
      this.centred = name;
    } catch {
      // A model with mistakes may have no picture; they are listed.
    }
  }

  chooseEntity(name) {
    const number = this.draft.root.children.findIndex((one) => one.name === "entity" && one.attributes.name === name);
    if (number >= 0) this.choose([number]);
  }
}

