// Keeps the pages and what was read lately, for when the server cannot be reached.
//
// The server is asked first, always: what is kept answers only when nobody else does. An answer from
// the cache says so in `X-Slipbox-Kept`.

const SHELL = "slipbox-shell-1";
const READ = "slipbox-read-1";
const MOST_KEPT = 600;

const files = [
  "/", "/app.js", "/manifest.webmanifest", "/icon.svg",
  "/look/theme.js", "/look/tokens.css", "/look/type.css", "/look/base.css", "/look/sidebar.css", "/look/list.css", "/look/note.css",
  "/look/dialogs.css",
  "/view/template.js", "/view/icon.js", "/view/words.js", "/view/menu.js", "/view/dialog.js", "/view/toast.js",
  "/server/call.js", "/server/outbox.js", "/server/live.js",
  "/parts/state.js", "/parts/route.js", "/parts/acts.js", "/parts/sidebar.js", "/parts/folders.js",
  "/parts/filing.js", "/parts/dragging.js", "/parts/keywords.js", "/parts/column.js", "/parts/rows.js", "/parts/choosing.js",
  "/parts/list.js", "/parts/search.js", "/parts/page.js", "/parts/note.js", "/parts/saving.js",
  "/parts/links.js", "/parts/picture.js", "/parts/history.js", "/parts/import.js", "/parts/switcher.js",
  "/parts/keys.js", "/parts/finding.js", "/parts/untouched.js", "/parts/recovering.js",
  "/editor/editor.js", "/editor/schema.js", "/editor/toolbar.js", "/editor/completion.js", "/editor/difference.js", "/editor/pasting.js",
  "/editor/finding.js", "/editor/indenting.js", "/editor/linking.js", "/editor/pictures.js",
  "/vendor/editor.js", "/vendor/icons.js",
  "/vendor/fonts/SourceSerifPro-Regular.otf", "/vendor/fonts/SourceSerifPro-It.otf",
  "/vendor/fonts/SourceSerifPro-Semibold.otf", "/vendor/fonts/SourceSansPro-Regular.otf",
  "/vendor/fonts/SourceSansPro-Semibold.otf",
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOld().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname === "/api/events" || url.pathname.endsWith("/export")) return;
  if (url.pathname.startsWith("/api/")) event.respondWith(serverFirst(event, READ, event.request));
  else event.respondWith(serverFirst(event, SHELL, event.request.mode === "navigate" ? "/" : event.request));
});

async function serverFirst(event, name, key) {
  try {
    const answer = await fetch(event.request);
    if (answer.status === 200) event.waitUntil(keep(name, key, answer.clone()));
    return answer;
  } catch (error) {
    // The page changed its mind, the server did not go away.
    if (error.name === "AbortError") throw error;
    const kept = await (await caches.open(name)).match(key, { ignoreVary: true });
    return kept ? marked(kept) : unreachable();
  }
}

async function keep(name, key, answer) {
  const cache = await caches.open(name);
  await cache.put(key, answer);
  if (name !== READ || Math.random() > 0.02) return;
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_KEPT)).map((old) => cache.delete(old)));
}

function marked(answer) {
  const headers = new Headers(answer.headers);
  headers.set("X-Slipbox-Kept", "yes");
  return new Response(answer.body, { status: answer.status, headers });
}

function unreachable() {
  return new Response(JSON.stringify({ error: "Slipbox cannot be reached, and this was not read lately." }), {
    status: 503,
    headers: { "Content-Type": "application/json", "X-Slipbox-Kept": "no" },
  });
}

async function dropOld() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("slipbox-") && name !== SHELL && name !== READ);
  await Promise.all(old.map((name) => caches.delete(name)));
}
