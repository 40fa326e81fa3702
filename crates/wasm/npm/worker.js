// A worker that searches: messages { id, method, args } are answered by any number of
// { id, progress } and one { id, result } or { id, error }.

import init, * as papan from "./index.js";
import { bytesOf, isNode } from "./files.js";

const port = isNode ? (await import("node:worker_threads")).parentPort : self;

/** The folder of weights and certificates. */
let base;
/** The last game and player: tables stay warm, and memory stays bounded. */
let game;
let player;

/** Progress is sent at most this often, in milliseconds. */
const INTERVAL = 50;

/** Returns a function that sends progress, at most every `INTERVAL`. */
function reporter(id) {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next) return;
    next = now + INTERVAL;
    port.postMessage({ id, progress });
  };
}

async function gameOf(name) {
  if (game?.asked !== name) {
    player?.value.free();
    game?.value.free();
    player = undefined;
    game = undefined;
    game = { asked: name, value: new papan.Game(name) };
    await papan.prepare(name, base);
  }
  return game.value;
}

async function lineOf({ game, position, moves }) {
  const found = await gameOf(game);
  return position ? found.lineFrom(position, moves) : found.line(moves);
}

async function playerOf({ game, player: strategy, limits }) {
  const found = await gameOf(game);
  const asked = `${strategy} ${limits ? "limited" : ""}`;
  if (player?.asked !== asked) {
    player?.value.free();
    player = undefined;
    player = { asked, value: new papan.Player(found, strategy, limits) };
  }
  return player.value;
}

/** Runs `use` with a line of play, which is freed afterwards. */
async function withLine(request, use) {
  const line = await lineOf(request);
  try {
    return await use(line);
  } finally {
    line.free();
  }
}

const methods = {
  async start({ module, data, language, interrupt }) {
    await init(module);
    base = new URL(data);
    if (language) papan.setLanguage(language);
    if (interrupt) papan.setInterrupt(new Int32Array(interrupt));
    return papan.version();
  },
  choose: (request, id) =>
    withLine(request, async (line) => (await playerOf(request)).choose(line, request.limits, reporter(id))),
  decide: (request, id) =>
    withLine(request, async (line) => (await playerOf(request)).decide(line, request.limits, reporter(id))),
  explain: (request) =>
    withLine(request, async (line) => (await playerOf(request)).explain(line, request.limits)),
  solve: (request, id) => withLine(request, (line) => papan.solve(line, request.limits, reporter(id))),
  prove: async ({ game, strategy, seat }) => papan.prove(await gameOf(game), strategy, seat),
  async check({ file, url }, id) {
    const bytes = file ?? (await bytesOf(new URL(url, base)));
    const report = reporter(id);
    return papan.checkCertificate(bytes, (checked, total) => report({ checked, total }));
  },
  memory: () => papan.memory(),
  async bench() {
    await papan.prepare("othello", base);
    return papan.bench();
  },
};

let last = Promise.resolve();

function receive({ id, method, args }) {
  // One after the other: a method that waits for a file must not be overtaken.
  last = last.then(async () => {
    try {
      if (!Object.hasOwn(methods, method)) throw new Error(`papan has no method ${method}`);
      port.postMessage({ id, result: await methods[method](args ?? {}, id) });
    } catch (error) {
      port.postMessage({ id, error: String(error?.message ?? error) });
    }
  });
}

if (isNode) port.on("message", receive);
else port.onmessage = (event) => receive(event.data);
