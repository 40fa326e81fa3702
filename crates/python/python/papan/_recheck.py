"""Proves a Python strategy again in a second interpreter with another hash seed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from multiprocessing import spawn
from queue import Empty, SimpleQueue
from typing import IO, Any

from . import _progress
from ._papan import Game, prove
from .results import Proof, ProofError

_PROGRAM = """
import os, pickle, sys
# The answer has a channel of its own: what the strategy prints goes to standard error.
channel = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
sys.path[:] = pickle.load(sys.stdin.buffer)
from papan._recheck import _answer
_answer(sys.stdin.buffer, channel)
"""

_TICK = 0.02
"""Seconds between checks for Ctrl-C, which a wait without limit would not notice on Windows."""

_SHOWN = 4096
"""Bytes that are kept of its output, whose last line says why it failed."""

_MESSAGES = {
    "en": {
        "not-importable": "recheck='process' needs a strategy that another interpreter can import: define its class at the top level of a module or script",
        "interactive": "recheck='process' cannot import a class of a notebook or prompt: save it as a module, such as mine.py (in a notebook by %%writefile mine.py), and import it from there",
        "unguarded": "recheck='process' imports the script in a second interpreter: put its calls under `if __name__ == '__main__':`",
        "failed": "the proof failed in a second interpreter: {}",
        "differs": "the strategy is not a function of the position: it answers otherwise in another interpreter",
    },
    "id": {
        "not-importable": "recheck='process' perlu strategi yang dapat diimpor interpreter lain: definisikan kelasnya di tingkat teratas sebuah modul atau skrip",
        "interactive": "recheck='process' tidak dapat mengimpor kelas dari buku catatan atau prompt: simpan sebagai modul, misalnya mine.py (di buku catatan dengan %%writefile mine.py), lalu impor dari sana",
        "unguarded": "recheck='process' mengimpor skrip ini dalam interpreter kedua: letakkan panggilannya di bawah `if __name__ == '__main__':`",
        "failed": "pembuktian gagal dalam interpreter kedua: {}",
        "differs": "strategi ini bukan fungsi dari posisi: jawabannya lain dalam interpreter lain",
    },
}


_is_loading_main = False
"""Whether this is a second interpreter that imports the script of the first."""


class _Unguarded(BaseException):
    """A script that is imported starts a check itself, which would import it again."""


def recheck_in_process(
    game: Game, strategy: Any, seat: int, proof: Proof, lang: str, progress: bool | None
) -> None:
    """Raises `ProofError` if the strategy answers otherwise in a second interpreter.

    A strategy that depends on hashes, such as the order of a set of strings, differs there.
    """
    if _is_loading_main:
        raise _Unguarded
    messages = _MESSAGES[lang]
    try:
        question = pickle.dumps((game, strategy, seat, lang))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ProofError(messages["not-importable"], "not-importable") from error
    main = _main_script() if b"__main__" in question else {}
    if main is None:
        raise ProofError(messages["interactive"], "not-importable")
    question = pickle.dumps(sys.path) + pickle.dumps(main) + question
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    for attempt in (seed, str(int(seed) + 7)):
        answer, said = _ask(question, attempt, progress)
        if isinstance(answer, str):
            raise ProofError(messages[answer], "not-importable")
        if answer is None:
            last = said.decode(errors="replace").strip().rsplit("\n", 1)[-1]
            raise ProofError(messages["failed"].format(last), "other-interpreter")
        if answer != (proof.lines, proof.fingerprint):
            raise ProofError(messages["differs"], "other-interpreter")


def _main_script() -> dict[str, Any] | None:
    """Returns what `multiprocessing` tells a process about the main script; `None` without one."""
    told: dict[str, Any] = dict(spawn.get_preparation_data("papan"))
    keys = ("sys_argv", "init_main_from_name", "init_main_from_path")
    main = {key: told[key] for key in keys if key in told}
    return main if len(main) > 1 else None


def _ask(question: bytes, seed: str, progress: bool | None) -> tuple[Any, bytes]:
    """Returns the answer of another interpreter, or `None`, and the end of its output."""
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    reports: SimpleQueue[Any] = SimpleQueue()
    said = bytearray()
    # A full pipe would block the other interpreter. These threads end with its pipes, which programs
    # that a strategy started may keep open.
    printing = threading.Thread(target=_drain, args=(process.stderr, said), daemon=True)
    printing.start()
    talking = threading.Thread(target=_talk, args=(process, question, reports), daemon=True)
    talking.start()
    bar: _progress.Bar | None = None
    try:
        while True:
            try:
                kind, content = reports.get(timeout=_TICK)
            except Empty:
                continue
            if kind != "progress":
                break
            bar = bar or _progress.bar(progress)
            if bar is None:
                progress = False
            else:
                bar.report(*content)
        if content is None:
            process.wait()
            printing.join(timeout=1)
        return content, bytes(said)
    finally:
        process.kill()
        process.wait()
        if bar is not None:
            bar.close()


def _talk(process: subprocess.Popen[bytes], question: bytes, reports: SimpleQueue[Any]) -> None:
    """Sends the question; passes reports on, the last of which has the answer or `None`."""
    assert process.stdin is not None and process.stdout is not None
    try:
        with process.stdin:
            process.stdin.write(question)
        with process.stdout:
            while True:
                report = pickle.load(process.stdout)
                reports.put(report)
                if report[0] == "answer":
                    return
    except (OSError, EOFError, pickle.UnpicklingError):
        reports.put(("answer", None))


def _drain(pipe: IO[bytes], said: bytearray) -> None:
    """Reads everything and keeps the end."""
    with pipe:
        while chunk := pipe.read1(_SHOWN):  # type: ignore[attr-defined]
            said += chunk
            del said[:-_SHOWN]


class _Reporter:
    """A progress bar that sends its reports to the first interpreter."""

    def __init__(self, channel: IO[bytes]) -> None:
        self._channel = channel

    def report(self, depth: int, done: int, total: int, nodes: int) -> None:
        _send(self._channel, "progress", (depth, done, total, nodes))

    def close(self) -> None:
        pass


def _send(channel: IO[bytes], kind: str, content: object) -> None:
    pickle.dump((kind, content), channel)
    channel.flush()


def _answer(questions: IO[bytes], channel: IO[bytes]) -> None:
    """Proves in the second interpreter, and sends the count and the fingerprint of the answers."""
    try:
        game, strategy, seat, lang = _question(questions)
    except _Unguarded:
        _send(channel, "answer", "unguarded")
        return
    except (AttributeError, ImportError):
        _send(channel, "answer", "not-importable")
        return
    _progress.bar = lambda wanted: _Reporter(channel)  # type: ignore[assignment,return-value]
    text, certificate, fingerprint, why = prove(game, strategy, seat, lang=lang, progress=True)
    proof = Proof._of_json(text, certificate, fingerprint, why)
    _send(channel, "answer", (proof.lines, proof.fingerprint))


def _question(questions: IO[bytes]) -> tuple[Game, Any, int, str]:
    """Imports the main script and reads what is asked."""
    global _is_loading_main
    _is_loading_main = True
    # The script becomes the module `__mp_main__`, as in processes of `multiprocessing`.
    spawn.prepare(pickle.load(questions))
    _is_loading_main = False
    question: tuple[Game, Any, int, str] = pickle.load(questions)
    return question
