// Service worker: the site works without a connection after the first visit. `VERSION` and `CORE`
// are filled in by the build. Weights, certificates and the book are kept when they are first used.

const VERSION = "%VERSION%";
const CORE = [/*CORE*/];
const root = new URL("./", self.location);

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(VERSION);
      await cache.addAll(CORE.map((path) => new Request(new URL(path, root), { cache: "reload" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== VERSION && name.startsWith("papan-")) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

/** The file behind an address: a folder has an index, and a query is for scripts. */
function file(address) {
  const url = new URL(address);
  url.search = "";
  url.hash = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  return url;
}

/** Isolates the page from other origins, so that it may share memory with its worker. */
function isolated(response) {
  if (response.status === 0 || response.type === "opaque") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function answer(request) {
  const url = file(request.url);
  const cache = await caches.open(VERSION);
  const known = await cache.match(url);
  if (known) return isolated(known);
  const response = await fetch(request);
  if (response.ok && response.status === 200) await cache.put(url, response.clone());
  return isolated(response);
}

self.addEventListener("fetch", (event) => {
  const isOurs = event.request.method === "GET" && event.request.url.startsWith(root.href);
  if (isOurs) event.respondWith(answer(event.request));
});
