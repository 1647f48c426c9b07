"""An explanation as an animated picture: GIF through pillow, and SVG that moves by CSS alone.

A GIF has at most `MAX_FRAMES` frames of at most `MAX_SIDE` pixels; in a longer explanation a frame shows
several steps. The SVG holds every step once, runs once, and shows the end where animation is off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

from nonocsp.grading.explain.explanation import Explanation
from nonocsp.grading.explain.steps import Change, Step
from nonocsp.model import UNKNOWN_CHAR, Grid, Palette, Puzzle
from nonocsp.render.drawing import FAINT, INK, UNDECIDED, Box, Drawing, DrawingLayout, Label, Stroke, draw
from nonocsp.render.svg import box_element, label_element, opening, stroke_element

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 300
MAX_SIDE = 1000
LINE_COLOUR, CELL_COLOUR = "#e8590c", "#1c7ed6"
"""Of the frames around the line of a step and around the cells that it changes."""
_LINGER = 4
"""Time that the end is shown, in steps."""
_CAPTION = 14
"""The size of a caption's letters."""


def to_gif(explanation: Explanation, *, pace: float = 1.0) -> bytes:
    """Return an animated GIF that repeats."""
    from PIL.Image import Dither

    from nonocsp.render.png import painted

    every = -(-max(1, len(explanation.steps)) // MAX_FRAMES)
    colours = _palette_image(explanation.puzzle.palette)
    images = (
        painted(frame, min(1.0, MAX_SIDE / max(frame.width, frame.height))).quantize(
            palette=colours, dither=Dither.NONE
        )
        for frame in frames(explanation, every)
    )
    shown = 1 + len(explanation.steps) // every
    milliseconds = [round(1000 * pace)] * shown + [round(1000 * pace * _LINGER)]
    file = BytesIO()
    next(images).save(file, "GIF", save_all=True, append_images=images, duration=milliseconds, loop=0)
    return file.getvalue()


def _palette_image(palette: Palette) -> Image:
    """Return an image with the colours of all frames: the puzzle's, the drawing's, and greys for letters."""
    from PIL import Image
    from PIL.ImageColor import getrgb

    drawn = [INK, FAINT, UNDECIDED, LINE_COLOUR, CELL_COLOUR]
    names = [*(colour.rgb for colour in palette.colours), *drawn]
    greys = [(level, level, level) for level in range(0, 256, 17)]
    image = Image.new("P", (1, 1))
    image.putpalette([part for rgb in (*map(getrgb, names), *greys) for part in rgb[:3]])
    return image


def to_animated_svg(explanation: Explanation, *, pace: float = 1.0) -> str:
    """Return an SVG document that shows one step after the other."""
    puzzle, total = explanation.puzzle, len(explanation.steps)
    picture = sheet(puzzle, explanation.start)
    cells, marks = list[str](), list[str]()
    for step in explanation.steps:
        moment = f'style="--t:{step.number}">'
        cells += [f'<g class="cell" {moment}', *map(box_element, _cell_boxes(puzzle, step.changes)), "</g>"]
        marks += [f'<g class="mark" {moment}', *map(stroke_element, _marks(puzzle, step))]
        marks += [_caption(_caption_label(picture, _caption_of(step, total))), "</g>"]
    marks.append(f'<g class="end" style="--t:{total + 1}">')
    marks += [_caption(_caption_label(picture, explanation.summary)), "</g>"]
    return "\n".join(
        [
            *opening(picture),
            # From its moment on a cell is shown; a mark is shown for its moment.
            f"""<style>
.cell, .end {{ animation: appear 0s calc(var(--t) * {pace:g}s) backwards }}
.mark {{ visibility: hidden; animation: flash {pace:g}s calc(var(--t) * {pace:g}s) }}
@keyframes appear {{ from {{ visibility: hidden }} }}
@keyframes flash {{ from, to {{ visibility: visible }} }}
@media (prefers-reduced-motion: reduce) {{ .cell, .end, .mark {{ animation: none }} }}
</style>""",
            '<g shape-rendering="crispEdges">',
            *map(box_element, picture.boxes),
            *cells,
            *map(stroke_element, picture.strokes),
            "</g>",
            '<g text-anchor="middle" dominant-baseline="central">',
            *map(label_element, picture.labels),
            "</g>",
            *marks,
            "</svg>",
            "",
        ]
    )


def _caption(label: Label) -> str:
    return f'<g text-anchor="middle" dominant-baseline="central">{label_element(label)}</g>'


def frames(explanation: Explanation, every: int = 1) -> Iterator[Drawing]:
    """Yield the start, pictures of the steps, and the end."""
    puzzle, total = explanation.puzzle, len(explanation.steps)
    grids = explanation.grids()
    yield sheet(puzzle, next(grids), f"{total} steps")
    for step, grid in zip(explanation.steps, grids, strict=True):
        if step.number % every == 0:
            picture = sheet(puzzle, grid, _caption_of(step, total))
            yield replace(picture, strokes=(*picture.strokes, *_marks(puzzle, step)))
    yield sheet(puzzle, explanation.end, explanation.summary)


def sheet(puzzle: Puzzle, grid: Grid, caption: str = "") -> Drawing:
    """Return the picture of a puzzle with room for a caption below; open cells are grey, without a mark."""
    picture = draw(puzzle, grid)
    labels = tuple(label for label in picture.labels if label.text != UNKNOWN_CHAR)
    height = picture.height + 2 * _CAPTION
    framed = replace(picture, labels=labels, height=height, width=max(picture.width, 20 * _CAPTION))
    return replace(framed, labels=(*labels, _caption_label(framed, caption))) if caption else framed


def _caption_label(picture: Drawing, caption: str) -> Label:
    """Place a caption at the foot of a sheet, in letters that fit."""
    size = min(_CAPTION, 1.7 * picture.width / len(caption))
    return Label(picture.width / 2, picture.height - 1.2 * _CAPTION, caption, size, INK)


def _caption_of(step: Step, total: int) -> str:
    return f"{step.number}/{total}  {step.title}"


def _marks(puzzle: Puzzle, step: Step) -> tuple[Stroke, ...]:
    """Return the frames around the line and the cells of a step."""
    layout = DrawingLayout.of(puzzle)
    marks = [_frame(_cell_box(layout, change, ""), 3, CELL_COLOUR) for change in step.changes]
    if line := step.line:
        width, height = layout.right - layout.edge, layout.bottom - layout.edge
        box = (
            Box(layout.edge, layout.top + line.position * layout.cell, width, layout.cell, "")
            if line.axis == "row"
            else Box(layout.left + line.position * layout.cell, layout.edge, layout.cell, height, "")
        )
        marks.insert(0, _frame(box, 3, LINE_COLOUR))
    return tuple(stroke for mark in marks for stroke in mark)


def _cell_boxes(puzzle: Puzzle, changes: Iterable[Change]) -> Iterator[Box]:
    """Yield the cells that are decided, in their colours, the background's too."""
    layout = DrawingLayout.of(puzzle)
    for change in changes:
        if change.decides:
            yield _cell_box(layout, change, puzzle.palette[change.after.bit_length() - 1].rgb)


def _cell_box(layout: DrawingLayout, change: Change, fill: str) -> Box:
    x, y = layout.left + change.column * layout.cell, layout.top + change.row * layout.cell
    return Box(x, y, layout.cell, layout.cell, fill)


def _frame(box: Box, width: float, colour: str) -> tuple[Stroke, ...]:
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return tuple(Stroke(*start, *end, width, colour) for start, end in pairwise(corners))
