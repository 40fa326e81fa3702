// How a page reaches papan: by HTTP, or through a worker with papan as WebAssembly. `data-root` is the
// root of a static site.

const http = {
  /** Returns path and query of an address, as the server knows them. */
  path(address) {
    const { pathname, search } = new URL(address, location.href);
    return pathname + search;
  },
  /** Returns the URL of such an address. */
  url: (address) => address,
  /** Requests an address, as `fetch` does. */
  request: (address, options) => fetch(address, options),
  /** Follows a stream of events. */
  follow: (address) => new EventSource(address),
};

const isStatic = document.documentElement.dataset.root !== undefined;
const transport = isStatic ? await import("./worker_transport.js") : http;

export const { path, url, request, follow } = transport;
