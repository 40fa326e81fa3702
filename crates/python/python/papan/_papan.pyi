"""The extension module. Use the package `papan`."""

from collections.abc import Sequence
from typing import Any, SupportsIndex, final

VERSION: str

@final
class Game:
    """A game on a board, by name: `Game("othello")`, `Game("tictactoe:4x4")`, `Game("renju")`."""

    def __new__(cls, name: str) -> Game: ...
    @property
    def name(self) -> str:
        """The full name; `Game(game.name)` is the same game."""
    @property
    def family(self) -> str:
        """The name without the size."""
    @property
    def shape(self) -> list[int]:
        """The sides of the board, rows first."""
    @property
    def cells(self) -> int:
        """The number of cells."""
    @property
    def num_actions(self) -> int:
        """The number of actions: one per cell, and one for a pass in games that have it."""
    @property
    def max_score(self) -> int:
        """The largest final score: 1, or the number of cells at Othello."""
    def position(self, text: str | None = None) -> Position:
        """Returns the start position, or the one that a text describes."""
    def action_to_text(self, action: int) -> str:
        """Returns a move as text, as files write it."""
    def action_to_square(self, action: int) -> str:
        """Returns a move as the boards show it, such as `h8`."""
    def action_from_text(self, text: str) -> int:
        """Returns the number of a move written as text."""
    def lines_through(self, cell: int) -> list[list[int]]:
        """Returns the lines through a cell that win; empty in games without lines."""
    def __hash__(self) -> int: ...

@final
class Position:
    """A position. Immutable and hashable; `play` returns a new one."""

    @property
    def game(self) -> Game:
        """The game."""
    @property
    def turn(self) -> int:
        """The player to move: 0 or 1."""
    @property
    def text(self) -> str:
        """The position as text, as the option `--position` reads it."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def winner(self) -> int | None:
        """The winner, 0 or 1; `None` after a draw and before the end."""
    @property
    def outcome(self) -> str | None:
        """The outcome: `"first"`, `"second"` or `"draw"`; `None` before the end."""
    def returns(self) -> tuple[float, float]:
        """The results of both players: 1, 0 or -1 each; zeros before the end."""
    def score(self, player: int) -> int:
        """The final score for a player, in discs at Othello."""
    def legal_actions(self) -> list[int]:
        """The numbers of the legal moves, ascending; empty when the game is over."""
    def legal_moves(self) -> list[str]:
        """The legal moves as text."""
    def action_mask(self) -> bytes:
        """A byte for each action: 1 if it is legal."""
    def play(self, action: SupportsIndex | str) -> Position:
        """Returns the position after a move: an action number, or text."""
    def parse_moves(self, text: str) -> list[int]:
        """Returns the numbers of moves written as text, such as `"f5d6c3"` or `"1 5 9"`."""
    def piece(self, cell: int) -> int | None:
        """The owner of the piece on a cell: 0, 1 or `None`."""
    def pieces(self) -> bytes:
        """The cells as bytes: 0 for empty, 1 for the first player, 2 for the second."""
    def symmetries(self) -> list[Position]:
        """The images under all symmetries of the board, itself first."""
    def canonical(self) -> Position:
        """The same position for all symmetric ones."""
    def clone(self) -> Position:
        """Returns the position itself: it never changes."""
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: Any) -> Position: ...
    def svg(self) -> str:
        """A picture in SVG."""
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...

@final
class Player:
    """A strategy as a player: `Player("greedy")`, `Player("engine(depth=12)")`, or a Python object.

    A choice is a function of the board, the limits and `seed`, which is 0 unless it is given:
    `Player("random")` varies with the seed, such as `seed=random.getrandbits(64)`.
    """

    def __new__(cls, strategy: Any) -> Player: ...
    @property
    def name(self) -> str:
        """The name with its parameters."""
    def choose(
        self,
        board: Any,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        seed: int = 0,
        progress: bool | None = None,
    ) -> str:
        """Returns the move that the strategy chooses, as text."""
    def choose_action(
        self,
        board: Any,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        seed: int = 0,
        progress: bool | None = None,
    ) -> int:
        """Returns the number of the move that the strategy chooses."""
    def __copy__(self) -> Player: ...
    def __deepcopy__(self, _memo: Any) -> Player: ...
    def close(self) -> None:
        """Ends the process of an external program, and frees the tables of an engine."""
    def explain_json(
        self,
        board: Any,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        seed: int = 0,
        lang: str = "en",
        progress: bool | None = None,
    ) -> str: ...

def players() -> list[str]:
    """The names of the strategies."""

def prove(
    game: Game,
    strategy: Any,
    player: int,
    *,
    certify: bool = False,
    lang: str = "en",
    progress: bool | None = None,
) -> tuple[str, bytes | None, int | None, str | None]: ...
def check(
    certificate: bytes, *, file: str = "-", progress: bool | None = None
) -> str: ...
def count(game: Game, *, progress: bool | None = None) -> str: ...
def solve(
    board: Any,
    *,
    time: float | None = None,
    threads: int = 1,
    hash_mib: int = 64,
    progress: bool | None = None,
) -> tuple[str, bytes | None] | None: ...
def review(
    board: Any,
    *,
    strategy: str | None = None,
    time: float = 7.0,
    threads: int = 1,
    progress: bool | None = None,
) -> str: ...
def arena(
    game: Game,
    players: Sequence[Any],
    *,
    games: int = 100,
    format: str = "round-robin",
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    opening_rule: str | None = None,
    seed: int = 0,
    concurrency: int = 1,
    progress: bool | None = None,
) -> str: ...
def load(
    data: bytes, *, game: Game | None = None, progress: bool | None = None
) -> tuple[list[tuple[Position, list[int], list[str], str | None]], list[str]]: ...
def save(boards: Sequence[Any], format: str, *, progress: bool | None = None) -> str: ...
def write_file(path: str, text: str) -> None: ...
def grade(
    assignment: str,
    name: str,
    strategy: Any,
    *,
    lang: str = "en",
    progress: bool | None = None,
) -> tuple[str, list[BaseException | None]]: ...

@final
class Program:
    """A program that speaks a protocol of engines, such as `ugi:./engine`."""

    def __new__(cls, text: str) -> Program: ...
    def identity(self, game: Game) -> tuple[str, str | None, list[tuple[str, str]]]:
        """Starts the program for a game; returns name, author and options."""
    def choose(
        self,
        board: Any,
        *,
        time: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        progress: bool | None = None,
    ) -> tuple[int, int | None, int | None, str]:
        """Returns the number of the move, nodes, score, and the last line about the search."""
    def close(self) -> None:
        """Ends the process."""

@final
class TracedSteps:
    """A traced run of a strategy."""

    def __len__(self) -> int: ...
    def step_json(self, at: int) -> str:
        """Returns a step as the JSON of `papan trace`."""
    def frame_svg(self, at: int) -> str:
        """Draws a step: board, pseudo-code, numbers and tree."""

def trace(
    board: Any,
    strategy: Any,
    *,
    shown: int,
    limit: int,
    seed: int,
    lang: str,
    progress: bool | None = None,
) -> TracedSteps: ...
def tree(
    board: Any,
    strategy: Any,
    *,
    depth: int,
    merge: bool,
    lang: str,
    progress: bool | None = None,
) -> tuple[str, str, str]: ...
def automaton(
    table: str, *, name: str, lang: str
) -> tuple[str, list[str], str | None]: ...
def puzzle_list(*, lang: str) -> list[tuple[str, str]]: ...
def puzzle_attempt(id: str, moves: Sequence[str]) -> str: ...
