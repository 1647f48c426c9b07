"""An explanation as an animated picture: GIF through pillow, and SVG that moves by CSS alone.

A GIF has at most `MAX_FRAMES` frames of at most `MAX_SIDE` pixels: of a longer explanation a frame takes
several steps. The SVG holds every step once, runs once, and shows the end where nothing can move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from nonocsp.grading.explain import frames
from nonocsp.grading.explain.steps import Explanation
from nonocsp.model import Palette
from nonocsp.render.drawing import FAINT, INK, UNDECIDED, Box, Drawing, Label
from nonocsp.render.svg import box_element, label_element, opening, stroke_element

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 300
MAX_SIDE = 1000
_LINGER = 4
"""So many times as long as a step the end is shown."""


def to_gif(explanation: Explanation, *, pace: float = 1.0) -> bytes:
    """Return an animated GIF that repeats, each step shown for `pace` seconds."""
    every = -(-max(1, len(explanation.steps)) // MAX_FRAMES)
    colours = _palette_image(explanation.puzzle.palette)
    images = (_shown(picture, colours) for picture in frames.frames(explanation, every))
    shown = 1 + len(explanation.steps) // every
    milliseconds = [round(1000 * pace)] * shown + [round(1000 * pace * _LINGER)]
    file = BytesIO()
    next(images).save(file, "GIF", save_all=True, append_images=images, duration=milliseconds, loop=0)
    return file.getvalue()


def _shown(picture: Drawing, colours: Image) -> Image:
    """Paint a frame, no larger than `MAX_SIDE`, in the colours of all frames."""
    from PIL.Image import Dither

    from nonocsp.render.png import painted

    scale = min(1.0, MAX_SIDE / max(picture.width, picture.height))
    return painted(picture, scale).quantize(palette=colours, dither=Dither.NONE)


def _palette_image(palette: Palette) -> Image:
    """Return an image with the colours of all frames: the puzzle's, the drawing's, and greys for letters."""
    from PIL import Image
    from PIL.ImageColor import getrgb

    drawn = [INK, FAINT, UNDECIDED, frames.LINE_COLOUR, frames.CELL_COLOUR]
    names = [*(colour.rgb for colour in palette.colours), *drawn]
    greys = [(level, level, level) for level in range(0, 256, 17)]
    image = Image.new("P", (1, 1))
    image.putpalette([part for rgb in (*map(getrgb, names), *greys) for part in rgb[:3]])
    return image


def to_animated_svg(explanation: Explanation, *, pace: float = 1.0) -> str:
    """Return an SVG document that takes one step after the other, each shown for `pace` seconds."""
    picture = frames.sheet(explanation.puzzle, explanation.start)
    return "\n".join(
        [
            *opening(picture),
            _style(pace),
            '<g shape-rendering="crispEdges">',
            *map(box_element, picture.boxes),
            *_cells(explanation),
            *map(stroke_element, picture.strokes),
            "</g>",
            '<g text-anchor="middle" dominant-baseline="central">',
            *map(label_element, picture.labels),
            "</g>",
            *_moments(explanation, picture),
            "</svg>",
            "",
        ]
    )


def _style(pace: float) -> str:
    """Return the animations: from its moment on a cell is shown, for its moment a mark is."""
    return f"""<style>
.cell, .end {{ animation: appear 0s calc(var(--t) * {pace:g}s) backwards }}
.mark {{ visibility: hidden; animation: flash {pace:g}s calc(var(--t) * {pace:g}s) }}
@keyframes appear {{ from {{ visibility: hidden }} }}
@keyframes flash {{ from, to {{ visibility: visible }} }}
@media (prefers-reduced-motion: reduce) {{ .cell, .end, .mark {{ animation: none }} }}
</style>"""


def _cells(explanation: Explanation) -> Iterator[str]:
    for step in explanation.steps:
        yield from _group("cell", step.number, frames.cell_boxes(explanation.puzzle, step.changes))


def _group(kind: str, moment: int, boxes: Iterable[Box]) -> list[str]:
    return [f'<g class="{kind}" style="--t:{moment}">', *map(box_element, boxes), "</g>"]


def _moments(explanation: Explanation, picture: Drawing) -> Iterator[str]:
    """Yield the marks and the caption of each step, and the caption that stays."""
    total = len(explanation.steps)
    for step in explanation.steps:
        yield f'<g class="mark" style="--t:{step.number}">'
        yield from map(stroke_element, frames.marks(explanation.puzzle, step))
        yield _caption(frames.caption_label(picture, frames.caption_of(step, total)))
        yield "</g>"
    yield f'<g class="end" style="--t:{total + 1}">'
    yield _caption(frames.caption_label(picture, explanation.summary))
    yield "</g>"


def _caption(label: Label) -> str:
    return f'<g text-anchor="middle" dominant-baseline="central">{label_element(label)}</g>'
