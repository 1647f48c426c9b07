"""Write a drawing as SVG: one self-contained file, with every string escaped."""

from __future__ import annotations

from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Grid, Puzzle
from nonocsp.render.drawing import Box, Drawing, Label, Stroke, draw
from nonocsp.render.hatching import hatching

_SMOOTH = 'shape-rendering="auto" stroke-linecap="butt"'


def to_svg(
    puzzle: Puzzle,
    grid: Grid | None = None,
    *,
    marked: NDArray[np.bool_] | None = None,
    has_patterns: bool = False,
) -> str:
    """Return the SVG document of a puzzle."""
    return document(draw(puzzle, grid, marked=marked, has_patterns=has_patterns))


def document(picture: Drawing, unit: str = "", *, longest: float = 0) -> str:
    """Return the SVG document of a drawing."""
    lines = [
        *opening(picture, unit, longest=longest),
        '<g shape-rendering="crispEdges" stroke-linecap="square">',
        *map(box_element, picture.boxes),
        *map(stroke_element, picture.strokes),
        "</g>",
        '<g text-anchor="middle" dominant-baseline="central">',
        *map(label_element, picture.labels),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def opening(picture: Drawing, unit: str = "", *, longest: float = 0) -> list[str]:
    """Return the first lines of a document: size, title, white background."""
    width, height = f"{picture.width:g}", f"{picture.height:g}"
    scale = min(1.0, longest / max(picture.width, picture.height)) if longest else 1.0
    shown = f'width="{scale * picture.width:g}{unit}" height="{scale * picture.height:g}{unit}"'
    size = f'{shown} viewBox="0 0 {width} {height}"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif">',
        f"<title>{escape(_printable(picture.title) or 'nonogram')}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]


def _printable(text: str) -> str:
    """Return text without control characters, which XML cannot have."""
    return "".join(char for char in text if char.isprintable())


def box_element(box: Box) -> str:
    """Return a box and its hatching as elements."""
    place = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'
    rectangle = f'<rect {place} fill="{box.fill}"/>'
    segments, width, colour = hatching(box)
    if not segments:
        return rectangle
    lines = "".join(f"M{x1:.4g} {y1:.4g}L{x2:.4g} {y2:.4g}" for x1, y1, x2, y2 in segments)
    return f'{rectangle}<path d="{lines}" stroke="{colour}" stroke-width="{width:.3g}" {_SMOOTH}/>'


def stroke_element(stroke: Stroke) -> str:
    """Return a stroke as an element."""
    place = f'x1="{stroke.x1:g}" y1="{stroke.y1:g}" x2="{stroke.x2:g}" y2="{stroke.y2:g}"'
    return f'<line {place} stroke="{stroke.colour}" stroke-width="{stroke.width:g}"/>'


def label_element(label: Label) -> str:
    """Return a label as an element."""
    place = f'x="{label.x:g}" y="{label.y:g}" font-size="{label.size:g}"'
    style = (
        f' text-anchor="{label.anchor}"' * (label.anchor != "middle") + ' font-weight="bold"' * label.is_bold
    )
    return f'<text {place} fill="{label.fill}"{style}>{escape(_printable(label.text))}</text>'
