"""Step-by-step runs, trees, automata and external engines."""

from __future__ import annotations

import sys
from pathlib import Path

import papan
import pytest

ROOT = Path(__file__).parents[3]


def positions(board: papan.Board, plies: int) -> list[papan.Board]:
    """Every line of at most so long from a board, without finished games."""
    if board.is_over:
        return []
    found = [board]
    if plies:
        for action in board.position.legal_actions():
            longer = board.copy()
            longer.push(action)
            found += positions(longer, plies - 1)
    return found


@pytest.mark.parametrize("strategy", ["minimax", "alphabeta", "branch-and-bound", "greedy"])
def test_a_trace_ends_with_the_move_that_the_player_chooses(strategy: str) -> None:
    player = papan.Player(strategy)
    for board in positions(papan.Board("tictactoe", "1 5 9"), 2):
        steps = papan.trace(board, strategy)
        assert steps[-1].event == "choose"
        assert steps[-1].move == player.choose(board), board.moves


def test_steps_are_a_sequence_with_pictures() -> None:
    steps = papan.trace(papan.Board("tictactoe", "1 5 9 3"), "alphabeta")
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert steps[-2:] == [steps[len(steps) - 2], steps[len(steps) - 1]]
    assert "<svg" in steps[3]._repr_svg_()
    with pytest.raises(IndexError, match="there is no step"):
        steps[len(steps)]
    limited = papan.trace(papan.Board("tictactoe"), "minimax", limit=10)
    assert len(limited) <= 11
    with pytest.raises(ValueError, match="random"):
        papan.trace(papan.Board("tictactoe"), "random")
    with pytest.raises(ValueError, match="only strategies of papan"):
        papan.trace(papan.Board("tictactoe"), lambda position: 0)  # type: ignore[arg-type]


def value(position: papan.Position) -> float:
    """Plain minimax, for the player to move."""
    if position.is_over:
        return position.returns()[position.turn]
    return max(-value(position.play(action)) for action in position.legal_actions())


def test_a_tree_has_the_values_of_plain_minimax() -> None:
    board = papan.Board("tictactoe", "1 5 9 3")
    tree = papan.tree(board, "minimax", depth=1)
    found = {child["move"]: child["value"] for child in tree.data["children"]}
    expected = {move: -value(board.position.play(move)) for move in board.position.legal_moves()}
    assert found == expected
    assert "7" in str(tree) and tree._repr_svg_().startswith("<svg")
    with pytest.raises(ValueError, match="limit is"):
        papan.tree(papan.Board("tictactoe:5x5:4"), "minimax(depth=8)", depth=8)


def test_automata_are_checked_and_drawn() -> None:
    attack = papan.Automaton(ROOT / "data" / "automata" / "attack.txt")
    assert attack.never_loses and not attack.findings
    drawn = attack._repr_svg_()
    assert drawn is not None and "<svg" in drawn
    damaged = attack.text.replace("|9|", "|8|", 1)
    assert papan.Automaton(damaged).findings
    with pytest.raises(ValueError, match="Line 1, column 4"):
        papan.Automaton("-o-|4|3")


def test_an_engine_plays_and_is_started_again_after_a_crash(tmp_path: Path) -> None:
    student = ROOT / "examples" / "students" / "strategy.py"
    with papan.Engine([sys.executable, str(student)], protocol="move") as engine:
        board = papan.Board("tictactoe", "1 5 2")
        result = engine.play(board, time=5)
        assert result.move == "3" and result.action == 2 and result.time < 10
        # Other limits, the same process.
        assert engine.play(board, time=6).move == "3"
    crashing = tmp_path / "crashing.py"
    crashing.write_text("import sys\nline = sys.stdin.readline()\nif '5' in sys.argv: print(5)\n")
    engine = papan.Engine([sys.executable, str(crashing)], protocol="move")
    for _ in range(2):
        with pytest.raises(RuntimeError):
            engine.play(papan.Board("tictactoe"), time=5)
    engine.close()
