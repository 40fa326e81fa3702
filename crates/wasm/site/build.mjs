// Makes the static site: node build.mjs PACKAGE REPOSITORY BOOK OUTPUT. Pages are rendered with the
// npm package itself: its messages in both languages, its pictures, its proofs.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [packageFolder, repository, book, output] = process.argv.slice(2);
if (!output) throw new Error("expected the package, the repository, the book and the output folder");
const here = dirname(fileURLToPath(import.meta.url));
const papan = await import(pathToFileURL(join(packageFolder, "index.js")));
await papan.default();

const LANGUAGES = [
  { code: "en", folder: "", name: "English" },
  { code: "id", folder: "id/", name: "Bahasa Indonesia" },
];

/** Boards of the menu; any other one is written by name. */
const MENU = ["tictactoe", "tictactoe:4x4x4", "tictactoe:7x7:5", "gomoku", "gomoku:renju", "othello", "othello:6x6"];

const t = (key, values) => papan.message(key, values);
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** Nothing from elsewhere, and no script or style inside a page. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'";

const PAGES = [
  { path: "play/", key: "web-play" },
  { path: "analysis/", key: "web-analysis" },
  { path: "atlas/", key: "site-atlas" },
];

/** Writes one page. `path` is below the folder of the language; all links are relative. */
function page(language, path, { title, script, main }) {
  const address = language.folder + path;
  const up = (target) => posix.relative(address || ".", target).replace(/^$/, ".") + (target.endsWith("/") || target === "" ? "/" : "");
  const links = PAGES.map(({ path: to, key }) =>
    `<a href="${up(language.folder + to)}"${path === to ? ' aria-current="page"' : ""}>${escape(t(key))}</a>`);
  links.push(`<a href="${up("book/")}">${escape(t("site-book"))}</a>`);
  const languages = LANGUAGES.map(({ code, folder, name }) =>
    `<a href="${up(folder + path)}" lang="${code}" hreflang="${code}"${code === language.code ? ' aria-current="true"' : ""} aria-label="${code}, ${escape(name)}">${code}</a>`);
  const html = `<!doctype html>
<html lang="${language.code}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escape(title)} · papan</title>
<link rel="stylesheet" href="${up("assets/papan.css")}">
<link rel="stylesheet" href="${up("assets/site.css")}">
<link rel="icon" href="${up("assets/icon.svg")}" type="image/svg+xml">
<link rel="manifest" href="${up("manifest.webmanifest")}">
${script ? `<script type="module" src="${up(`assets/${script}`)}"></script>` : ""}
</head>
<body>
<a class="skip" href="#main">${escape(t("web-skip"))}</a>
<header class="top">
<a class="brand" href="${up(language.folder)}"><svg viewBox="0 0 24 24" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="5"/><circle cx="8" cy="8" r="3.4"/><circle cx="16" cy="16" r="3.4"/><path d="M13.5 5.5l5 5m0-5l-5 5M5.5 13.5l5 5m0-5l-5 5"/></svg>papan</a>
<nav aria-label="${escape(t("web-nav"))}">${links.join("")}</nav>
<div class="languages">${languages.join("")}</div>
</header>
<main id="main">
<p class="spoken" id="spoken" aria-live="polite"></p>
<noscript><p class="notice wrong">${escape(t("site-no-script"))}</p></noscript>
<p class="notice wrong" id="notice" role="alert" hidden></p>
${main(up)}
</main>
</body>
</html>
`;
  const file = join(output, address, "index.html");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, html);
}

const options = (values, chosen) =>
  values.map(([value, text]) => `<option value="${escape(value)}"${value === chosen ? " selected" : ""}>${escape(text)}</option>`).join("");

const gameField = () => `<p class="field"><label for="of-game">${escape(t("web-game"))}</label><input id="of-game" name="game" list="games" value="tictactoe" required><datalist id="games">${options(MENU.map((name) => [name, name]))}</datalist></p>`;

function choice(up, action, fields, button) {
  return `<form class="choice" id="choice" action="${action}">${fields}<button class="button primary">${escape(button)}</button></form>`;
}

function playFields() {
  const levels = Array.from({ length: papan.maxLevel() + 1 }, (_, level) => [String(level), `${level} · ${t(`level-${level}`)}`]);
  return `${gameField()}
<p class="field"><label for="of-level">${escape(t("web-level"))}</label><select id="of-level" name="level">${options(levels, "3")}</select></p>
<p class="field"><label for="of-side">${escape(t("web-seat"))}</label><select id="of-side" name="side">${options([["first", t("web-seat-first")], ["second", t("web-seat-second")]], "first")}</select></p>`;
}

/** The rows of docs/values.md that have a certificate. */
function solvedBoards() {
  const rows = readFileSync(join(repository, "docs/values.md"), "utf8").matchAll(/^\| `(tictactoe[^`]*)` \| (\S+) \| (\S+) \|/gm);
  const boards = [];
  for (const [, game, literature, value] of rows) {
    const certificate = `${game.replaceAll(":", "-")}.certificate`;
    const path = join(packageFolder, "data", certificate);
    if (existsSync(path)) boards.push({ game, literature, value, certificate, bytes: readFileSync(path) });
  }
  if (boards.length < 20) throw new Error(`docs/values.md has ${boards.length} boards with certificates; expected at least 20`);
  return boards;
}

/** The first moves that reach the board's value, as its proof knows them. */
function bestMoves({ game, value, bytes }) {
  const found = new papan.Game(game);
  if (found.missingCertificate) papan.loadCertificate(bytes);
  const line = found.line();
  const wanted = { first: 1, draw: 0, second: -1 }[value];
  const { candidates } = new papan.Player(found, "engine").decide(line, { nodes: 1000 });
  const best = candidates.filter(({ score, bound, proof }) => score === wanted && (proof || bound === "exact"));
  return best.map(({ move }) => move);
}

function writeAtlas(language, boards) {
  page(language, "atlas/", {
    title: t("site-atlas"),
    main: (up) => `<h1>${escape(t("site-atlas"))}</h1>
<p class="lead">${escape(t("site-atlas-lead"))}</p>
<ul class="atlas">
${boards.map(({ game, slug, value, bytes }) => `<li><a href="${up(`${language.folder}atlas/${slug}/`)}"><b>${escape(game)}</b>${escape(t(`site-value-${value}`))}<small>${escape(t("site-bytes", { bytes: bytes.length.toLocaleString(language.code) }))}</small></a></li>`).join("\n")}
</ul>`,
  });
  for (const { game, slug, value, literature, certificate, bytes, best } of boards) {
    const other = value === "first" ? "second" : "first";
    const query = new URLSearchParams({ game, player: "perfect", side: value === "draw" ? "first" : other });
    const known = ["first", "draw", "second"].includes(literature) ? `<p>${escape(t("site-literature", { value: t(`site-literature-${literature}`) }))}</p>` : "";
    page(language, `atlas/${slug}/`, {
      title: game,
      script: "atlas.js",
      main: (up) => `<h1>${escape(game)}</h1>
<p class="status">${escape(t(`site-value-${value}`))}</p>
${known}
<div class="table-parts">
<div id="board"></div>
<div class="side-part">
${best.length ? `<p>${escape(t("site-best"))}: ${escape(best.join(" "))}</p>` : ""}
<p>${escape(t("site-proof"))}: ${escape(t("site-bytes", { bytes: bytes.length.toLocaleString(language.code) }))} (<a href="${up(`engine/data/${certificate}`)}" download>${escape(certificate)}</a>)</p>
<p><button class="button primary large" id="check" data-game="${escape(game)}" data-certificate="${escape(certificate)}" data-best="${escape(best.join(" "))}">${escape(t("site-check"))}</button></p>
<p><progress id="progress" max="1" aria-label="${escape(t("site-proof"))}" hidden></progress></p>
<p id="result" class="status"></p>
<p id="proof" hidden><a class="button" href="${up(`${language.folder}play/`)}?${escape(query)}">${escape(t("site-play-proof"))}</a></p>
</div>
</div>`,
    });
  }
}

function writePages(language, boards) {
  papan.setLanguage(language.code);
  page(language, "", {
    title: t("web-home-title"),
    script: "common.js",
    main: (up) => `<h1>${escape(t("web-home-title"))}</h1>
<p class="lead">${escape(t("site-lead"))}</p>
${choice(up, up(`${language.folder}play/`), playFields(), t("web-start-computer"))}
<div class="ways">
<a href="${up(`${language.folder}atlas/`)}"><b>${escape(t("site-atlas"))}</b>${escape(t("site-atlas-lead"))}</a>
<a href="${up(`${language.folder}analysis/`)}"><b>${escape(t("web-analysis"))}</b>${escape(t("web-explain-lead"))}</a>
</div>`,
  });
  page(language, "play/", {
    title: t("web-play"),
    script: "play.js",
    main: (up) => `<h1>${escape(t("web-play"))}</h1>
${choice(up, "./", playFields(), t("site-new-game"))}
<div class="table-parts" id="game" hidden>
<div><p class="status" id="status"></p><div id="board"></div></div>
<div class="side-part">
<p class="actions"><button class="button" id="back" type="button">${escape(t("web-take-back"))}</button><button class="button" id="pass" type="button" hidden>${escape(t("web-pass"))}</button><a class="button" id="analyse" href="../analysis/">${escape(t("web-analyse"))}</a></p>
<h2>${escape(t("web-moves"))}</h2><ol class="move-list" id="moves"></ol>
</div>
</div>`,
  });
  page(language, "analysis/", {
    title: t("web-analysis"),
    script: "analysis.js",
    main: (up) => `<h1>${escape(t("web-analysis"))}</h1>
${choice(up, "./", gameField(), t("web-ask"))}
<div class="table-parts" id="game" hidden>
<div><p class="status" id="status"></p><div id="board"></div></div>
<div class="side-part">
<p class="actions"><button class="button" id="stop" type="button" hidden>${escape(t("site-stop"))}</button><button class="button" id="go" type="button" hidden>${escape(t("web-ask"))}</button><button class="button" id="back" type="button">${escape(t("web-take-back"))}</button></p>
<div class="scroll" tabindex="0"><table><thead><tr><th>${escape(t("site-depth"))}</th><th>${escape(t("web-score"))}</th><th>${escape(t("site-nodes"))}</th><th>${escape(t("web-expects"))}</th></tr></thead><tbody id="lines"></tbody></table></div>
</div>
</div>`,
  });
  writeAtlas(language, boards);
}

/** All files below a folder, with their paths from the root of the site. */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [relative(output, path).split("\\").join("/")];
  });
}

rmSync(output, { recursive: true, force: true });
mkdirSync(join(output, "assets"), { recursive: true });
for (const name of ["common.js", "board.js", "play.js", "analysis.js", "atlas.js", "site.css"]) cpSync(join(here, name), join(output, "assets", name));
for (const name of ["papan.css", "papan.js", "icon.svg"]) cpSync(join(repository, "crates/pages/assets", name), join(output, "assets", name));
cpSync(packageFolder, join(output, "engine"), { recursive: true });

const boards = solvedBoards().map((board) => ({ ...board, slug: board.game.replaceAll(":", "-"), best: bestMoves(board) }));
for (const language of LANGUAGES) writePages(language, boards);

writeFileSync(join(output, "manifest.webmanifest"), JSON.stringify({
  name: "papan", short_name: "papan", start_url: "./", scope: "./", display: "standalone",
  background_color: "#f5efe4", theme_color: "#1e4d39",
  icons: [{ src: "assets/icon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }],
}, null, 2));

const core = files(output).filter((path) => !path.startsWith("engine/data/") && !/\.d\.ts$|README\.md$|package\.json$/.test(path)).sort();
const hash = createHash("sha256");
for (const path of core) hash.update(path).update(readFileSync(join(output, path)));
// Data is kept by name; a change of it changes the version as well.
for (const path of files(join(output, "engine/data"))) hash.update(readFileSync(join(output, path)));
const version = `papan-${hash.digest("hex").slice(0, 16)}`;
const worker = readFileSync(join(here, "sw.js"), "utf8");
writeFileSync(join(output, "sw.js"), worker.replace("%VERSION%", version).replace("/*CORE*/", core.map((path) => JSON.stringify(path)).join(", ")));
cpSync(book, join(output, "book"), { recursive: true });
console.log(`${output}: ${core.length} files kept for offline use, ${boards.length} solved boards, ${version}`);
