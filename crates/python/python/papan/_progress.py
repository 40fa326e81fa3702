"""Progress bars of long computations: tqdm where it is installed, else a line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Callback = Callable[[int, int, int, int], None]


@contextmanager
def progress_callback(wanted: bool | None) -> Iterator[Callback | None]:
    """Yields a function for `_papan`'s reports, or `None` without a terminal or notebook."""
    if wanted is None:
        wanted = sys.stderr.isatty() or "ipykernel" in sys.modules
    if not wanted:
        yield None
        return
    bar = _bar()

    def report(depth: int, done: int, total: int, nodes: int) -> None:
        parts = [f"depth {depth}"] if depth else []
        parts += [f"{done:,} of {total:,}"] if total else []
        parts += [f"{nodes:,} nodes"] if nodes else []
        bar(", ".join(parts))

    try:
        yield report
    finally:
        bar("")


def _bar() -> Callable[[str], None]:
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def line(text: str) -> None:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

        return line
    shown: Any = tqdm(bar_format="{desc} {elapsed}", leave=False)

    def show(text: str) -> None:
        if text:
            shown.set_description_str(text)
        else:
            shown.close()

    return show
