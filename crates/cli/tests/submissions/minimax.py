"""A submission for the assignment of document 002: minimax with a table of known positions."""

import functools
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def after(cells, cell, mark):
    return cells[:cell] + mark + cells[cell + 1:]


@functools.cache
def value(cells, me):
    """The value for the player to move."""
    other = "O" if me == "X" else "X"
    if any(cells[a] == cells[b] == cells[c] == other for a, b, c in LINES):
        return -1
    if "-" not in cells:
        return 0
    return max(-value(after(cells, cell, me), other) for cell in range(9) if cells[cell] == "-")


for line in sys.stdin:
    cells, me = line.split()
    other = "O" if me == "X" else "X"
    empty = [cell for cell in range(9) if cells[cell] == "-"]
    best = max(empty, key=lambda cell: -value(after(cells, cell, me), other))
    print(best + 1, flush=True)
