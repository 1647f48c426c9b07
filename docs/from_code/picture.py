"""The layers of the package, drawn from its imports.

`LAYERS` is what the architecture promises, in pyproject.toml: imports lead down. One that leads up ends the
build. Drawn are the imports that no longer way implies; all of them are in the table.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mkdocs.exceptions import PluginError
from tables import code, table

PACKAGE = Path(__file__).parents[2] / "nonocsp"


def _layers() -> Iterator[tuple[str, ...]]:
    """Yield the layers that import-linter holds the code to, from the top; and the compiled core."""
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["importlinter"]
    [contract] = [found for found in settings["contracts"] if found["type"] == "layers"]
    for layer in contract["layers"]:
        yield tuple(layer.split(" | "))
        if layer == "engine":
            yield ("_core",)


LAYERS = tuple(_layers())
WIDTH, HEIGHT, GAP, STEP = 112, 34, 20, 64
STYLE = (
    ".box{fill:var(--md-code-bg-color);stroke:currentColor}"
    ".way{stroke:currentColor;stroke-opacity:.45;fill:none;marker-end:url(#tip)}"
    ".name{fill:currentColor;font:14px monospace;text-anchor:middle}"
)


def drawing() -> str:
    """Return the picture as inline SVG, which takes the colours of the page."""
    widest = _widest()
    places = dict(_places())
    ways = [_way(places[a], places[b]) for a, b in sorted(_ways())]
    boxes = [_box(name, *place) for name, place in places.items()]
    height = len(LAYERS) * STEP
    return "".join(
        [
            "<figure>",
            f'<svg viewBox="0 0 {widest} {height}" role="img" aria-labelledby="layers-title" width="100%">',
            "<title id='layers-title'>Layers of nonocsp: what imports what</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor" fill-opacity=".45"/></marker></defs>',
            *ways,
            *boxes,
            "</svg></figure>\n",
        ]
    )


def _widest() -> int:
    return max(map(len, LAYERS)) * (WIDTH + GAP)


def imports_table() -> str:
    """Return what each part imports of the others."""
    return table(
        ("part", "imports"),
        ((code(name), " ".join(map(code, sorted(imports()[name])))) for layer in LAYERS for name in layer),
    )


@cache
def imports() -> dict[str, set[str]]:
    """Return the parts that each part imports, anywhere in its modules."""
    found: dict[str, set[str]] = {name: set() for layer in LAYERS for name in layer}
    depth = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    for path in sorted(PACKAGE.rglob("*.py")):
        part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        if part not in found:
            raise PluginError(f"nonocsp.{part} has no place among the layers of {Path(__file__).name}")
        for other in set(_imported(path)) & set(found) - {part}:
            if depth[other] < depth[part]:
                raise PluginError(f"{path} imports {other}, which is above {part}")
            found[part].add(other)
    return found


def _imported(path: Path) -> Iterator[str]:
    """Yield the parts of nonocsp that a module imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "nonocsp":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nonocsp."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("nonocsp."))


def _ways() -> Iterator[tuple[str, str]]:
    """Yield the imports that are to be drawn: down, and not implied by others."""
    depth = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    down = {a: {b for b in found if depth[b] > depth[a]} for a, found in imports().items()}
    reach = {a: set(found) for a, found in down.items()}
    for a in sorted(down, key=lambda name: -depth[name]):
        for b in down[a]:
            reach[a] |= reach[b]
    for a, found in down.items():
        yield from ((a, b) for b in found if not any(b in reach[c] for c in found - {b}))


def _places() -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the middle of each box."""
    for number, layer in enumerate(LAYERS):
        start = (_widest() - len(layer) * (WIDTH + GAP)) / 2
        for i, name in enumerate(layer):
            yield name, (start + (i + 0.5) * (WIDTH + GAP), (number + 0.5) * STEP)


def _way(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return a way from below a box to above another; one that passes layers bends around what lies there."""
    (x, y), (u, v) = (start[0], start[1] + HEIGHT / 2), (end[0], end[1] - HEIGHT / 2)
    passed = (v - y - (STEP - HEIGHT)) / STEP
    outside = -1 if min(x, u) < _widest() / 2 else 1
    bend = outside * max(0, min(passed, 4) * WIDTH / 2 - abs(u - x))
    rise = STEP / 2 * (1 + passed)
    curve = f"{x + bend:g} {y + rise:g} {u + bend:g} {v - rise:g} {u:g} {v:g}"
    return f'<path class="way" d="M{x:g} {y:g}C{curve}"/>'


def _box(name: str, x: float, y: float) -> str:
    found = ", ".join(sorted(imports()[name])) or "nothing of the project"
    left, top = x - WIDTH / 2, y - HEIGHT / 2
    return (
        f'<g><title>{name} imports {found}</title><rect class="box" x="{left:g}" y="{top:g}" width="{WIDTH}" '
        f'height="{HEIGHT}" rx="5"/><text class="name" x="{x:g}" y="{y + 5:g}">{name}</text></g>'
    )
