"""Draw the layers of the package and the shelves of its core from the imports and includes of the sources.

pyproject.toml declares their order: import-linter's contract for the layers, tool.nonocsp for the shelves. An
import of a higher part ends the build. The pictures leave out imports that other arrows imply; the tables
have all.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from tables import code, table

PACKAGE = Path(__file__).parents[2] / "nonocsp"
WIDTH, HEIGHT, GAP, STEP = 112, 34, 20, 64
STYLE = (
    ".box{fill:var(--md-code-bg-color);stroke:currentColor}"
    ".way{stroke:currentColor;stroke-opacity:.45;fill:none;marker-end:url(#tip)}"
    ".name{fill:currentColor;font:14px monospace;text-anchor:middle}"
)


@dataclass(frozen=True)
class Order:
    """Parts in layers, the highest first, and the parts that each part imports."""

    title: str
    layers: tuple[tuple[str, ...], ...]
    imports: dict[str, set[str]]

    def drawing(self) -> str:
        """Return the picture as inline SVG in the colours of the page."""
        places = dict(self._places())
        ways = [self._way(places[a], places[b]) for a, b in sorted(self._ways())]
        boxes = [self._box(name, *place) for name, place in places.items()]
        height, name = len(self.layers) * STEP, self.title.split()[0].lower()
        return "".join(
            [
                "<figure>",
                f'<svg viewBox="0 0 {self._widest} {height}" role="img" aria-labelledby="{name}-title" '
                f"width=\"100%\"><title id='{name}-title'>{self.title}</title><style>{STYLE}</style>",
                '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                'orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor" fill-opacity=".45"/></marker>',
                "</defs>",
                *ways,
                *boxes,
                "</svg></figure>\n",
            ]
        )

    def imports_table(self) -> str:
        """Return a table of the parts that each part imports."""
        names = (name for layer in self.layers for name in layer)
        return table(
            ("part", "imports"), ((code(a), " ".join(map(code, sorted(self.imports[a])))) for a in names)
        )

    @cached_property
    def depth(self) -> dict[str, int]:
        """The number of each part's layer, from the top."""
        return {name: number for number, layer in enumerate(self.layers) for name in layer}

    @cached_property
    def _widest(self) -> int:
        return max(map(len, self.layers)) * (WIDTH + GAP)

    def _ways(self) -> Iterator[tuple[str, str]]:
        """Yield the imports to draw: those that no other imports imply."""
        depth = self.depth
        down = {a: {b for b in found if depth[b] > depth[a]} for a, found in self.imports.items()}
        reach = {a: set(found) for a, found in down.items()}
        for a in sorted(down, key=lambda name: -depth[name]):
            for b in down[a]:
                reach[a] |= reach[b]
        for a, found in down.items():
            yield from ((a, b) for b in found if not any(b in reach[c] for c in found - {b}))

    def _places(self) -> Iterator[tuple[str, tuple[float, float]]]:
        """Yield the middle of each box."""
        for number, layer in enumerate(self.layers):
            start = (self._widest - len(layer) * (WIDTH + GAP)) / 2
            for i, name in enumerate(layer):
                yield name, (start + (i + 0.5) * (WIDTH + GAP), (number + 0.5) * STEP)

    def _way(self, start: tuple[float, float], end: tuple[float, float]) -> str:
        """Return a curve from below a box to above another, bent around the boxes of layers between them."""
        (x, y), (u, v) = (start[0], start[1] + HEIGHT / 2), (end[0], end[1] - HEIGHT / 2)
        passed = (v - y - (STEP - HEIGHT)) / STEP
        outside = -1 if min(x, u) < self._widest / 2 else 1
        bend = outside * max(0, min(passed, 4) * WIDTH / 2 - abs(u - x))
        rise = STEP / 2 * (1 + passed)
        curve = f"{x + bend:g} {y + rise:g} {u + bend:g} {v - rise:g} {u:g} {v:g}"
        return f'<path class="way" d="M{x:g} {y:g}C{curve}"/>'

    def _box(self, name: str, x: float, y: float) -> str:
        found = ", ".join(sorted(self.imports[name])) or "nothing of the project"
        left, top = x - WIDTH / 2, y - HEIGHT / 2
        return (
            f'<g><title>{name} imports {found}</title><rect class="box" x="{left:g}" y="{top:g}" '
            f'width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
            f'<text class="name" x="{x:g}" y="{y + 5:g}">{name}</text></g>'
        )


@cache
def package() -> Order:
    """Return the layers of the package."""
    [contract] = [found for found in _settings()["importlinter"]["contracts"] if found["id"] == "layers"]
    layers = [tuple(layer.split(" | ")) for layer in contract["layers"]]
    return _order("Layers of nonocsp: what imports what", layers, PACKAGE, "*.py", _imported)


@cache
def shelves() -> Order:
    """Return the shelves of the core."""
    layers = [tuple(layer.split(" | ")) for layer in _settings()["nonocsp"]["shelves"]]
    return _order("Shelves of the core: what includes what", layers, PACKAGE / "cpp", "*.[ch]pp", _included)


def _settings() -> dict[str, Any]:
    settings: dict[str, Any] = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]
    return settings


def _order(
    title: str,
    layers: list[tuple[str, ...]],
    folder: Path,
    pattern: str,
    imported: Callable[[Path], Iterator[str]],
) -> Order:
    """Return the layers with what the files of a folder import, and check the order.

    Raises
    ------
    PluginError
        A part has no layer, or a file imports a part of a higher layer.
    """
    imports: dict[str, set[str]] = {name: set() for layer in layers for name in layer}
    order = Order(title, tuple(layers), imports)
    for path in sorted(folder.rglob(pattern)):
        part = path.relative_to(folder).parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        if part not in imports:
            raise PluginError(f"{path}: pyproject.toml gives {part} no layer")
        for other in set(imported(path)) & set(imports) - {part}:
            if order.depth[other] < order.depth[part]:
                raise PluginError(f"{path} imports {other}, which is above {part}")
            imports[part].add(other)
    return order


def _imported(path: Path) -> Iterator[str]:
    """Yield the parts of nonocsp that a module imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "nonocsp":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nonocsp."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("nonocsp."))


def _included(path: Path) -> Iterator[str]:
    """Yield the shelves that a file of the core includes."""
    yield from re.findall(r'^#include "(\w+)/', path.read_text(), flags=re.MULTILINE)
