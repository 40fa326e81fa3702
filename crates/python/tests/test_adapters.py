"""The adapters, checked by the libraries' own tests."""

import random

import pytest

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")


@pytest.mark.parametrize(
    "name",
    ["tictactoe", "tictactoe:4x4", "tictactoe:3x3x3", "othello:4x4", "othello", "gomoku:9x9", "renju"],
)
def test_openspiel_api(name: str) -> None:
    import papan.openspiel  # noqa: F401

    game = pyspiel.load_game("papan", {"game": name})
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(("ours", "theirs"), [("tictactoe", "tic_tac_toe"), ("othello", "othello")])
def test_playthroughs_agree_with_openspiel(ours: str, theirs: str) -> None:
    import papan.openspiel  # noqa: F401

    chance = random.Random(7)
    for _ in range(20):
        own = pyspiel.load_game("papan", {"game": ours}).new_initial_state()
        peer = pyspiel.load_game(theirs).new_initial_state()
        while not peer.is_terminal():
            assert own.legal_actions() == peer.legal_actions()
            assert own.current_player() == peer.current_player()
            action = chance.choice(own.legal_actions())
            own.apply_action(action)
            peer.apply_action(action)
        assert own.is_terminal() and own.returns() == peer.returns()


def test_openspiel_algorithms() -> None:
    from open_spiel.python.algorithms import minimax

    import papan.openspiel  # noqa: F401

    value, _ = minimax.alpha_beta_search(pyspiel.load_game("papan", {"game": "tictactoe"}))
    assert value == 0


def test_a_search_of_openspiel_does_not_lose_to_chance() -> None:
    import numpy
    from open_spiel.python.algorithms import mcts

    import papan.openspiel  # noqa: F401

    game = pyspiel.load_game("papan", {"game": "tictactoe"})
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
    from pettingzoo.test import api_test, seed_test

    from papan.pettingzoo import env, raw_env

    api_test(env(name), num_cycles=200)
    seed_test(lambda: raw_env(name), num_cycles=50)


@pytest.mark.parametrize(("name", "seat"), [("tictactoe", "first"), ("othello:4x4", "second")])
def test_gymnasium(name: str, seat: str) -> None:
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
