// The worker of the static site, behind the functions of `transport.js`.

import { fromSite, rebase, toSite } from "./addresses.js";

export const root = new URL(document.documentElement.dataset.root, location.href);

/** The language that the visitor chose, or the browser's. */
export const language = localStorage.getItem("papan-language") ?? (navigator.language.startsWith("id") ? "id" : "en");

export const path = (address) => {
  if (address.startsWith("/") && !address.startsWith(root.pathname)) return address;
  return fromSite(new URL(address, location.href), root);
};

export const url = (address) => toSite(address, root.pathname);

// ---- Calls ----

/** Where the page may share memory, a search stops within a millisecond; elsewhere its worker is replaced. */
const flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : undefined;

let worker;
let next = 1;
const waiting = new Map();

function start() {
  worker = new Worker(new URL("engine/site_worker.js", root), { type: "module" });
  worker.onmessage = ({ data: { id, progress, result, error } }) => {
    const call = waiting.get(id);
    if (!call) return;
    if (progress !== undefined) return call.onProgress?.(progress);
    waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message ?? "the worker failed"));
    waiting.clear();
    worker = undefined;
  };
  call("start", { language, interrupt: flag?.buffer });
}

/** Calls a method of the worker. */
export function call(method, args = {}, onProgress) {
  if (!worker) start();
  const id = next++;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject, onProgress });
    worker.postMessage({ id, method, args });
  });
}

// ---- Requests ----

export async function request(address, { method = "GET", body, headers = {} } = {}) {
  const target = path(address);
  const isPart = "x-papan-part" in headers;
  const answer = await call("request", { isPost: method === "POST", address: target, body: body ? String(body) : "", isPart });
  const { status, location: to } = answer;
  if (method === "POST" && status < 400) for (const game of followed) game.advance();
  if (to !== undefined) {
    const page = () => request(to, { headers });
    return { ok: true, status: 200, redirected: true, url: new URL(url(to), location.href).href, text: async () => (await page()).text() };
  }
  const text = answer.type === "text/html" ? rebase(answer.text, root.pathname) : answer.text;
  return {
    ok: status < 400,
    status,
    statusText: String(status),
    redirected: false,
    url: new URL(url(target), location.href).href,
    type: answer.type,
    name: answer.name,
    text: async () => text,
    json: async () => JSON.parse(text),
  };
}

// ---- Streams, with the members of an `EventSource` that the pages use ----

const followed = new Set();

/** Announces the versions of a game, and lets the computer move. */
class GameEvents {
  readyState = 1;
  #id;
  #running = false;

  constructor(id) {
    this.#id = id;
    followed.add(this);
    setTimeout(() => this.advance());
  }

  async advance() {
    if (this.#running) return;
    this.#running = true;
    try {
      for (;;) {
        const version = await call("advance", { id: this.#id });
        if (version === undefined || this.readyState === 2) break;
        this.onmessage?.({ lastEventId: String(version) });
      }
    } catch (error) {
      console.error(error);
      this.onerror?.();
    } finally {
      this.#running = false;
    }
  }

  addEventListener() {}

  close() {
    this.readyState = 2;
    followed.delete(this);
  }
}

/** Announces the passes of a live analysis. */
class LiveEvents {
  readyState = 1;

  constructor(address) {
    this.#run(address).catch(() => this.onerror?.());
  }

  async #run(address) {
    if (flag) Atomics.store(flag, 0, 0);
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
    if (flag) return void Atomics.store(flag, 0, 1);
    worker?.terminate();
    worker = undefined;
    waiting.clear();
  }
}

export function follow(address) {
  const target = path(address);
  const game = target.match(/^\/games\/([^/]+)\/events/);
  return game ? new GameEvents(game[1]) : new LiveEvents(target);
}
