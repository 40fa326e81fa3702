// A strategy for tic-tac-toe in JavaScript: win, block, the centre, a corner, a side.
//
// papan sends one position per line, `X-O------ X`: the nine cells row by row, then the side to move.
// Answer each line with the number of a free cell, 1 to 9. Try it:
//
//     papan prove tictactoe 'move:node strategy.js' --as first

const readline = require("node:readline");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

// Returns the first cell that completes a line of three of this mark.
function completing(cells, mark) {
  for (const line of LINES) {
    const own = line.filter((cell) => cells[cell] === mark);
    const empty = line.filter((cell) => cells[cell] === "-");
    if (own.length === 2 && empty.length === 1) return empty[0];
  }
  return undefined;
}

// Returns the cell to play, from 0. This is the function to change.
function choose(cells, me) {
  const other = me === "X" ? "O" : "X";
  const order = [4, 0, 2, 6, 8, 1, 3, 5, 7];
  return completing(cells, me) ?? completing(cells, other) ?? order.find((cell) => cells[cell] === "-");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [cells, me] = line.trim().split(" ");
  console.log(choose(cells, me) + 1);
});
