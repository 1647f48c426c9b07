"""Puzzles to show."""

from __future__ import annotations

import pytest

from nonocsp.making.drawings import apple
from nonocsp.making.generated import Generated
from nonocsp.making.prepared import Prepared
from nonocsp.making.preparing import Edges, Preparation, prepare
from nonocsp.making.puzzles import Wish, puzzles
from nonocsp.making.reading import read_picture

NAME = "<script>document.title = 'run'<.png"
"""What a file may be called."""


@pytest.fixture(scope="session")
def made() -> tuple[Prepared, list[Generated]]:
    """Three puzzles of a small apple, each varied, from a file with a name that means harm."""
    picture = read_picture(apple(), (16, 16))
    prepared = prepare(type(picture)(picture.grey, picture.rgb, NAME), Preparation(edges=Edges.ONLY))
    return prepared, list(puzzles(prepared, Wish(count=3, vary=10)))
