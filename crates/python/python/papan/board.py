"""A board: a start position and the moves since, with `push` and `pop`."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex, Union

from ._papan import Game, Position

Move = Union[SupportsIndex, str]
"""A move: the number of its action, or text."""


class Board:
    """A game in progress.

    >>> from papan import Board
    >>> board = Board("othello", "f5d6")
    >>> board.turn, board.moves
    (0, ['f5', 'd6'])
    >>> board.pop()
    'd6'
    """

    __slots__ = ("_positions", "actions", "details", "players")

    actions: list[int]
    """The numbers of the moves."""
    players: tuple[str, str]
    """The names of the players."""
    details: dict[str, Any]
    """What a file says besides: `date`, `event`, `clock`, `opening`, `times` (milliseconds of each move),
    `variations` (moves from the start), `comments` (pairs of the moves to a position and the text),
    and a `result` that is not by the rules, with its `reason`. `papan.save` writes what its format
    has a place for."""

    def __init__(
        self,
        game: Game | Position | str,
        moves: str | Iterable[Move] = (),
        *,
        players: tuple[str, str] = ("", ""),
    ) -> None:
        if isinstance(game, Position):
            start = game
        else:
            start = (game if isinstance(game, Game) else Game(game)).position()
        self._positions: list[Position] = [start]
        self.actions = []
        self.players = players
        self.details = {}
        for move in start.parse_moves(moves) if isinstance(moves, str) else moves:
            self.push(move)

    @classmethod
    def _of_file(
        cls,
        start: Position,
        actions: list[int],
        players: tuple[str, str],
        details: Mapping[str, Any],
    ) -> Board:
        board = cls(start, actions, players=players)
        board.details = dict(details)
        return board

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def game(self) -> Game:
        """The game."""
        return self.start.game

    @property
    def turn(self) -> int:
        """The player to move: 0 or 1."""
        return self.position.turn

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    @property
    def moves(self) -> list[str]:
        """The moves as text."""
        game = self.game
        return [game.action_to_text(action) for action in self.actions]

    def push(self, move: Move) -> None:
        """Plays a move: an action number, or text."""
        before = self._positions[-1]
        after = before.play(move)
        game = before.game
        # Numbers of other libraries, such as NumPy's, are indices too.
        action = game.action_from_text(move) if isinstance(move, str) else operator.index(move)
        self._positions.append(after)
        self.actions.append(action)
        if self.details:
            self._forget_stated_end()

    def pop(self) -> str:
        """Takes the last move back and returns it."""
        if not self.actions:
            raise IndexError("there is no move to take back")
        self._positions.pop()
        if self.details:
            self._forget_stated_end()
        return self.game.action_to_text(self.actions.pop())

    def _forget_stated_end(self) -> None:
        """Drops a stated result and the times of moves that may be others now."""
        for key in ("result", "reason"):
            self.details.pop(key, None)
        if "times" in self.details:
            self.details["times"] = self.details["times"][: len(self._positions) - 1]

    def copy(self) -> Board:
        """Returns a copy, which shares the positions."""
        other = object.__new__(Board)
        other._positions = self._positions.copy()
        other.actions = self.actions.copy()
        other.players = self.players
        other.details = copy.deepcopy(self.details)
        return other

    def __len__(self) -> int:
        return len(self.actions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.start == other.start and self.actions == other.actions

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"Board({self.game.name!r}, {' '.join(self.moves)!r})"

    def __reduce__(
        self,
    ) -> tuple[object, tuple[Position, list[int], tuple[str, str], dict[str, Any]]]:
        return Board._of_file, (self.start, self.actions, self.players, self.details)

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()
