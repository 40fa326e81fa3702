// Shared by the tests: the built package, and the native program to compare it with.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const folder = process.env.PAPAN_PACKAGE;
if (!folder) throw new Error("PAPAN_PACKAGE must name the built package; `cargo xtask wasm` sets it");

const module = (name) => import(pathToFileURL(join(folder, name)));

export const papan = await module("index.js");
export const { Engine, Stopped } = await module("engine.js");
await papan.default();

export const file = (name) => new Uint8Array(readFileSync(join(folder, name)));

/** The output of the native program, as JSON. A negative answer is no failure. */
export function native(...args) {
  try {
    return JSON.parse(execFileSync(process.env.PAPAN_BINARY, [...args, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
  } catch (error) {
    if (error.status === 1 && error.stdout) return JSON.parse(error.stdout);
    throw error;
  }
}

/** The endgame suite of `papan bench`: the native program has the same nodes and signature. */
export const SUITE = { signature: "1789bb86d86e4816", nodes: 43_867_904 };

/** Questions whose answers are compared with those of the native program: game, moves, strategy. */
export const decisions = [
  ["othello", "f5 d6 c3 d3 c4", "engine(nodes=300000,book=off)"],
  ["othello", "f5 f6 e6 f4 e3 c5 c4 e7", "engine(nodes=300000,book=off,threads=1)"],
  ["othello", "f5 d6", "computer(level=4)"],
  ["othello:6x6", "", "engine(depth=9)"],
  ["tictactoe:15x15:5", "113 114 98", "engine(nodes=20000)"],
  ["tictactoe:15x15:5", "113 114 98 129", "computer(level=6)"],
  ["gomoku:renju", "h8 h9 j7", "engine(nodes=20000)"],
  ["tictactoe:4x4x4", "1 2 3", "engine(nodes=20000)"],
  ["tictactoe:4x4", "1 6", "alphabeta(depth=4)"],
  ["tictactoe", "5", "branch-and-bound"],
  ["tictactoe", "5 1", "minimax"],
  ["tictactoe", "5 1", "mcts(playouts=2000)"],
  ["tictactoe:5x5:4", "13", "greedy"],
];
