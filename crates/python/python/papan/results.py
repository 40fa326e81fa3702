"""Results of computations, as immutable data classes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Candidate:
    """A move with the numbers that a strategy has for it."""

    move: str
    score: float | None
    unit: str | None
    bound: str
    """`exact`, `at-most`, `at-least` or `unknown`: an `at-most` is no value."""
    terms: dict[str, Any]
    line: list[str]


@dataclass(frozen=True)
class Explanation:
    """The reasons for a choice."""

    game: str
    strategy: str
    position: str
    best: str
    runner_up: str | None
    why: str
    nodes: int
    candidates: list[Candidate]

    @classmethod
    def _of_json(cls, text: str) -> Explanation:
        data = json.loads(text)
        return cls(
            game=data["game"],
            strategy=data["strategy"],
            position=data["position"],
            best=data["best"],
            runner_up=data["runner_up"],
            why=data["why"],
            nodes=data["nodes"],
            candidates=[
                Candidate(
                    move=row["move"],
                    score=row["score"],
                    unit=row["unit"],
                    bound=row["bound"],
                    terms=row["terms"],
                    line=row["line"],
                )
                for row in data["candidates"]
            ],
        )

    def __str__(self) -> str:
        return f"{self.strategy} plays {self.best}: {self.why}"


class ProofError(Exception):
    """A strategy cannot be proved: it is no function of the position, or the game is too large."""

    reason: str
    """`not-a-function`, `no-answer`, `nondeterministic`, `too-large`, `too-many-lines`,
    `other-interpreter` or `not-importable`."""
    line: list[str]
    """The moves after which the strategy was asked."""

    def __init__(self, message: str, reason: str, line: list[str] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.line = line or []

    def __reduce__(self) -> tuple[object, tuple[str, str, list[str]]]:
        return ProofError, (str(self), self.reason, self.line)


@dataclass(frozen=True)
class Proof:
    """The result of playing a strategy against every possible opponent."""

    game: str
    strategy: str
    seat: str
    never_loses: bool
    lines: int
    wins: int
    draws: int
    losses: int
    positions: int
    longest: int
    losing_line: list[str] | None
    """The shortest game that the strategy loses."""
    certificate: bytes | None = field(default=None, repr=False)
    fingerprint: int | None = field(default=None, repr=False)
    """Of the answers of a strategy from outside: equal for equal answers."""

    @classmethod
    def _of_json(
        cls, text: str, certificate: bytes | None, fingerprint: int | None, why: str | None
    ) -> Proof:
        data = json.loads(text)
        if data["verdict"] not in ("never-loses", "can-lose"):
            raise ProofError(why or data["reason"], data["reason"], data.get("line"))
        return cls(
            game=data["game"],
            strategy=data["strategy"],
            seat=data["as"],
            never_loses=data["verdict"] == "never-loses",
            lines=int(data["lines"]),
            wins=int(data["wins"]),
            draws=int(data["draws"]),
            losses=int(data["losses"]),
            positions=data["positions"],
            longest=data["longest"],
            losing_line=data["losing_line"],
            certificate=certificate,
            fingerprint=fingerprint,
        )


@dataclass(frozen=True)
class Check:
    """The verdict of the certificate checker."""

    accepted: bool
    game: str | None
    reason: str | None
    """Why it was refused."""
    data: dict[str, Any] = field(repr=False)

    @classmethod
    def _of_json(cls, text: str) -> Check:
        data = json.loads(text)
        reason = data.get("reason")
        return cls(accepted=reason is None, game=data.get("game"), reason=reason, data=data)

    def __bool__(self) -> bool:
        return self.accepted


@dataclass(frozen=True)
class Counts:
    """Numbers of positions and games."""

    game: str
    positions: int
    positions_up_to_symmetry: int
    games: int
    first_wins: int
    second_wins: int
    draws: int
    longest: int

    @classmethod
    def _of_json(cls, text: str) -> Counts:
        data = json.loads(text)
        games = data["games"]["all"]
        return cls(
            game=data["game"],
            positions=int(data["positions"]["all"]),
            positions_up_to_symmetry=int(data["positions"]["up_to_symmetry"]),
            games=int(games["total"]),
            first_wins=int(games["first"]),
            second_wins=int(games["second"]),
            draws=int(games["draws"]),
            longest=data["longest"],
        )


@dataclass(frozen=True)
class Solution:
    """The exact value of a position, for the player to move."""

    game: str
    position: str
    score: float
    unit: str
    best: str | None
    line: list[str]
    nodes: int
    certificate: bytes | None = field(default=None, repr=False)

    @classmethod
    def _of_json(cls, text: str, certificate: bytes | None) -> Solution:
        data = json.loads(text)
        return cls(
            game=data["game"],
            position=data["position"],
            score=float(data["score"]),
            unit=data["unit"],
            best=data["best"],
            line=data["pv"],
            nodes=data["nodes"],
            certificate=certificate,
        )


@dataclass(frozen=True)
class MoveReview:
    """A move of a reviewed game."""

    move: str
    player: str
    before: float | None
    after: float | None
    unit: str | None
    best: str | None
    better_line: list[str]
    loss: float
    grade: str | None
    """`inaccuracy`, `mistake`, `blunder`, or `None` for a good move."""
    mistake: bool
    turning_point: bool


@dataclass(frozen=True)
class Review:
    """A reviewed game."""

    game: str
    strategy: str
    moves: list[MoveReview]
    accuracy: tuple[float | None, float | None]
    """Of both players, in percent; `None` for a player without moves."""
    data: dict[str, Any] = field(repr=False)

    @classmethod
    def _of_json(cls, text: str) -> Review:
        data = json.loads(text)
        moves = [
            MoveReview(
                move=row["move"],
                player=row["player"],
                before=(row.get("before") or {}).get("score"),
                after=(row.get("after") or {}).get("score"),
                unit=(row.get("after") or {}).get("unit"),
                best=row.get("best"),
                better_line=row.get("pv") or [],
                loss=row.get("loss") or 0.0,
                grade=row.get("grade"),
                mistake=row["mistake"],
                turning_point=row["turning_point"],
            )
            for row in data["moves"]
        ]
        first, second = data.get("accuracy") or (None, None)
        return cls(
            game=data["game"],
            strategy=data["strategy"],
            moves=moves,
            accuracy=(first, second),
            data=data,
        )

    def _repr_svg_(self) -> str:
        return curve_svg([(move.player, move.after) for move in self.moves])


def curve_svg(moves: list[tuple[str, float | None]]) -> str:
    """Draws the evaluation after each move, from the first player's side.

    A move is its player and the evaluation after it, which is that player's.
    """
    width, height, middle = 480, 120, 60
    known = [abs(score) for _, score in moves if score is not None]
    scale = (middle - 6) / max([*known, 1.0])
    step = width / max(len(moves), 1)
    points = []
    for ply, (player, score) in enumerate(moves):
        if score is not None:
            signed = score if player == "first" else -score
            points.append(f"{(ply + 1) * step:.1f},{middle - signed * scale:.1f}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">'
        f'<line x1="0" x2="{width}" y1="{middle}" y2="{middle}" stroke="#999"/>'
        f'<polyline points="{" ".join(points)}" fill="none" stroke="#1a7f37" stroke-width="2"/></svg>'
    )


@dataclass(frozen=True)
class Entry:
    """A player's row of a tournament table."""

    rank: int
    player: str
    points: float
    games: int
    elo: float | None
    margin: float | None


@dataclass(frozen=True)
class Table:
    """The table of a tournament."""

    game: str
    games: int
    players: list[Entry]
    data: dict[str, Any] = field(repr=False)

    @classmethod
    def _of_json(cls, text: str) -> Table:
        data = json.loads(text)
        rows = [
            Entry(
                rank=row["rank"],
                player=row["player"],
                points=row["points"],
                games=row["games"],
                elo=row["elo"],
                margin=row["margin"],
            )
            for row in data["players"]
        ]
        return cls(game=data["game"], games=data["games"], players=rows, data=data)

    def to_pandas(self) -> Any:
        """Returns the table as a pandas data frame."""
        import pandas

        return pandas.DataFrame([vars(row) for row in self.players]).set_index("rank")

    def __str__(self) -> str:
        rows = [f"{row.rank:2}  {row.player:30}  {row.points:g}/{row.games}" for row in self.players]
        return "\n".join(rows)
