// papan in a worker: the page stays responsive, and a search can be stopped.

import { bytesOf, isNode } from "./files.js";

/** A request that was stopped before it had an answer. */
export class Stopped extends Error {
  constructor() {
    super("stopped");
    this.name = "Stopped";
  }
}

/** How long an interrupted search may take to answer before its worker is terminated. */
const GRACE = 40;

async function compile() {
  const file = new URL("papan_bg.wasm", import.meta.url);
  return isNode ? WebAssembly.compile(await bytesOf(file)) : WebAssembly.compileStreaming(fetch(file));
}

async function newWorker() {
  const file = new URL("worker.js", import.meta.url);
  if (!isNode) return new Worker(file, { type: "module" });
  const { Worker: NodeWorker } = await import("node:worker_threads");
  return new NodeWorker(file);
}

export class Engine {
  #worker;
  #module;
  #options;
  #flag;
  #next = 1;
  #running;
  #queue = [];
  #ready;

  /**
   * Starts a worker. `language` is that of messages, `data` the folder of weights and certificates.
   * `module` is the compiled module, if the page has it already. With `share: false` a search is stopped by terminating the worker even where memory can be
   * shared.
   */
  static async start({ language = "en", data, share = true, module } = {}) {
    const engine = new Engine();
    engine.#options = { language, data: String(data ?? new URL("data/", import.meta.url)) };
    engine.#module = module ?? (await compile());
    const isShared = share && typeof SharedArrayBuffer !== "undefined" && (isNode || globalThis.crossOriginIsolated);
    if (isShared) engine.#flag = new Int32Array(new SharedArrayBuffer(4));
    await engine.#launch();
    return engine;
  }

  #launch() {
    this.#ready = (async () => {
      const worker = await newWorker();
      this.#worker = worker;
      const receive = (message) => this.#worker === worker && this.#receive(message);
      const fail = (error) => this.#worker === worker && this.#fail(error);
      if (isNode) {
        worker.on("message", receive);
        worker.on("error", fail);
        // An idle engine does not keep the program running.
        worker.unref();
      } else {
        worker.onmessage = (event) => receive(event.data);
        worker.onerror = (event) => fail(new Error(event.message ?? "the worker failed"));
      }
      const { promise, resolve, reject } = Promise.withResolvers?.() ?? withResolvers();
      this.#post({ method: "start", args: { ...this.#options, module: this.#module, interrupt: this.#flag?.buffer }, resolve, reject, stopped: () => reject(new Stopped()) });
      await promise;
    })();
    return this.#ready;
  }

  #post(request) {
    this.#running = { ...request, id: this.#next++ };
    if (isNode) this.#worker.ref();
    this.#worker.postMessage({ id: this.#running.id, method: request.method, args: request.args });
  }

  #receive({ id, progress, result, error }) {
    const running = this.#running;
    if (running?.id !== id) return;
    if (progress !== undefined) {
      running.onProgress?.(progress);
      return;
    }
    this.#end();
    if (error === undefined) running.resolve(result);
    else running.reject(new Error(error));
    this.#continue();
  }

  #end() {
    this.#running = undefined;
    if (isNode) this.#worker.unref();
  }

  /** A worker that failed (out of memory, a fault of papan) is replaced. */
  #fail(error) {
    const running = this.#running;
    this.#end();
    this.#terminate();
    running?.reject(error);
    this.#launch().then(() => this.#continue(), () => {});
  }

  #terminate() {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #continue() {
    if (this.#running || !this.#worker) return;
    const request = this.#queue.shift();
    if (!request) return;
    if (this.#flag) Atomics.store(this.#flag, 0, 0);
    this.#post(request);
  }

  #request(method, args, onProgress) {
    if (!this.#options) return Promise.reject(new Error("the engine is closed"));
    const { promise, resolve, reject } = Promise.withResolvers?.() ?? withResolvers();
    // A caller may ignore a request that it stops: nothing else reports that.
    const stopped = () => {
      promise.catch(() => {});
      reject(new Stopped());
    };
    this.#queue.push({ method, args, onProgress, resolve, reject, stopped });
    this.#ready.then(() => this.#continue(), reject);
    return promise;
  }

  choose(request, onProgress) {
    return this.#request("choose", request, onProgress);
  }

  decide(request, onProgress) {
    return this.#request("decide", request, onProgress);
  }

  explain(request) {
    return this.#request("explain", request);
  }

  solve(request, onProgress) {
    return this.#request("solve", request, onProgress);
  }

  prove(request) {
    return this.#request("prove", request);
  }

  check(certificate, onProgress) {
    const args = certificate instanceof Uint8Array ? { file: certificate } : { url: String(certificate) };
    return this.#request("check", args, onProgress);
  }

  bench() {
    return this.#request("bench", {});
  }

  memory() {
    return this.#request("memory", {});
  }

  /** Searches until `stop`, and reports every iteration. */
  analyse({ game, position, moves, player = "engine" }, onProgress) {
    return this.choose({ game, position, moves, player, limits: { time: 86_400_000 } }, onProgress);
  }

  /**
   * Stops the running request and forgets those that wait. Where memory is shared, the running one
   * answers with its best result so far; otherwise its worker is replaced and it fails with `Stopped`.
   */
  async stop() {
    for (const request of this.#queue.splice(0)) request.stopped();
    const running = this.#running;
    if (!running || running.method === "start") return;
    if (this.#flag) {
      Atomics.store(this.#flag, 0, 1);
      const deadline = performance.now() + GRACE;
      while (this.#running === running && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      if (this.#running !== running) return;
    }
    this.#end();
    this.#terminate();
    running.stopped();
    this.#launch().then(() => this.#continue(), () => {});
  }

  /** Ends the worker. */
  close() {
    const running = this.#running;
    for (const request of this.#queue.splice(0)) request.stopped();
    this.#running = undefined;
    this.#options = undefined;
    this.#terminate();
    running?.stopped();
  }
}

function withResolvers() {
  let resolve, reject;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
