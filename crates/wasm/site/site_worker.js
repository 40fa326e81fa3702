// The worker behind the pages: messages { id, method, args } are answered by any number of
// { id, progress } and one { id, result } or { id, error }. On a static site it keeps games, studies and
// results with puzzles in IndexedDB; on a server's pages it only searches.

import init, * as papan from "./index.js";
import { bytesOf } from "./files.js";

const base = new URL("data/", import.meta.url);
let site;
/** The number of the last call that was made by overtaking the calls before it. */
let interrupt;
/** The number of the call that is answered. */
let current = 0;

// ---- What this browser keeps: games by id, and one object each for studies and puzzles ----

const STORES = { games: { keyPath: "id" }, others: {} };
let database;

function open() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("papan", 2);
    request.onupgradeneeded = () => {
      for (const [name, options] of Object.entries(STORES)) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name, options);
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
}

async function store(name, mode, use) {
  const request = use((await open()).transaction(name, mode).objectStore(name));
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const game = (id) => store("games", "readonly", (games) => games.get(id));
const allGames = () => store("games", "readonly", (games) => games.getAll());
const keepGame = (saved) => store("games", "readwrite", (games) => games.put(saved));
const other = (kind) => store("others", "readonly", (others) => others.get(kind));

function keep({ kind, value }) {
  return kind === "game" ? keepGame(value) : store("others", "readwrite", (others) => others.put(value, kind));
}

/** What is kept of an address, as JSON. */
async function savedFor(address) {
  const [, page, id] = address.match(/^\/(games|me|studies|puzzles)\b\/?([^/?]*)/) ?? [];
  if (!page) return "";
  if (page === "games") return id ? JSON.stringify((await game(id)) ?? null) : "";
  return JSON.stringify((await (page === "me" ? allGames() : other(page))) ?? null);
}

/** Fetches the files that an answer needs. */
async function prepare(request) {
  const needed = site.needs(request);
  if (needed.game) await papan.prepare(needed.game, base);
  if (needed.puzzles) await loadPuzzles();
}

let puzzles;

function loadPuzzles() {
  puzzles ??= (async () => papan.loadPuzzles(new TextDecoder().decode(await bytesOf(new URL("puzzles.txt", base)))))();
  return puzzles.catch((error) => {
    puzzles = undefined;
    throw error;
  });
}

// ---- Methods ----

/** Pause between the moves of two strategies, in milliseconds. */
const PACE = 700;

const methods = {
  async start({ module, language, options, interrupt: shared }) {
    await init(module);
    papan.setLanguage(language);
    if (shared) papan.setInterrupt((interrupt = new Int32Array(shared)));
    site = new papan.Site(options);
  },
  /** Fetches what an address or a game needs, so that an answer does not wait for it. */
  async prepare({ address, game }) {
    if (address) await prepare({ address });
    if (game) await papan.prepare(game, base);
    return true;
  },
  async request(args) {
    const request = { ...args, saved: await savedFor(args.address), id: crypto.randomUUID(), now: Date.now() };
    await prepare(request);
    const answer = site.respond(request);
    if (answer.saved) await keep(answer.saved);
    return answer;
  },
  qrCode: ({ text }) => papan.qrCode(text),
  study: (question) => site.study(question),
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
    await keepGame(changed);
    return changed.version;
  },
  async live({ address }) {
    await prepare({ address });
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
  /** Bytes of the module's memory. */
  memory: () => papan.memory(),
  /** The best moves that the build of the site has written down. */
  async known({ slug }) {
    const response = await fetch(new URL("atlas.json", import.meta.url));
    return (await response.json())[slug] ?? [];
  },
  async export() {
    const [games, studies, puzzles] = [await allGames(), await other("studies"), await other("puzzles")];
    return JSON.stringify({ format: "papan-games", version: 1, games, studies, puzzles });
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
        await keepGame(found);
        added += 1;
      }
      // The oldest first: the list begins with the newest.
      for (const { name, query } of file.studies?.list?.toReversed() ?? []) {
        const saved = JSON.stringify((await other("studies")) ?? null);
        if (saved.includes(JSON.stringify(query))) continue;
        const body = new URLSearchParams({ name, address: `/analysis?${query}` });
        const answer = site.respond({ isPost: true, address: "/studies", body: String(body), saved, now: Date.now() });
        if (answer.saved) await keep(answer.saved);
      }
      if (file.puzzles && !(await other("puzzles"))) await keep({ kind: "puzzles", value: file.puzzles });
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

/** Does a step of a review or a proof. After one that was interrupted, the next message continues. */
function work() {
  isWorking = (site?.work() ?? false) && !(interrupt && Atomics.load(interrupt, 0) > current);
  if (isWorking) setTimeout(work);
}

self.onmessage = ({ data: { id, method, args } }) => {
  last = last.then(async () => {
    // Its searches, and the long work after it, stop when a later call overtakes it.
    current = id;
    site?.beginCall(id);
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
