"""Exceptions on their way between threads, and their notes."""

from __future__ import annotations

import ctypes


def raise_in_thread(thread: int) -> None:
    """Raises `KeyboardInterrupt` in the Python code of a thread, before its next instruction."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(KeyboardInterrupt)
    )


def add_note(error: BaseException, note: str) -> None:
    """Adds a note to an exception. Python 3.10 has no notes; there it becomes the context."""
    if hasattr(error, "add_note"):
        error.add_note(note)
        return
    error.__notes__ = [*getattr(error, "__notes__", []), note]
    if error.__context__ is None:
        error.__context__ = RuntimeError(note)
