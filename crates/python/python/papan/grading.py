"""Grading of strategies by an assignment, as `papan grade` does it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _papan


@dataclass(frozen=True)
class TestResult:
    """The result of one test of an assignment."""

    __test__ = False  # pytest collects no tests here

    name: str
    passed: bool
    points: float
    text: str
    """What happened, as a sentence."""
    error: BaseException | None = field(default=None, compare=False)
    """The exception that the strategy raised, with its traceback and the position in a note."""


@dataclass(frozen=True)
class Grade:
    """The grade of one strategy."""

    submission: str
    points: float
    tests: list[TestResult]

    @classmethod
    def _of_json(cls, text: str, errors: list[BaseException | None]) -> Grade:
        data = json.loads(text)
        tests = [
            TestResult(
                name=row["name"],
                passed=row["passed"],
                points=row["points"],
                text=row["detail"],
                error=error,
            )
            for row, error in zip(data["tests"], errors)
        ]
        return cls(submission=data["submission"], points=data["points"], tests=tests)


def grade(
    assignment: str | os.PathLike[str],
    strategies: Mapping[str, Any] | Any,
    *,
    lang: Literal["en", "id"] = "en",
    progress: bool | None = None,
) -> list[Grade]:
    """Grades strategies by an assignment: a file, or its text.

    `strategies` is a strategy, or a mapping of names to strategies. An exception of one fails the test
    and is its `error`. They run in this process:
    for code that you do not trust use `papan grade`, which has limits of time and memory.

    >>> import papan
    >>> task = '''
    ... title = "Opening"
    ... game = "tictactoe"
    ... time = "1s"
    ... run = { py = "move:python3 {file}" }
    ... [[tests]]
    ... name = "opens in the centre"
    ... position = "--------- X"
    ... answers = ["5"]
    ... points = 10
    ... '''
    >>> [(row.submission, row.points) for row in papan.grade(task, {"Ann": lambda position: "5"})]
    [('Ann', 10.0)]
    """
    text = os.fspath(assignment)
    if "\n" not in text:
        with open(text, encoding="utf-8") as file:
            text = file.read()
    named = strategies if isinstance(strategies, Mapping) else {"strategy": strategies}
    return [
        Grade._of_json(*_papan.grade(text, name, strategy, lang=lang, progress=progress))
        for name, strategy in named.items()
    ]
