// A game against the computer in a worker. The address holds the whole game.

import { announce } from "./papan.js";
import { fail, papan, t, worker } from "./common.js";
import { draw, fromAddress, side, status, toAddress } from "./board.js";

const query = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const form = byId("choice");

/** Time of the strongest level, which has no limit of its own, in milliseconds. */
const FULL_STRENGTH = 1000;

for (const [name, value] of query) {
  const field = form.elements[name];
  if (field && name !== "moves") field.value = value;
}

function start() {
  const { game, line } = fromAddress(query);
  const mine = query.get("side") === "second" ? "second" : "first";
  const level = query.get("level") ?? "3";
  const player = query.get("player") ?? `computer(level=${level})`;
  const limits = !query.has("player") && Number(level) === papan.maxLevel() ? { time: FULL_STRENGTH } : undefined;
  let isThinking = false;

  function show() {
    const isMine = line.turn === mine && line.outcome === undefined && !isThinking;
    const board = draw(byId("board"), line, { play: isMine ? move : undefined });
    const words = isThinking
      ? t("web-thinking", { side: side(board.pieces, line.turn) })
      : isMine ? t("web-your-turn", { side: side(board.pieces, mine) }) : status(line, board);
    byId("status").textContent = words;
    announce(words);
    byId("moves").replaceChildren(...line.moves.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
    byId("back").disabled = line.moves.length < 2 || isThinking;
    byId("pass").hidden = !(isMine && line.legalMoves().includes("pass"));
    toAddress(query, line);
    const analysis = new URLSearchParams({ game: game.name, moves: line.moves.join("_") });
    byId("analyse").href = `../analysis/?${analysis}`;
  }

  function move(text) {
    line.play(text);
    show();
    answer();
  }

  async function answer() {
    if (line.outcome !== undefined || line.turn === mine) return;
    isThinking = true;
    show();
    try {
      const engine = await worker();
      const choice = await engine.choose({ game: game.name, moves: line.moves.join(" "), player, limits });
      line.play(choice.move);
    } catch (error) {
      fail(error);
    }
    isThinking = false;
    show();
  }

  byId("back").addEventListener("click", () => {
    do line.undo();
    while (line.moves.length > 0 && line.turn !== mine);
    show();
    answer();
  });
  byId("pass").addEventListener("click", () => move("pass"));
  byId("game").hidden = false;
  show();
  answer();
}

try {
  if (query.has("game")) start();
} catch (error) {
  fail(error);
}
