"""A strategy for tic-tac-toe in Python: win, block, the centre, a corner, a side.

papan sends one position per line, `X-O------ X`: the nine cells row by row, then the side to move.
Answer each line with the number of a free cell, 1 to 9. Try it:

    papan prove tictactoe 'move:python3 strategy.py' --as first
"""

import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def completing(cells, mark):
    """Returns the first cell that completes a line of three of this mark."""
    for line in LINES:
        marks = [cells[cell] for cell in line]
        if marks.count(mark) == 2 and marks.count("-") == 1:
            return line[marks.index("-")]
    return None


def choose(cells, me):
    """Returns the cell to play, from 0. This is the function to change."""
    other = "O" if me == "X" else "X"
    for mark in (me, other):
        cell = completing(cells, mark)
        if cell is not None:
            return cell
    return next(cell for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7) if cells[cell] == "-")


for line in sys.stdin:
    cells, me = line.split()
    print(choose(cells, me) + 1, flush=True)
