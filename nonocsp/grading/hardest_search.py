"""Search for simple nonograms of high difficulty, at sizes that no construction covers.

Simulated annealing on the number of sweeps: a step flips one cell or two, and is kept if it loses nothing, or
little while it is hot. An image that line solving does not finish counts its sweeps, less half a sweep for
each open cell, so that there is a way back to simple ones. Many images climb at a time. They start from
noise, from noise with a half-turn symmetry, and from mirror images of the best image, with a few cells
flipped; the first best image is a construction. The seed determines the images; the time limit determines
the end.
At 6x6 it takes a few seconds to reach 26 sweeps, the maximum.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.hardest_family import hardest
from nonocsp.model import Grid, Puzzle, UsageError

Images = NDArray[np.uint8]
"""Black and white, shape (images, rows, columns)."""
CLIMBERS = 2048
"""Images that climb at a time up to `SMALL` rows and columns; beyond, `FEW`."""
SMALL = 8
FEW = 8
STEPS_PER_CELL = 42
"""Steps of a climb, for each cell of the image."""
HEAT = 0.7
"""Sweeps that a step may lose at the start of a climb, roughly; the heat falls evenly to `COOL`."""
COOL = 0.02
OPEN_CELL = 0.5
"""Sweeps that an open cell costs."""


@dataclass(frozen=True, slots=True)
class Hardest:
    """The hardest simple image that a search has seen so far."""

    image: NDArray[np.uint8]  # shape (rows, columns)
    sweeps: int  # its difficulty; 0 as long as there is none
    trials: int  # images tried so far

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
    """Yield the best so far, after every step, as long as the limits allow."""
    if min(rows, columns) < 1 or seed < 0:
        raise UsageError("a search needs at least one row and one column, and a seed of 0 or more")

    def climbs() -> Iterator[Hardest]:
        deadline = None if wall is None else time.perf_counter() + wall
        random = np.random.default_rng(seed)
        best = _construction(rows, columns)
        while True:
            for found in _climb(random, best):
                best = found
                yield best
                late = deadline is not None and time.perf_counter() >= deadline
                if late or (trials is not None and best.trials >= trials):
                    return

    return climbs()  # of its own, so that errors are raised at the call


def _construction(rows: int, columns: int) -> Hardest:
    """Return what a construction gives; an image without sweeps if there is none."""
    try:
        image = np.asarray(hardest(rows, columns).goal)
    except UsageError:
        return Hardest(np.zeros((rows, columns), np.uint8), 0, 0)
    sweeps, _ = ImageSweeps(rows, columns).grade(image[np.newaxis])
    return Hardest(image, int(sweeps[0]), 0)


def _climb(random: np.random.Generator, best: Hardest) -> Iterator[Hardest]:
    """Climb once from new starts; yield the best of all climbs after every step."""
    score_of = _Score(best)
    current = _starts(random, best)
    scores = score_of(current)
    yield score_of.best
    steps = STEPS_PER_CELL * best.image.size
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
            self.best = self._turned(Hardest(images[first].copy(), int(simple[first]), trials))
        else:
            self.best = Hardest(self.best.image, self.best.sweeps, trials)
        scores: NDArray[np.float64] = sweeps - OPEN_CELL * unknown
        return scores

    def _turned(self, found: Hardest) -> Hardest:
        """Return a square image on its side if it then takes a sweep more: the first sweep takes the rows."""
        if found.image.shape[0] != found.image.shape[1]:
            return found
        sweeps, _ = self._sweeps.grade(found.image.T[np.newaxis].copy())
        return max(
            found, replace(found, image=found.image.T.copy(), sweeps=int(sweeps[0])), key=lambda f: f.sweeps
        )


def _flipped(random: np.random.Generator, images: Images) -> Images:
    """Return the images with one cell of each flipped, or two of every other one."""
    flat = images.reshape(len(images), -1).copy()
    every = np.arange(len(flat))
    flat[every, random.integers(0, flat.shape[1], len(flat))] ^= 1
    again = every[random.random(len(flat)) < 0.5]
    flat[again, random.integers(0, flat.shape[1], len(again))] ^= 1
    return flat.reshape(images.shape)


def _starts(random: np.random.Generator, best: Hardest) -> Images:
    """Return the images that a climb starts from: a quarter symmetric, a quarter known, the rest noise."""
    rows, columns = best.image.shape
    count = CLIMBERS if max(rows, columns) <= SMALL else FEW
    density = random.uniform(0.35, 0.65, (count, 1, 1))
    images = (random.random((count, rows, columns)) < density).astype(np.uint8)
    quarter = count // 4
    images[:quarter] |= images[:quarter, ::-1, ::-1]
    if best.sweeps:
        for climber in range(count - quarter, count):
            up, left = random.choice([-1, 1], 2)
            noise = random.random((rows, columns)) < random.uniform(-0.05, 0.1)  # a third as they are
            images[climber] = best.image[::up, ::left] ^ noise
    return images
