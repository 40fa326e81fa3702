"""The rules of Othello in Python, and the move that turns the most discs.

papan sends one position per line: the 64 squares row by row from a1, `X` for Black, `O` for White and
`-` for an empty square, then the side to move. Answer each line with a square such as d3, or with pass
where no disc can be turned. Try it:

    papan play othello --second 'move:python3 othello.py'
"""

import sys

DIRECTIONS = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]


def turned(squares, square, me):
    """Returns the squares whose discs a move turns; none if the move is not legal."""
    if squares[square] != "-":
        return []
    found = []
    for down, right in DIRECTIONS:
        row, column = square // 8 + down, square % 8 + right
        line = []
        while 0 <= row < 8 and 0 <= column < 8:
            there = squares[8 * row + column]
            if there == me:
                found += line
                break
            if there == "-":
                break
            line.append(8 * row + column)
            row, column = row + down, column + right
    return found


def choose(squares, me, legal):
    """Returns the square to play, one of the legal ones. This is the function to change."""
    return max(legal, key=lambda square: len(turned(squares, square, me)))


for line in sys.stdin:
    squares, me = line.split()
    legal = [square for square in range(64) if turned(squares, square, me)]
    if legal:
        square = choose(squares, me, legal)
        print("abcdefgh"[square % 8] + str(square // 8 + 1), flush=True)
    else:
        print("pass", flush=True)
