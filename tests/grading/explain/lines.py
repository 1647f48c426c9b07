"""Techniques over single lines."""

from typing import NamedTuple

import numpy as np

from nonocsp.engine import Candidates, grading
from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.texts import Words
from nonocsp.model import BLACK_AND_WHITE, Clue, FlatClues, Palette
from nonocsp.model import Line as LineName

LINE_TECHNIQUES = [one for one in Technique if one not in (Technique.COLOURS, Technique.PROBE)]


class Line(NamedTuple):
    """A clue and the candidate sets of its cells."""

    clue: Clue
    cells: tuple[int, ...]
    palette: Palette = BLACK_AND_WHITE


class Finding(NamedTuple):
    """The cells that a technique narrows, the reason, and the blocks that the reason names."""

    cells: dict[int, int]
    why: str
    blocks: tuple[int, ...]


def findings(technique: Technique, line: Line) -> list[Finding]:
    words, length = Words(line.palette), len(line.cells)
    cells = np.array([line.cells], np.uint64)
    found = grading.line_findings(technique, FlatClues.of([line.clue]), cells, len(line.palette))
    return [
        Finding(dict(one["cells"]), words.reason(one["reason"], line.clue, length), tuple(one["blocks"]))
        for one in found
    ]


def line_cells(candidates: Candidates, line: LineName) -> Candidates:
    cells: Candidates = candidates[line.position] if line.axis == "row" else candidates[:, line.position]
    return cells
