// A server that knows nothing but files, which it serves below a path; unknown addresses get `404.html`.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

import { fromSite, toSite } from "../../pages/assets/addresses.js";

const PREFIX = "/some/path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".json": "application/json", ".webmanifest": "application/manifest+json" };

/** Serves a folder. Every request is noted in `requests`, after `leave` as well, when none is answered. */
export async function serve(site) {
  const requests = [];
  let isGone = false;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    requests.push(path);
    if (isGone) return request.socket.destroy();
    let file = path.startsWith(`${PREFIX}/`) ? join(site, normalize(path.slice(PREFIX.length))) : "";
    if (file && existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    const isKnown = file && existsSync(file);
    if (!isKnown) file = join(site, "404.html");
    response.writeHead(isKnown ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": "no-store" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const root = new URL(`http://127.0.0.1:${server.address().port}${PREFIX}/`);
  return {
    requests,
    address: root.href,
    // As the scenarios of `papan serve` ask for pages.
    scripts: [true],
    url: (path) => toSite(path, root.href),
    path: (url) => fromSite(new URL(url), root).split("?")[0],
    leave() {
      isGone = true;
      server.closeAllConnections();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
