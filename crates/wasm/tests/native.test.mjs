// The module and the native program give the same answers, number for number.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SUITE, decisions, native, papan } from "./harness.mjs";

await papan.prepare("othello");
await papan.prepare("gomoku");

test("the endgame suite has the signature and the nodes of the native program", () => {
  const result = papan.bench();
  console.log(`${result.nodes} nodes in ${result.milliseconds.toFixed(0)} ms`);
  assert.equal(result.signature, SUITE.signature);
  assert.equal(result.nodes, SUITE.nodes);
  assert.equal(result.mismatches, 0);
});

for (const [name, moves, strategy] of decisions) {
  test(`${strategy} explains ${name} ${moves} as the native program does`, async () => {
    await papan.prepare(name);
    const game = new papan.Game(name);
    const line = game.line(moves);
    const explained = new papan.Player(game, strategy).explain(line);
    const { papan: version, ...expected } = native("explain", name, "--moves", moves, "--strategy", strategy);
    assert.deepEqual(explained, expected);
    // `choose` chooses what `explain` explains.
    assert.equal(new papan.Player(game, strategy).choose(line).move, explained.best);
  });
}

test("several threads answer with one", () => {
  for (const name of ["tictactoe:9x9:5", "othello:6x6", "othello"]) {
    const game = new papan.Game(name);
    const choose = (threads) => new papan.Player(game, `engine(nodes=5000,threads=${threads})`).choose(game.line());
    assert.deepEqual(choose(2), choose(1));
  }
});

test("a table that does not fit is refused", () => {
  for (const name of ["tictactoe:9x9:5", "othello"]) {
    const game = new papan.Game(name);
    assert.throws(() => new papan.Player(game, "engine(hash=3000)"), /3000 MiB.*1024 MiB/);
  }
});

test("proofs are those of the native program", () => {
  for (const [strategy, seat] of [["branch-and-bound", "second"], ["greedy", "second"], ["expert", "first"]]) {
    const { papan: version, ...expected } = [native("prove", "tictactoe", strategy, "--as", seat)].flat()[0];
    assert.deepEqual(papan.prove(new papan.Game("tictactoe"), strategy, seat), expected);
  }
  assert.throws(() => papan.prove(new papan.Game("tictactoe"), "greedy", "third"), /first or second/);
});

test("values are solved with certificates that hold", () => {
  for (const [name, value] of [["tictactoe:4x4:3", 1], ["tictactoe:4x5", 0], ["tictactoe:5x6:4", 1]]) {
    const solution = papan.solve(new papan.Game(name).line());
    assert.equal(solution.score, value);
    assert.equal(papan.checkCertificate(solution.certificate).value, value);
  }
  assert.equal(papan.solve(new papan.Game("othello:4x4").line()).score, -10);
  assert.throws(() => papan.solve(new papan.Game("tictactoe").line("1 4 2 5 3")), /over/);
});

test("a search reports progress, stops when told, and keeps its time", () => {
  const game = new papan.Game("othello");
  const player = new papan.Player(game, "engine(book=off)");
  const depths = [];
  player.choose(game.line("f5 d6"), { nodes: 500_000 }, (progress) => {
    depths.push(progress.depth);
    assert.ok(progress.pv.length > 0 && progress.unit === "discs");
  });
  assert.ok(depths.length > 5 && depths.every((depth, at) => at === 0 || depth >= depths[at - 1]));
  let reports = 0;
  const started = performance.now();
  player.choose(game.line("f5 d6"), { time: 60_000 }, () => ++reports < 4);
  assert.equal(reports, 4);
  player.choose(game.line("f5 d6"), { time: 200 });
  assert.ok(performance.now() - started < 20_000);
  assert.throws(() => player.choose(game.line(), { seconds: 1 }), /limits: .*seconds/);
  assert.throws(() => player.choose(game.line(), { nodes: -1 }), /nodes must be/);
});
