"""Play, solve and prove board games: tic-tac-toe on any board, gomoku, renju, Othello.

>>> import papan
>>> board = papan.Board("tictactoe")
>>> board.push("5")
>>> board.position.legal_moves()
['1', '2', '3', '4', '6', '7', '8', '9']
>>> papan.Player("greedy").choose(board)
'1'
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _papan
from ._papan import Game, Player, Position, players
from .automaton import Automaton
from .board import Board
from .engine import Analysis, Engine, PlayResult
from .grading import Grade, TestResult, grade
from .puzzle import Attempt, Puzzle, puzzles
from .results import (
    Candidate,
    Check,
    Counts,
    Entry,
    Explanation,
    MoveReview,
    Proof,
    ProofError,
    Review,
    Solution,
    Table,
)
from .strategy import Strategy
from .tracing import Step, Trace, Tree, trace, tree

if TYPE_CHECKING:
    from .strategy import StrategyLike

__version__ = _papan.VERSION

__all__ = [
    "Analysis",
    "Attempt",
    "Automaton",
    "Board",
    "Candidate",
    "Check",
    "Counts",
    "Engine",
    "Entry",
    "Explanation",
    "Game",
    "Grade",
    "MoveReview",
    "PlayResult",
    "Player",
    "Position",
    "Proof",
    "ProofError",
    "Puzzle",
    "Review",
    "Solution",
    "Step",
    "Strategy",
    "Table",
    "TestResult",
    "Trace",
    "Tree",
    "arena",
    "check",
    "count",
    "explain",
    "grade",
    "load",
    "players",
    "prove",
    "puzzles",
    "review",
    "save",
    "solve",
    "trace",
    "tree",
]

GameLike = Union[Game, str]
"""A game or its name."""

BoardLike = Union[Board, Position]
"""A board with its moves, or a position."""


def _game(game: GameLike) -> Game:
    return game if isinstance(game, Game) else Game(game)


def _restore_position(game: str, text: str) -> Position:
    """Unpickles a position."""
    return Game(game).position(text)


def explain(
    board: BoardLike,
    strategy: StrategyLike,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 0,
    lang: Literal["en", "id"] = "en",
    progress: bool | None = None,
) -> Explanation:
    """Explains the move that a strategy chooses, with the numbers of every candidate.

    >>> import papan
    >>> explanation = papan.explain(papan.Board("tictactoe", "1 5"), "greedy")
    >>> explanation.best, explanation.candidates[0].terms
    ('2', {'-p+l': 1, 'l': 2, 'p': 1})
    """
    player = strategy if isinstance(strategy, Player) else Player(strategy)
    text = player.explain_json(
        board,
        time=time,
        nodes=nodes,
        depth=depth,
        seed=seed,
        lang=lang,
        progress=progress,
    )
    return Explanation._of_json(text)


def prove(
    game: GameLike,
    strategy: StrategyLike,
    *,
    seat: Literal["first", "second"],
    certificate: bool = False,
    recheck: Literal["process"] | None = None,
    lang: Literal["en", "id"] = "en",
    progress: bool | None = None,
) -> Proof:
    """Plays a strategy against every possible opponent.

    A strategy written in Python is asked twice in every position that it can reach, the second
    time on fresh instances and in another order. One whose answers differ is no function of the
    position and raises `ProofError`. With `recheck="process"` it is asked again in a second
    interpreter with another hash seed; for that its class must be in a module or a script.

    >>> import papan
    >>> proof = papan.prove("tictactoe", "expert", seat="second")
    >>> proof.never_loses, proof.lines
    (True, 457)
    """
    if recheck not in (None, "process"):
        raise ValueError(f'recheck is "process" or None, not {recheck!r}')
    chosen = _game(game)
    player = _seat_index(seat)
    text, certified, fingerprint, why = _papan.prove(
        chosen, strategy, player, certify=certificate, lang=lang, progress=progress
    )
    proof = Proof._of_json(text, certified, fingerprint, why)
    if recheck == "process":
        from ._recheck import recheck_in_process

        recheck_in_process(chosen, strategy, player, proof, lang, progress)
    return proof


def _seat_index(seat: str) -> int:
    if seat not in ("first", "second"):
        raise ValueError(f'seat is "first" or "second", not {seat!r}')
    return 0 if seat == "first" else 1


def check(
    certificate: bytes | str | os.PathLike[str], *, progress: bool | None = None
) -> Check:
    """Checks a certificate: bytes, or a path. The checker shares nothing with the provers.

    >>> import papan
    >>> proof = papan.prove("tictactoe", "expert", seat="first", certificate=True)
    >>> papan.check(proof.certificate).accepted
    True
    """
    if isinstance(certificate, bytes):
        return Check._of_json(_papan.check(certificate, progress=progress))
    with open(certificate, "rb") as file:
        data = file.read()
    return Check._of_json(_papan.check(data, file=os.fspath(certificate), progress=progress))


def count(game: GameLike, *, progress: bool | None = None) -> Counts:
    """Counts the positions and games of a small game.

    >>> import papan
    >>> counts = papan.count("tictactoe")
    >>> counts.positions, counts.games
    (5478, 255168)
    """
    return Counts._of_json(_papan.count(_game(game), progress=progress))


def solve(
    board: BoardLike,
    *,
    time: float | None = None,
    threads: int = 1,
    hash_mib: int = 64,
    progress: bool | None = None,
) -> Solution | None:
    """Computes the exact value of a position; `None` if the time is over before.

    >>> import papan
    >>> papan.solve(papan.Board("tictactoe", "1 2")).score
    1.0
    """
    solved = _papan.solve(
        board, time=time, threads=threads, hash_mib=hash_mib, progress=progress
    )
    return None if solved is None else Solution._of_json(*solved)


def review(
    board: Board,
    *,
    strategy: str | None = None,
    time: float = 7.0,
    threads: int = 1,
    progress: bool | None = None,
) -> Review:
    """Reviews a played game move by move.

    >>> import papan
    >>> review = papan.review(papan.Board("tictactoe", "1 2 5 3 9"), time=1)
    >>> [move.move for move in review.moves if move.mistake]
    ['2']
    """
    return Review._of_json(
        _papan.review(board, strategy=strategy, time=time, threads=threads, progress=progress)
    )


def arena(
    game: GameLike,
    players: Sequence[StrategyLike],
    *,
    games: int = 100,
    format: Literal["round-robin", "gauntlet"] = "round-robin",
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    opening_rule: Literal["swap", "swap2"] | None = None,
    seed: int = 0,
    concurrency: int = 1,
    progress: bool | None = None,
) -> Table:
    """Plays a tournament and returns its table.

    Under an `opening_rule` the players make the openings, in games of four or more in a row.

    >>> import papan
    >>> table = papan.arena("tictactoe", ["random", "minimax"], games=20)
    >>> table.players[0].player
    'minimax'
    """
    text = _papan.arena(
        _game(game),
        list(players),
        games=games,
        format=format,
        time=time,
        nodes=nodes,
        depth=depth,
        opening_rule=opening_rule,
        seed=seed,
        concurrency=concurrency,
        progress=progress,
    )
    return Table._of_json(text)


def load(
    source: bytes | str | os.PathLike[str],
    *,
    game: GameLike | None = None,
    progress: bool | None = None,
) -> list[Board]:
    """Reads the games of a file of any kind: SGF, GGF, PSQ, WTHOR, OBF, transcripts, records.

    `source` is a path, or the bytes of a file. `game` is the board of formats that do not name it.
    A game that cannot be read is a warning, if there are others, else a `ValueError`. Comments,
    variations, dates, clocks and stated results are in `Board.details`.

    >>> import papan
    >>> [board.game.name for board in papan.load(b"f5d6c3d3c4\\nf5f6e6f4\\n")]
    ['othello', 'othello']
    """
    if isinstance(source, bytes):
        data = source
    else:
        with open(source, "rb") as file:
            data = file.read()
    named = None if game is None else _game(game)
    loaded, faults = _papan.load(data, game=named, progress=progress)
    if faults and not loaded:
        raise ValueError(faults[0])
    for fault in faults:
        warnings.warn(fault, stacklevel=2)
    return [
        Board._of_file(
            start, actions, (names[0], names[1]), json.loads(details) if details else {}
        )
        for start, actions, names, details in loaded
    ]


def save(
    boards: Board | Iterable[Board],
    path: str | os.PathLike[str] | None = None,
    *,
    format: str = "sgf",
    progress: bool | None = None,
) -> str:
    """Formats games as a file, and writes it if a path is given.

    `format` is `sgf`, `ggf`, `psq`, `txt` (moves), `pos` (the last position), `obf` (an Othello position)
    or `record`. WTHOR files are read only.

    >>> import papan
    >>> papan.save(papan.Board("othello", "f5d6"), format="txt")
    'f5d6\\n'
    """
    games: list[Any] = [boards] if isinstance(boards, Board) else list(boards)
    text = _papan.save(games, format, progress=progress)
    if path is not None:
        _papan.write_file(os.path.abspath(os.fsdecode(path)), text)
    return text
