// Replays the games of the report. `board` and `games` are written above.
const all = games.trim().split("\n").filter(Boolean).sort((a, b) => parseInt(a) - parseInt(b));
const $ = (id) => document.getElementById(id);
const name = (number) => board.players[number];
const results = ["draw", "first player wins", "second player wins"];
const pageSize = 20;
let shown = all, page = 0, moves = [], ply = 0;

const parse = (line) => {
  const [number, first, second, result, reason, list] = line.split(";");
  return { number, first, second, result, reason, moves: list ? list.split(",").map(Number) : [] };
};

// The discs that a disc of `player` on `cell` turns: Othello's boards are flat.
const flips = (cells, cell, player) => {
  const [rows, columns] = board.sides, other = 3 - player, turned = [];
  for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) {
    if (!dx && !dy) continue;
    let y = Math.floor(cell / columns) + dy, x = cell % columns + dx, run = [];
    const inside = () => y >= 0 && y < rows && x >= 0 && x < columns;
    while (inside() && cells[y * columns + x] === other) { run.push(y * columns + x); y += dy; x += dx; }
    if (run.length && inside() && cells[y * columns + x] === player) turned.push(...run);
  }
  return turned;
};

const position = (count) => {
  const cells = board.start.slice();
  moves.slice(0, count).forEach((cell, index) => {
    if (cell < 0) return;
    const player = 1 + index % 2;
    if (board.discs) flips(cells, cell, player).forEach((c) => { cells[c] = player; });
    cells[cell] = player;
  });
  return cells;
};

const draw = () => {
  const cells = position(ply), columns = board.sides.at(-1), layer = columns * (board.sides.at(-2) ?? 1);
  const last = ply ? moves[ply - 1] : -1;
  $("board").className = board.discs ? "discs" : "";
  $("board").replaceChildren(...Array.from({ length: cells.length / layer }, (_, z) => {
    const grid = document.createElement("div");
    grid.className = "layer";
    grid.style.gridTemplateColumns = `repeat(${columns}, auto)`;
    for (let cell = z * layer; cell < (z + 1) * layer; cell++) {
      const box = document.createElement("div");
      box.className = "cell" + (cell === last ? " last" : "");
      box.title = board.words[cell];
      if (cells[cell] && board.discs) box.append(Object.assign(document.createElement("div"), { className: `disc p${cells[cell]}` }));
      else box.textContent = ["", "X", "O"][cells[cell]];
      grid.append(box);
    }
    return grid;
  }));
  const word = last >= 0 ? board.words[last] : ply ? "pass" : "";
  $("ply").textContent = `${ply} / ${moves.length} ${word}`;
};

const show = (line, button) => {
  const game = parse(line);
  moves = game.moves; ply = moves.length;
  $("replay").hidden = false;
  $("caption").textContent = `Game ${game.number}: ${name(game.first)} – ${name(game.second)}, ${results[game.result]}` + (game.reason ? ` (${game.reason})` : "");
  document.querySelectorAll("#list .now").forEach((old) => old.classList.remove("now"));
  button.classList.add("now");
  draw();
};

const list = () => {
  const pages = Math.max(1, Math.ceil(shown.length / pageSize));
  page = Math.min(Math.max(page, 0), pages - 1);
  $("page").textContent = `${page + 1} / ${pages}`;
  $("list").replaceChildren(...shown.slice(page * pageSize, (page + 1) * pageSize).map((line) => {
    const game = parse(line), button = document.createElement("button");
    button.textContent = `${game.number}. ${name(game.first)} – ${name(game.second)}  ${["½–½", "1–0", "0–1"][game.result]}` + (game.reason ? " *" : "");
    button.onclick = () => show(line, button);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
};

$("who").append(new Option("all games", ""), new Option("forfeited games", "forfeit"));
board.players.forEach((player, number) => $("who").append(new Option(player, number)));
$("who").onchange = () => {
  const who = $("who").value;
  shown = all.filter((line) => {
    const game = parse(line);
    return who === "" || (who === "forfeit" ? game.reason : game.first === who || game.second === who);
  });
  page = 0; list();
};
$("newer").onclick = () => { page--; list(); };
$("older").onclick = () => { page++; list(); };
const go = (to) => () => { ply = Math.min(Math.max(to(), 0), moves.length); draw(); };
$("start").onclick = go(() => 0);
$("back").onclick = go(() => ply - 1);
$("forth").onclick = go(() => ply + 1);
$("end").onclick = go(() => moves.length);
addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") $("back").click();
  if (event.key === "ArrowRight") $("forth").click();
});
list();
document.querySelector("#list button")?.click();
