"""How people solve: techniques, walks, hints and efforts; and the methods that name the class of a puzzle.

The core tells what people find as JSON, as it does for pages (``cpp/grading/records.hpp`` says how);
`nonocsp.grading` puts it into words.
"""

from __future__ import annotations

import json
from typing import Any

from nonocsp.engine import _core
from nonocsp.engine._core import PuzzleClues, StopFlag, catalogue, methods, narrow_by
from nonocsp.engine.lines import Candidates
from nonocsp.model import FlatClues

__all__ = ["catalogue", "effort", "hint", "line_findings", "methods", "narrow_by", "walk"]

Record = dict[str, Any]


def walk(clues: PuzzleClues, cells: Candidates, *, asks: bool) -> Record:
    """Return the steps from a grid on, and the line that no placement fits in the end, or None."""
    return _read(_core.walk(clues, cells, asks, None, None))


def hint(clues: PuzzleClues, cells: Candidates, known: Candidates) -> Record:
    """Return the mistakes of a grid that is filled in part, or its next steps."""
    return _read(_core.hint(clues, cells, known, None, None))


def effort(
    clues: PuzzleClues, stop: StopFlag | None, wall: float | None, *, with_steps: bool = False
) -> tuple[Record, int | None, bool]:
    """Return what a puzzle asks of a person, the steps to the full grid, and whether that was interrupted."""
    record, steps, is_interrupted = _core.effort(clues, with_steps, stop, wall)
    return _read(record), steps, is_interrupted


def line_findings(technique: str, clue: FlatClues, cells: Candidates, colours: int) -> list[Record]:
    """Return what a technique finds in one line, which some placement must fit."""
    found: list[Record] = json.loads(_core.line_findings(technique, clue, cells, colours))
    return found


def _read(text: str) -> Record:
    record: Record = json.loads(text)
    return record
