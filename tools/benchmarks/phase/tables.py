"""Sum the ledger up in two small tables: shares of verdicts, and quantiles of work and time."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np

from nonocsp.json_lines import Row
from tools.benchmarks.phase.deciding import SEVERAL, SIMPLE, UNDECIDED, UNIQUE
from tools.benchmarks.phase.plan import BACKENDS

QUANTILES = (10, 25, 50, 75, 90, 99)
"""Of the work, in per cent; those of the CPU time are the last four."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How many images of a size and density are what.

    Parameters
    ----------
    size, density
        The cell of the plan.
    images
        Images decided.
    simple, unique, several, undecided
        Line solving suffices; one solution, but line solving does not suffice; several; unknown.
    open
        Mean share of the cells that line solving leaves open.
    """

    size: int
    density: float
    images: int
    simple: int
    unique: int
    several: int
    undecided: int
    open: float

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
    """How hard the images of a size and density are for a backend.

    Parameters
    ----------
    backend, size, density
        The backend and the cell of the plan.
    runs, undecided
        Runs, and those that were cut off; they count as harder than all others.
    several
        Share of the puzzles with several solutions among those whose work is at least `w90`.
    w10, w25, w50, w75, w90, w99
        Quantiles of the work: line visits of hybrid and probing, conflicts of sat; infinite where cut off.
    t50, t75, t90, t99
        Quantiles of the CPU time in microseconds; infinite where cut off.
    """

    backend: str
    size: int
    density: float
    runs: int
    undecided: int
    several: float
    w10: float
    w25: float
    w50: float
    w75: float
    w90: float
    w99: float
    t50: float
    t75: float
    t90: float
    t99: float


Line = TypeVar("Line", Shares, Hardness)
Tables: TypeAlias = tuple[list[Shares], list[Hardness]]


def tables(rows: Iterable[Row]) -> tuple[Tables, str]:
    """Return both tables of a ledger, and what the comparison of backends found.

    Raises
    ------
    RuntimeError
        If two backends contradict each other.
    """
    chunks: dict[tuple[int, float], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        chunks[row["size"], row["density"]][row["backend"]].append(row)
    shares, hardness, compared = list[Shares](), list[Hardness](), dict.fromkeys(BACKENDS[1:], 0)
    for place in sorted(chunks):
        by_backend = chunks[place]
        first = {row["number"]: row["verdicts"] for row in by_backend[BACKENDS[0]]}
        for backend in BACKENDS:
            if found := by_backend[backend]:
                hardness.append(_hardness(backend, place, found))
            if backend in compared:
                compared[backend] += sum(
                    _agreements(row, first[row["number"]]) for row in found if row["number"] in first
                )
        if by_backend[BACKENDS[0]]:
            shares.append(_shares(place, by_backend[BACKENDS[0]]))
    counts = ", ".join(f"{count} by {backend}" for backend, count in compared.items())
    text = f"{sum(one.images for one in shares)} images; decided again, without a disagreement: {counts}"
    return (shares, hardness), text


def _shares(place: tuple[int, float], rows: Sequence[Row]) -> Shares:
    verdicts = "".join(row["verdicts"] for row in rows)
    left = np.concatenate([row["open"] for row in rows]) / place[0] ** 2
    simple, unique, several, undecided = map(verdicts.count, (SIMPLE, UNIQUE, SEVERAL, UNDECIDED))
    mean = round(float(left.mean()), 5)
    return Shares(*place, len(verdicts), simple, unique, several, undecided, mean)


def _hardness(backend: str, place: tuple[int, float], rows: Sequence[Row]) -> Hardness:
    work, time = (
        np.array([np.inf if value is None else value for row in rows for value in row[name]], float)
        for name in ("work", "cpu_us")
    )
    levels = [*_quantiles(work, QUANTILES), *_quantiles(time, QUANTILES[2:])]
    verdicts = np.array([*"".join(row["verdicts"] for row in rows)])
    hardest = verdicts[work >= levels[QUANTILES.index(90)]]
    several = round(float((hardest == SEVERAL).mean()), 3)
    return Hardness(backend, *place, len(work), int(np.isinf(work).sum()), several, *levels)


def _quantiles(values: Any, levels: Sequence[int]) -> list[float]:
    """Return the smallest values that so many per cent do not exceed."""
    return [float(value) for value in np.percentile(values, levels, method="inverted_cdf")]


def _agreements(row: Row, verdicts: str) -> int:
    """Return how many images of a chunk two backends decided; they must agree."""
    pairs = [pair for pair in zip(row["verdicts"], verdicts, strict=True) if UNDECIDED not in pair]
    if any(one != other for one, other in pairs):
        raise RuntimeError(f"backends disagree: {row['verdicts']} {verdicts} in {row}")
    return len(pairs)


def write_tables(folder: Path, found: Tables) -> None:
    """Write both tables as CSV.

    Parameters
    ----------
    folder
        Made if missing.
    found
        The tables.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "phase-shares.csv", Shares, found[0])
    _write(folder / "phase-hardness.csv", Hardness, found[1])


def _write(path: Path, kind: type[Line], lines: Sequence[Line]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(kind))
        writer.writerows([_cell(value) for value in asdict(line).values()] for line in lines)


def _cell(value: Any) -> Any:
    return f"{value:.15g}" if isinstance(value, float) else value


def read_tables(folder: Path) -> Tables:
    """Read both tables of a folder."""
    return _read(folder / "phase-shares.csv", Shares), _read(folder / "phase-hardness.csv", Hardness)


def _read(path: Path, kind: type[Line]) -> list[Line]:
    convert = {
        field.name: {"int": int, "float": float, "str": str}[str(field.type)] for field in fields(kind)
    }
    with path.open(newline="") as file:
        return [
            kind(**{key: convert[key](text) for key, text in row.items()}) for row in csv.DictReader(file)
        ]
