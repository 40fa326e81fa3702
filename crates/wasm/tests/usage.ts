// How a TypeScript program uses the package: the compiler checks it against the types.

import init, { Game, type Limits, type Line, Player, type Seat, checkCertificate, games, memory, prepare, setLanguage, solve } from "papan";
import { Engine, Stopped } from "papan/engine";

await init();
setLanguage("id");
const limits: Limits = { nodes: 1000 };
const game = new Game("tictactoe:4x5");
const line: Line = game.line("1 2");
const turn: Seat = line.turn;
const outcome: Seat | "draw" | undefined = line.outcome;
const names: string[] = games().flatMap((family) => family.examples);
const missing: string | undefined = game.missingWeights ?? game.missingCertificate;
await prepare(game.name, new URL("data/", import.meta.url));
const player = new Player(game, "engine", limits);
const { move, nodes } = player.choose(line, limits, ({ depth, pv }) => depth < 9 && pv.length > 0);
const scores: (number | null)[] = player.decide(line).candidates.map((candidate) => candidate.score);
const why: string = player.explain(line, { time: 10 }).why;
const { certificate } = solve(line);
if (certificate) checkCertificate(certificate, (checked: number, total: number) => console.log(checked / total));
console.log(move, nodes, turn, outcome, names, missing, scores, why, memory());

const engine = await Engine.start({ language: "en", share: false });
try {
  await engine.analyse({ game: "gomoku", moves: "h8" }, ({ score }) => console.log(score));
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
}
await engine.stop();
engine.close();

// @ts-expect-error: time is a number of milliseconds
player.choose(line, { time: "1 s" });
// @ts-expect-error: a seat is first or second
const wrong: Seat = "third";
// @ts-expect-error: a position has a game
await engine.choose({ player: "engine" });
console.log(wrong);
