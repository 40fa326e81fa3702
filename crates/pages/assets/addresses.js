// Addresses of the static site. Every page is a folder, so that any file host serves it under any path;
// what the server has behind it in the path (the id of a game, the day of a puzzle) is the field `at`.

const FOLDERS = ["analysis/setup", "analysis", "automaton", "embed", "games", "laboratory", "lobby", "me", "proof", "puzzles", "review", "studies", "trace"];

/** Returns the address of a page below `root`: `/games/x?ply=3` is `games/?at=x&ply=3`. */
export function toSite(address, root, and = "&") {
  const [path, query = ""] = address.slice(1).split(/\?(.*)/s);
  const after = (fields) => (fields ? `?${fields}` : "");
  if (path.startsWith("assets/") || path.startsWith("book/")) return root + path + after(query);
  const folder = FOLDERS.find((name) => path === name || path.startsWith(`${name}/`));
  if (!folder) return root + (path && `${path}/`) + after(query) || "./";
  const rest = path.slice(folder.length + 1);
  return `${root}${folder}/${after([rest && `at=${rest}`, query].filter(Boolean).join(and))}`;
}

/** Returns the address that the server would have for a page of the site. */
export function fromSite(url, root) {
  const path = url.pathname.slice(root.pathname.length).replace(/index\.html$/, "").replace(/\/$/, "");
  const fields = new URLSearchParams(url.search);
  const rest = fields.get("at");
  fields.delete("at");
  return `/${path}${rest ? `/${rest}` : ""}${fields.size ? `?${fields}` : ""}`;
}

/** Returns a page with all its addresses below `root`. Text in a page has no quotation marks, so that only attributes match. */
export function rebase(html, root) {
  return html.replace(/ (href|action|src)="(\/[^"]*)"/g, (_, name, address) => ` ${name}="${toSite(address, root, "&amp;")}"`);
}
