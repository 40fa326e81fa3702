// A board of buttons, drawn by papan.

import { oneStop } from "./papan.js";
import { papan, t } from "./common.js";

const SURFACES = { marks: "on-paper", discs: "on-felt", stones: "on-wood" };

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The name of a side: X or O, Black or White. */
export function side(pieces, player) {
  if (pieces === "marks") return player === "first" ? "X" : "O";
  return t(player === "first" ? "side-first-discs" : "side-second-discs");
}

function label(board, cell, row, column) {
  const content = cell.piece ? side(board.pieces, cell.piece) : t("web-cell-empty");
  const marks = ["legal", "last", "flipped", "winning"].filter((mark) => cell[mark]).map((mark) => t(`web-cell-${mark}`));
  const text = t("web-cell", { name: cell.name, row: String(row + 1), column: String(column + 1), content });
  return [text, ...marks].join(", ");
}

/** Draws the end of a line of play into `place`. A click on a legal cell calls `play` with the move. */
export function draw(place, line, { play, chosen = [] } = {}) {
  const board = line.board();
  const pictures = line.cellPictures({ names: true, legal: Boolean(play) });
  const focused = document.activeElement?.id;
  const slices = board.slices.map((rows) => {
    const cells = rows.map((row, r) =>
      element("div", { class: "grid-row", role: "row" }, ...row.map((index, c) => {
        const cell = board.cells[index];
        const isPlayable = Boolean(play) && cell.legal;
        const button = element("button", {
          type: "button",
          class: `cell ${isPlayable ? "play" : "still"}`,
          id: `cell-${cell.move}`,
          value: cell.move,
          "aria-label": label(board, cell, r, c),
          ...(isPlayable ? {} : { "aria-disabled": "true" }),
        });
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        svg.setAttribute("viewBox", "0 0 100 100");
        svg.setAttribute("aria-hidden", "true");
        svg.innerHTML = pictures[index] + (chosen.includes(cell.move) ? '<rect class="won" x="6" y="6" width="88" height="88" fill="none" stroke-width="8"/>' : "");
        button.append(svg);
        if (isPlayable) button.addEventListener("click", () => play(cell.move));
        return element("div", { role: "gridcell" }, button);
      })),
    );
    const grid = element("div", { class: `grid ${SURFACES[board.pieces]}`, role: "grid", "aria-label": board.game, "data-columns": rows[0].length }, ...cells);
    const slice = element("div", { class: "slice" }, element("div", { class: "row-of-board" }, grid));
    slice.style.setProperty("--columns", rows[0].length);
    slice.style.setProperty("--rows", rows.length);
    return slice;
  });
  const levels = slices.length > 1 ? ` levels levels-${slices.length}` : "";
  place.replaceChildren(element("div", { class: `slices${levels}` }, ...slices));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  oneStop();
  return board;
}

/** The words for how a line ends, or whose turn it is. */
export function status(line, board) {
  if (line.outcome === "draw") return t("web-draw");
  if (line.outcome) return t("web-side-wins", { side: side(board.pieces, line.outcome) });
  return t("web-their-turn", { side: side(board.pieces, line.turn) });
}

/** A line of play from the address of the page; a wrong address gives the beginning of a game. */
export function fromAddress(query) {
  const game = new papan.Game(query.get("game") || "tictactoe");
  const moves = (query.get("moves") ?? "").replaceAll("_", " ").trim();
  return { game, line: game.line(moves || undefined) };
}

/** Puts moves into the address of the page, so that a link carries the whole game. */
export function toAddress(query, line) {
  query.set("moves", line.moves.join("_"));
  history.replaceState(null, "", `?${query}`);
}
