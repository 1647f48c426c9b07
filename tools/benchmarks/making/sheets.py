"""Time the sheet of renderings of pictures of two million pixels, and say how different the renderings are.

CPU time says more than wall time on a machine that does other work as well; the load is printed beside it.
"""

from __future__ import annotations

import os
import time
from itertools import combinations
from math import sqrt
from statistics import median

from PIL import Image
from rich.console import Console
from rich.table import Table

from nonocsp.making.renderings import Rendering, renderings, resemblance
from tools.benchmarks.making.forty import subjects

PIXELS = 2_000_000
NAMES = ("textured portrait", "cat", "pears", "leaves")


def main() -> None:
    """Print a line for each picture."""
    table = Table("picture", "renderings", "most alike", "median", "wall s", "CPU s", "load")
    for subject in subjects():
        if subject.name in NAMES:
            table.add_row(subject.name, *_measured(subject.draw()))
    Console().print(table)


def _measured(picture: Image.Image) -> tuple[str, ...]:
    factor = sqrt(PIXELS / (picture.width * picture.height))
    large = picture.resize((round(picture.width * factor), round(picture.height * factor)))
    load, wall, cpu = os.getloadavg()[0], time.perf_counter(), time.process_time()
    found = list(renderings(large))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    alike = [_resemblance(*pair) for pair in combinations(found, 2)]
    figures = max(alike), median(alike)
    return (
        str(len(found)),
        *(f"{figure:.2f}" for figure in figures),
        f"{wall:.1f}",
        f"{cpu:.1f}",
        f"{load:.1f}",
    )


def _resemblance(one: Rendering, other: Rendering) -> float:
    return resemblance((one.made.image, one.palette), (other.made.image, other.palette))
