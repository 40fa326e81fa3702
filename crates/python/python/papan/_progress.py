"""Progress bars of long computations, in a terminal and in a notebook."""

from __future__ import annotations

import html
import sys
import time
from typing import Any, TextIO

_WIDTH = 30


def bar(wanted: bool | None) -> Bar | None:
    """Returns a bar; `None` if there is neither terminal nor notebook, or no wish for one."""
    notebook = _notebook()
    if wanted is None:
        wanted = notebook is not None or sys.stderr.isatty()
    if not wanted:
        return None
    return Bar(sys.stderr) if notebook is None else NotebookBar(notebook)


def _notebook() -> Any:
    """Returns IPython's display function inside a notebook."""
    if "ipykernel" not in sys.modules:
        return None
    from IPython.display import display

    return display


class Bar:
    """A line on a terminal: the part that is done, counts and time."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out
        self._began = time.monotonic()

    def report(self, depth: int, done: int, total: int, nodes: int) -> None:
        """Shows how far the computation is; `total` is 0 if that is unknown."""
        self._show(min(done / total, 1.0) if total else None, self._text(depth, done, total, nodes))

    def _text(self, depth: int, done: int, total: int, nodes: int) -> str:
        seconds = time.monotonic() - self._began
        parts = [f"{done:,} of {total:,}"] if total else [f"{done:,} done"] if done else []
        parts += [f"depth {depth}"] if depth else []
        parts += [f"{nodes:,} nodes"] if nodes else []
        parts.append(f"{seconds:.0f} s")
        return ", ".join(parts)

    def _show(self, part: float | None, text: str) -> None:
        if self._out is None:
            return
        if part is not None:
            full = round(part * _WIDTH)
            text = f"{part:4.0%} |{'█' * full}{' ' * (_WIDTH - full)}| {text}"
        self._out.write(f"\r\x1b[K{text}")
        self._out.flush()

    def close(self) -> None:
        """Removes the bar."""
        if self._out is not None:
            self._out.write("\r\x1b[K")
            self._out.flush()


class NotebookBar(Bar):
    """An element under the cell of a notebook."""

    def __init__(self, display: Any) -> None:
        super().__init__()
        self._display = display
        self._handle: Any = None

    def _show(self, part: float | None, text: str) -> None:
        value = "" if part is None else f' value="{part:.3f}"'
        shown = {
            "text/plain": text,
            "text/html": f"<progress{value}></progress> {html.escape(text)}",
        }
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def close(self) -> None:
        """Empties the element; a notebook has none to remove one."""
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)
