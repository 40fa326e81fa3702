// In Chromium the module gives the same answers as the native program, number for number.

import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { launch } from "../../web/browser/harness.mjs";
import { SUITE, decisions, folder, native } from "./harness.mjs";

/** A page that finds the package by its name. */
const PAGE = '<!doctype html><title>papan</title><script type="importmap">{ "imports": { "papan": "/index.js", "papan/engine": "/engine.js" } }</script>';

const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  // Isolated, so that the page shares memory with its worker.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-embedder-policy", "require-corp");
  response.setHeader("content-type", types[extname(request.url)] ?? "application/octet-stream");
  if (request.url === "/") return response.setHeader("content-type", "text/html").end(PAGE);
  createReadStream(join(folder, request.url)).on("error", () => response.writeHead(404).end()).pipe(response);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const browser = await launch();
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});
const page = await browser.newPage();
const { port } = server.address();
await page.goto(`http://127.0.0.1:${port}/`);
await page.evaluate(async () => {
  const { Engine } = await import("papan/engine");
  globalThis.engine = await Engine.start();
});

test("the endgame suite has the signature and the nodes of the native program", async () => {
  const { signature, nodes, mismatches } = await page.evaluate(() => engine.bench());
  assert.deepEqual({ signature, nodes, mismatches }, { ...SUITE, mismatches: 0 });
});

for (const [name, moves, strategy] of decisions) {
  test(`${strategy} explains ${name} ${moves} as the native program does`, async () => {
    const { papan: version, ...expected } = native("explain", name, "--moves", moves, "--strategy", strategy);
    assert.deepEqual(await page.evaluate((request) => engine.explain(request), { game: name, moves, player: strategy }), expected);
  });
}

test("the page's own thread plays, explains and checks without a worker", async () => {
  const found = await page.evaluate(async () => {
    const { default: init, Game, Player, checkCertificate, loadCertificate, prepare } = await import("papan");
    await init();
    const solved = new Game("tictactoe:4x8");
    const certificate = new Uint8Array(await (await fetch("/data/tictactoe-4x8.certificate")).arrayBuffer());
    const missing = solved.missingCertificate;
    const { value } = checkCertificate(certificate);
    loadCertificate(certificate);
    await prepare("othello");
    const othello = new Game("othello");
    const line = othello.line("f5 d6");
    document.body.innerHTML = line.svg("Othello");
    return {
      missing,
      value,
      isLoaded: solved.missingCertificate === undefined,
      best: new Player(solved, "perfect").choose(solved.line()).move,
      decision: new Player(othello, "engine(nodes=20000,book=off)").explain(line),
      discs: document.querySelectorAll("svg .disc").length,
    };
  });
  const { papan: version, ...expected } = native("explain", "othello", "--moves", "f5 d6", "--strategy", "engine(nodes=20000,book=off)");
  assert.deepEqual(found.decision, expected);
  assert.deepEqual([found.missing, found.isLoaded, found.value], ["tictactoe-4x8.certificate", true, 0]);
  assert.ok(found.best && found.discs > 0, JSON.stringify(found));
});

test("a search stops", async () => {
  const delays = [];
  // Best of three: the machine may be busy with something else.
  for (let round = 0; round < 3; round += 1) {
    delays.push(
      await page.evaluate(async () => {
        let began;
        const isRunning = new Promise((resolve) => (began = resolve));
        const answer = engine.analyse({ game: "gomoku", moves: "h8 i9" }, began);
        await isRunning;
        const asked = performance.now();
        await engine.stop();
        if (!(await answer).move) throw new Error("an interrupted search has no answer");
        return performance.now() - asked;
      }),
    );
  }
  console.log(`stopped after ${Math.min(...delays).toFixed(1)} ms`);
  // The search has no limit of its own; docs/benchmarks has the time on a quiet machine.
  assert.ok(Math.min(...delays) < 2000, `${delays}`);
});
