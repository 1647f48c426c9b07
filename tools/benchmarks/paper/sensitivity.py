"""Measure how one cell changes a puzzle: every change of a single cell of simple puzzles.

Each cell gets every other colour, and the changed image becomes a puzzle. It is simple, or unique without
being simple, or has several solutions. ``python -m tools.benchmarks sensitivity --plot FILE`` also draws the
distribution of the difficulty (sweeps) after a change that keeps the puzzle simple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from nonocsp import Answer, Puzzle, generate, solve_many
from nonocsp.datasets.random_images import random_set
from nonocsp.formats import load_all
from nonocsp.making.cells import Cells
from nonocsp.making.drawings import apple
from nonocsp.making.judging import swept
from tools.benchmarks.puzzles import ROOT, SEED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANDOM = {"random 10x10": (10, 0.5), "random 15x15": (15, 0.6)}
"""Side and share of black of the random images."""
COUNT = 40
"""Simple puzzles of each random set."""


@dataclass(frozen=True, eq=False)
class Changed:
    """What the changes of single cells do to a puzzle.

    Parameters
    ----------
    before
        Its difficulty.
    after
        The difficulties after the changes that keep it simple.
    unique, ambiguous
        Numbers of changes that leave one solution beyond line solving, and several.
    """

    before: int
    after: NDArray[np.int64]
    unique: int
    ambiguous: int

    @property
    def changes(self) -> int:
        """Number of changes tried."""
        return len(self.after) + self.unique + self.ambiguous


def main(
    plot: Annotated[Path | None, typer.Option(help="Draw the distributions to this file.")] = None,
) -> None:
    """Print the tables."""
    found = {name: [changed(puzzle) for puzzle in puzzles] for name, puzzles in _sets().items()}
    console = Console(width=130)
    console.print(_kinds(found))
    console.print(_difficulties(found))
    if plot:
        from nonocsp.render.plot import write_plot

        write_plot(plot, lambda figure: _draw(figure, found), inches=(6, 2.8))


def _sets() -> dict[str, list[Puzzle]]:
    """Return the simple puzzles of each set."""
    sets = {"drawings": drawings()}
    for name, (side, density) in RANDOM.items():
        images = random_set(SEED, count=10_000, rows=side, columns=side, density=density)
        sets[name] = list(islice((puzzle for puzzle in images if _sweeps(puzzle) is not None), COUNT))
    made = generate(apple(), size=(20, 20), edges="only", class_="simple", count=8)
    return sets | {"outlined apples 20x20": [one.puzzle for one in made]}


def drawings() -> list[Puzzle]:
    """Return the simple puzzles among the project's own drawings."""
    files = (ROOT / "datasets" / "pictures" / "pictures.jsonl", ROOT / "datasets" / "showcase" / "puzzles")
    drawn = (puzzle for path in files for puzzle in load_all(path))
    return [puzzle for puzzle in drawn if _sweeps(puzzle) is not None]


def _image(puzzle: Puzzle) -> Cells:
    assert puzzle.goal is not None
    return puzzle.goal.cells


def _sweeps(puzzle: Puzzle) -> int | None:
    _, sweeps, is_simple = swept(_image(puzzle), puzzle.palette)
    return sweeps if is_simple else None


def changed(puzzle: Puzzle) -> Changed:
    """Make every change of a single cell of a puzzle."""
    after, stuck = [], []
    for image in neighbours(puzzle):
        tried, sweeps, is_simple = swept(image, puzzle.palette)
        if is_simple:
            after.append(sweeps)
        else:
            stuck.append(tried)
    unique = sum(outcome.answer is Answer.UNIQUE for outcome in solve_many(stuck))
    return Changed(_sweeps(puzzle) or 0, np.array(after), unique, len(stuck) - unique)


def neighbours(puzzle: Puzzle) -> Iterator[Cells]:
    """Yield the images that differ from the solution in one cell."""
    image = _image(puzzle)
    for row, column in np.ndindex(image.shape):
        for colour in set(range(len(puzzle.palette))) - {int(image[row, column])}:
            changed = image.copy()
            changed[row, column] = colour
            yield changed


def _kinds(found: dict[str, list[Changed]]) -> Table:
    table = Table("set", "puzzles", "changes", "stay simple", "unique, not simple", "several solutions")
    for name, puzzles in found.items():
        total = sum(one.changes for one in puzzles)
        counts = [
            sum(len(one.after) for one in puzzles),
            sum(one.unique for one in puzzles),
            sum(one.ambiguous for one in puzzles),
        ]
        table.add_row(name, f"{len(puzzles)}", f"{total}", *(f"{count / total:.1%}" for count in counts))
    return table


def _difficulties(found: dict[str, list[Changed]]) -> Table:
    """How the difficulty moves, and the range that one change can reach."""
    table = Table(
        "set", "before: median", "same", "easier", "harder", "1 % below", "1 % above", "median reach"
    )
    for name, puzzles in found.items():
        ratio = np.concatenate([one.after / one.before for one in puzzles])
        low, high = np.quantile(ratio, (0.01, 0.99))
        reach = [np.median([edge(one.after) for one in puzzles]) for edge in (np.min, np.max)]
        shares = (ratio == 1, ratio < 1, ratio > 1)
        table.add_row(
            *(name, f"{np.median([one.before for one in puzzles]):.0f}"),
            *(f"{share.mean():.0%}" for share in shares),
            *(f"x {low:.2f}", f"x {high:.2f}", f"{reach[0]:.0f}..{reach[1]:.0f}"),
        )
    return table


def _draw(figure: Figure, found: dict[str, list[Changed]]) -> None:
    """Draw how many of the changes move the difficulty by how many sweeps."""
    axes = figure.subplots()
    steps = np.arange(-8, 13)
    for (name, puzzles), marker in zip(found.items(), "os^d", strict=True):
        moved = np.concatenate([one.after - one.before for one in puzzles]).clip(steps[0], steps[-1])
        shares = [(moved == step).mean() or np.nan for step in steps]
        axes.plot(steps, shares, marker=marker, markersize=3, linewidth=1, label=name)
    axes.set_yscale("log")
    axes.set_yticks([0.0001, 0.001, 0.01, 0.1, 1], ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"])
    axes.set_xticks(steps[::4])
    axes.set_xlabel(f"sweeps more or less after one cell changes ({steps[0]} and {steps[-1]}: or beyond)")
    axes.set_ylabel("share of the changes that stay simple")
    axes.legend(frameon=False)
