// papan on the calling thread. `papan/engine` runs it in a worker.

import initialise, { Game, loadCertificate, loadWeights } from "./papan.js";
import { bytesOf, isNode } from "./files.js";

export * from "./papan.js";

let started;
let exports;

/**
 * Loads the module; call it once before anything else. `source` is a URL, a response, bytes or a
 * compiled module; without it the module beside this file is loaded.
 */
export default function init(source) {
  started ??= load(source).catch((error) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function load(source) {
  const file = new URL("papan_bg.wasm", import.meta.url);
  const given = source ?? (isNode ? await bytesOf(file) : file);
  exports = await initialise({ module_or_path: given });
}

/** The memory of the module, in bytes. It never shrinks. */
export function memory() {
  return exports?.memory.buffer.byteLength ?? 0;
}

/**
 * Loads the files that the strategies of a game need and the module does not embed: weights of its
 * engine, the certificate of a solved board. `base` is the folder of the files.
 */
export async function prepare(game, base = new URL("data/", import.meta.url)) {
  const asked = new Game(game);
  const { missingWeights, missingCertificate } = asked;
  asked.free();
  const load = async (name, use) => name && use(await bytesOf(new URL(name, base)));
  await Promise.all([load(missingWeights, loadWeights), load(missingCertificate, loadCertificate)]);
}
