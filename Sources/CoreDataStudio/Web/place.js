// Addresses: every view has one, which can be kept, sent and gone back to.
//
//   #/                                    the store
//   #/objects/Note?where=…&sort=-created  a table; columns=title,folder.name  row=12000
//   #/object/Note/p3                      a card
//   #/model?entity=Note                   the model as a picture
//   #/history?author=…&entity=Note        the timeline
//   #/sql?q=SELECT…                       statements

/** The view that an address names. */
export function readPlace(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [kind = "", ...names] = path.split("/").map(decode);
  return { kind, names, query: new URLSearchParams(query) };
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

export const modelPlace = (entity = "") => address("model", { entity });

export const historyPlace = (query = {}) => address("history", query);

export const sqlPlace = (q = "") => address("sql", { q });

/** The address of an object, or of something below it, on the server. */
export const objectPath = (id, ...more) => `/api/objects/${encoded([...id.split("/"), ...more])}`;
