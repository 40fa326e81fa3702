"""Step-by-step runs of strategies and their search trees."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _papan

if TYPE_CHECKING:
    from ._papan import Player, Position
    from .board import Board


@dataclass(frozen=True)
class Step:
    """A step of a run. In a notebook it draws itself: board, pseudo-code, numbers and tree."""

    number: int
    """Its number, from 1."""
    code: int
    """The line of the pseudo-code, from 1."""
    event: str
    """`enter`, `leaf`, `collapsed`, `better`, `not-better`, `cut`, `abandon`, `return`, `score`, `key`,
    `compare`, `no-reply`, `select`, `expand`, `simulate`, `playout` or `choose`."""
    path: list[str]
    """The moves from the traced position."""
    position: str
    """The position at the end of the path."""
    move: str | None
    alpha: int | None
    """Alpha; `None` for minus infinity and without pruning."""
    beta: int | None
    """Beta; `None` for infinity and without pruning."""
    value: int | None
    bound: str | None
    """Whether the value is `exact`, `at-least` or `at-most`."""
    cut: list[str]
    """The moves that are cut off."""
    data: dict[str, Any] = field(repr=False)
    """All numbers, as `papan trace --json` prints them."""
    _run: _papan.TracedSteps = field(repr=False, compare=False)

    def _repr_svg_(self) -> str:
        return self._run.frame_svg(self.number - 1)


class Trace(Sequence[Step]):
    """The steps of a run, made as they are read."""

    def __init__(self, run: _papan.TracedSteps) -> None:
        self._run = run

    def __len__(self) -> int:
        return len(self._run)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> list[Step]: ...
    def __getitem__(self, at: int | slice) -> Step | list[Step]:
        if isinstance(at, slice):
            return [self._step(index) for index in range(*at.indices(len(self)))]
        index = at + len(self) if at < 0 else at
        if not 0 <= index < len(self):
            raise IndexError(f"there is no step {at}; the run has {len(self)}")
        return self._step(index)

    def _step(self, index: int) -> Step:
        data = json.loads(self._run.step_json(index))
        return Step(
            number=data["step"],
            code=data["code"],
            event=data["event"],
            path=data["path"],
            position=data["position"],
            move=data.get("move"),
            alpha=data.get("alpha"),
            beta=data.get("beta"),
            value=data.get("value"),
            bound=data.get("bound"),
            cut=data.get("left") or [],
            data=data,
            _run=self._run,
        )

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps>"


@dataclass(frozen=True)
class Tree:
    """A search tree. It prints as text, and draws itself in a notebook."""

    data: dict[str, Any] = field(repr=False)
    """The nodes, as the JSON of `papan explain` has them."""
    text: str = field(repr=False)
    svg: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


def trace(
    board: Board | Position,
    strategy: str | Player,
    *,
    shown: int = 3,
    limit: int = 2000,
    seed: int = 0,
    lang: Literal["en", "id"] = "en",
    progress: bool | None = None,
) -> Trace:
    """Runs minimax, alpha-beta, MCTS or a strategy that scores its moves step by step.

    `shown` plies of the tree have steps of their own, deeper ones are one step; `limit` is the
    maximum number of steps.

    >>> import papan
    >>> steps = papan.trace(papan.Board("tictactoe", "1 5 9 3"), "alphabeta")
    >>> next(step.cut for step in steps if step.event == "cut")
    ['7', '8']
    >>> steps[-1].event, steps[-1].move
    ('choose', '7')
    """
    run = _papan.trace(
        board, strategy, shown=shown, limit=limit, seed=seed, lang=lang, progress=progress
    )
    return Trace(run)


def tree(
    board: Board | Position,
    strategy: str | Player,
    *,
    depth: int = 2,
    merge: bool = False,
    lang: Literal["en", "id"] = "en",
    progress: bool | None = None,
) -> Tree:
    """Returns the search tree of minimax, alpha-beta or branch and bound to a depth.

    >>> import papan
    >>> len(papan.tree(papan.Board("tictactoe", "1 5 9 3"), "minimax").data["children"])
    5
    """
    text, drawn, svg = _papan.tree(
        board, strategy, depth=depth, merge=merge, lang=lang, progress=progress
    )
    return Tree(data=json.loads(text), text=drawn, svg=svg)
