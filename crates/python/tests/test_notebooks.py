"""Executes the notebooks of the five documents, as they are and with their exercises solved."""

from pathlib import Path

import pytest
from papan.course import SOLVED

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

NOTEBOOKS = sorted((Path(__file__).parents[3] / "notebooks").glob("*/*.ipynb"))


def executed(path: Path, solve: bool) -> list[str]:
    """Runs a notebook; returns the results of its exercises."""
    notebook = nbformat.read(path, as_version=4)
    exercises = [cell for cell in notebook.cells if "solution" in cell.metadata]
    if solve:
        for cell in exercises:
            cell.source = cell.metadata["solution"]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [cell.outputs[-1]["data"]["text/plain"].strip("'") for cell in exercises]


def test_there_are_notebooks_in_both_languages() -> None:
    assert len(NOTEBOOKS) == 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_notebooks_run_and_their_exercises_check_themselves(path: Path) -> None:
    assert set(executed(path, solve=True)) == {SOLVED}
    assert ("latihan(" in path.read_text("utf-8")) == (path.parent.name == "id")
    # Starting a kernel takes longer than the notebook, and both languages have the same code.
    if path.parent.name == "en":
        assert set(executed(path, solve=False)) == {"open"}
