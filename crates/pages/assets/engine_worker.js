// The worker with papan as WebAssembly: calls of its methods, and stopping them. On a static site it lies
// below the root (`data-root`), on a server in a folder of its own (`data-engine`).

const { root, engine, context, server } = document.documentElement.dataset;
const folder = engine ? new URL(engine, location.href) : new URL("engine/", new URL(root, location.href));

/** The language of the page; on a static site the one that the visitor chose, or the browser's. */
const chosen = () => localStorage.getItem("papan-language") ?? (navigator.language.startsWith("id") ? "id" : "en");
export const language = root === undefined ? document.documentElement.lang : chosen();

/**
 * Where the page may share memory, a search stops within milliseconds: those of calls with a lower number
 * than this one. Elsewhere its worker is replaced.
 */
const flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;

/** Calls that end when the search stops; all others are asked again of the next worker. */
const SEARCHES = ["live", "pass"];

/**
 * The module, compiled while the scripts of the first worker load; each worker has an instance of it. Where this
 * fails (a host with another media type, say), the worker fetches it and reports what is wrong.
 */
let module;
const compiled = () => (module ??= WebAssembly.compileStreaming(fetch(new URL("papan_bg.wasm", folder))).catch(() => undefined));

let worker;
let next = 1;
const waiting = new Map();

/** Rejects every call. */
function fail(error) {
  worker?.terminate();
  worker = undefined;
  const calls = [...waiting.values()];
  waiting.clear();
  for (const { reject } of calls) reject(error);
}

/** Starts the worker, if there is none. */
export function start() {
  if (worker) return;
  const mine = new Worker(new URL("site_worker.js", folder), { type: "module" });
  worker = mine;
  const started = next++;
  mine.onmessage = ({ data: { id, progress, result, error } }) => {
    if (id === started && error !== undefined) return fail(new Error(error));
    const found = waiting.get(id);
    if (!found) return;
    if (progress !== undefined) return found.onProgress?.(progress);
    waiting.delete(id);
    if (error === undefined) found.resolve(result);
    else found.reject(new Error(error));
  };
  mine.onerror = (event) => mine === worker && fail(new Error(event.message ?? "the worker failed"));
  const options = { server, ...JSON.parse(context ?? "{}") };
  post(mine, (module) => ({ id: started, method: "start", args: { module, language, options, interrupt: flag?.buffer } }));
}

/** Sends a message, one after the other, when the module is compiled. */
function post(to, message) {
  compiled().then((module) => to.postMessage(message(module)));
}

/** Calls a method of the worker. */
export function call(method, args = {}, onProgress) {
  start();
  const id = next++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { method, args, resolve, reject, onProgress });
    post(worker, () => ({ id, method, args }));
  });
}

/** Stops the searches of the calls so far, where the page may share memory: the next call does not wait. */
export function overtake() {
  if (flag) Atomics.store(flag, 0, next);
}

/** Stops the search. */
function interrupt() {
  if (flag) return overtake();
  const calls = [...waiting];
  waiting.clear();
  worker?.terminate();
  worker = undefined;
  for (const [id, asked] of calls) {
    if (SEARCHES.includes(asked.method)) {
      asked.reject(new Error("stopped"));
      continue;
    }
    start();
    waiting.set(id, asked);
    post(worker, () => ({ id, method: asked.method, args: asked.args }));
  }
}

/** Announces the passes of a live analysis, with the members of an `EventSource` that the pages use. */
export class LiveEvents {
  readyState = 1;

  constructor(address) {
    this.#run(address).catch(() => this.readyState === 1 && this.onerror?.());
  }

  async #run(address) {
    await call("live", { address });
    while (this.readyState === 1) {
      const update = await call("pass");
      if (update === undefined || this.readyState !== 1) break;
      this.onmessage?.({ data: update });
    }
  }

  close() {
    if (this.readyState === 2) return;
    this.readyState = 2;
    interrupt();
  }
}
