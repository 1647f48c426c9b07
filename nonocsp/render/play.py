"""Make the page on which people play puzzles: one file that contains the clues, and no solution.

The page is `web/src/player`, built. It recognises a solution by the clues alone. An explanation is added only
on request: its steps give the solution away, and let the page offer hints.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from nonocsp.formats.codecs.data.json_files import encode
from nonocsp.model import Puzzle, UsageError
from nonocsp.pages import filled

MOST_LINES = 100
"""Rows, and columns, of a puzzle; as `MOST_PLAYED` of ``web/src/player/puzzle.ts``."""
MOST_PUZZLES = 1000
"""Of a page."""
_CELL_PIXELS, _AROUND_PIXELS, _MOST_PIXELS = 34, 300, 820
"""Of the frame in a notebook: of a cell, of what stands around the grid, and the height at most."""
_UNPACK = (
    "new Response(new Blob([Uint8Array.from(atob({data!r}),c=>c.charCodeAt(0))]).stream()"
    ".pipeThrough(new DecompressionStream('gzip'))).text()"
    ".then(t=>{{document.open();document.write(t);document.close()}})"
)


@dataclass(frozen=True, slots=True)
class Playable:
    """A puzzle of the page."""

    puzzle: Puzzle
    """Its clues, colours and texts; its goal stays out of the page."""
    level: str = ""
    """As people say it, such as ``easy``; empty if unknown."""
    steps: Sequence[dict[str, Any]] | None = None
    """The records of an explanation (`Step.record`), which give the solution away; None for no hints."""


def play_page(playables: Sequence[Playable], *, title: str = "", language: str = "") -> str:
    """Return the page: of one puzzle, or a list of several. It shows their titles once they are solved."""
    if not 1 <= len(playables) <= MOST_PUZZLES:
        advice = "choose some with --index or --sample" if playables else "name a file that has some"
        raise UsageError(f"a page has 1 to {MOST_PUZZLES} puzzles, not {len(playables)}; {advice}")
    for place, one in enumerate(playables, start=1):
        rows, columns = one.puzzle.shape
        if max(rows, columns) > MOST_LINES:
            name = one.puzzle.title or f"puzzle {place}"
            raise UsageError(
                f"{name} is {rows}x{columns}; a page shows at most {MOST_LINES}x{MOST_LINES}, "
                "nonocsp print makes sheets of larger puzzles"
            )
    data: dict[str, Any] = {"language": language} if language else {}
    data["puzzles"] = [_entry(one) for one in playables]
    return filled("player", data, title=title or "Nonogram")


def play_frame(puzzle: Puzzle) -> str:
    """Return an element that shows the page, packed to half its size, with scripts that reach nothing."""
    rows, columns = puzzle.shape
    packed = base64.b64encode(gzip.compress(play_page([Playable(puzzle)]).encode(), 9, mtime=0)).decode()
    depth = max(map(len, puzzle.columns))
    height = min(_AROUND_PIXELS + _CELL_PIXELS * (rows + depth // 2), _MOST_PIXELS)
    source = escape(f"<script>{_UNPACK.format(data=packed)}</script>")
    style = f"width: 100%; height: {height}px; border: 0"
    title = escape(f"{rows}x{columns} puzzle to play")
    return f'<iframe title="{title}" sandbox="allow-scripts" style="{style}" srcdoc="{source}"></iframe>'


def _entry(one: Playable) -> dict[str, Any]:
    entry: dict[str, Any] = {"puzzle": encode(one.puzzle, with_goal=False)}
    if one.level:
        entry["level"] = one.level
    if one.steps is not None:
        entry["steps"] = [_step(step) for step in one.steps]
    return entry


def _step(record: dict[str, Any]) -> dict[str, Any]:
    """Return a step without what the page does not show, and its cells as lists, a third as long."""
    cells = [[cell["row"], cell["column"], cell["candidates"]] for cell in record["cells"]]
    line = {"line": record["line"]} if "line" in record else {}
    return line | {"cells": cells, "text": record["text"]}
