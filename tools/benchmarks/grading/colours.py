"""Are more colours easier? The share of images that line solving solves, by number of colours.

Random images have cells that are independent; smooth ones are noise blurred over some cells, filled above
its median, each cell with the colour whose own blurred noise is highest there. All are 15x15. A share has
the interval of Wilson's score at 95 %.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.ndimage import gaussian_filter
from scipy.stats import binomtest

from nonocsp.engine.images import sweep_image
from nonocsp.grading.sweeps import fixed_cells

SHAPE = (15, 15)
COUNT = 10_000
BLUR = 1.5
"""Standard deviation of the blur, in cells."""
SEED = 22

Image = NDArray[np.uint8]


def main() -> None:
    """Print the shares and the mean difficulty of what is solved."""
    table = Table("images", "colours", "simple", "95 %", "mean sweeps", title=f"{COUNT} images of 15x15")
    kinds: dict[str, Callable[[np.random.Generator, int], Image]] = {
        "random, half filled": partial(_random, density=0.5),
        "random, 7 of 10 filled": partial(_random, density=0.7),
        "smooth": _smooth,
    }
    for name, make in kinds.items():
        for colours in (1, 2, 3, 4):
            random = np.random.default_rng(SEED)
            found = [sweep_image(make(random, colours)) for _ in range(COUNT)]
            sweeps = [one.sweeps for one in found if fixed_cells(one.candidates) == one.candidates.size]
            low, high = binomtest(len(sweeps), COUNT).proportion_ci(method="wilson")
            cells = f"{len(sweeps) / COUNT:.1%}", f"{low:.1%}-{high:.1%}", f"{np.mean(sweeps):.1f}"
            table.add_row(name, str(colours), *cells)
    Console().print(table)


def _random(random: np.random.Generator, colours: int, *, density: float) -> Image:
    """Return an image of independent cells, each colour equally likely."""
    return (random.integers(1, colours + 1, SHAPE) * (random.random(SHAPE) < density)).astype(np.uint8)


def _smooth(random: np.random.Generator, colours: int) -> Image:
    """Return an image of a few smooth patches."""
    noise = gaussian_filter(random.standard_normal((colours + 1, *SHAPE)), (0, BLUR, BLUR), mode="wrap")
    return ((noise[0] > np.median(noise[0])) * (1 + noise[1:].argmax(axis=0))).astype(np.uint8)
