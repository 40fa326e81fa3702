"""papan's games in OpenSpiel: importing this module registers `papan(game=...)`.

>>> import pyspiel, papan.openspiel  # doctest: +SKIP
>>> game = pyspiel.load_game("papan(game=othello:6x6)")  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._papan import Game, Position
from .observation import planes

_PARAMETER = "game"

_GAME_TYPE = pyspiel.GameType(
    short_name="papan",
    long_name="papan",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={_PARAMETER: "tictactoe"},
)


class PapanGame(pyspiel.Game):  # type: ignore[misc]
    """A game of papan as a game of OpenSpiel."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        name = (params or {}).get(_PARAMETER, "tictactoe")
        self.papan = Game(name)
        passes = self.papan.num_actions > self.papan.cells
        info = pyspiel.GameInfo(
            num_distinct_actions=self.papan.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Two passes in a row end a game, so there are at most as many passes as discs.
            max_game_length=self.papan.cells * (2 if passes else 1),
        )
        super().__init__(_GAME_TYPE, info, {_PARAMETER: name})

    def new_initial_state(self, _text: str | None = None) -> PapanState:
        """Returns the start position."""
        return PapanState(self, self.papan.position())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Returns an observer of the board; of the moves so far where it must recall everything."""
        if params:
            raise ValueError("observation parameters are not supported")
        kind = iig_obs_type
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return _Observer(self.papan)
        return IIGObserverForPublicInfoGame(kind, params)


class PapanState(pyspiel.State):  # type: ignore[misc]
    """A position of papan as a state of OpenSpiel."""

    def __init__(self, game: PapanGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """Returns the player to move."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.turn

    def _legal_actions(self, _player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.position.game.action_to_text(action)

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Returns the results of both players."""
        return list(self.position.returns())

    def __str__(self) -> str:
        return self.position.text


class _Observer:
    """Observes the board as planes."""

    def __init__(self, game: Game) -> None:
        shape = (3, *game.shape)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: PapanState, player: int) -> None:
        """Writes the observation of a player into the tensor."""
        self.dict["observation"][:] = planes(state.position, player)

    def string_from(self, state: PapanState, _player: int) -> str:
        """Returns the observation as text."""
        return state.position.text


pyspiel.register_game(_GAME_TYPE, PapanGame)
