// What every page needs: elements, questions to the server, live events, messages with a way back.

/** An element: h("button", { class: "primary", onclick: save }, "Save"). */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** How long a text may be that is sent while the page is left; browsers do that for 64 KB. */
export const lastWords = 16_000;

/** Asks the server; what it refuses is thrown with its sentence, its status and all that the server says of it. */
export async function ask(method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: text === undefined ? {} : { "Content-Type": "application/json" },
      body: text,
      keepalive: text !== undefined && text.length < lastWords,
    });
  } catch {
    throw new Error("The server cannot be reached; is it running?");
  }
  if (answer.status === 204) return null;
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const { status } = answer;
    throw Object.assign(new Error(value.error ?? `The server answered ${status}.`), { status, details: value });
  }
  return value;
}

/**
 * Follows the events of an address; each handler gets the event's value.
 *
 * A hidden page lets go of its connection, because a browser has only a few for each server. Each
 * event carries a whole list, so nothing is missed when the page is shown again.
 */
export function follow(address, handlers, told = () => {}) {
  let source = null;
  let retry = 0;
  const open = () => {
    clearTimeout(retry);
    if (source || document.hidden) return;
    source = new EventSource(address());
    source.onopen = () => told(true);
    source.onerror = () => {
      told(false);
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      retry = setTimeout(open, 2000);
    };
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
  };
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
  return {
    again() {
      close();
      open();
    },
  };
}

/** Shows for some seconds what happened; the action, such as Undo, is one press away. */
export function toast(text, name, action) {
  const place = document.getElementById("toasts");
  const note = h("div", { class: "toast" }, h("p", {}, text));
  const before = document.activeElement;
  const leave = () => {
    const hadFocus = note.contains(document.activeElement);
    note.remove();
    if (hadFocus) before?.focus();
  };
  let timer = setTimeout(leave, 10_000);
  const stay = () => clearTimeout(timer);
  const go = () => (timer = setTimeout(leave, 4_000));
  note.addEventListener("pointerenter", stay);
  note.addEventListener("pointerleave", go);
  note.addEventListener("focusin", stay);
  note.addEventListener("focusout", go);
  if (action) {
    const press = () => {
      leave();
      action().catch((problem) => toast(problem.message));
    };
    note.append(h("button", { onclick: press }, name));
  }
  note.append(h("button", { class: "plain", "aria-label": "Close message", onclick: leave }, "✕"));
  while (place.children.length > 2) place.firstChild.remove();
  place.append(note);
}

/** Says whether the page is connected. */
export function showConnection(connected) {
  const state = document.getElementById("state");
  state.classList.toggle("bad", !connected);
  state.textContent = connected ? "" : "Not connected – trying again …";
}

/**
 * Makes the children of a list those of the rows, in their order, without touching those that stay:
 * focus and scrolling remain where they are.
 */
export function arrange(list, rows, make, update) {
  const known = new Map([...list.children].map((element) => [element.dataset.id, element]));
  const focused = document.activeElement;
  const elements = rows.map((row) => {
    let element = known.get(row.id);
    if (!element) {
      element = make(row);
      element.dataset.id = row.id;
    }
    known.delete(row.id);
    update(element, row);
    return element;
  });
  const lost = [...known.values()].some((element) => element.contains(focused));
  for (const element of known.values()) element.remove();
  elements.forEach((element, place) => {
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
  });
  if (!lost && focused && focused !== document.activeElement && list.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

/**
 * Whether the key belongs to letters that are still being put together, as of Chinese, Japanese or Korean: Enter takes
 * what the system proposes, and is no command. Safari tells of that Enter when they are put together, by its number.
 */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** The moment in the words of the reader's language. */
export function moment(text) {
  const date = new Date(text);
  const today = new Date().toDateString() === date.toDateString();
  return new Intl.DateTimeFormat(
    undefined,
    today ? { timeStyle: "short" } : { dateStyle: "medium" },
  ).format(date);
}
