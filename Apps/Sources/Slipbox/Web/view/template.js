// A small templating: a template is a value, and the page is made to agree with it.
//
//   render(html`<p class=${mood} @click=${greet}>Hello, ${name}!</p>`, document.body)
//
// The first time, the HTML is parsed and cloned; from then on only values that changed touch the page.
//
//   ${value}          text, another template, a list of templates, a node, or nothing (null, false)
//   name=${value}     an attribute; null and false take it away
//   .name=${value}    a property of the element
//   ?name=${value}    an attribute that is there or not
//   @name=${value}    what is called on that event
//   $--name=${value}  a property of the element's style (a strict policy forbids style attributes)
//   ref=${value}      called once with the element
//
// A list whose items are made with `keyed(key, template)` keeps the elements of items that stay.

export function html(strings, ...values) {
  return { strings, values };
}

export function keyed(key, template) {
  return { ...template, key };
}

const roots = new WeakMap();

export function render(value, container) {
  let slot = roots.get(container);
  if (!slot) {
    const end = container.appendChild(document.createComment(""));
    roots.set(container, (slot = new Slot(end)));
  }
  slot.set(value);
}

// MARK: - Templates, parsed once

const prepared = new WeakMap();

function prepare(strings) {
  let plan = prepared.get(strings);
  if (!plan) prepared.set(strings, (plan = parse(strings)));
  return plan;
}

function parse(strings) {
  const template = document.createElement("template");
  template.innerHTML = withMarks(strings);
  const places = [];
  const walker = document.createTreeWalker(template.content, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  for (let position = 0, node; (node = walker.nextNode()); position++) {
    if (node.nodeType === Node.COMMENT_NODE) {
      if (node.data === "slot") places.push({ position, name: null });
      continue;
    }
    for (const attribute of [...node.attributes]) {
      if (!attribute.name.startsWith("slot-")) continue;
      places.push({ position, name: attribute.value, index: Number(attribute.name.slice(5)) });
      node.removeAttribute(attribute.name);
    }
  }
  return { content: template.content, places: inOrderOfValues(places, strings.length - 1) };
}

function withMarks(strings) {
  let source = "";
  strings.forEach((text, index) => {
    source += text;
    if (index === strings.length - 1) return;
    const isInTag = source.lastIndexOf("<") > source.lastIndexOf(">");
    source = isInTag ? source.replace(/([^\s"'=<>]+)=(["']?)$/, `slot-${index}=$2$1`) : source + "<!--slot-->";
  });
  return source;
}

/// Attributes know which value is theirs; what is left belongs to the slots between, in their order.
function inOrderOfValues(places, count) {
  const ordered = new Array(count);
  for (const place of places) if (place.name !== null) ordered[place.index] = place;
  const between = places.filter((place) => place.name === null);
  for (let index = 0; index < count; index++) ordered[index] ??= between.shift();
  return ordered;
}

// MARK: - A template on the page

class Instance {
  constructor(plan) {
    this.plan = plan;
    this.fragment = document.importNode(plan.content, true);
    const nodes = [];
    const walker = document.createTreeWalker(this.fragment, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
    for (let node; (node = walker.nextNode()); ) nodes.push(node);
    this.parts = plan.places.map(({ position, name }) =>
      name === null ? new Slot(nodes[position]) : attributePart(nodes[position], name));
  }

  set(values) {
    this.parts.forEach((part, index) => part.set(values[index]));
  }
}

/// A place between two comments, where text, a template, a list or a node stands.
class Slot {
  constructor(end) {
    this.end = end;
    this.start = end.parentNode.insertBefore(document.createComment(""), end);
    this.kind = "nothing";
  }

  set(value) {
    if (value === null || value === undefined || value === false || value === "") this.setNothing();
    else if (Array.isArray(value)) this.setList(value);
    else if (value.strings) this.setTemplate(value);
    else if (value instanceof Node) this.setNode(value);
    else this.setText(String(value));
  }

  setNothing() {
    if (this.kind === "nothing") return;
    this.clear();
  }

  setText(text) {
    if (this.kind === "text") {
      if (this.text.data !== text) this.text.data = text;
      return;
    }
    this.clear();
    this.text = document.createTextNode(text);
    this.end.before(this.text);
    this.kind = "text";
  }

  setNode(node) {
    if (this.kind === "node" && this.node === node) return;
    this.clear();
    this.end.before(node);
    this.node = node;
    this.kind = "node";
  }

  setTemplate({ strings, values }) {
    const plan = prepare(strings);
    if (this.kind === "template" && this.instance.plan === plan) return this.instance.set(values);
    this.clear();
    this.instance = new Instance(plan);
    this.kind = "template";
    this.instance.set(values);
    this.end.before(this.instance.fragment);
    this.instance.fragment = null;
  }

  setList(values) {
    if (this.kind !== "list") {
      this.clear();
      this.items = new Map();
      this.kind = "list";
    }
    const keys = values.map((value, index) => value?.key ?? index);
    const wanted = new Set(keys);
    for (const [key, item] of this.items) {
      if (wanted.has(key)) continue;
      item.remove();
      this.items.delete(key);
    }
    let next = this.start.nextSibling;
    const items = new Map();
    values.forEach((value, index) => {
      let item = this.items.get(keys[index]);
      if (!item) {
        const end = this.end.parentNode.insertBefore(document.createComment(""), next);
        item = new Slot(end);
      } else if (item.start === next) {
        next = item.end.nextSibling;
      } else {
        item.moveBefore(next);
      }
      items.set(keys[index], item);
      item.set(value);
    });
    this.items = items;
  }

  moveBefore(next) {
    const range = document.createRange();
    range.setStartBefore(this.start);
    range.setEndAfter(this.end);
    const { activeElement: focused } = document;
    next.before(range.extractContents());
    // What is moved loses the focus on the way.
    if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
  }

  remove() {
    this.clear();
    this.start.remove();
    this.end.remove();
  }

  clear() {
    while (this.start.nextSibling !== this.end) this.start.nextSibling.remove();
    this.kind = "nothing";
    this.text = this.node = this.instance = this.items = null;
  }
}

// MARK: - Attributes

function attributePart(element, name) {
  const rest = name.slice(1);
  if (name === "ref") return new Once((take) => take(element));
  if (name[0] === "@") return new Listener(element, rest);
  if (name[0] === ".") return new Changing((value) => setProperty(element, rest, value), () => element[rest]);
  if (name[0] === "?") return new Changing((value) => element.toggleAttribute(rest, Boolean(value)));
  if (name[0] === "$") return new Changing((value) => element.style.setProperty(rest, value));
  return new Changing((value) => {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value);
  });
}

/// What a person types changes `value` behind our back, so the element is asked, not our memory.
function setProperty(element, name, value) {
  if (element[name] !== value) element[name] = value;
}

class Changing {
  constructor(apply, live) {
    this.apply = apply;
    this.live = live;
    this.last = Changing;
  }

  set(value) {
    if (this.last === value && (!this.live || this.live() === value)) return;
    this.last = value;
    this.apply(value);
  }
}

class Once {
  constructor(apply) {
    this.apply = apply;
  }

  set(value) {
    this.apply?.(value);
    this.apply = null;
  }
}

class Listener {
  constructor(element, name) {
    element.addEventListener(name, this, { passive: name === "scroll" });
  }

  set(value) {
    this.listen = value;
  }

  handleEvent(event) {
    this.listen?.(event);
  }
}
