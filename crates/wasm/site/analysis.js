// Live analysis: the engine deepens until it is stopped, and the moves of its best line are shown.

import { fail, grouped, t, worker } from "./common.js";
import { draw, fromAddress, status, toAddress } from "./board.js";

const query = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
if (query.has("game")) byId("choice").elements.game.value = query.get("game");

function scoreText({ score, unit, bound }) {
  if (score === null || score === undefined) return "–";
  const sign = score > 0 ? "+" : "";
  const about = bound === "exact" ? "" : { "at-least": "≥ ", "at-most": "≤ ", estimate: "≈ " }[bound] ?? "";
  return about + sign + (unit === "chance" ? `${Math.round(100 * score)} %` : score);
}

function start() {
  const { game, line } = fromAddress(query);
  let round = 0;

  function show(chosen = []) {
    const board = draw(byId("board"), line, { play: line.outcome === undefined ? move : undefined, chosen });
    byId("status").textContent = status(line, board);
    byId("back").disabled = line.moves.length === 0;
    toAddress(query, line);
  }

  function row(progress) {
    const cells = [progress.depth, scoreText(progress), grouped(progress.nodes), progress.pv.join(" ")];
    const tr = document.createElement("tr");
    for (const text of cells) {
      const td = document.createElement("td");
      td.textContent = text;
      tr.append(td);
    }
    return tr;
  }

  async function analyse() {
    const mine = ++round;
    byId("lines").replaceChildren();
    if (line.outcome !== undefined) return;
    byId("stop").hidden = false;
    byId("go").hidden = true;
    try {
      const engine = await worker();
      await engine.stop();
      if (mine !== round) return;
      const choice = await engine.analyse({ game: game.name, moves: line.moves.join(" ") }, (progress) => {
        if (mine !== round) return;
        byId("lines").prepend(row(progress));
        if (progress.pv[0]) show([progress.pv[0]]);
      });
      if (mine === round) show([choice.move]);
    } catch (error) {
      fail(error);
    }
    if (mine !== round) return;
    byId("stop").hidden = true;
    byId("go").hidden = line.outcome !== undefined;
  }

  function move(text) {
    line.play(text);
    show();
    analyse();
  }

  byId("stop").addEventListener("click", async () => (await worker()).stop());
  byId("go").addEventListener("click", analyse);
  byId("back").addEventListener("click", () => {
    line.undo();
    show();
    analyse();
  });
  byId("game").hidden = false;
  show();
  analyse();
}

try {
  if (query.has("game")) start();
} catch (error) {
  fail(error);
}
