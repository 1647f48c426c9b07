"""The project's own drawings: the grey ones as their recipe paints them, the motifs in their own colours."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from nonocsp.making.drawings import SIDE, Motif, apple, motifs, portrait, textured_portrait
from nonocsp.model import BLACK_AND_WHITE


def test_the_recipe_reproduces_the_grey_pictures(repository: Path) -> None:
    recipe = runpy.run_path(str(repository / "datasets" / "drawings" / "draw.py"))
    for draw in (apple, portrait, textured_portrait):
        assert np.array_equal(draw(), recipe[draw.__name__]())
    assert (apple().shape, portrait().shape, textured_portrait().shape) == (
        (512, 512),
        (480, 608),
        (240, 304),
    )


def test_thirty_motifs_are_drawn_only_in_their_own_colours() -> None:
    assert len({motif.name for motif in motifs()}) == 30
    for motif in motifs():
        image = motif.image()
        assert image.size == (SIDE, SIDE)
        found = {f"#{r:02x}{g:02x}{b:02x}" for _, (r, g, b) in image.getcolors()}
        assert found == {colour.rgb for colour in motif.palette.colours}, motif.name


def test_without_colours_a_motif_is_black_where_it_was_not_white() -> None:
    for motif in motifs():
        coloured = np.asarray(motif.image()).min(axis=2) < 255
        assert np.array_equal(np.asarray(motif.image(in_colour=False)) == 0, coloured), motif.name


SHAPES = [
    ({"box": [10, 20, 30, 60]}, [(20, 40), (11, 21), (29, 59)], [(20, 18), (9, 40), (32, 40), (20, 62)]),
    ({"disc": [50, 50, 80, 40]}, [(50, 50), (12, 50), (88, 50), (50, 32)], [(50, 28), (8, 50), (20, 35)]),
    ({"polygon": [[10, 10], [90, 10], [10, 90]]}, [(20, 20), (80, 12)], [(60, 60), (90, 90)]),
    (
        {"line": [[20, 50], [80, 50]]},
        [(50, 47), (50, 53), (17, 50), (83, 50)],
        [(50, 45), (50, 55), (15, 50)],
    ),
    ({"line": [[20, 50], [80, 50]], "width": 20}, [(50, 42), (50, 58), (12, 50)], [(50, 38), (8, 50)]),
    ({"ring": [50, 50, 60], "width": 10}, [(24, 50), (50, 76)], [(50, 50), (32, 50), (18, 50)]),
    ({"arc": [50, 50, 60, 60, 0, 180], "width": 10}, [(50, 76), (24, 54)], [(50, 24), (50, 50)]),
]
"""Shapes, points (x, y) that they cover, and points that they do not."""


@pytest.mark.parametrize(("shape", "covered", "bare"), SHAPES, ids=lambda value: str(value)[:30])
def test_a_shape_covers_its_area(
    shape: dict, covered: list[tuple[int, int]], bare: list[tuple[int, int]]
) -> None:
    image = Motif("one shape", BLACK_AND_WHITE, (("#d7191c", shape),)).image()
    scale = SIDE // 100
    assert {image.getpixel((scale * x, scale * y)) for x, y in covered} == {(0xD7, 0x19, 0x1C)}
    assert {image.getpixel((scale * x, scale * y)) for x, y in bare} == {(255, 255, 255)}
