"""Measure how often `nonocsp.mend` names the wrong clue among its first three suggestions, and how fast.

Unique puzzles of 10x10 to 25x25, random images and pictures in one to three colours, get one typing error of
each kind. An error that leaves a puzzle with exactly one solution cannot be noticed, and is counted apart.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from nonocsp import Block, Clue, Puzzle, load_all, mend, solve
from nonocsp.backends.base import Answer
from nonocsp.datasets import random_set
from nonocsp.making.mend import LIMIT
from nonocsp.model import ClueDraft
from tools.benchmarks.pictures import picture
from tools.benchmarks.puzzles import ROOT

Random = np.random.Generator
Clues = list[list[Clue]]
"""Those of the rows and those of the columns."""
SIZES = ((10, 10), (15, 10), (15, 20), (20, 20), (25, 20), (25, 25))
DENSITIES = (0.55, 0.65, 0.75)


def unique_puzzles(seed: int, count: int, sizes: tuple[tuple[int, int], ...] = SIZES) -> Iterator[Puzzle]:
    """Yield unique puzzles: a third random images, the others pictures."""
    found = 0
    for number, puzzle in enumerate(_puzzles(seed, sizes)):
        if found == count:
            return
        if number < 100 * count and solve(puzzle, wall=2).answer is Answer.UNIQUE:
            found += 1
            yield puzzle


def _puzzles(seed: int, sizes: tuple[tuple[int, int], ...]) -> Iterator[Puzzle]:
    random = np.random.default_rng(seed)
    drawn = [*load_all(ROOT / "datasets" / "pictures" / "pictures.jsonl")]
    while True:
        for rows, columns in sizes:
            chosen = int(random.integers(1 << 30))
            density = float(random.choice(DENSITIES))
            for puzzle in random_set(chosen, count=40, rows=rows, columns=columns, density=density):
                if solve(puzzle, wall=2).answer is Answer.UNIQUE:
                    yield puzzle
                    break
            for kind, colours in (("blobs 1.2", 1), ("photo", int(random.integers(1, 4)))):
                made = picture(kind, max(rows, columns), colours, chosen)
                assert made.goal is not None
                yield Puzzle.from_grid(made.goal.cells[:rows, :columns], palette=made.palette)
            if sizes is SIZES:
                yield drawn[chosen % len(drawn)]


def _any_block(
    random: Random, clues: Clues, fits: Callable[[Clue, int], bool]
) -> tuple[list[Clue], int, int]:
    """Return an axis, a line and a block, by chance among those that fit."""
    places = [
        (axis, i, j)
        for axis in clues
        for i, clue in enumerate(axis)
        for j in range(len(clue))
        if fits(clue, j)
    ]
    if not places:
        raise LookupError
    return places[random.integers(len(places))]


def _changed(clue: Clue, first: int, last: int, *blocks: Block) -> Clue:
    return Clue([*clue[:first], *blocks, *clue[last:]])


def _number(by: int) -> Callable[[Random, Clues, int], None]:
    def mistype(random: Random, clues: Clues, _: int) -> None:
        more = by if random.random() < 0.5 else -by
        axis, i, j = _any_block(random, clues, lambda clue, j: clue[j].length + more > 0)
        axis[i] = _changed(axis[i], j, j + 1, axis[i][j]._replace(length=axis[i][j].length + more))

    return mistype


def _swap(random: Random, clues: Clues, _: int) -> None:
    axis, i, j = _any_block(random, clues, lambda clue, j: j > 0 and clue[j] != clue[j - 1])
    axis[i] = _changed(axis[i], j - 1, j + 1, axis[i][j], axis[i][j - 1])


def _leave_out(random: Random, clues: Clues, _: int) -> None:
    axis, i, j = _any_block(random, clues, lambda *_: True)
    axis[i] = _changed(axis[i], j, j + 1)


def _double(random: Random, clues: Clues, _: int) -> None:
    axis, i, j = _any_block(random, clues, lambda *_: True)
    axis[i] = _changed(axis[i], j, j, axis[i][j])


def _colour(random: Random, clues: Clues, colours: int) -> None:
    if colours < 2:
        raise LookupError
    axis, i, j = _any_block(random, clues, lambda *_: True)
    other = 1 + (axis[i][j].colour + int(random.integers(colours - 1))) % colours
    axis[i] = _changed(axis[i], j, j + 1, axis[i][j]._replace(colour=other))


def _exchange(most: int) -> Callable[[Random, Clues, int], None]:
    def mistype(random: Random, clues: Clues, _: int) -> None:
        axis = clues[random.integers(2)]
        pairs = [
            (i, k)
            for i in range(len(axis))
            for k in range(i + 1, min(i + most, len(axis) - 1) + 1)
            if axis[i] != axis[k]
        ]
        if not pairs:
            raise LookupError
        i, k = pairs[random.integers(len(pairs))]
        axis[i], axis[k] = axis[k], axis[i]

    return mistype


def _sizes(_: Random, clues: Clues, __: int) -> None:
    rows, columns = clues
    if len(rows) == len(columns):
        raise LookupError
    every = [*rows, *columns]
    clues[:] = [every[: len(columns)], every[len(columns) :]]


ERRORS = {
    "number by 1": _number(1),
    "number by 2": _number(2),
    "neighbours swapped": _swap,
    "number missing": _leave_out,
    "number doubled": _double,
    "wrong colour": _colour,
    "neighbouring clues exchanged": _exchange(1),
    "any clues exchanged": _exchange(10**6),
    "sizes exchanged": _sizes,
}
"""What goes wrong, in place; LookupError if a puzzle has no place for it."""


@dataclass(frozen=True, slots=True)
class Run:
    """What `mend` found of one error: the place of the right mend from 1, 0 if it is not there."""

    place: int
    mends: int
    seconds: float
    is_complete: bool
    is_noticed: bool
    contradiction: int


def run(puzzle: Puzzle, error: Callable[[Random, Clues, int], None], random: Random, limit: float) -> Run:
    """Mistype one clue of a puzzle, and look for it."""
    clues = [[*puzzle.rows], [*puzzle.columns]]
    error(random, clues, len(puzzle.palette) - 1)
    start = time.perf_counter()
    found = mend(ClueDraft(tuple(clues[0]), tuple(clues[1]), puzzle.palette), limit=limit)
    seconds = time.perf_counter() - start
    places = [
        place
        for place, one in enumerate(found.found, 1)
        if (one.puzzle.rows, one.puzzle.columns) == (puzzle.rows, puzzle.columns)
    ]
    return Run(
        places[0] if places else 0,
        len(found.found),
        seconds,
        found.is_complete,
        found.answer is not Answer.UNIQUE,
        len(found.contradiction),
    )


def main(
    seeds: Annotated[str, typer.Option(help="Seeds, such as 1,2,3,4.")] = "1,2,3,4",
    count: Annotated[int, typer.Option(help="Puzzles for each seed.")] = 75,
    size: Annotated[int, typer.Option(help="Puzzles of this size only; 0: the mixture.")] = 0,
    limit: Annotated[float, typer.Option(help="Seconds for each puzzle.")] = LIMIT,
) -> None:
    """Measure how well `nonocsp.mend` finds typing errors."""
    runs: dict[str, list[Run]] = defaultdict(list)
    puzzles = 0
    for seed in map(int, seeds.split(",")):
        random = np.random.default_rng(seed)
        sizes = ((size, size),) if size else SIZES
        for puzzle in unique_puzzles(seed, count, sizes):
            puzzles += 1
            for name, error in ERRORS.items():
                try:
                    one = run(puzzle, error, random, limit)
                except LookupError:
                    continue
                runs[name].append(one)
    _print(runs, puzzles)


def _print(runs: dict[str, list[Run]], puzzles: int) -> None:
    heads = (
        "error",
        "runs",
        "noticed",
        "first",
        "first 3",
        "mends",
        "median s",
        "95 % s",
        "max s",
        "early",
        "set",
    )
    table = Table(*heads, title=f"{puzzles} puzzles")
    every = [one for of_kind in runs.values() for one in of_kind]
    for name, all_runs in (*runs.items(), ("all", every)):
        noticed = [one for one in all_runs if one.is_noticed]
        seconds = [one.seconds for one in all_runs]
        share = {most: np.mean([0 < one.place <= most for one in noticed]) for most in (1, 3)}
        sets = [one.contradiction for one in noticed if one.contradiction]
        table.add_row(
            name,
            str(len(all_runs)),
            str(len(noticed)),
            f"{share[1]:.1%}",
            f"{share[3]:.1%}",
            f"{np.mean([one.mends for one in noticed]):.2f}",
            *(f"{value:.3f}" for value in np.quantile(seconds, [0.5, 0.95, 1])),
            str(sum(not one.is_complete for one in all_runs)),
            "/".join(f"{value:.0f}" for value in np.quantile(sets, [0.5, 0.95, 1])) if sets else "",
        )
    Console(width=140).print(table)
