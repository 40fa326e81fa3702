"""Executes the notebooks of the five documents, and their exercises with right and wrong answers."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from papan.course import SOLVED

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOKS = sorted((Path(__file__).parents[3] / "notebooks").glob("*/*.ipynb"))

WORDS = {"en": ("exercise", "open", "not yet"), "id": ("latihan", "belum dijawab", "belum tepat")}
"""The function that checks an answer, and how its results begin."""


def answered(cell: Any, answer: str) -> Any:
    """An exercise with an answer in place of `...`."""
    name = cell.source.split(" = ...")[0]
    other = copy.deepcopy(cell)
    other.source = cell.source.replace(f"{name} = ...", answer, 1)
    assert other.source != cell.source
    return other


def solved(cell: Any) -> Any:
    """An exercise with its solution, which ends with the same check."""
    other = copy.deepcopy(cell)
    other.source = cell.metadata["solution"]
    assert other.source.endswith(cell.source.split(" = ...\n")[1])
    return other


def test_there_are_notebooks_in_both_languages() -> None:
    assert len(NOTEBOOKS) == 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_notebooks_run_and_their_exercises_check_themselves(path: Path) -> None:
    check, is_open, is_wrong = WORDS[path.parent.name]
    notebook = nbformat.read(path, as_version=4)
    cells: list[Any] = []
    expected: list[tuple[int, str]] = []
    for cell in notebook.cells:
        if "solution" not in cell.metadata:
            cells.append(cell)
            continue
        assert f"\n{check}(" in cell.source and len(cell.metadata["wrong"]) >= 2
        tries = [(cell, is_open)]
        tries += [(answered(cell, answer), is_wrong) for answer in cell.metadata["wrong"]]
        tries += [(solved(cell), SOLVED)]
        for tried, result in tries:
            expected.append((len(cells), result))
            cells.append(tried)
    # It ends with an exercise.
    assert expected[-1] == (len(cells) - 1, SOLVED)
    notebook.cells = cells
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for at, result in expected:
        shown = cells[at].outputs[-1]["data"]["text/plain"].strip("'\"")
        assert shown.startswith(result), cells[at].source


@pytest.mark.parametrize("page", ["docs/python.md", "docs/id/python.md"])
def test_pages_link_every_notebook(page: str) -> None:
    text = (NOTEBOOKS[0].parents[2] / page).read_text("utf-8")
    linked = re.findall(r"/blob/main/(notebooks/[\w/-]+\.ipynb)\)", text)
    assert sorted(linked) == [path.relative_to(path.parents[2]).as_posix() for path in NOTEBOOKS]


FIRST = """import papan

class First(papan.Strategy):
    def choose(self, position):
        return position.legal_actions()[0]
"""

RECHECK = """try:
    print(papan.prove("tictactoe", First, seat="second", recheck="process").lines > 0)
except papan.ProofError as error:
    print(error)
"""


def test_a_class_of_a_notebook_is_rechecked_from_a_module(tmp_path: Path) -> None:
    sources = [FIRST, RECHECK, f"%%writefile mine.py\n{FIRST}", "from mine import First", RECHECK]
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources)
    client.execute()
    printed = ["".join(output.get("text", "") for output in cell.outputs) for cell in cells]
    assert "%%writefile mine.py" in printed[1] and printed[4] == "True\n", printed
