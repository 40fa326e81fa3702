// The worker of the static site: messages { id, method, args } are answered by any number of
// { id, progress } and one { id, result } or { id, error }. Games are kept in IndexedDB.

import init, * as papan from "./index.js";
import { bytesOf } from "./files.js";

const base = new URL("data/", import.meta.url);
let site;

// ---- Games of this browser ----

let database;

function open() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("papan", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("games", { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
}

async function games(mode, use) {
  const store = (await open()).transaction("games", mode).objectStore("games");
  const request = use(store);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const game = (id) => games("readonly", (store) => store.get(id));
const allGames = () => games("readonly", (store) => store.getAll());
const keep = (saved) => games("readwrite", (store) => store.put(saved));

/** The stored games that an address names, as JSON. */
async function savedFor(address) {
  const id = address.match(/^\/games\/([^/?]+)/)?.[1];
  if (id) return JSON.stringify((await game(id)) ?? null);
  return address.startsWith("/me") ? JSON.stringify(await allGames()) : "";
}

// ---- Methods ----

/** Pause between the moves of two strategies, in milliseconds. */
const PACE = 700;

const methods = {
  async start({ language, interrupt }) {
    await init();
    papan.setLanguage(language);
    if (interrupt) papan.setInterrupt(new Int32Array(interrupt));
    site = new papan.Site();
  },
  async request(args) {
    const request = { ...args, saved: await savedFor(args.address), id: crypto.randomUUID(), now: Date.now() };
    const needed = site.needs(request);
    if (needed) await papan.prepare(needed, base);
    const answer = site.respond(request);
    if (answer.saved) await keep(answer.saved);
    return answer;
  },
  async advance({ id }) {
    const saved = await game(id);
    if (!saved) return undefined;
    const isWatched = saved.players.every((player) => player !== "human");
    const paced = isWatched && new Promise((resolve) => setTimeout(resolve, PACE));
    await papan.prepare(saved.game, base);
    const changed = site.advance(JSON.stringify(saved), Date.now());
    await paced;
    // The visitor may have taken back a move or resigned meanwhile.
    if (!changed || (await game(id)).version !== saved.version) return undefined;
    await keep(changed);
    return changed.version;
  },
  async live({ address }) {
    const needed = site.needs({ address });
    if (needed) await papan.prepare(needed, base);
    site.beginLive(address);
  },
  pass: () => site.nextPass(),
  async check({ file }, id) {
    port({ id, progress: { share: 0, text: papan.message("site-loading") } });
    const bytes = await bytesOf(new URL(file, base));
    const started = performance.now();
    let shown = 0;
    try {
      papan.checkCertificate(bytes, (checked, total) => {
        const now = performance.now();
        if (now < shown + 50) return;
        shown = now;
        const percent = String(Math.floor((100 * checked) / total));
        port({ id, progress: { share: checked / total, text: papan.message("site-checking", { percent }) } });
      });
    } catch (error) {
      return { holds: false, text: papan.message("site-refused", { reason: error.message }) };
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    return { holds: true, text: papan.message("site-accepted", { bytes: String(bytes.length), seconds }) };
  },
  async best({ slug }) {
    const board = papan.solvedBoards().find((known) => known.slug === slug);
    await papan.prepare(board.game, base);
    return site.bestMoves(slug);
  },
  /** The best moves that the build of the site has written down. */
  async known({ slug }) {
    const response = await fetch(new URL("atlas.json", import.meta.url));
    return (await response.json())[slug] ?? [];
  },
  async export() {
    return JSON.stringify({ format: "papan-games", version: 1, games: await allGames() });
  },
  async import({ text }) {
    let added = 0;
    try {
      const file = JSON.parse(text);
      if (file.format !== "papan-games") throw new Error();
      for (const found of file.games) {
        // A game that cannot be replayed is not kept.
        const request = { address: `/games/${found.id}`, saved: JSON.stringify(found) };
        if (site.respond(request).status !== 200) continue;
        await keep(found);
        added += 1;
      }
    } catch {
      return papan.message("site-import-wrong");
    }
    return papan.message("site-imported", { count: String(added) });
  },
};

// ---- Messages: one after the other, and long work in between ----

const port = (message) => self.postMessage(message);
let last = Promise.resolve();
let isWorking = false;

function work() {
  isWorking = site?.work() ?? false;
  if (isWorking) setTimeout(work);
}

self.onmessage = ({ data: { id, method, args } }) => {
  last = last.then(async () => {
    try {
      port({ id, result: await methods[method](args ?? {}, id) });
    } catch (error) {
      port({ id, error: String(error?.message ?? error) });
    }
    if (!isWorking) {
      isWorking = true;
      setTimeout(work);
    }
  });
};
