// Replays the games of the report. `board` and `games` are written above; which cell looks
// how after which move was worked out when the report was written.
const all = games.trim().split("\n").filter(Boolean);
const $ = (id) => document.getElementById(id);
const name = (number) => board.players[number];
const results = ["draw", "first player wins", "second player wins"];
const pageSize = 20;
let shown = all, page = 0, moves = [], ply = 0;

const parse = (line) => {
  const [number, first, second, result, reason, list] = line.split(";");
  return { number, first, second, result, reason, moves: list ? list.split(",") : [] };
};

// A move as it is written: its cell, then every changed cell with its new look.
const moved = (move) => (move.startsWith("--") ? -1 : parseInt(move.slice(0, 2), 36));

const position = (count) => {
  const looks = board.start.slice();
  for (const move of moves.slice(0, count)) {
    for (let at = 2; at < move.length; at += 3) looks[parseInt(move.slice(at, at + 2), 36)] = Number(move[at + 2]);
  }
  return looks;
};

const draw = () => {
  const looks = position(ply);
  $("board").replaceChildren(...board.slices.map((rows) => {
    const grid = document.createElement("div");
    grid.className = "layer";
    grid.style.gridTemplateColumns = `repeat(${rows[0].length}, 2.1rem)`;
    for (const cell of rows.flat()) {
      const box = document.createElement("div");
      box.title = board.words[cell];
      box.innerHTML = `<svg viewBox="0 0 100 100">${board.looks[looks[cell]]}</svg>`;
      grid.append(box);
    }
    return grid;
  }));
  const last = ply ? moved(moves[ply - 1]) : -1;
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
