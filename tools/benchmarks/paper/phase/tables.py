"""The two tables of the phase diagram: shares of verdicts, and quantiles of work and time."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

BACKENDS = ("hybrid", "sat", "probing")
"""The first one decided every image, the others the first images of every second density."""
CPU_S = 1.0
"""CPU seconds after which a run was cut off."""
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Shares:
    """How many images of a size and density are what."""

    size: int
    density: float
    images: int
    simple: int  # line solving suffices
    unique: int  # one solution, but line solving does not suffice
    several: int
    undecided: int
    open: float  # mean share of the cells that line solving leaves open

    @property
    def one(self) -> int:
        """Images whose puzzle has one solution."""
        return self.simple + self.unique

    @property
    def decided(self) -> int:
        """Images whose verdict is known."""
        return self.images - self.undecided

    @property
    def share(self) -> float:
        """Share of the images whose puzzle has one solution, among those decided."""
        return self.one / self.decided


@dataclass(frozen=True, slots=True)
class Hardness:
    """How hard the images of a size and density are for a backend."""

    backend: str
    size: int
    density: float
    runs: int
    undecided: int  # cut off; they count as harder than all others
    several: float  # share of puzzles with several solutions among those of at least `w90`
    w10: float  # quantile of line visits (hybrid, probing) or conflicts (sat); infinite where cut off
    w25: float
    w50: float
    w75: float
    w90: float
    w99: float
    t50: float  # quantile of the CPU time in microseconds; infinite where cut off
    t75: float
    t90: float
    t99: float


Line = TypeVar("Line", Shares, Hardness)


def read_table(path: Path, kind: type[Line]) -> list[Line]:
    """Read a table that `kind` has the columns of."""
    types = {"int": int, "float": float, "str": str}
    convert = {field.name: types[str(field.type)] for field in fields(kind)}
    with path.open(newline="") as file:
        return [
            kind(**{key: convert[key](text) for key, text in row.items()}) for row in csv.DictReader(file)
        ]
