"""Tables of the counts of the census, in the forms of the OEIS, each compared with what is published.

``python -m tools.benchmarks series --cells 20`` counts all sizes of up to 20 cells; a size and its
transpose have the same counts. ``--save FOLDER`` writes ``census-counts.csv`` with everything, and
b-files: lines of index and value. ``census-simple.txt`` and ``census-unique.txt`` have the sizes m x n by
antidiagonals, as A384764 has them, as far as all sizes of an antidiagonal are counted;
``census-simple-2xn.txt`` and the like have one series. The censuses are kept in FOLDER/2x3 and so on,
where ``nonocsp census --output`` can make them too; ``--only-kept`` takes those that are complete and
counts nothing. ``--figure FILE`` draws the shares.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from nonocsp.grading.census.counts import Census
from nonocsp.grading.census.ledger import gaps, read_counted
from nonocsp.grading.census.pools import CensusPool, threads
from nonocsp.grading.census.taking import take_census
from nonocsp.grading.census.tallies import Counts, Tally, solutions, sweeps
from nonocsp.render.plot import write_plot
from nonocsp.run.cores import usable_cores

Size = tuple[int, int]
"""Rows and columns, the smaller number first."""

SIMPLE = {
    (2, 2): 14, (2, 3): 52, (2, 4): 208, (2, 5): 810, (2, 6): 3178, (2, 10): 736786, (2, 14): 170054426,
    (3, 3): 384, (3, 4): 3116, (3, 5): 24052, (3, 6): 188042, (3, 7): 1457710, (3, 8): 11284750,
    (3, 9): 87341874, (4, 4): 51234, (4, 5): 801832, (4, 6): 12560410, (4, 7): 195819250, (5, 5): 24976511,
    (5, 6): 781005372, (6, 6): 48625108931,
}  # fmt: skip
"""Published numbers of simple images (squares: OEIS A391619)."""
_UNIQUE_2XN = (
    *(4, 14, 52, 210, 816, 3206, 12536, 48962, 191226, 746456, 2913544, 11371040, 44376798, 173181564),
    *(675834086, 2637392942, 10292179494, 40164144690),
)
UNIQUE = {
    **{(min(2, n), max(2, n)): value for n, value in enumerate(_UNIQUE_2XN, start=1)},
    (3, 3): 384, (3, 4): 3152, (3, 5): 24230, (3, 6): 189898, (3, 7): 1473674, (4, 4): 52362, (4, 5): 814632,
    (4, 6): 12819322, (5, 5): 25309575, (5, 6): 794378773, (6, 6): 49745060669,
}  # fmt: skip
"""Published numbers of unique descriptions (OEIS A384764, A383345)."""
COLUMNS = ("rows", "columns", "images", "simple", "unique", "descriptions", "most_solutions")


def main(
    cells: Annotated[int, typer.Option(help="Count the sizes of up to so many cells.")] = 20,
    kept: Annotated[Path, typer.Option(help="Folder of the censuses.")] = Path("results/census"),
    only_kept: Annotated[bool, typer.Option("--only-kept", help="Count nothing.")] = False,
    save: Annotated[Path | None, typer.Option(help="Folder of the tables.")] = None,
    figure: Annotated[Path | None, typer.Option(help="File of the figure.")] = None,
) -> None:
    """Count, compare, and write."""
    sizes = [(m, n) for m in range(2, cells // 2 + 1) for n in range(m, cells // m + 1)]
    with threads(usable_cores()) as pool:
        found = {
            size: census
            for size in sorted(sizes, key=lambda size: size[0] * size[1])
            if (census := taken(size, kept, None if only_kept else pool)) is not None
        }
    _print(found)
    if save:
        write_tables(found, save)
    if figure:
        _draw(found, figure)


def taken(size: Size, kept: Path, pool: CensusPool | None) -> Census | None:
    """Return the census of a size; without a pool only if it is complete."""
    folder = kept / f"{size[0]}x{size[1]}"
    if pool is not None:
        return take_census(*size, folder, pool, unique=True)
    difficulties = _complete(sweeps(*size), folder)
    return difficulties and Census(*size, difficulties, _complete(solutions(*size), folder))


def _complete(tally: Tally[Counts], folder: Path) -> Counts | None:
    """Return the counts of a tally, if all its shards are kept."""
    counted = read_counted(folder, tally)
    if gaps(counted, len(tally.shards)):
        return None
    return sum((one.counts for one in counted), tally.none)


def write_tables(found: Mapping[Size, Census], folder: Path) -> None:
    """Write the tables."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "census-counts.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*COLUMNS, "histogram"])
        for census in found.values():
            record = census.record()
            histogram = " ".join(map(str, record["histogram"]))
            table.writerow([*(record[column] for column in COLUMNS), histogram])
    for name, number in NUMBERS.items():
        _write_b_file(folder / f"census-{name}.txt", antidiagonals(found, number))
        for m in (2, 3, 4):
            _write_b_file(folder / f"census-{name}-{m}xn.txt", series(found, number, m))


def series(found: Mapping[Size, Census], number: Callable[[Census], int | None], m: int) -> list[int]:
    """Return the numbers of the sizes m x 0, m x 1, … as far as they are known."""
    numbers: list[int] = []
    while (value := _value(found, number, m, len(numbers))) is not None:
        numbers.append(value)
    return numbers


def antidiagonals(found: Mapping[Size, Census], number: Callable[[Census], int | None]) -> list[int]:
    """Return the numbers of all sizes m x n by antidiagonals m + n = 0, 1, …, as far as all are known."""
    numbers: list[int] = []
    for total in count(0):
        diagonal = [_value(found, number, m, total - m) for m in range(total + 1)]
        if None in diagonal:
            return numbers
        numbers.extend(value for value in diagonal if value is not None)
    raise AssertionError("there is always a size that is not counted")


def _value(
    found: Mapping[Size, Census], number: Callable[[Census], int | None], m: int, n: int
) -> int | None:
    """Return the number of a size; with fewer than two lines one way, all images are simple."""
    if min(m, n) < 2:
        return 1 << m * n
    census = found.get((min(m, n), max(m, n)))
    return census and number(census)


def _write_b_file(path: Path, values: list[int]) -> None:
    path.write_text("".join(f"{index} {value}\n" for index, value in enumerate(values)))


def _simple(census: Census) -> int | None:
    return census.difficulties.simple


def _unique(census: Census) -> int | None:
    return census.solutions and census.solutions.unique


NUMBERS = {"simple": _simple, "unique": _unique}
"""What the b-files have, by name."""


def _print(found: Mapping[Size, Census]) -> None:
    table = Table("size", "simple", "", "unique", "", title="=: as published, -: no source at hand")
    for size, census in found.items():
        cells = []
        for number, published in ((_simple(census), SIMPLE), (_unique(census), UNIQUE)):
            known = published.get(size)
            mark = "-" if known is None else "=" if known == number else f"WRONG: {known}"
            cells += ["", "not counted"] if number is None else [f"{number:,}".replace(",", " "), mark]
        table.add_row("{}x{}".format(*size), *cells)
    Console().print(table)


def _draw(found: Mapping[Size, Census], path: Path) -> None:
    from matplotlib.figure import Figure

    def draw(figure: Figure) -> None:
        for axes, (name, number) in zip(figure.subplots(1, 2, sharey=True), NUMBERS.items(), strict=True):
            for m, marker in zip(range(2, 7), "osD^v", strict=True):
                counted = {n: number(census) for (least, n), census in found.items() if least == m}
                points = [(n, 100 * k / 2 ** (m * n)) for n, k in counted.items() if k is not None]
                axes.plot(
                    *zip(*points, strict=True), marker=marker, markersize=3, linewidth=0.8, label=f"{m} x n"
                )
            axes.set_title(f"{name} images")
            axes.set_xlabel("n (cells in the longer side)")
            axes.legend(frameon=False)
        figure.axes[0].set_ylabel("share of all images (%)")

    write_plot(path, draw, inches=(7.0, 3.2))
