"""papan's games as PettingZoo environments (AEC).

>>> from papan.pettingzoo import env  # doctest: +SKIP
>>> env("othello:6x6").reset(seed=1)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._papan import Game, Position
from .observation import action_mask, planes


def env(game: str = "tictactoe", render_mode: str | None = None) -> Any:
    """Returns an environment that ends the game on an illegal move, as PettingZoo's own do."""
    raw = raw_env(game, render_mode)
    terminated = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(terminated)
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 (PettingZoo's name)
    """A game of papan for two agents, `player_0` and `player_1`."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (as in the base class)
        "render_modes": ["ansi", "human"],
        "name": "papan_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, game: str = "tictactoe", render_mode: str | None = None) -> None:
        super().__init__()
        self.papan = Game(game)
        self.render_mode = render_mode
        self.position: Position = self.papan.position()
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        board = (3, *self.papan.shape)
        actions = self.papan.num_actions
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape=board, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, shape=(actions,), dtype=np.int8),
            }
        )
        self._action_space: dict[str, Any] = {
            agent: spaces.Discrete(actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """Returns the observation space."""
        return self._observation_space

    def action_space(self, agent: str) -> Any:
        """Returns the action space."""
        return self._action_space[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the planes as an agent sees them, and the mask of legal actions."""
        player = self.possible_agents.index(agent)
        is_turn = agent == self.agent_selection and not self.position.is_over
        actions = self.papan.num_actions
        mask = action_mask(self.position) if is_turn else np.zeros(actions, np.int8)
        return {"observation": planes(self.position, player), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game."""
        self.position = self.papan.position()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.turn]

    def step(self, action: int | None) -> None:
        """Plays a move of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent whose game is not over must act")
        self.position = self.position.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self.position.is_over:
            self.rewards = dict(zip(self.possible_agents, self.position.returns()))
            self.terminations = dict.fromkeys(self.possible_agents, True)
        else:
            self._clear_rewards()
        self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Returns the board as text, or prints it in the mode `human`."""
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position)

    def close(self) -> None:
        """Does nothing: there is no window."""
