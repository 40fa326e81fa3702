// How a page reaches papan: by HTTP; on a static site (`data-root`) through a worker with papan as
// WebAssembly; where the server has an engine for browsers (`data-engine`) by HTTP for everything but
// what an engine thinks about.

const http = {
  /** Returns path and query of an address, as the server knows them. */
  path(address) {
    const { pathname, search } = new URL(address, location.href);
    return pathname + search;
  },
  /** Returns the URL of such an address. */
  url: (address) => address,
  /** Returns the URL of a picture. */
  picture: async (address) => address,
  /** Requests an address, as `fetch` does. A page that is loaded without scripts' help leaves searches to them. */
  request: (address, options) => fetch(address, { ...options, headers: { ...options?.headers, "x-papan-compute": "1" } }),
  /** Follows a stream of events. */
  follow: (address) => new EventSource(address),
  /** Stops what the requests so far search for, since another one replaces them. A server has other threads. */
  overtake() {},
};

async function choose() {
  const { root, engine } = document.documentElement.dataset;
  if (root !== undefined) return import("./worker_transport.js");
  if (engine === undefined || typeof WebAssembly !== "object" || navigator.connection?.saveData) return http;
  return (await import("./hybrid_transport.js")).over(http);
}

export const { path, url, picture, request, follow, overtake } = await choose();
