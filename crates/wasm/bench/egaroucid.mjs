// A match of papan as WebAssembly against Egaroucid for Web's own module, under node:
//
//   node crates/wasm/bench/egaroucid.mjs AI.JS OPENINGS [GAMES [MILLISECONDS [NATIVE]]]
//
// AI.JS is `docs/en/web/ai.js` of github.com/Nyanyan/Egaroucid (GPL; the same file as `docs/ja/web/ai.js`),
// with `ai.wasm` beside it: it is loaded from where it lies. OPENINGS has one line of moves for each pair of
// games. Egaroucid has levels, no time: the level whose mean processor time is nearest to MILLISECONDS plays.
// papan as WebAssembly (target/npm/papan) has that much processor time for each move. With NATIVE, the program
// of that path plays instead, which is unfair to a peer that is WebAssembly: it searches the number of nodes
// that takes the same mean processor time, since its own clock counts the time of other programs as well.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [script, openings, games = "200", milliseconds = "100", native] = process.argv.slice(2);
if (!openings) throw new Error("expected ai.js and a file of openings");

const cpu = () => process.cpuUsage().user / 1000;
// papan's clock: processor time, since other programs run here.
Object.defineProperty(globalThis, "performance", { value: { now: cpu, timeOrigin: 0 } });

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const papan = await import(pathToFileURL(join(root, "target/npm/papan/index.js")));
await papan.default();
await papan.prepare("othello");
const othello = new papan.Game("othello");

// ---- Egaroucid ----

const egaroucid = createRequire(import.meta.url)(resolve(script));
// It reports each search.
egaroucid.print = () => {};
console.log = () => {};
await new Promise((ready) => (egaroucid.onRuntimeInitialized = ready));
egaroucid._init_ai(egaroucid._malloc(4));
const cells = egaroucid._malloc(64 * 4);

function asked(line, level) {
  const { cells: board, turn } = line.board();
  const sides = { first: 0, second: 1 };
  egaroucid.HEAP32.set(board.map(({ piece }) => sides[piece] ?? -1), cells >> 2);
  const answer = egaroucid._ai_js(cells, level, sides[turn]);
  const square = Math.floor(answer / 1000);
  return "abcdefgh"[square % 8] + (Math.floor(square / 8) + 1);
}

// ---- papan ----

/** papan as a program, by UGI. */
function program(path) {
  const child = spawn(path, ["engine", "ugi", "othello"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const time = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  return {
    time,
    nodes: 1_000_000,
    async choose(line) {
      child.stdin.write(`position startpos moves ${line.moves.join(" ")}\ngo nodes ${this.nodes}\n`);
      for (;;) {
        const { value } = await lines.next();
        const found = value.match(/^bestmove (\S+)/);
        if (found) return found[1];
      }
    },
    close: () => child.kill(),
  };
}

function module() {
  const player = new papan.Player(othello, "engine");
  const limits = { time: Number(milliseconds) };
  return { time: cpu, choose: async (line) => player.choose(line, limits).move, close: () => player.free() };
}

// ---- Games ----

const report = (text) => process.stdout.write(`${text}\n`);
const used = { papan: { time: 0, moves: 0 }, egaroucid: { time: 0, moves: 0 } };

/** Plays a game and returns the discs by which papan wins. */
async function play(opening, first, ours, level) {
  const line = othello.line(opening);
  while (line.outcome === undefined) {
    const [only, ...others] = line.legalMoves();
    const isOurs = (line.turn === "first") === first;
    if (others.length === 0) {
      line.play(only);
      continue;
    }
    const clock = isOurs && ours ? ours.time : cpu;
    const began = clock();
    const move = isOurs && ours ? await ours.choose(line) : asked(line, level);
    const side = used[isOurs ? "papan" : "egaroucid"];
    side.time += clock() - began;
    side.moves += 1;
    line.play(move);
  }
  const discs = first ? line.score : -line.score;
  line.free();
  return discs;
}

const starts = readFileSync(openings, "utf8").trim().split("\n");
const start = (index) => starts[Math.floor(((index + 0.5) * starts.length) / Math.max(Number(games) / 2, 1)) % starts.length];

// The level that takes nearest to the time: it plays a game against itself.
let level = 1;
let nearest = Infinity;
for (let tried = 5; tried <= 15; tried += 1) {
  used.egaroucid = { time: 0, moves: 0 };
  for (let game = 0; game < 2; game += 1) await play(start(game), true, undefined, tried);
  const { time, moves } = { time: used.egaroucid.time + used.papan.time, moves: used.egaroucid.moves + used.papan.moves };
  used.papan = { time: 0, moves: 0 };
  const mean = time / moves;
  report(`level ${tried}: ${mean.toFixed(1)} ms a move`);
  const distance = Math.abs(Math.log(mean / Number(milliseconds)));
  if (distance < nearest) [nearest, level] = [distance, tried];
  if (mean > 3 * Number(milliseconds)) break;
}
used.egaroucid = { time: 0, moves: 0 };
used.papan = { time: 0, moves: 0 };

const ours = native ? program(native) : module();
if (native) {
  for (let game = 0; game < 4; game += 1) await play(start(game), game % 2 === 0, ours, level);
  ours.nodes = Math.round((ours.nodes * Number(milliseconds)) / (used.papan.time / used.papan.moves));
  report(`papan searches ${ours.nodes} nodes a move`);
  used.egaroucid = { time: 0, moves: 0 };
  used.papan = { time: 0, moves: 0 };
}
const results = [];
for (let game = 0; game < Number(games); game += 1) {
  results.push(await play(start(Math.floor(game / 2)), game % 2 === 0, ours, level));
  if (results.length % 20 === 0 || results.length === Number(games)) summarise();
}
ours.close();
process.exit(0);

// ---- The result ----

function summarise() {
  const count = (test) => results.filter(test).length;
  const [wins, draws, losses] = [count((discs) => discs > 0), count((discs) => discs === 0), count((discs) => discs < 0)];
  // Pairs of games from one opening are the independent results.
  const pairs = Array.from({ length: results.length / 2 }, (_, at) => results.slice(2 * at, 2 * at + 2).reduce((sum, discs) => sum + (Math.sign(discs) + 1) / 4, 0));
  const mean = pairs.reduce((sum, score) => sum + score, 0) / pairs.length;
  const deviation = Math.sqrt(pairs.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(pairs.length - 1, 1));
  const margin = (1.96 * deviation) / Math.sqrt(pairs.length);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const each = ({ time, moves }) => `${(time / moves).toFixed(0)} ms`;
  report(`${results.length} games, papan ${native ? "native" : "WebAssembly"} against Egaroucid for Web, level ${level}: +${wins} =${draws} -${losses}, ${percent(mean)} ± ${percent(margin)} (95 %)`);
  report(`mean discs ${(results.reduce((sum, discs) => sum + discs, 0) / results.length).toFixed(1)}; processor time for a move: papan ${each(used.papan)}, Egaroucid ${each(used.egaroucid)}`);
}
