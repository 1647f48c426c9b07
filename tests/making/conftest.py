"""Puzzles to show, and random images in the making."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.making.draft import Draft, Scene, Weights
from nonocsp.making.drawings import apple
from nonocsp.making.image import Edges, PictureOptions, Prepared, prepare
from nonocsp.making.judging import ImageJudge
from nonocsp.making.picture import read_picture
from nonocsp.making.puzzles import Generated, Production, PuzzleOptions
from nonocsp.model import Palette

NAME = "<script>document.title = 'run'<.png"
"""A file name that would do harm on a careless page."""


@pytest.fixture(scope="session")
def made() -> tuple[Prepared, list[Generated]]:
    """Three puzzles of a small apple, each varied, from a file with a harmful name."""
    picture = read_picture(apple(), (16, 16))
    prepared = prepare(type(picture)(picture.grey, picture.rgb, NAME), PictureOptions(edges=Edges.ONLY))
    return prepared, list(Production(prepared, PuzzleOptions(count=3, vary=10)))


def random_scene(shape: tuple[int, int, int], seed: int, *, share: float = 0.4, **settings: Any) -> Scene:
    """Return a random image of (rows, columns, colours), at a random distance from its picture."""
    rows, columns, colours = shape
    rng = np.random.default_rng([*shape, seed])
    filled = rng.random((rows, columns)) < share
    start = (rng.integers(1, colours + 1, (rows, columns)) * filled).astype(np.uint8)
    far = rng.integers(0, 256, (rows, columns, colours + 1)).astype(float)
    return Scene(far, start, **settings)


WEIGHTS = (
    Weights(),
    Weights(alpha=8.0, beta=0.02, gamma=0.0),
    Weights(alpha=1.0, beta=0.1, gamma=30.0),
    Weights(alpha=8.0, beta=0.0, gamma=1.0),
)


def random_example(seed: int) -> tuple[Scene, NDArray[np.int64]]:
    """Return a small scene and the number of earlier puzzles with each colour in each cell."""
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 3
    rows, columns = (int(lines) for lines in rng.integers(6, 9, 2))
    settings = {"weights": WEIGHTS[seed // 6 % len(WEIGHTS)], "clears": seed % 2 == 1}
    scene = random_scene((rows, columns, colours), seed, share=0.16, **settings)
    return scene, rng.integers(0, 4, scene.far.shape)


def drafted(
    scene: Scene,
    image: NDArray[np.uint8],
    *,
    earlier: NDArray[np.int64] | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> Draft:
    """Return a draft of an image, without a time limit."""
    before = np.zeros(scene.far.shape, np.int64) if earlier is None else earlier
    judge = ImageJudge(Palette.of(scene.far.shape[2] - 1), jobs)
    return Draft(image, scene, before, judge, np.random.default_rng(seed))
