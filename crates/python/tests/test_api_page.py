"""docs/python-api.md is made from the signatures and docstrings of the package.

`PAPAN_UPDATE=1 pytest tests/test_api_page.py` writes it anew.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import papan

PACKAGE = Path(__file__).parents[1] / "python" / "papan"
PAGE = Path(__file__).parents[3] / "docs" / "python-api.md"
ADAPTERS = ["observation", "openspiel", "pettingzoo", "gymnasium", "pytest_plugin", "course"]


def definitions(tree: ast.Module) -> dict[str, ast.AST]:
    """Public classes and functions of a module, by name."""
    kinds = (ast.ClassDef, ast.FunctionDef)
    return {node.name: node for node in tree.body if isinstance(node, kinds)}


def summary(node: ast.AST) -> str:
    """The first paragraph of a docstring, on one line."""
    assert isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Module))
    text = ast.get_docstring(node) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")


def signature(node: ast.FunctionDef) -> str:
    """The parameters without their types and without `self`."""
    arguments = node.args
    names = [argument.arg for argument in arguments.args if argument.arg not in ("self", "cls")]
    if arguments.kwonlyargs:
        names += ["*", *(argument.arg for argument in arguments.kwonlyargs)]
    return f"{node.name}({', '.join(names)})"


def is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)


def members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Public fields and methods of a class with their summaries."""
    for at, member in enumerate(node.body):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            after = node.body[at + 1] if at + 1 < len(node.body) else None
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            text = after.value.value if is_text else ""  # type: ignore[union-attr]
            if not member.target.id.startswith("_"):
                yield member.target.id, " ".join(str(text).split())
        elif isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
            name = member.name if is_property(member) else signature(member)
            yield name, summary(member)


def page() -> str:
    modules = [ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.glob("*.py"))]
    modules.append(ast.parse((PACKAGE / "_papan.pyi").read_text("utf-8")))
    known: dict[str, ast.AST] = {}
    for module in modules:
        for name, node in definitions(module).items():
            known.setdefault(name, node)
    lines = [
        "# Python API",
        "",
        "Made from the signatures and docstrings of the package. Examples are on [the page about Python](python.md).",
        "",
        "## Functions",
        "",
        "| `papan.` | |",
        "|---|---|",
    ]
    for name in papan.__all__:
        node = known[name]
        if isinstance(node, ast.FunctionDef):
            lines.append(f"| `{signature(node)}` | {summary(node)} |")
    for name in papan.__all__:
        node = known[name]
        if isinstance(node, ast.ClassDef):
            lines += ["", f"## {name}", "", summary(node), ""]
            rows = list(members(node))
            if rows:
                lines += ["| | |", "|---|---|"]
                lines += [f"| `{member}` | {text} |" for member, text in rows]
    lines += ["", "## Modules", "", "| | |", "|---|---|"]
    for name in ADAPTERS:
        module = ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))
        lines.append(f"| `papan.{name}` | {summary(module)} |")
    return "\n".join(lines) + "\n"


def test_the_page_has_every_public_name() -> None:
    made = page()
    if os.environ.get("PAPAN_UPDATE"):
        PAGE.write_text(made, "utf-8")
    assert PAGE.read_text("utf-8") == made, "PAPAN_UPDATE=1 pytest tests/test_api_page.py"
