// Addresses: every view has one, which can be kept, sent and gone back to.
//
//   #/                                    the store
//   #/objects/Note?where=…&sort=-created  a table; columns=title,folder.name  row=12000
//   #/object/Note/p3                      a card; at=12 shows it as it was after the change 12
//   #/model?entity=Note                   the model as a picture
//   #/history?author=…&entity=Note        the timeline
//   #/health                              a check, the room of tables, indexes
//   #/changes                             pending changes; #/edit/Note/p3 changes an object
//   #/editor/Notes%202?at=2.0             the model's editor; #/difference?from=…&to=… compares versions
//   #/figures/Note                        the attributes of an entity in figures
//   #/sql?q=SELECT…                       statements

/** The view that an address names. */
export function readPlace(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [kind = "", ...names] = path.split("/").map(decode);
  return { kind, names, query: new URLSearchParams(query), hash };
}

/** Gives a function that puts another address in the place of a view's own. It does nothing once the page has gone elsewhere,
 * of which the view may hear later. */
export function addressKeeper({ hash }) {
  let own = hash;
  return (address) => {
    if (location.hash !== own) return;
    history.replaceState(history.state, "", address);
    own = location.hash;
  };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const encoded = (names) => names.map(encodeURIComponent).join("/");

function address(path, query) {
  const kept = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(kept).toString();
  return `#/${path}${text ? `?${text}` : ""}`;
}

export const tablePlace = (entity, query = {}) => address(encoded(["objects", entity]), query);

/** The card of `Note/p3`. */
export const cardPlace = (id) => address(encoded(["object", ...id.split("/")]), {});

/** An object as it was after a change of the history. */
export const pastPlace = (id, change) => address(encoded(["object", ...id.split("/")]), { at: change });

export const modelPlace = (entity = "") => address("model", { entity });

export const historyPlace = (query = {}) => address("history", query);

export const healthPlace = () => address("health", {});

export const figuresPlace = (entity) => address(encoded(["figures", entity]), {});

/** The pending changes; `then` is the object to edit after changes are allowed. */
export const changesPlace = (then = "") => address("changes", { then });

export const editPlace = (id) => address(encoded(["edit", ...id.split("/")]), {});

/** The editor of a version, at an element. */
export const editorPlace = (version = "", at = "") => address(encoded(version ? ["editor", version] : ["editor"]), { at });

export const differencePlace = (from = "", to = "") => address("difference", { from, to });

export const sqlPlace = (q = "") => address("sql", { q });

/** The address of an object, or of something below it, on the server. */
export const objectPath = (id, ...more) => `/api/objects/${encoded([...id.split("/"), ...more])}`;
