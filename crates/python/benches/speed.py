"""Measures the loop of random games beside pyspiel, and proofs of a Python strategy. CPU time.

python benches/speed.py
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import papan
import pyspiel

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from test_computations import Student  # noqa: E402


def random_moves(new_state: Callable[[], object], seconds: float) -> float:
    """Plays random games; returns moves per second. The same loop for both libraries."""
    chance = random.Random(1)
    moves, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        # Reading the clock takes as long as a move.
        for _ in range(100):
            moves += play(new_state(), chance)
    return moves / (time.process_time() - started)


def play(state: object, chance: random.Random) -> int:
    moves = 0
    # `Random.choice` would add to the time of both.
    uniform = chance.random
    if isinstance(state, papan.Position):
        legal = state.legal_actions()
        while legal:
            state = state.play(legal[int(uniform() * len(legal))])
            legal = state.legal_actions()
            moves += 1
    else:
        while not state.is_terminal():  # type: ignore[attr-defined]
            legal = state.legal_actions()  # type: ignore[attr-defined]
            state.apply_action(legal[int(uniform() * len(legal))])  # type: ignore[attr-defined]
            moves += 1
    return moves


def best(measure: Callable[[], float], rounds: int = 3) -> float:
    return max(measure() for _ in range(rounds))


def prove_seconds(game: str, seats: list[str]) -> float:
    started = time.process_time()
    for seat in seats:
        papan.prove(game, Student, seat=seat)  # type: ignore[arg-type]
    return time.process_time() - started


def main() -> None:
    for ours, theirs in (("tictactoe", "tic_tac_toe"), ("othello", "othello")):
        own, peer = papan.Game(ours), pyspiel.load_game(theirs)
        mine = best(lambda: random_moves(own.position, 1))
        other = best(lambda: random_moves(peer.new_initial_state, 1))
        print(f"{ours}: {mine:,.0f} moves/s, pyspiel {other:,.0f}: {mine / other:.1f} times")
    print(f"prove 3x3, both seats: {1000 * min(prove_seconds('tictactoe', ['first', 'second']) for _ in range(5)):.0f} ms")

    class First(papan.Strategy):
        def choose(self, position: papan.Position) -> int:
            return position.legal_actions()[0]

    started = time.process_time()
    proof = papan.prove("tictactoe:4x4", First, seat="second")
    print(f"prove 4x4, {proof.positions} positions: {time.process_time() - started:.2f} s")
    importing = "import time; t = time.process_time(); import papan; print(time.process_time() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", importing])) for _ in range(5)]
    print(f"import: {1000 * min(times):.0f} ms")


if __name__ == "__main__":
    main()
