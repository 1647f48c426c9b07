"""Puzzles to show."""

from __future__ import annotations

import pytest

from nonocsp.making.drawings import apple
from nonocsp.making.init import Edges, PictureOptions, Prepared, prepare
from nonocsp.making.picture import read_picture
from nonocsp.making.puzzles import Generated, Production, PuzzleOptions

NAME = "<script>document.title = 'run'<.png"
"""A file name that would do harm on a careless page."""


@pytest.fixture(scope="session")
def made() -> tuple[Prepared, list[Generated]]:
    """Three puzzles of a small apple, each varied, from a file with a harmful name."""
    picture = read_picture(apple(), (16, 16))
    prepared = prepare(type(picture)(picture.grey, picture.rgb, NAME), PictureOptions(edges=Edges.ONLY))
    return prepared, list(Production(prepared, PuzzleOptions(count=3, vary=10)))
