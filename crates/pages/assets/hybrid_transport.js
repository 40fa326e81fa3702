// The pages of a server whose engine runs in the browser: a worker answers requests that need a search
// (evaluations, live analysis, reviews, traces, proofs, hints), the server all others. The server
// also answers where the worker is not ready in time, fails or refuses: it alone knows the operator's
// programs.

import { LiveEvents, call, overtake } from "./engine_worker.js";

/** How long a question waits for the module and its data, in milliseconds. */
const PATIENCE = 4000;
let isBroken = false;

/** Asks the worker; without an answer the server is asked. */
async function think(needs, method, args) {
  if (isBroken) return undefined;
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE)));
  const ready = call("prepare", needs).catch((error) => {
    console.warn(error);
    isBroken = true;
  });
  const isReady = await Promise.race([ready, late]);
  clearTimeout(timer);
  // What the worker refuses the server may know.
  return isReady ? call(method, args).catch(() => undefined) : undefined;
}

/** Returns whether a page shows what a strategy found. */
function isThought(target) {
  const [page, query = ""] = target.split("?");
  return ["/review", "/trace", "/proof"].includes(page) || (page === "/analysis" && Boolean(new URLSearchParams(query).get("strategy")?.trim()));
}

/** A response with the members that the pages use. */
function answered(text, target) {
  return { ok: true, status: 200, statusText: "OK", redirected: false, url: new URL(target, location.href).href, text: async () => text };
}

/** Games whose weights and certificates the worker has. */
const loaded = new Set();
const gameOf = (target) => new URLSearchParams(target.split("?")[1]).get("game");

async function page(target) {
  const answer = await think({ address: target }, "request", { address: target });
  if (!answer || answer.status >= 400 || answer.location !== undefined) return undefined;
  if (/^\/(analysis|review)\?/.test(target)) loaded.add(gameOf(target));
  return answered(answer.text, target);
}

/** A hint or an explanation: the server says what to ask, and shows the position. */
async function study(http, target, options) {
  const response = await http.request(target.replace("?show=", "?ask="), options);
  if (!response.ok) return undefined;
  const part = document.createElement("template");
  part.innerHTML = await response.text();
  const section = part.content.querySelector("[data-study]");
  if (!section) return undefined;
  const question = JSON.parse(section.dataset.study);
  const answer = await think({ game: question.game }, "study", question);
  if (!answer) return undefined;
  section.outerHTML = answer.html;
  for (const [name, { picture, label }] of Object.entries(answer.cells)) {
    const cell = part.content.getElementById(`cell-${name}`);
    if (!cell) continue;
    cell.querySelector("svg").innerHTML = picture;
    cell.setAttribute("aria-label", label);
  }
  return answered(part.innerHTML, target);
}

/** Loads the module, and what the live analysis of a position needs; returns whether it succeeded. */
async function load(target) {
  if (isBroken) return false;
  try {
    await call("prepare", { address: target });
  } catch (error) {
    console.warn(error);
    isBroken = true;
    return false;
  }
  loaded.add(gameOf(target));
  return true;
}

/**
 * A live analysis by the worker. At a first visit the module has to be fetched: until it is here, the
 * server searches, so that the first line does not wait for it.
 */
class Live {
  readyState = 1;
  #source;
  /** Passes that were shown: the worker starts again with the first one. */
  #passes = 0;

  constructor(http, address, target) {
    if (loaded.has(gameOf(target))) this.#follow(new LiveEvents(target));
    else this.#begin(http, address, target);
  }

  async #begin(http, address, target) {
    const isLoaded = load(target);
    let mayCome = true;
    const server = http.follow(address);
    this.#follow(server);
    // Where the server refuses, the worker may still come.
    server.onerror = () => (mayCome ? server.close() : this.onerror?.());
    mayCome = await isLoaded;
    if (this.readyState === 2) return;
    if (mayCome) this.#follow(new LiveEvents(target));
    else if (server.readyState === 2) this.onerror?.();
  }

  #follow(source) {
    this.#source?.close();
    this.#source = source;
    source.onmessage = (message) => {
      const { pass, done } = JSON.parse(message.data);
      if (pass <= this.#passes && !done) return;
      this.#passes = pass;
      this.onmessage?.(message);
    };
    source.onerror = () => this.onerror?.();
  }

  close() {
    this.readyState = 2;
    this.#source.close();
  }
}

/** Returns the functions of `transport.js`. */
export function over(http) {
  const { path } = http;
  // A review that the server keeps is not made again.
  const isKept = document.querySelector("#study #progress:not([data-reload])") !== null;
  // A page with a position will be asked about it: the module is fetched before it is wanted. Weights
  // are larger; they are fetched when a search begins.
  if (document.querySelector("#study, #table")) think({}, "prepare", {});
  return {
    ...http,
    overtake,
    async request(address, options = {}) {
      const target = path(address);
      const isRead = (options.method ?? "GET") === "GET";
      const isStudy = /^\/games\/[^/?]+\?show=(hint|why)$/.test(target);
      const isReviewKept = isKept && target.startsWith("/review?");
      if (!isRead || isReviewKept || !(isStudy || isThought(target))) return http.request(address, options);
      const found = isStudy ? await study(http, target, options) : await page(target);
      return found ?? http.request(address, options);
    },
    follow(address) {
      const target = path(address);
      return target.startsWith("/analysis/live?") ? new Live(http, address, target) : http.follow(address);
    },
  };
}
