"""The pytest plugin for courses."""

import subprocess
import sys
from pathlib import Path

ASSIGNMENT = Path(__file__).parents[3] / "examples" / "assignments" / "004-greedy.toml"


def graded(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest in a folder."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider"]
    command += ["--papan", str(ASSIGNMENT), *files]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_a_named_module_is_graded(tmp_path: Path) -> None:
    solution = tmp_path / "solution.py"
    solution.write_text("def choose(position):\n    return position.legal_actions()[0]\n")
    run = graded(tmp_path, "solution.py")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "opens in the centre" in run.stdout and "points" in run.stdout


RAISES = """
import papan

class Mine(papan.Strategy):
    def choose(self, position):
        return self.best(position)

    def best(self, position):
        raise LookupError("no idea")
"""


def test_an_exception_is_shown_as_it_was_raised(tmp_path: Path) -> None:
    (tmp_path / "solution.py").write_text(RAISES)
    run = graded(tmp_path, "solution.py")
    assert run.returncode == 1, run.stdout + run.stderr
    raised = 'solution.py", line 9, in best\n    raise LookupError("no idea")\nLookupError: no idea\n'
    assert raised in run.stdout.replace("\r", ""), run.stdout
    assert "papan asked in the position" in run.stdout and "points)" in run.stdout


PERFECT = """
import dataclasses
import papan
from helper import first

@dataclasses.dataclass
class Settings:
    name: str = "perfect"

class Mine(papan.Strategy):
    settings = Settings()
    player = papan.Player(first(["perfect"]))
    def choose(self, position):
        return self.player.choose(position)
"""


def test_without_files_every_module_with_a_strategy_is_graded(tmp_path: Path) -> None:
    for name in ("ann", "bo"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "solution.py").write_text(PERFECT)
        (tmp_path / name / "helper.py").write_text("def first(words):\n    return words[0]\n")
    (tmp_path / "other.py").write_text("raise SystemExit('this is no submission')\n")
    run = graded(tmp_path)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    for name in ("ann", "bo"):
        assert f"{name}/solution.py::blocks when it must PASSED" in run.stdout, run.stdout
