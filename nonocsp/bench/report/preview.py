"""Say in a sentence and in a small picture what a report shows, for the preview of a link to its page."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.figures import count, shortened
from nonocsp.bench.report.plots import COLOURS
from nonocsp.bench.report.provenance import setting

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

SIZE = 600, 315
"""Of the picture: the shape that sites show."""
_FINE = 2
"""It is drawn so many times as large, and made smaller, so that lines are smooth."""
_MARGIN, _TOP, _BOTTOM = 32, 92, 30
_MOST_LINES = len(COLOURS)
_POINTS = 300
_LETTERS = 300
_PAPER, _INK, _SOFT, _RULE = "#fbfaf8", "#1d1f23", "#5c626b", "#c9c6c0"


def sentence(digest: Digest) -> str:
    """Return what the report is about: what its config says, or else what was run."""
    told = [part.description for part in digest.parts if part.description]
    if told:
        return shortened(" ".join(" ".join(told).split()), _LETTERS)
    runs = digest.runs
    sound = "Every answer was verified." if digest.is_sound else "It has wrong or contradictory answers."
    return (
        f"Comparison of {count(len(runs.backends))} ways to solve nonograms on {count(len(runs.instances))} "
        f"instances ({setting(digest.parts[0])}). {sound}"
    )


def picture(digest: Digest) -> str:
    """Return a picture with the name and the cactus curves of the report, as a ``data:`` address of a PNG."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (SIZE[0] * _FINE, SIZE[1] * _FINE), _PAPER)
    draw = ImageDraw.Draw(image)
    runs = digest.runs
    name = _shown(digest.name, 34)
    facts = f"{count(len(runs.backends))} backends, {count(len(runs.instances))} instances, nonocsp"
    draw.text((_MARGIN * _FINE, 22 * _FINE), name, _INK, _font(27))
    draw.text((_MARGIN * _FINE, 58 * _FINE), _shown(facts, 60), _SOFT, _font(15))
    _draw_curves(draw, digest)
    small = image.resize(SIZE, Image.Resampling.LANCZOS).quantize(64)
    small.save(stream := io.BytesIO(), format="PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"


def _draw_curves(draw: ImageDraw, digest: Digest) -> None:
    """Draw how many runs each entrant decides within a time, on a logarithmic axis."""
    left, right = _MARGIN * _FINE, (SIZE[0] - _MARGIN) * _FINE
    top, bottom = _TOP * _FINE, (SIZE[1] - _BOTTOM) * _FINE
    draw.line([(left, top), (left, bottom), (right, bottom)], _RULE, _FINE)
    runs = digest.runs
    curves = [
        np.log10(np.maximum(np.sort(times[decided]), 1e-6))
        for times, decided in zip(runs.wall_s, runs.is_decided, strict=True)
    ]
    levels = np.concatenate(curves)
    if not len(levels):
        return
    low, high = float(levels.min()), float(max(levels.max(), levels.min() + 1.0))
    most = max(map(len, curves))
    ranked = sorted(range(len(curves)), key=lambda b: -len(curves[b]))[:_MOST_LINES]
    for b in reversed(ranked):
        places = np.unique(np.linspace(0, max(0, len(curves[b]) - 1), _POINTS).astype(int))
        points = [
            (
                left + (right - left) * (place + 1) / most,
                bottom - (bottom - top) * (float(curves[b][place]) - low) / (high - low),
            )
            for place in places[: len(curves[b])].tolist()
        ]
        if len(points) > 1:
            draw.line(points, COLOURS[b % len(COLOURS)], 3 * _FINE, joint="curve")


def _shown(text: str, letters: int) -> str:
    """Return a text as the font of the picture can show it."""
    plain = "".join(char if char.isprintable() and ord(char) < 0x250 else " " for char in text)
    return shortened(" ".join(plain.replace("\u202f", " ").split()), letters).replace("…", "...")


def _font(size: int) -> FreeTypeFont | ImageFont:
    """Return the font that comes with Pillow."""
    from PIL import ImageFont

    return ImageFont.load_default(size * _FINE)
