// The static site behind the functions of `transport.js`: everything is asked of the worker.

import { fromSite, rebase, toSite } from "./addresses.js";
import { LiveEvents, call, language, overtake, start } from "./engine_worker.js";

export { call, language, overtake };

// The module loads while the page is shown.
start();

export const root = new URL(document.documentElement.dataset.root, location.href);

export const path = (address) => {
  if (address.startsWith("/") && !address.startsWith(root.pathname)) return address;
  return fromSite(new URL(address, location.href), root);
};

export const url = (address) => toSite(address, root.pathname);

// ---- Requests ----

export async function request(address, { method = "GET", body, headers = {} } = {}) {
  const target = path(address);
  const isPart = "x-papan-part" in headers;
  // A move taken back, or a resignation, does not wait for the computer's move.
  if (method === "POST") overtake();
  const answer = await call("request", { isPost: method === "POST", address: target, body: body ? String(body) : "", isPart });
  const { status, location: to } = answer;
  if (method === "POST") for (const game of followed) game.advance();
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

export async function picture(address) {
  const answer = await request(address);
  return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
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

export function follow(address) {
  const target = path(address);
  const game = target.match(/^\/games\/([^/]+)\/events/);
  return game ? new GameEvents(game[1]) : new LiveEvents(target);
}
