"""The files of the package."""

from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["LICENSE-APACHE", "LICENSE-MIT"])
def test_the_licences_are_those_of_the_repository(name: str) -> None:
    # A package may have no file from outside of its folder.
    assert (PACKAGE / name).read_bytes() == (PACKAGE.parents[1] / name).read_bytes()


def test_a_build_from_the_source_has_the_processor_of_the_workspace() -> None:
    def flags(path: Path) -> str:
        [line] = [line for line in path.read_text("utf-8").splitlines() if "x86-64-v3" in line and "rustflags" in line]
        return line.split("-C ")[1].split()[0].strip("\"']")

    config = PACKAGE.parents[1] / ".cargo" / "config.toml"
    assert flags(PACKAGE / "pyproject.toml") == flags(config) == "target-cpu=x86-64-v3"
