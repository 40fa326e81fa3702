"""The adapters, checked by the libraries' own tests."""

from __future__ import annotations

import random
import unittest
from typing import Any

import papan
import pytest

try:
    import pyspiel
except ImportError:
    pyspiel = None

needs_openspiel = pytest.mark.skipif(pyspiel is None, reason="open_spiel is not installed")

GAMES = ["tictactoe", "tictactoe:4x4", "tictactoe:3x3x3", "othello:4x4", "othello", "gomoku:9x9", "renju"]


def spiel(name: str) -> Any:
    """A game of papan as OpenSpiel loads it."""
    import papan.openspiel  # noqa: F401

    return pyspiel.load_game("papan", {"game": name})


@needs_openspiel
@pytest.mark.parametrize("name", GAMES)
def test_random_games_in_openspiel(name: str) -> None:
    from open_spiel.python.tests import games_sim_test

    pyspiel.random_sim_test(spiel(name), num_sims=3, serialize=True, verbose=False)
    # The same with clones and pickles, by OpenSpiel's own test of all its games.
    games_sim_test.GamesSimTest().sim_game(spiel(name))


def passes(base: Any, left_out: tuple[str, ...] = (), **attributes: Any) -> int:
    """Runs the tests of a class of OpenSpiel's; returns their number."""
    # unittest runs no attribute that is not callable.
    case = type("Api", (base,), {**attributes, **dict.fromkeys(left_out)})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    wrong = [text for _, text in result.failures + result.errors]
    assert not wrong, "\n".join(wrong)
    return result.testsRun


@needs_openspiel
@pytest.mark.parametrize("name", GAMES)
def test_openspiels_api_test_passes(name: str) -> None:
    from open_spiel.integration_tests import api_test

    base = api_test.EnforceAPIOnPartialTreeBase
    assert passes(base, game=spiel(name), game_name=name) >= 5


def nodes(position: papan.Position) -> tuple[int, int]:
    """The sequences of moves that end within a game, and those that end it."""
    if position.is_over:
        return 0, 1
    below = [nodes(position.play(action)) for action in position.legal_actions()]
    return 1 + sum(inner for inner, _ in below), sum(ends for _, ends in below)


@needs_openspiel
def test_openspiels_api_test_passes_on_a_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    from open_spiel.integration_tests import api_test

    name = "tictactoe:3x3:2"
    inner, ends = nodes(papan.Game(name).position())
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (0, inner, ends))
    # Every sequence of moves is an information state of its own: that is perfect recall.
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, inner)
    # It compares tensors of information states, which games without secrets have in OpenSpiel neither.
    left_out = ("test_current_player_infosets_no_overlap_between_players",)
    base = api_test.EnforceAPIOnFullTreeBase
    assert passes(base, left_out, game=spiel(name), game_name=name) >= 6


COMPARED = ("IsTerminal()", "History()", "CurrentPlayer()", "LegalActions()", "Rewards()", "Returns()")


def playthrough(name: str, actions: list[int]) -> list[str]:
    """The lines of OpenSpiel's playthrough that do not depend on how a game writes itself."""
    from open_spiel.python.algorithms import generate_playthrough

    lines = generate_playthrough.playthrough(name, actions, seed=1).splitlines()
    return [line for line in lines if line.startswith(COMPARED)]


@needs_openspiel
@pytest.mark.parametrize(("ours", "theirs"), [("tictactoe", "tic_tac_toe"), ("othello", "othello")])
def test_playthroughs_agree_with_openspiel(ours: str, theirs: str) -> None:
    chance = random.Random(7)
    for _ in range(20):
        own = spiel(ours).new_initial_state()
        peer = pyspiel.load_game(theirs).new_initial_state()
        while not peer.is_terminal():
            assert own.legal_actions() == peer.legal_actions()
            assert own.current_player() == peer.current_player()
            action = chance.choice(own.legal_actions())
            own.apply_action(action)
            peer.apply_action(action)
        assert own.is_terminal() and own.returns() == peer.returns()
        history = peer.history()
        lines = playthrough(f"papan(game={ours})", history)
        assert lines == playthrough(theirs, history)
        # The states that OpenSpiel shows, and the end.
        assert lines.count("IsTerminal() = True") == 1 and len(lines) > 20


@needs_openspiel
def test_openspiel_algorithms() -> None:
    from open_spiel.python.algorithms import minimax

    value, _ = minimax.alpha_beta_search(spiel("tictactoe"))
    assert value == 0


@needs_openspiel
def test_a_search_of_openspiel_does_not_lose_to_chance() -> None:
    import numpy
    from open_spiel.python.algorithms import mcts

    game = spiel("tictactoe")
    chance = numpy.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(5, chance)
    bot = mcts.MCTSBot(game, 1.4, 300, evaluator, random_state=chance)
    for _ in range(5):
        state = game.new_initial_state()
        while not state.is_terminal():
            is_bot = state.current_player() == 0
            action = bot.step(state) if is_bot else chance.choice(state.legal_actions())
            state.apply_action(action)
        assert state.returns()[0] >= 0


@pytest.mark.parametrize("name", ["tictactoe", "othello:6x6", "tictactoe:3x3x3"])
def test_pettingzoo_api(name: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from papan.pettingzoo import env, raw_env

    api_test(env(name), num_cycles=200)
    seed_test(lambda: raw_env(name), num_cycles=50)


@pytest.mark.parametrize(("name", "seat"), [("tictactoe", "first"), ("othello:4x4", "second")])
def test_gymnasium(name: str, seat: str) -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from papan.gymnasium import GameEnv

    env = GameEnv(name, opponent="random", seat=seat)  # type: ignore[arg-type]
    check_env(env, skip_render_check=True)
    results = set()
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        is_over, reward = False, 0.0
        while not is_over:
            action = int(observation["action_mask"].argmax())
            observation, reward, is_over, _, _ = env.step(action)
        assert env.position.is_over
        results.add(reward)
    assert len(results) > 1
    observation, _ = env.reset(seed=1)
    action = int(observation["action_mask"].argmax())
    assert not env.step(action)[2]
    # The cell is occupied now.
    assert env.step(action)[1:3] == (-1.0, True)
