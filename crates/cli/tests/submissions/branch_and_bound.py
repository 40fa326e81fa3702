"""A submission for the assignment of document 003: a win, else the most defence, else the most attack."""

import sys

SIDE = 4
ROWS = [[SIDE * row + column for column in range(SIDE)] for row in range(SIDE)]
COLUMNS = [list(column) for column in zip(*ROWS)]
DIAGONALS = [[row[at] for at, row in enumerate(ROWS)], [row[-1 - at] for at, row in enumerate(ROWS)]]
LINES = ROWS + COLUMNS + DIAGONALS


def cost(cells, cell, me):
    """Whether the cell wins, how often its defence is infinite, cd and ca."""
    other = "O" if me == "X" else "X"
    wins, blocks, cd, ca = False, 0, 0, 0
    for line in LINES:
        if cell in line:
            mine = sum(cells[at] == me for at in line)
            theirs = sum(cells[at] == other for at in line)
            wins |= mine == SIDE - 1 and theirs == 0
            blocks += theirs == SIDE - 1
            cd += theirs
            ca += theirs == 0
    return (wins, blocks, cd, ca)


for line in sys.stdin:
    cells, me = line.split()
    empty = [cell for cell in range(SIDE * SIDE) if cells[cell] == "-"]
    print(max(empty, key=lambda cell: cost(cells, cell, me)) + 1, flush=True)
