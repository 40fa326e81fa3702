"""Strategies written in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol, Union

from ._papan import Player, Position


class Strategy(ABC):
    """Base class of a strategy. `choose` must depend on the position alone to be provable.

    >>> import papan
    >>> class Last(papan.Strategy):
    ...     def choose(self, position):
    ...         return position.legal_actions()[-1]
    >>> papan.Player(Last()).choose(papan.Game("tictactoe").position())
    '9'
    """

    @abstractmethod
    def choose(self, position: Position) -> int | str:
        """Returns a legal move: the number of an action, or text."""


class _Chooser(Protocol):
    def choose(self, position: Position, /) -> int | str: ...


StrategyLike = Union[
    str, Player, _Chooser, type[_Chooser], Callable[[Position], "int | str"]
]
"""A strategy: text such as `"greedy"`, a `Player`, an object with `choose`, its class, or a function."""
