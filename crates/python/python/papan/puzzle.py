"""Puzzles: positions with one right move at a time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from . import _papan
from .board import Board


@dataclass(frozen=True)
class Attempt:
    """The verdict on moves at a puzzle."""

    verdict: str
    """`open`, `wrong` or `solved`."""
    played: list[str]
    """The right moves so far, with the replies between them."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle. In a notebook it draws its position."""

    id: str
    game: str
    moves: list[str]
    """The moves that lead to the position."""
    task: str
    """The task as a sentence."""
    themes: list[str]
    rating: int
    length: int
    """Number of moves to find."""

    @property
    def board(self) -> Board:
        """The position, with the moves that lead to it."""
        return Board(self.game, self.moves)

    def attempt(self, moves: str | Sequence[str]) -> Attempt:
        """Tries moves of the solver; the replies are those of the solution."""
        words = moves.split() if isinstance(moves, str) else list(moves)
        data = json.loads(_papan.puzzle_attempt(self.id, words))
        return Attempt(verdict=data["verdict"], played=data["played"])

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()


def puzzles(
    *,
    game: str | None = None,
    theme: str | None = None,
    min_rating: int = 0,
    max_rating: int = 10_000,
    lang: Literal["en", "id"] = "en",
) -> list[Puzzle]:
    """Returns the puzzles of papan by game, theme and rating.

    >>> import papan
    >>> found = papan.puzzles(game="tictactoe", theme="fork")
    >>> len(found) > 0 and all("fork" in puzzle.themes for puzzle in found)
    True
    """
    found: list[Puzzle] = []
    for text, task in _papan.puzzle_list(lang=lang):
        data = json.loads(text)
        is_chosen = (
            game in (None, data["game"])
            and (theme is None or theme in data["themes"])
            and min_rating <= data["rating"] <= max_rating
        )
        if is_chosen:
            found.append(
                Puzzle(
                    id=data["id"],
                    game=data["game"],
                    moves=data["moves"],
                    task=task,
                    themes=data["themes"],
                    rating=data["rating"],
                    length=data["length"],
                )
            )
    return found
