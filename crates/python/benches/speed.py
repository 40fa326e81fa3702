"""Measures papan beside pyspiel in one run: random games, searches of OpenSpiel, proofs. CPU time.

python benches/speed.py
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import papan
import papan.openspiel  # noqa: F401 (registers the games)
import pyspiel
from open_spiel.python.algorithms import mcts, minimax
from open_spiel.python.games import tic_tac_toe  # noqa: F401 (registers `python_tic_tac_toe`)

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from test_computations import Student  # noqa: E402


def random_game(
    new_state: Callable[[], Any],
    advance: Callable[[Any, int], Any],
    uniform: Callable[[], float],
) -> int:
    """Plays a random game; returns the number of moves. The same code for both libraries.

    `advance` plays a move and returns the next state, or `None` if it changes the state itself.
    """
    moves, state = 0, new_state()
    legal = state.legal_actions()
    while legal:
        # `Random.choice` would add to the time of both.
        state = advance(state, legal[int(uniform() * len(legal))]) or state
        legal = state.legal_actions()
        moves += 1
    return moves


def random_moves(
    new_state: Callable[[], Any], advance: Callable[[Any, int], Any], seconds: float = 1.0
) -> float:
    """Plays random games; returns moves per second."""
    uniform = random.Random(1).random
    moves, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        # Reading the clock takes as long as a move.
        for _ in range(100):
            moves += random_game(new_state, advance, uniform)
    return moves / (time.process_time() - started)


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """Returns the least time of several."""

    def once() -> float:
        started = time.process_time()
        work()
        return time.process_time() - started

    return min(once() for _ in range(rounds))


def bot_moves(game: Any, moves: int = 3, simulations: int = 500) -> None:
    """Plays moves of OpenSpiel's MCTS from the start."""
    chance = np.random.RandomState(7)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=chance, solve=False)
    state = game.new_initial_state()
    for _ in range(moves):
        state.apply_action(bot.step(state))


def prove_both(game: str, strategy: type[papan.Strategy], seats: tuple[str, ...]) -> int:
    proofs = [papan.prove(game, strategy, seat=seat) for seat in seats]  # type: ignore[arg-type]
    return sum(proof.positions for proof in proofs)


def main() -> None:
    for ours, theirs in (("tictactoe", "tic_tac_toe"), ("othello", "othello")):
        own, peer = papan.Game(ours), pyspiel.load_game(theirs)
        # In turn, so that a busy machine slows both.
        rates = [
            (
                random_moves(own.position, papan.Position.play),
                random_moves(peer.new_initial_state, pyspiel.State.apply_action),
            )
            for _ in range(3)
        ]
        mine, other = (max(column) for column in zip(*rates))
        print(f"{ours}: {mine:,.0f} moves/s, pyspiel {other:,.0f}: {mine / other:.2f} times")
    own, peer = pyspiel.load_game("papan"), pyspiel.load_game("python_tic_tac_toe")
    searches: dict[str, Callable[[Any], object]] = {
        "alpha_beta_search": minimax.alpha_beta_search,
        "MCTSBot": bot_moves,
    }
    for name, search in searches.items():
        mine, other = (seconds(lambda: search(game), 3) for game in (own, peer))
        print(f"{name}: {mine:.3f} s, python_tic_tac_toe {other:.3f} s: {other / mine:.1f} times")
    both = seconds(lambda: prove_both("tictactoe", Student, ("first", "second")))
    print(f"prove 3x3, both seats: {1000 * both:.0f} ms")
    for name, strategy in (("first cell", First), ("Student", Large)):
        taken = seconds(lambda: prove_both("tictactoe:4x4", strategy, ("second",)), 1)
        asked = prove_both("tictactoe:4x4", strategy, ("second",))
        print(f"prove 4x4, {name}, {asked:,} positions: {taken:.2f} s")
    importing = "import time; t = time.process_time(); import papan; print(time.process_time() - t)"
    times = [float(subprocess.check_output([sys.executable, "-c", importing])) for _ in range(5)]
    print(f"import: {1000 * min(times):.0f} ms")


class First(papan.Strategy):
    """Takes the first empty cell."""

    def choose(self, position: papan.Position) -> int:
        return position.legal_actions()[0]


class Large(Student):
    """The rules of the student's strategy on 4x4."""

    order = (5, 6, 9, 10, 0, 3, 12, 15, 1, 2, 4, 7, 8, 11, 13, 14)

    def choose(self, position: papan.Position) -> int:
        legal = position.legal_actions()
        for action in legal:
            if position.play(action).winner == position.turn:
                return action
        cells, other = position.pieces(), 2 - position.turn
        for action in legal:
            for line in position.game.lines_through(action):
                if [cells[cell] for cell in line if cell != action] == [other] * 3:
                    return action
        return next(action for action in self.order if action in legal)


if __name__ == "__main__":
    main()
