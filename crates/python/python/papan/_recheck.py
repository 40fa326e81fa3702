"""Proves a Python strategy again in a second interpreter with another hash seed."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import Any

from ._papan import Game
from .results import Proof, ProofError

_PROGRAM = """
import os, pickle, sys
# The answer has a channel of its own: what the strategy prints goes to standard error.
answer = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
sys.path[:] = pickle.load(sys.stdin.buffer)
game, strategy, seat = pickle.load(sys.stdin.buffer)
import papan
proof = papan.prove(game, strategy, seat=seat, progress=False)
pickle.dump((proof.lines, proof.fingerprint), answer)
answer.close()
"""


def recheck_in_process(game: Game, strategy: Any, seat: Any, proof: Proof) -> None:
    """Raises `ProofError` if the strategy answers otherwise in a second interpreter.

    A strategy that depends on hashes, such as the order of a set of strings, differs there.
    """
    try:
        question = pickle.dumps((game, strategy, seat))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ProofError(
            "recheck='process' needs a strategy that can be pickled: define its class in a module",
            "not-importable",
        ) from error
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    for attempt in (seed, str(int(seed) + 7)):
        answer = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=pickle.dumps(sys.path) + question,
            env={**os.environ, "PYTHONHASHSEED": attempt},
            capture_output=True,
            check=False,
        )
        if answer.returncode != 0:
            raise ProofError(
                "the proof failed in a second interpreter: "
                + answer.stderr.decode(errors="replace").strip().rsplit("\n", 1)[-1],
                "other-interpreter",
            )
        if pickle.loads(answer.stdout) != (proof.lines, proof.fingerprint):
            raise ProofError(
                "the strategy is not a function of the position: it answers otherwise in another interpreter",
                "other-interpreter",
            )
