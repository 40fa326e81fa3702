import assert from "node:assert/strict";
import { test } from "node:test";
import { file, papan } from "./harness.mjs";

test("strategies whose data is not loaded say so", () => {
  for (const [name, file] of [["othello", "othello.weights"], ["gomoku:renju", "gomoku.weights"], ["tictactoe:15x15:5", "gomoku.weights"]]) {
    const game = new papan.Game(name);
    assert.equal(game.missingWeights, file);
    for (const player of ["engine", "computer(level=3)"]) assert.throws(() => new papan.Player(game, player), new RegExp(`${file} first`));
  }
  assert.equal(new papan.Game("othello:6x6").missingWeights, undefined);
  assert.equal(new papan.Game("tictactoe:4x5").missingWeights, undefined);
  assert.throws(() => papan.bench(), /othello\.weights/);
  const grid = new papan.Game("tictactoe:7x7:5");
  assert.equal(grid.missingCertificate, "tictactoe-7x7-5.certificate");
  assert.throws(() => new papan.Player(grid, "perfect"), /tictactoe-7x7-5\.certificate/);
  assert.equal(new papan.Game("tictactoe:4x5").missingCertificate, undefined);
});

test("a game is prepared once, with the weights of its engine", async () => {
  await papan.prepare("gomoku");
  const game = new papan.Game("gomoku:renju");
  assert.equal(game.missingWeights, undefined, "all rules have one file");
  assert.ok(new papan.Player(game, "engine(nodes=100)").choose(game.line("h8")).move);
  assert.equal(new papan.Game("othello").missingWeights, "othello.weights");
});

test("wrong data is refused with the reason", () => {
  assert.throws(() => papan.loadWeights(new Uint8Array([1, 2, 3])), /not a weights file/);
  for (const name of ["othello", "gomoku"]) {
    const weights = file(`data/${name}.weights`);
    assert.throws(() => papan.loadWeights(weights.slice(0, weights.length >> 1)), /damaged/);
  }
  const changed = file("data/tictactoe-4x7.certificate");
  changed[changed.length >> 1] ^= 1;
  assert.throws(() => papan.loadCertificate(changed), /./);
  assert.throws(() => papan.loadCertificate(new Uint8Array(0)), /./);
});

test("the certificates of 4x4x4 and 7x7:5 are accepted within 10 seconds, with progress", () => {
  for (const [board, value] of [["4x4x4", 1], ["7x7-5", 0]]) {
    const reports = [];
    const started = process.cpuUsage();
    const checked = papan.checkCertificate(file(`data/tictactoe-${board}.certificate`), (done, total) => reports.push([done, total]));
    // CPU time: the machine may be busy with something else.
    const seconds = process.cpuUsage(started).user / 1e6;
    console.log(`${board}: ${seconds.toFixed(2)} s, ${reports.length} reports`);
    assert.equal(checked.value, value);
    assert.equal(checked.game, `tictactoe:${board.replace("-", ":")}`);
    assert.ok(reports.length > 50);
    assert.deepEqual(reports.at(-1)[0], reports.at(-1)[1]);
    assert.ok(seconds < 10, `${seconds} s`);
  }
});

test("a changed certificate is refused", () => {
  const certificate = file("data/tictactoe-4x8.certificate");
  for (const at of [100, certificate.length >> 1, certificate.length - 3]) {
    const changed = certificate.slice();
    changed[at] ^= 4;
    assert.throws(() => papan.checkCertificate(changed), /./);
  }
});

test("perfect plays from a loaded certificate", () => {
  assert.equal(papan.loadCertificate(file("data/tictactoe-4x4x4.certificate")), "tictactoe:4x4x4");
  const game = new papan.Game("tictactoe:4x4x4");
  assert.equal(game.missingCertificate, undefined);
  const line = game.line();
  const [proof, opponent] = [new papan.Player(game, "perfect"), new papan.Player(game, "greedy")];
  while (line.outcome === undefined) {
    line.play((line.turn === "first" ? proof : opponent).choose(line).move);
  }
  assert.equal(line.outcome, "first");
});
