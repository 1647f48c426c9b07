"""Measure what choosing cells from fine pixels changes, against choosing them from the mean of each cell.

- likeness: to the picture at four pixels along each side of a cell, where eyes and whiskers still show;
- foreign: cells with a colour that none of their pixels has, such as pink between orange and white;
- lost: pixels with a colour that neither their cell nor a neighbour of it has, such as eyes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from nonocsp.making.drawings import apple, portrait
from nonocsp.making.image import PictureOptions, Prepared, prepare
from nonocsp.making.likeness import likeness
from nonocsp.making.picture import Picture, read_picture
from nonocsp.model.oklab import oklab, rgb_of
from tools.benchmarks.making.forty import subjects

NAMES = ("smile", "glasses", "cat", "fish", "owl", "textured portrait", "hello", "sunset", "house", "pears")
SIDES = (15, 20, 30)
SCALE = 4
UNLIKE = 0.15
"""Distance in OKLab from which two colours are different for everyone."""


def main() -> None:
    """Print the table."""
    pictures: dict[str, Image | NDArray[np.uint8]] = {"apple": apple(), "portrait": portrait()}
    pictures |= {one.name: one.draw() for one in subjects() if one.name in NAMES}
    heads = ("one colour: likeness", "three: likeness", "foreign cells, %", "lost pixels, %")
    table = Table("picture", *heads, title=f"means of the sides {SIDES}: from means -> from fine pixels")
    rows = {
        name: np.mean([_measured(pixels, side) for side in SIDES], 0) for name, pixels in pictures.items()
    }
    rows["mean"] = np.mean(list(rows.values()), axis=0)
    for name, found in rows.items():
        table.add_row(name, *(f"{before:.2f} -> {after:.2f}" for before, after in found))
    Console(width=120).print(table)


def _measured(pixels: Image | NDArray[np.uint8], side: int) -> list[list[float]]:
    """Return before and after of each column."""
    picture = read_picture(pixels, (side, side))
    finer = read_picture(pixels, (SCALE * side, SCALE * side))
    ways = replace(picture, fine=None), picture
    one, three = ([prepare(way, PictureOptions(colours=colours)) for way in ways] for colours in (0, 3))
    return [
        [_likeness(image, finer) for image in one],
        [_likeness(image, finer) for image in three],
        *(list(shares) for shares in zip(*(_wrong(image, picture) for image in three), strict=True)),
    ]


def _likeness(prepared: Prepared, picture: Picture) -> float:
    enlarged = prepared.start.repeat(SCALE, axis=0).repeat(SCALE, axis=1)
    return likeness(enlarged, picture, prepared.palette)


def _wrong(prepared: Prepared, picture: Picture) -> tuple[float, float]:
    """Return the shares of foreign cells and of lost pixels, in percent."""
    fine = picture.fine
    assert fine is not None
    palette = oklab(rgb_of(prepared.palette))
    pixels = fine.by_cell(oklab(fine.colours)[fine.numbers])
    far = np.stack([np.sqrt(((pixels - colour) ** 2).sum(axis=3)) for colour in palette], axis=3)
    rows, columns = np.indices(picture.shape)
    foreign = far[rows, columns, :, prepared.start].min(axis=2) > UNLIKE
    padded = np.pad(prepared.start, 1, mode="edge")
    near = [padded[y : y + len(rows), x : x + columns.shape[1]] for y in range(3) for x in range(3)]
    lost = np.min([far[rows, columns, :, cells] for cells in near], axis=0) > UNLIKE
    return 100 * foreign.mean(), 100 * lost.mean()
