// Makes the static site: node build.mjs PACKAGE REPOSITORY ASSETS BOOK OUTPUT [SERVER]. The pages are those of
// the server: the package renders the page of each folder, and `site.js` renders any other address of it.
// ASSETS has the files that pages link to.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [packageFolder, repository, assets, book, output, server] = process.argv.slice(2);
if (!output) throw new Error("expected the package, the repository, the assets, the book and the output folder");
const here = dirname(fileURLToPath(import.meta.url));
const papan = await import(pathToFileURL(join(packageFolder, "index.js")));
const { rebase } = await import(pathToFileURL(join(repository, "crates/pages/assets/addresses.js")));
await papan.default();
const site = new papan.Site({ server });

/** Nothing from elsewhere, and no script or style inside a page. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'";

/** Folders whose page is complete without an address's fields. */
const COMPLETE = ["", "analysis", "analysis/setup", "automaton", "laboratory", "lobby", "trace", "atlas", "about", "rules"];
/** Folders whose page depends on the fields, the day or the browser's games. */
const DYNAMIC = ["embed", "games", "me", "proof", "puzzles", "review", "studies"];

function write(path, text) {
  const file = join(output, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const asset = (name) => papan.assetUrl(name).slice(1);

/** What `site.js` needs before the first move: fetched with the page, not one import after the other. */
const PRELOADED = [
  ...["addresses.js", "worker_transport.js", "engine_worker.js", "transport.js", "game.js"].map((name) => `<link rel="modulepreload" href="/${asset(name)}">`),
  '<link rel="preload" as="fetch" type="application/wasm" crossorigin href="/assets/../engine/papan_bg.wasm">',
];

/** Writes the page of a folder: everything is relative to it, and the scripts wait for `site.js`. */
function page(folder, isDynamic) {
  const root = "../".repeat(folder ? folder.split("/").length : 0) || "./";
  const { status, text } = site.respond({ address: isDynamic ? "/lobby" : `/${folder}`, now: 0 });
  if (status !== 200) throw new Error(`/${folder}: ${status}`);
  let html = isDynamic ? text.replace(/<main id="main">.*<\/main>/s, `<main id="main"><p class="notice" role="status">${papan.message("site-loading")}</p></main>`) : text;
  html = html
    .replace(/<script type="module" src="([^"]*)"><\/script>/g, '<link rel="modulepreload" class="script" href="$1">')
    .replace('<meta charset="utf-8">', `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n<meta name="referrer" content="no-referrer">`)
    .replace(/<link rel="manifest"[^>]*>/, '<link rel="manifest" href="/assets/../manifest.webmanifest">')
    .replace("</head>", `${PRELOADED.join("\n")}\n<script type="module" src="/${asset("site.js")}"></script>\n</head>`)
    .replace('<main id="main">', `<main id="main"><noscript><p class="notice wrong">${papan.message("site-no-script")}</p></noscript>`);
  html = rebase(html, root).replace("assets/../manifest", "manifest").replace("assets/../engine", "engine");
  html = html.replace(/<html lang="en"/, `<html lang="en" data-root="${root}"${server ? ` data-server="${server}"` : ""}${isDynamic ? ' data-page="dynamic"' : ""}`);
  write(join(folder, "index.html"), html);
}

/**
 * The page with which a host that knows its name answers an unknown address, in any folder: its script looks
 * for the site among the folders above.
 */
function notFound() {
  const script = `
let folder = new URL("./", location.href);
while (!(await fetch(new URL("manifest.webmanifest", folder)).catch(() => ({}))).ok && folder.pathname !== "/") folder = new URL("../", folder);
document.querySelector("a").href = folder.href;
`;
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; form-action 'none'`;
  const sentences = ["en", "id"].map((language) => {
    papan.setLanguage(language);
    return `<p lang="${language}">${papan.message("web-not-found")}</p>`;
  });
  papan.setLanguage("en");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>papan</title>
</head>
<body>
<main>
<h1>papan</h1>
${sentences.join("\n")}
<p><a>papan</a></p>
</main>
<script type="module">${script}</script>
</body>
</html>
`;
}

rmSync(output, { recursive: true, force: true });
for (const name of readdirSync(assets)) write(asset(name), readFileSync(join(assets, name)));
cpSync(packageFolder, join(output, "engine"), { recursive: true });
for (const folder of COMPLETE) page(folder, false);
// The rules of each game, as their list links to them.
const rules = site.respond({ address: "/rules", now: 0 }).text;
for (const [, name] of rules.matchAll(/href="\/rules\/([^"]+)"/g)) page(`rules/${name}`, false);
for (const folder of DYNAMIC) page(folder, true);
write("404.html", notFound());

const best = {};
for (const { game, slug } of papan.solvedBoards()) {
  await papan.prepare(game);
  best[slug] = site.bestMoves(slug);
  page(`atlas/${slug}`, false);
}
write("engine/atlas.json", JSON.stringify(best));

write("manifest.webmanifest", JSON.stringify({
  name: "papan", short_name: "papan", start_url: "./", scope: "./", display: "standalone",
  background_color: "#f5efe4", theme_color: "#1e4d39",
  icons: [{ src: asset("icon.svg"), sizes: "any", type: "image/svg+xml", purpose: "any" }],
}, null, 2));

/** All files below a folder, with their paths from the root of the site. */
function below(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(path) : [relative(output, path).split("\\").join("/")];
  });
}

const unneeded = /^engine\/data\/(?!puzzles|gomoku)|\.(br|gz)$|\.d\.ts$|README\.md$|package\.json$|^404\.html$|^engine\/(worker|engine)\.js$/;
const core = below(output).filter((path) => !unneeded.test(path)).sort();
const hash = createHash("sha256");
for (const path of core) hash.update(path).update(readFileSync(join(output, path)));
// Data is kept by name; a change of it changes the version as well.
for (const path of below(join(output, "engine/data"))) hash.update(readFileSync(join(output, path)));
const version = `papan-${hash.digest("hex").slice(0, 16)}`;
const worker = readFileSync(join(here, "sw.js"), "utf8");
write("sw.js", worker.replace("%VERSION%", version).replace("/*CORE*/", core.map((path) => JSON.stringify(path)).join(", ")));
cpSync(book, join(output, "book"), { recursive: true });
console.log(`${output}: ${core.length} files kept for offline use, ${Object.keys(best).length} solved boards, ${version}`);
