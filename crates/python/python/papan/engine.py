"""External engines: other programs that speak UGI, GTP, Piskvork, NBoard or `move:`."""

from __future__ import annotations

import shlex
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from ._papan import Game, Player, Program

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


@dataclass(frozen=True)
class Analysis:
    """The answer of an engine, with its report about the search."""

    move: str
    """The best move."""
    action: int
    """The number of the move."""
    score: int | None
    """The score for the player to move, in the engine's own units."""
    depth: int | None
    nodes: int | None
    """Positions searched."""
    pv: list[str]
    """The principal variation."""
    info: str
    """The last line about the search as the engine wrote it."""
    time: float
    """Seconds until the answer."""


class Engine:
    """An engine in a process of its own, started when it is first needed and ended by `close`.

    >>> import papan
    >>> with papan.Engine("papan engine ugi", protocol="ugi") as engine:  # doctest: +SKIP
    ...     engine.play(papan.Board("othello", "f5"), time=0.1).move
    'd6'

    `options` are settings of the engine: `{"Hash": 64}`. A crash, a hang or an illegal move raises
    `RuntimeError`, and the next question starts the program again. `game` is what it is started for
    where there is no board: by `id` and `options`.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        protocol: Protocol = "ugi",
        options: Mapping[str, object] | None = None,
        game: Game | str = "tictactoe",
    ) -> None:
        self._command = command if isinstance(command, str) else shlex.join(command)
        self._protocol = protocol
        self._settings = dict(options or {})
        self._game = game if isinstance(game, Game) else Game(game)
        self._program = Program(self._text())

    def _text(self) -> str:
        settings = [f"option.{name}={_value(value)}" for name, value in self._settings.items()]
        after = "@" + " ".join(shlex.quote(setting) for setting in settings) if settings else ""
        return f"{self._protocol}:{self._command}{after}"

    @property
    def player(self) -> Player:
        """The engine as a player, for `papan.prove` and `papan.arena`, in processes of its own."""
        return Player(self._text())

    @property
    def id(self) -> dict[str, str]:
        """The `name` of the engine, and its `author` where the protocol has it."""
        name, author, _ = self._program.identity(self._game)
        return {"name": name} if author is None else {"name": name, "author": author}

    @property
    def options(self) -> dict[str, str]:
        """The options that the engine declares, each with its type and default as it writes them."""
        return dict(self._program.identity(self._game)[2])

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options, besides those set before. A running engine is started again with them."""
        self._settings.update(options)
        self.close()
        self._program = Program(self._text())

    def play(
        self,
        board: Board | Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        progress: bool | None = None,
    ) -> PlayResult:
        """Asks for a move."""
        found = self.analyse(
            board, time=time, nodes=nodes, depth=depth, progress=progress
        )
        return PlayResult(
            move=found.move, action=found.action, nodes=found.nodes or 0, time=found.time
        )

    def analyse(
        self,
        board: Board | Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        progress: bool | None = None,
    ) -> Analysis:
        """Asks for the best move and the engine's report about its search."""
        asked = clock.monotonic()
        self._game = board.game
        action, searched, score, info = self._program.choose(
            board, time=time, nodes=nodes, depth=depth, progress=progress
        )
        taken = clock.monotonic() - asked
        words = info.split()
        return Analysis(
            move=self._game.action_to_text(action),
            action=action,
            score=score,
            depth=_number_after(words, "depth"),
            nodes=searched,
            pv=words[words.index("pv") + 1 :] if "pv" in words else [],
            info=info,
            time=taken,
        )

    def close(self) -> None:
        """Ends the process."""
        self._program.close()

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
        return f"Engine({self._text()!r})"


def _value(value: object) -> str:
    """Returns the value of an option as protocols write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number_after(words: list[str], key: str) -> int | None:
    """Returns the number after a word of a line about the search."""
    try:
        return int(words[words.index(key) + 1])
    except (ValueError, IndexError):
        return None
