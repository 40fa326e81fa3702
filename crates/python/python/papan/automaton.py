"""Finite automata that play tic-tac-toe: tables in the format of document 000."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal

from . import _papan


class Automaton:
    """A transition table with its check. In a notebook it draws its state graph.

    A row is a flag, the nine cells before the input, the input and the reply, such as
    `-o--------|4|3`. `source` is a path, or the text of a table.

    >>> from papan import Automaton
    >>> table = Automaton("-o--------|2|7\\n")
    >>> table.never_loses, len(table.findings) > 0
    (False, True)
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        lang: Literal["en", "id"] = "en",
    ) -> None:
        is_text = isinstance(source, str) and "|" in source
        self.text: str = str(source) if is_text else Path(source).read_text("utf-8")
        """The table."""
        name = "table" if is_text else Path(source).name
        form, self.sentences, self._svg = _papan.automaton(self.text, name=name, lang=lang)
        self.data: dict[str, Any] = json.loads(form)
        """The check, as `papan automaton check --json` prints it."""

    @property
    def never_loses(self) -> bool:
        """Whether it loses no game, as far as it has replies."""
        return bool(self.data["verdict"] == "never-loses")

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The errors of the table."""
        found: list[dict[str, Any]] = self.data["findings"]
        return found

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_svg_(self) -> str | None:
        return self._svg
