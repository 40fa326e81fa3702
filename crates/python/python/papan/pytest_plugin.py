"""A pytest plugin: `pytest --papan assignment.toml solution.py` makes each test of an assignment a test.

The submitted module has a class derived from `papan.Strategy`, or a function `choose(position)`. Without
files on the command line, every module below with such a class is graded.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import Strategy
from .grading import TestResult, grade


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    group = parser.getgroup("papan")
    group.addoption("--papan", metavar="FILE", help="grade the given modules by this assignment")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects the modules that are named on the command line, and those that have a strategy."""
    assignment = parent.config.getoption("--papan")
    if assignment is None or file_path.suffix != ".py":
        return None
    named = {Path(str(arg).split("::")[0]).resolve() for arg in parent.config.args}
    if file_path.resolve() not in named and not defines_strategy(file_path):
        return None
    module: Any = Submission.from_parent(parent, path=file_path)
    module.assignment = assignment
    return module  # type: ignore[no-any-return]


class Submission(pytest.File):
    """A module with a strategy."""

    assignment: str

    def collect(self) -> Iterator[pytest.Item]:
        """Grades the strategy; each test of the assignment becomes an item."""
        strategy = strategy_of(self.path)
        [graded] = grade(self.assignment, {self.path.name: strategy})
        for test in graded.tests:
            item: Any = GradedTest.from_parent(self, name=test.name)
            item.result = test
            yield item


class GradedTest(pytest.Item):
    """A test of the assignment."""

    result: TestResult

    def runtest(self) -> None:
        """Fails if the strategy did not pass."""
        if not self.result.passed:
            text = f"{self.result.text} (0 of {self.result.points:g} points)"
            raise AssertionError(text) from self.result.error

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """Returns the exception that the strategy raised, and the sentence about the test."""
        error = excinfo.value.__cause__
        raised = [] if error is None else traceback.format_exception(type(error), error, error.__traceback__)
        return "".join([*raised, str(excinfo.value)])


def defines_strategy(path: Path) -> bool:
    """Returns whether a module has a class with a base `Strategy`. It is not imported."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return False
    bases = [base for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases]
    names = (getattr(base, "attr", getattr(base, "id", None)) for base in bases)
    return "Strategy" in names


def strategy_of(path: Path) -> Any:
    """Imports a module and returns its strategy."""
    # Two submissions may have the same file name, and one may be called like a module of Python.
    name = f"papan_submission_{abs(hash(path.resolve()))}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    module = importlib.util.module_from_spec(spec)
    # Data classes look their module up, and modules beside it are imported from its folder.
    sys.modules[name] = module
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec.loader.exec_module(module)
    classes = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Strategy) and value.__module__ == name
    ]
    if classes:
        return classes[-1]
    choose = getattr(module, "choose", None)
    if choose is None:
        raise ImportError(f"{path} has neither a class of papan.Strategy nor a function choose")
    return choose
