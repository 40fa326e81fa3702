import assert from "node:assert/strict";
import { test } from "node:test";
import { file, papan } from "./harness.mjs";

test("the version is that of the package", () => {
  assert.equal(papan.version(), JSON.parse(new TextDecoder().decode(file("package.json"))).version);
});

test("games are found by name, and a wrong name is explained", () => {
  const families = papan.games();
  assert.ok(families.some((family) => family.name === "othello"));
  for (const { examples } of families) for (const name of examples) new papan.Game(name).free();
  assert.deepEqual([...new papan.Game("tictactoe:4x4x4").sides], [4, 4, 4]);
  assert.throws(() => new papan.Game("tictactoe:0x0"), /./);
  assert.throws(() => new papan.Game("othelo"), /othello/);
});

test("moves are played, refused with a reason, and taken back", () => {
  const line = new papan.Game("othello").line("f5 d6");
  assert.deepEqual(line.legalMoves().sort(), ["c3", "c4", "c5", "c6", "c7"].sort());
  assert.equal(line.turn, "first");
  assert.throws(() => line.play("a1"), /a1/i);
  assert.throws(() => line.play("c3 z9"), /z9/);
  assert.deepEqual(line.moves, ["f5", "d6"], "a refused list plays nothing");
  line.play("c3");
  assert.equal(line.undo(), "c3");
  assert.equal(line.undo(), "d6");
  const copy = line.copy();
  copy.undo();
  assert.deepEqual([line.moves.length, copy.moves.length], [1, 0]);
  assert.equal(copy.undo(), undefined);
});

test("errors are in the language of the page", () => {
  const line = new papan.Game("tictactoe").line("5");
  const reason = () => {
    try {
      line.play("5");
    } catch (error) {
      return error.message;
    }
  };
  const english = reason();
  papan.setLanguage("id");
  const indonesian = reason();
  papan.setLanguage("en");
  assert.notEqual(english, indonesian);
  assert.equal(reason(), english);
  assert.throws(() => papan.setLanguage("fr"), /en or id/);
});

test("a game ends, and its board and picture show it", () => {
  const line = new papan.Game("tictactoe").line("1 4 2 5 3");
  assert.equal(line.outcome, "first");
  const board = line.board();
  assert.equal(board.cells.length, 9);
  assert.deepEqual(board.cells.map((cell) => cell.winning), [true, true, true, ...Array(6).fill(false)]);
  assert.deepEqual(board.slices, [[[0, 1, 2], [3, 4, 5], [6, 7, 8]]]);
  assert.match(line.svg("tic-tac-toe"), /^<svg.*<title>tic-tac-toe<\/title>/);
  assert.equal(line.cellPictures().length, 9);
  assert.throws(() => line.svg("x", { colour: "red" }), /options: .*colour/);
});

test("a line continues from a position", () => {
  const game = new papan.Game("tictactoe");
  const { position } = game.line("5 1");
  const line = game.lineFrom(position, "9");
  assert.equal(line.turn, "second");
  assert.throws(() => game.lineFrom("XXX"), /./);
});
