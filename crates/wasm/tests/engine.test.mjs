// The worker: answers, stops, and keeps its memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, Stopped, papan } from "./harness.mjs";

/**
 * Bound of the delay between a request to stop and the page being free again, in milliseconds, on a busy machine: the
 * searches have no limit of their own. docs/benchmarks has the measured time.
 */
const STOP_LIMIT = 2000;

for (const share of [true, false]) {
  const way = share ? "shared memory" : "termination";

  test(`a search stops by ${way}`, async () => {
    const engine = await Engine.start({ share });
    // On an empty board the answer is immediate, and in the book as well.
    for (const [game, moves, player] of [["tictactoe:15x15:5", "113 114", "engine"], ["othello", "f5 d6", "engine(book=off)"]]) {
      // Best of three: the machine may be busy with something else.
      const delays = [];
      for (let round = 0; round < 3; round++) {
        let first;
        const isRunning = new Promise((resolve) => (first = resolve));
        const answer = engine.analyse({ game, moves, player }, first).then(
          (choice) => choice.move,
          (error) => error,
        );
        await isRunning;
        const asked = performance.now();
        await engine.stop();
        const result = await answer;
        delays.push(performance.now() - asked);
        if (share && typeof result === "string") assert.ok(new papan.Game(game).line(moves).legalMoves().includes(result));
        else assert.ok(result instanceof Stopped, String(result));
      }
      console.log(`${game}: stopped by ${way} after ${Math.min(...delays).toFixed(1)} ms`);
      assert.ok(Math.min(...delays) < STOP_LIMIT, `${delays}`);
    }
    // It still answers.
    const choice = await engine.choose({ game: "tictactoe", moves: "1 5", player: "perfect" });
    assert.ok(choice.move);
    engine.close();
  });
}

test("requests are answered in order, and those that wait are stopped", async () => {
  const engine = await Engine.start();
  const choose = (moves) => engine.choose({ game: "tictactoe", moves, player: "perfect" });
  const moves = await Promise.all(["1", "1 5", "1 5 2"].map(choose));
  assert.equal(moves.length, 3);
  const analysis = engine.analyse({ game: "tictactoe:9x9:5", moves: "41 42" }, () => {});
  const waiting = choose("5");
  const rejected = assert.rejects(waiting, Stopped);
  await engine.stop();
  await rejected;
  await analysis.catch((error) => assert.ok(error instanceof Stopped));
  engine.close();
  await assert.rejects(choose("5"), /closed/);
});

test("wrong requests are answered with the reason", async () => {
  const engine = await Engine.start();
  await assert.rejects(engine.choose({ game: "chess", player: "engine" }), /chess/);
  await assert.rejects(engine.choose({ game: "tictactoe", player: "grandmaster" }), /grandmaster/);
  await assert.rejects(engine.choose({ game: "tictactoe", moves: "10", player: "perfect" }), /10/);
  await assert.rejects(engine.check(new Uint8Array([1])), /./);
  engine.close();
});

test("a worker with a table of 64 MiB stays below 160 MiB", async () => {
  const engine = await Engine.start();
  for (const [game, player] of [["othello", "engine(hash=64)"], ["othello", "computer(level=10)"], ["tictactoe:15x15:5", "engine(hash=64)"], ["othello", "engine(hash=64)"]]) {
    await engine.choose({ game, player, limits: { nodes: 20_000 } });
    const mebibytes = (await engine.memory()) / (1 << 20);
    console.log(`${player} at ${game}: ${mebibytes.toFixed(0)} MiB`);
    assert.ok(mebibytes < 160, `${mebibytes} MiB`);
  }
  engine.close();
});

test("a certificate is checked by its name, with progress", async () => {
  const engine = await Engine.start();
  let last;
  const checked = await engine.check("tictactoe-4x8.certificate", (progress) => (last = progress));
  assert.equal(checked.value, 0);
  assert.ok(last.checked <= last.total);
  engine.close();
});
