"""List the layers of the package and the shelves of its core, from the imports and includes of the sources.

pyproject.toml declares their order: import-linter's contract for the layers, tool.nonocsp for the shelves.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markup import table

PACKAGE = Path(__file__).parents[2] / "nonocsp"


def package_table() -> str:
    """Return the parts of the package, the highest layer first: what each holds and imports."""
    [contract] = [found for found in _settings()["importlinter"]["contracts"] if found["id"] == "layers"]
    rows = []
    for layer in contract["layers"]:
        for name in layer.split(" | "):
            path = PACKAGE / name if (PACKAGE / name).is_dir() else PACKAGE / f"{name}.py"
            files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
            imported = {part for file in files for part in _imported(file)} - {name}
            first = files[0].parent / "__init__.py" if path.is_dir() else path
            summary = ast.get_docstring(ast.parse(first.read_text(encoding="utf-8"))) or ""
            shown = f"`{path.name}/`" if path.is_dir() else f"`{path.name}`"
            rows.append((shown, " ".join(summary.partition("\n\n")[0].split()), " ".join(sorted(imported))))
    return table(("part", "what it is", "imports"), rows)


def shelves_table() -> str:
    """Return the shelves of the core, the highest first, and what each includes."""
    rows = []
    for layer in _settings()["nonocsp"]["shelves"]:
        for name in layer.split(" | "):
            files = (PACKAGE / "cpp" / name).glob("*.?pp")
            included = {shelf for file in files for shelf in _included(file)} - {name}
            rows.append((f"`{name}/`", " ".join(sorted(included)) or "nothing"))
    return table(("shelf", "includes"), rows)


def _settings() -> dict[str, Any]:
    settings: dict[str, Any] = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]
    return settings


def _imported(path: Path) -> Iterator[str]:
    """Yield the parts of nonocsp that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "nonocsp":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nonocsp."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("nonocsp."))


def _included(path: Path) -> Iterator[str]:
    """Yield the shelves that a file of the core includes."""
    yield from re.findall(r'^#include "(\w+)/', path.read_text(), flags=re.MULTILINE)
