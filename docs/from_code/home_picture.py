"""Draw the picture on the first page of the manual: a puzzle as printed, half solved and solved.

    python docs/from_code/home_picture.py

writes ``docs/puzzle-light.svg`` and ``docs/puzzle-dark.svg``. A test compares both with what this makes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import nonocsp
from nonocsp.render.drawing import FAINT, INK, UNDECIDED, Drawing, draw
from nonocsp.render.svg import document

DOCS = Path(__file__).parents[1]
PUZZLE = DOCS.parent / "datasets" / "showcase" / "puzzles" / "04-rocket.json"
WHITE = "#ffffff"
GROUND = {WHITE: "#0d1117", UNDECIDED: "#21262d"}
LINES = {INK: "#e6edf3", FAINT: "#484f58"}
"""Colours of the dark picture, for boxes and for strokes and labels."""


def pictures() -> dict[Path, str]:
    """Return the SVG documents by the files that hold them."""
    light = _stages()
    dark = replace(
        light,
        boxes=tuple(replace(box, fill=GROUND.get(box.fill, box.fill)) for box in light.boxes),
        strokes=tuple(replace(stroke, colour=LINES[stroke.colour]) for stroke in light.strokes),
        labels=tuple(replace(label, fill=LINES.get(label.fill, label.fill)) for label in light.labels),
    )
    ground = 'height="100%" fill="{}"'
    return {
        DOCS / "puzzle-light.svg": document(light),
        DOCS / "puzzle-dark.svg": document(dark).replace(ground.format(WHITE), ground.format(GROUND[WHITE])),
    }


def _stages() -> Drawing:
    """Return the puzzle three times in a row: empty, half solved, solved."""
    puzzle = nonocsp.load(PUZZLE)
    grids = list(nonocsp.explain(puzzle).grids())
    half = next(grid for grid in grids if 2 * grid.unknown_cells < len(puzzle.rows) * len(puzzle.columns))
    stages = [draw(puzzle, grid) for grid in (None, half, grids[-1])]
    placed = [stage.placed(i * stage.width, 0, 1) for i, stage in enumerate(stages)]
    return Drawing(
        len(stages) * stages[0].width,
        stages[0].height,
        "A nonogram: the clues, half solved, and solved",
        *(
            tuple(shape for stage in placed for shape in getattr(stage, kind))
            for kind in ("boxes", "strokes", "labels")
        ),
    )


if __name__ == "__main__":
    for path, text in pictures().items():
        path.write_text(text, encoding="utf-8")
