// Speed of the npm package in node and in Chromium beside the native program, in processor time:
//
//   node crates/wasm/bench/speed.mjs NATIVE [ROUNDS]
//
// Every build searches the same nodes; builds take turns. The time of starting up and of unpacking the weights is
// subtracted. `cargo xtask wasm` makes the package, crates/web/browser/setup.sh installs Playwright.

import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [native, rounds = "2"] = process.argv.slice(2);
if (!native) throw new Error("expected the native program");
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const folder = join(root, "target/npm/papan");
const { launch } = await import(pathToFileURL(join(root, "crates/web/browser/harness.mjs")));

/** Positions of one line of play, every second one. */
const along = (moves) => moves.map((_, at) => moves.slice(0, at).join(" ")).filter((_, at) => at % 2 === 0);
const LINE = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6 d8 c6 c7 d2 b5 a5 a6".split(" ");
const STONES = "113 114 98 128 97 129 99 96 112 127 143 82 83 68 126 111".split(" ");

const TASKS = [
  { name: "Othello, midgame", game: "othello", player: "engine(nodes=400000,book=off)", positions: along(LINE) },
  { name: "15x15, five in a row", game: "tictactoe:15x15:5", player: "engine(nodes=50000)", positions: along(STONES) },
];

// ---- The builds: each returns the processor time of a task, in milliseconds ----

function timed(...args) {
  const script = 'TIMEFORMAT=%U; time "$@" > /dev/null 2>&1';
  const text = execFileSync("bash", ["-c", `{ ${script}; } 2>&1`, "bash", native, ...args], { encoding: "utf8" });
  return Number(text.trim().split("\n").at(-1)) * 1000;
}

const explain = (game, moves, player) => timed("explain", game, "--moves", moves, "--strategy", player);

const builds = {
  native: {
    suite: () => timed("bench", "othello", "--perft", "0") - timed("explain", "othello", "--strategy", "engine(nodes=1,book=off)"),
    task({ game, player, positions }) {
      const start = explain(game, "", player.replace(/nodes=\d+/, "nodes=1"));
      return positions.reduce((sum, moves) => sum + explain(game, moves, player) - start, 0);
    },
  },
};

const papan = await import(pathToFileURL(join(folder, "index.js")));
await papan.default();
for (const game of ["othello", "gomoku"]) await papan.prepare(game);
const cpu = () => process.cpuUsage().user / 1000;

builds.node = {
  suite() {
    const began = cpu();
    papan.bench();
    return cpu() - began;
  },
  task({ game: name, player, positions }) {
    const game = new papan.Game(name);
    let sum = 0;
    for (const moves of positions) {
      const seat = new papan.Player(game, player);
      const line = game.line(moves);
      const began = cpu();
      seat.explain(line);
      sum += cpu() - began;
      line.free();
      seat.free();
    }
    return sum;
  },
};

const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const server = createServer((request, response) => {
  response.setHeader("content-type", types[extname(request.url)] ?? "application/octet-stream");
  if (request.url === "/index.html") return response.end("<!doctype html><title>papan</title>");
  createReadStream(join(folder, request.url)).on("error", () => response.writeHead(404).end()).pipe(response);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const browser = await launch();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/index.html`);
await page.evaluate(async () => {
  const { Engine } = await import("/engine.js");
  globalThis.engine = await Engine.start();
});

/** User time of all renderers below this process, in milliseconds (proc(5)). */
function renderers() {
  let sum = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")) continue;
      sum += Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ")[11]) * 10;
    } catch {
      // It has ended.
    }
  }
  return sum;
}

builds.chromium = {
  async suite() {
    const began = renderers();
    await page.evaluate(() => engine.bench());
    return renderers() - began;
  },
  async task({ game, player, positions }) {
    const began = renderers();
    for (const moves of positions) await page.evaluate((request) => engine.explain(request), { game, player, moves });
    return renderers() - began;
  },
};

// ---- Rounds ----

await builds.node.suite();
await builds.chromium.suite();
const best = {};
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [build, { suite, task }] of Object.entries(builds)) {
    const note = (name, time) => (best[name] = { ...best[name], [build]: Math.min(best[name]?.[build] ?? Infinity, time) });
    note("Othello, 18 endgames", await suite());
    for (const asked of TASKS) note(asked.name, await task(asked));
  }
}
console.log("| | native, ms | node, ms | of native | Chromium, ms | of native |\n|---|---|---|---|---|---|");
for (const [name, { native: peer, node, chromium }] of Object.entries(best)) {
  const share = (time) => `${Math.round((100 * peer) / time)} %`;
  console.log(`| ${name} | ${peer.toFixed(0)} | ${node.toFixed(0)} | ${share(node)} | ${chromium.toFixed(0)} | ${share(chromium)} |`);
}
await browser.close();
server.close();
