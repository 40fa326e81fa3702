"""Exercises in notebooks that check themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SOLVED = "✓"


def exercise(answer: Any, is_right: Callable[[Any], bool], hint: str = "") -> str:
    """Says whether an answer is right; `...` is an open exercise.

    >>> from papan.course import exercise
    >>> exercise(..., lambda answer: answer == 9)
    'open'
    >>> exercise(8, lambda answer: answer == 9, "count the cells")
    'not yet: count the cells'
    >>> exercise(9, lambda answer: answer == 9)
    '✓'
    """
    return _said(answer, is_right, hint, ("open", "not yet"))


def latihan(jawaban: Any, benar: Callable[[Any], bool], petunjuk: str = "") -> str:
    """Says in Indonesian whether an answer is right.

    >>> from papan.course import latihan
    >>> latihan(..., lambda jawaban: jawaban == 9)
    'belum dijawab'
    >>> latihan(8, lambda jawaban: jawaban == 9, "hitung petaknya")
    'belum tepat: hitung petaknya'
    """
    return _said(jawaban, benar, petunjuk, ("belum dijawab", "belum tepat"))


def _said(
    answer: Any, is_right: Callable[[Any], bool], hint: str, words: tuple[str, str]
) -> str:
    is_open, is_wrong = words
    if answer is ...:
        return is_open
    if is_right(answer):
        return SOLVED
    return f"{is_wrong}: {hint}" if hint else is_wrong
