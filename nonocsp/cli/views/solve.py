"""Print the result of a backend on a puzzle, as text or as a JSON record."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from textwrap import fill
from typing import Any

from nonocsp.backends.base import Answer, Outcome, Task
from nonocsp.cli.shared.console import print_grid, printable
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Grid, differing_cells
from nonocsp.render.plain import plain

SHOWN = 2
"""Largest number of solutions to print: two are enough to see that they differ."""
WIDTH = 79
"""Characters in a line of prose."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a backend found out about a puzzle."""

    source: NamedPuzzle
    backend: str
    task: Task
    outcome: Outcome

    def record(self) -> dict[str, Any]:
        """Return the JSON record, with the keys that every report of the project uses."""
        about = {"puzzle": self.source.name, "index": self.source.index}
        asked = {"backend": self.backend, "task": str(self.task)}
        return about | asked | self.outcome.record(self.source.puzzle)

    def grids(self) -> list[tuple[str, Grid]]:
        """Return the grids that text shows, each with a caption."""
        solutions = self.outcome.solutions
        if len(solutions) > 1:
            return [(f"solution {i}", grid) for i, grid in enumerate(solutions[:SHOWN], start=1)]
        return [("", grid) for grid in (*solutions, self.outcome.partial) if grid]

    def best_grid(self) -> Grid | None:
        """Return the first solution, else the partial grid, else None."""
        return self.outcome.solutions[0] if self.outcome.solutions else self.outcome.partial

    def summary(self) -> str:
        """Return answer, termination, time and statistics, one line each."""
        outcome = self.outcome
        message = f" ({printable(outcome.message)})" if outcome.message else ""
        figure = ""
        if self.task is Task.COUNT:
            figure = f" ({_number(outcome)})"
        elif outcome.answer is Answer.PARTIAL and outcome.partial:
            figure = f" ({outcome.partial.unknown_cells} cells undecided)"
        differing = ""
        if len(outcome.solutions) > 1:
            count = int(differing_cells(outcome.solutions).sum())
            differing = f"{count} cells differ; nonocsp repair finds what to change"
        statistics = (
            f"{key} {f'{value:.4g}' if isinstance(value, float) else printable(str(value))}"
            for key, value in outcome.stats.items()
            if value
        )
        lines = {
            "answer": f"{outcome.answer}{figure}",
            "ambiguous": differing,
            "termination": f"{outcome.termination}{message}",
            "time": f"{outcome.wall_s:.4f} s wall, {outcome.cpu_s:.4f} s CPU, by {self.backend}",
            "statistics": ", ".join(statistics),
        }
        return "\n".join(
            fill(f"{key:<12} {value}", WIDTH, subsequent_indent=" " * 13, break_long_words=False)
            for key, value in lines.items()
            if value
        )

    def text(self) -> str:
        """Return everything as plain text."""
        grids = (
            f"{caption}\n{plain(self.source.puzzle, grid)}".lstrip("\n") for caption, grid in self.grids()
        )
        return "\n\n".join([heading(self.source), *grids, self.summary()])


def _number(outcome: Outcome) -> str:
    """Return how many solutions there are, and how many of them are listed, as text."""
    listed = len(outcome.solutions)
    number = outcome.count_at_least if outcome.count is None else outcome.count
    bound = "" if outcome.count is not None else "at least "
    text = f"{bound}{number} {'solution' if number == 1 else 'solutions'}"
    return text if number == listed else f"{text}, {listed} listed"


def heading(source: NamedPuzzle) -> str:
    """Return name, size, title and author of a puzzle in one line."""
    puzzle = source.puzzle
    title = f', "{printable(puzzle.title)}"' if puzzle.title else ""
    author = f" by {printable(puzzle.author)}" if puzzle.author else ""
    return f"{printable(source.name)}: {puzzle.shape[0]}x{puzzle.shape[1]}{title}{author}"


def print_json(result: Result) -> None:
    """Print the record as one line."""
    import json

    print(json.dumps(result.record()), flush=True)


def print_text(result: Result, *, with_grids: bool) -> None:
    """Print the result as text, in colour on a terminal.

    Parameters
    ----------
    result
        The result of one puzzle.
    with_grids
        Also print the solutions, or the partial grid.
    """
    print(heading(result.source), end="\n\n" if with_grids else "\n")
    for caption, grid in result.grids() if with_grids else ():
        print(caption, end="\n" * bool(caption))
        print_grid(result.source.puzzle, grid)
        print()
    print(result.summary(), end="\n\n", flush=True)


def result_encoders(*, has_patterns: bool) -> dict[str, Callable[[Result], bytes]]:
    """Return how to write a result of `nonocsp solve` to a file, by suffix.

    Parameters
    ----------
    has_patterns
        Whether pictures hatch each colour in its own way.
    """
    encode = partial(_encoded, has_patterns=has_patterns)
    return {suffix: partial(encode, suffix=suffix) for suffix in (".txt", ".json", ".svg", ".png")}


def _encoded(result: Result, *, suffix: str, has_patterns: bool) -> bytes:
    """Return a result as what a file with the suffix holds."""
    puzzle, grid = result.source.puzzle, result.best_grid()
    marked = differing_cells(result.outcome.solutions) if result.outcome.solutions else None
    if suffix == ".png":
        from nonocsp.render.png import to_png

        return to_png(puzzle, grid, marked=marked, has_patterns=has_patterns)
    if suffix == ".svg":
        from nonocsp.render.svg import to_svg

        return to_svg(puzzle, grid, marked=marked, has_patterns=has_patterns).encode()
    text = f"{json.dumps(result.record())}\n" if suffix == ".json" else f"{result.text()}\n\n"
    return text.encode()
