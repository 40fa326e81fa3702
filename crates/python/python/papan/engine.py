"""External engines: other programs that speak UGI, GTP, Piskvork, NBoard or `move:`."""

from __future__ import annotations

import shlex
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from ._papan import Player

if TYPE_CHECKING:
    from ._papan import Position
    from .board import Board

Protocol = Literal["ugi", "gtp", "piskvork", "nboard", "move"]


@dataclass(frozen=True)
class PlayResult:
    """The answer of an engine."""

    move: str
    action: int
    """The number of the move."""
    nodes: int
    """Positions searched, as the engine reports them; 0 if it does not."""
    time: float
    """Seconds until the answer."""


class Engine:
    """An engine in a process of its own, started with its first question and ended by `close`.

    >>> import papan
    >>> with papan.Engine("papan engine ugi", protocol="ugi") as engine:  # doctest: +SKIP
    ...     engine.play(papan.Board("othello", "f5"), time=0.1).move
    'd6'

    `options` are settings of the engine: `{"Hash": 64}`. A crash, a hang or an illegal move raises
    `RuntimeError`, and the next question starts the program again.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        protocol: Protocol = "ugi",
        options: Mapping[str, object] | None = None,
    ) -> None:
        words = command if isinstance(command, str) else shlex.join(command)
        settings = [f"option.{name}={value}" for name, value in (options or {}).items()]
        after = "@" + " ".join(shlex.quote(setting) for setting in settings) if settings else ""
        self.player = Player(f"{protocol}:{words}{after}")
        """The engine as a player, for `papan.prove` and `papan.arena`."""

    def play(
        self,
        board: Board | Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> PlayResult:
        """Asks for a move."""
        asked = clock.monotonic()
        action, searched = self.player.choose_counted(
            board, time=time, nodes=nodes, depth=depth
        )
        taken = clock.monotonic() - asked
        move = board.game.action_to_text(action)
        return PlayResult(move=move, action=action, nodes=searched, time=taken)

    def close(self) -> None:
        """Ends the process."""
        self.player.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Engine({self.player.name!r})"
