"""Measure what choosing cells from fine pixels gains over choosing them from the mean of each cell.

Likeness is measured twice: to the means, which the means themselves are best at by construction, and to the
picture at four pixels along each side of a cell, where eyes and whiskers still show.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from nonocsp.making.drawings import apple, portrait
from nonocsp.making.init import PictureOptions, Prepared, prepare
from nonocsp.making.likeness import likeness
from nonocsp.making.picture import Picture, read_picture
from tools.benchmarks.making.forty import subjects

NAMES = ("smile", "glasses", "cat", "fish", "owl", "textured portrait", "hello", "sunset", "house", "pears")
SIDES = (15, 20, 30)
SCALE = 4


def main() -> None:
    """Print the table."""
    pictures: dict[str, Image | NDArray[np.uint8]] = {"apple": apple(), "portrait": portrait()}
    pictures |= {one.name: one.draw() for one in subjects() if one.name in NAMES}
    heads = (f"{side}, {what}" for side in SIDES for what in ("one colour", "three"))
    table = Table("picture", *heads, title="likeness to the means, and at 4x4 pixels a cell: before -> after")
    gains: list[list[float]] = []
    for name, pixels in pictures.items():
        found = [_measured(pixels, side, colours) for side in SIDES for colours in (0, 3)]
        gains += found
        table.add_row(name, *(f"{a:.2f} -> {b:.2f}, {c:.2f} -> {d:.2f}" for a, b, c, d in found))
    means = np.mean(gains, axis=0)
    console = Console(width=200)
    console.print(table)
    console.print("mean: {:.3f} -> {:.3f}, {:.3f} -> {:.3f}".format(*means))


def _measured(pixels: Image | NDArray[np.uint8], side: int, colours: int) -> list[float]:
    """Return the likeness before and after to the means, then before and after to the finer picture."""
    picture = read_picture(pixels, (side, side))
    finer = read_picture(pixels, (SCALE * side, SCALE * side))
    options = PictureOptions(colours=colours)
    images = [prepare(one, options) for one in (replace(picture, fine=None), picture)]
    return [_likeness(image, of, scale) for of, scale in ((picture, 1), (finer, SCALE)) for image in images]


def _likeness(prepared: Prepared, picture: Picture, scale: int) -> float:
    enlarged = prepared.start.repeat(scale, axis=0).repeat(scale, axis=1)
    return likeness(enlarged, picture, prepared.palette)
