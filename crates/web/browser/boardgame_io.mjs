// The load of `--example load -- moves` on boardgame.io 0.50, which keeps games in memory:
// its tic-tac-toe, one socket per game for both players, the next move after the previous
// one is acknowledged. Server and load run on this machine.
//
//   node crates/web/browser/boardgame_io.mjs [SECONDS] [GAMES]
//
// load.sh installs the packages and alternates it with the load on papan.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
const folder = process.env.PAPAN_BROWSER_DIR ?? join(cache, "papan", "browser");
const require = createRequire(join(folder, "package.json"));

const port = 7398;
const moves = [4, 0, 2, 6, 3, 5, 1, 7, 8];

function won(cells) {
  const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  return lines.some((line) => line.every((i) => cells[i] !== null && cells[i] === cells[line[0]]));
}

// As in boardgame.io's own tutorial.
const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return "INVALID_MOVE";
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (won(G.cells)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

if (process.argv[2] === "serve") {
  const { Server } = require("boardgame.io/server");
  await Server({ games: [game], origins: ["http://localhost"] }).run(port);
  console.log("serving");
} else {
  const seconds = Math.min(Number(process.argv[2] ?? 10), 60);
  const clients = Math.min(Number(process.argv[3] ?? 64), 500);
  const self = fileURLToPath(import.meta.url);
  const server = spawn(process.execPath, [self, "serve"], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) =>
    server.stdout.on("data", (text) => String(text).includes("serving") && resolve()),
  );
  const { io } = require("socket.io-client");
  const took = [];
  const began = performance.now();
  const end = began + seconds * 1000;

  async function play(client) {
    const socket = io(`http://127.0.0.1:${port}/tic-tac-toe`, { transports: ["websocket"], forceNew: true });
    const next = (name) => new Promise((resolve) => socket.once(name, (...args) => resolve(args)));
    for (let round = 0; performance.now() < end; round++) {
      const match = `m${client}-${round}`;
      const synced = next("sync");
      socket.emit("sync", match, "0", undefined, 2);
      await synced;
      for (let i = 0; i < moves.length; i++) {
        const player = String(i % 2);
        const action = {
          type: "MAKE_MOVE",
          payload: { type: "clickCell", args: [moves[i]], playerID: player, credentials: undefined },
        };
        const asked = performance.now();
        const answered = next("update");
        socket.emit("update", action, i, match, player);
        await answered;
        took.push(performance.now() - asked);
      }
    }
    socket.close();
  }

  const whole = Promise.all(Array.from({ length: clients }, (_, client) => play(client)));
  const stuck = new Promise((_, reject) =>
    setTimeout(() => reject(new Error("no progress")), (seconds + 20) * 1000).unref(),
  );
  try {
    await Promise.race([whole, stuck]);
    const time = (performance.now() - began) / 1000;
    took.sort((a, b) => a - b);
    const part = (p) => took[Math.floor((took.length - 1) * p)].toFixed(1);
    console.log(
      `boardgame.io moves: ${(took.length / time).toFixed(0)} per second ` +
        `(${took.length} in ${time.toFixed(1)} s), p50 ${part(0.5)} ms, p99 ${part(0.99)} ms`,
    );
  } finally {
    server.kill("SIGKILL");
  }
  process.exit(0);
}
