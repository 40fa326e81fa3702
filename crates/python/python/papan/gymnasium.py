"""papan's games as Gymnasium environments: one agent against a strategy.

>>> from papan.gymnasium import GameEnv  # doctest: +SKIP
>>> GameEnv("othello:6x6", opponent="greedy").reset(seed=1)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from ._papan import Game, Player, Position
from .observation import action_mask, planes

if TYPE_CHECKING:
    from .strategy import StrategyLike

Observation = dict[str, Any]


class GameEnv(gymnasium.Env[Observation, int]):
    """A game against a strategy, which answers within `step`. The reward is 1, 0 or -1 at the end.

    An observation has the planes and the mask of legal actions. An illegal action loses the game.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 (as in the base class)

    def __init__(
        self,
        game: Game | str = "tictactoe",
        *,
        opponent: StrategyLike = "random",
        seat: Literal["first", "second"] = "first",
        render_mode: str | None = None,
    ) -> None:
        if seat not in ("first", "second"):
            raise ValueError(f'seat is "first" or "second", not {seat!r}')
        self.papan = game if isinstance(game, Game) else Game(game)
        self.render_mode = render_mode
        self.position: Position = self.papan.position()
        self._opponent = opponent if isinstance(opponent, Player) else Player(opponent)
        self._agent = 0 if seat == "first" else 1
        actions = self.papan.num_actions
        self.action_space = spaces.Discrete(actions)  # type: ignore[assignment]
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape=(3, *self.papan.shape), dtype=np.float32),
                "action_mask": spaces.Box(0, 1, shape=(actions,), dtype=np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a new game."""
        super().reset(seed=seed, options=options)
        self.position = self.papan.position()
        self._answer()
        return self._observation(), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a move of the agent and the answer of the opponent."""
        if not self.position.action_mask()[action]:
            return self._observation(), -1.0, True, False, {"illegal": True}
        self.position = self.position.play(action)
        self._answer()
        is_over = self.position.is_over
        return self._observation(), self.position.returns()[self._agent], is_over, False, {}

    def _answer(self) -> None:
        while not self.position.is_over and self.position.turn != self._agent:
            seed = int(self.np_random.integers(1 << 63))
            self.position = self.position.play(self._opponent.choose(self.position, seed=seed))

    def _observation(self) -> Observation:
        return {
            "observation": planes(self.position, self._agent),
            "action_mask": action_mask(self.position),
        }

    def render(self) -> Any:
        """Returns the board as text."""
        return str(self.position)
