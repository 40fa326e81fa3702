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
