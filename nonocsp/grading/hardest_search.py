"""A search for simple nonograms of high difficulty, at sizes that no construction covers.

Hill climbing on the number of sweeps, by simulated annealing: a step flips one cell or two, and is taken if
it is no loss, or a small one while it is hot. An image that line solving does not finish counts its sweeps,
less half a sweep for each open cell, so that there is a way back to simple ones. Many images climb at a time.
They start from noise, from noise with a half-turn symmetry, from mirror images of the best one with a few
cells flipped, and from what of the hardest family fits the size. All of it follows from the seed; where it
ends follows from the time. At 6x6 it takes some seconds to reach 26 sweeps, which is the maximum.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.hardest_family import MIN_COLUMNS, hardest
from nonocsp.model import Grid, Puzzle, UsageError

Images = NDArray[np.uint8]
"""Black and white, shape (images, rows, columns)."""
CLIMBERS = 2048
"""Images that climb at a time up to `SMALL` rows and columns; beyond, `FEW`."""
SMALL = 8
FEW = 8
STEPS_A_CELL = 42
"""Steps of a climb, for each cell."""
HEAT = 0.7
"""In sweeps: how much a step may lose at the start of a climb, roughly; it falls evenly to `COOL`."""
COOL = 0.02
OPEN_CELL = 0.5
"""What an open cell costs, in sweeps."""


@dataclass(frozen=True, slots=True)
class Hardest:
    """The hardest simple image that a search has seen so far.

    Parameters
    ----------
    image
        uint8, shape (rows, columns).
    sweeps
        Its difficulty; 0 as long as there is none.
    trials
        Images tried so far.
    """

    image: NDArray[np.uint8]
    sweeps: int
    trials: int

    def puzzle(self) -> Puzzle:
        """Return its puzzle."""
        rows, columns = self.image.shape
        return Puzzle.from_grid(Grid.from_cells(self.image), title=f"{rows}x{columns}, {self.sweeps} sweeps")


def search_hardest(
    rows: int,
    columns: int,
    *,
    seed: int = 0,
    wall: float | None = None,
    trials: int | None = None,
) -> Iterator[Hardest]:
    """Yield the best so far, after every step, as long as the limits allow.

    Parameters
    ----------
    wall
        Seconds.
    trials
        Images that are tried: the same number gives the same images, whatever the machine.

    Raises
    ------
    UsageError
        For a size below 1 or a negative seed.
    """
    if min(rows, columns) < 1 or seed < 0:
        raise UsageError("a search needs at least one row and one column, and a seed of 0 or more")
    return _climbs(rows, columns, seed, wall, trials)


def _climbs(rows: int, columns: int, seed: int, wall: float | None, trials: int | None) -> Iterator[Hardest]:
    deadline = None if wall is None else time.perf_counter() + wall
    random = np.random.default_rng(seed)
    best = Hardest(np.zeros((rows, columns), np.uint8), 0, 0)
    while True:
        for found in _climb(random, best):
            best = found
            yield best
            late = deadline is not None and time.perf_counter() >= deadline
            if late or (trials is not None and best.trials >= trials):
                return


def _climb(random: np.random.Generator, best: Hardest) -> Iterator[Hardest]:
    """Climb once from new starts; yield the best of all climbs after every step."""
    score_of = _Score(best)
    current = _starts(random, best)
    scores = score_of(current)
    yield score_of.best
    steps = STEPS_A_CELL * best.image.size
    for step in range(steps):
        heat = HEAT * (1 - step / steps) + COOL
        changed = _flipped(random, current)
        tried = score_of(changed)
        taken = np.log(random.random(len(tried))) < (tried - scores) / heat
        current[taken], scores[taken] = changed[taken], tried[taken]
        yield score_of.best


class _Score:
    """Scores images and remembers the hardest simple one."""

    def __init__(self, best: Hardest) -> None:
        self.best = best
        self._sweeps = ImageSweeps(*best.image.shape)

    def __call__(self, images: Images) -> NDArray[np.float64]:
        sweeps, unknown = self._sweeps.grade(images)
        simple = np.where(unknown == 0, sweeps, 0)
        first = int(simple.argmax())
        trials = self.best.trials + len(images)
        if simple[first] > self.best.sweeps:
            self.best = Hardest(images[first].copy(), int(simple[first]), trials)
        else:
            self.best = Hardest(self.best.image, self.best.sweeps, trials)
        scores: NDArray[np.float64] = sweeps - OPEN_CELL * unknown
        return scores


def _flipped(random: np.random.Generator, images: Images) -> Images:
    """Return the images with one cell of each flipped, or two of every other one."""
    flat = images.reshape(len(images), -1).copy()
    every = np.arange(len(flat))
    flat[every, random.integers(0, flat.shape[1], len(flat))] ^= 1
    again = every[random.random(len(flat)) < 0.5]
    flat[again, random.integers(0, flat.shape[1], len(again))] ^= 1
    return flat.reshape(images.shape)


def _starts(random: np.random.Generator, best: Hardest) -> Images:
    """Return where a climb starts: half of it noise, then a quarter each symmetric and from what is known."""
    rows, columns = best.image.shape
    count = CLIMBERS if max(rows, columns) <= SMALL else FEW
    density = random.uniform(0.35, 0.65, (count, 1, 1))
    images = (random.random((count, rows, columns)) < density).astype(np.uint8)
    quarter = count // 4
    images[:quarter] |= images[:quarter, ::-1, ::-1]
    known = [image for image in (best.image, _family_member(random, rows, columns)) if image.any()]
    if known:
        chosen = random.integers(0, len(known), quarter)
        images[-quarter:] = [_mirrored(random, known[which]) for which in chosen]
    return images


def _mirrored(random: np.random.Generator, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return one of the four mirror images, with every tenth cell or so flipped in some of them."""
    up, left = random.choice([-1, 1], 2)
    noise = random.random(image.shape) < random.uniform(0.0, 0.1)
    return image[::up, ::left] ^ noise


def _family_member(random: np.random.Generator, rows: int, columns: int) -> NDArray[np.uint8]:
    """Return noise with the largest member of the hardest family in it that fits; empty if none does."""
    image = np.zeros((rows, columns), np.uint8)
    height, width = rows - (rows - 2) % 8, columns - columns % 2
    if height >= 10 and width >= MIN_COLUMNS and (goal := hardest(height, width).goal):
        image = (random.random((rows, columns)) < 0.5).astype(np.uint8)
        image[:height, :width] = goal.cells
    return image
