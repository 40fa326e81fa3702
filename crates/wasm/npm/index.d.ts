export * from "./papan.js";

/**
 * Loads the module; call it once before anything else. `source` is a URL, a response, bytes or a
 * compiled module; without it the module beside this file is loaded.
 */
export default function init(
  source?: URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module,
): Promise<void>;

/** The memory of the module, in bytes. It never shrinks. */
export function memory(): number;

/**
 * Loads what the strategies of a game need and the module does not contain: weights of its
 * engine, the certificate of a solved board. `base` is the folder of the files.
 */
export function prepare(game: string, base?: URL): Promise<void>;
