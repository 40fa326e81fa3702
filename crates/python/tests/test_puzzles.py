"""Puzzles: every shipped tic-tac-toe puzzle is solved by trying moves, and wrong moves are refused."""

import papan
import pytest


def solve(puzzle: papan.Puzzle) -> list[str]:
    """Finds the solution by trying every move."""
    found: list[str] = []
    while True:
        attempt = puzzle.attempt(found)
        if attempt.verdict == "solved":
            return found
        board = puzzle.board
        for move in attempt.played:
            board.push(move)
        tries = [[*found, move] for move in board.position.legal_moves()]
        right = [moves for moves in tries if puzzle.attempt(moves).verdict != "wrong"]
        assert right, puzzle.id
        found = right[0]


def test_puzzles_have_a_solution_of_their_length() -> None:
    for puzzle in papan.puzzles(game="tictactoe"):
        assert len(solve(puzzle)) == puzzle.length, puzzle.id
        assert puzzle.task


def test_puzzles_are_filtered_and_unknown_ones_are_errors() -> None:
    everything = papan.puzzles()
    assert len(everything) >= 1000
    strong = papan.puzzles(min_rating=1500)
    assert strong and all(puzzle.rating >= 1500 for puzzle in strong)
    assert "<svg" in everything[0]._repr_svg_()
    with pytest.raises(ValueError, match="there is no puzzle"):
        papan._papan.puzzle_attempt("x", [])
