"""Make a set of instances for a solver competition: puzzles that grow, in one language, with proved verdicts.

Of a puzzle with exactly one solution there is a second instance, which forbids it and so has none. Two
backends, which share no algorithm, prove each verdict; a puzzle that they do not both decide in time is left
out. A set has::

    README.md       for the organisers
    verdicts.csv    a row for each instance
    instances/      what solvers read
    maps/           what the variables mean, for ``nonocsp decode``
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np

from nonocsp.backends.base import Answer, Limits, Request
from nonocsp.bench.agreement import Checked, Finding, check_puzzles
from nonocsp.datasets import n_dom, random_set
from nonocsp.exporting import LANGUAGES
from nonocsp.exporting.languages import export
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Grid, NonocspError, Puzzle, UsageError

PROVERS = ("hybrid", "sat:root=no")
_SOLUTIONS = {Answer.UNSAT: "none", Answer.UNIQUE: "one", Answer.MULTIPLE: "several"}
_SIDES, _DENSITIES = (8, 10, 15, 20, 30, 40), (0.275, 0.325, 0.4, 0.425, 0.425, 0.45)
"""The densities at which random images of these sides are hardest; see docs/results/phase.md."""
FAMILIES = {
    "dominoes": """\
The *n*-Dom puzzles of Jan Wolter's survey (webpbn.com/survey): a staircase of n dominoes with 2n + 1 rows and
columns. Each has exactly one solution, which only all clues together determine. Solvers that learn clauses
take nearly twice as long for each step of n; search without learning is lost from about n = 10 on.""",
    "transition": """\
Random square images, at the density at which puzzles of their size take the most work. Nearly all have
several solutions. In puzzles named `exchanged` the clues of the first and the middle row have changed places:
all sums still agree, and about two thirds have no solution. A SAT solver takes about 1.5 times as many
conflicts for each row and column more; puzzles of one size differ widely.""",
}
"""The families, each described for organisers."""


def make_set(
    folder: Path,
    family: str,
    language: str,
    *,
    count: int,
    seed: int = 0,
    encoding: str = "order",
    limit: float = 60.0,
    jobs: int = 1,
) -> Iterator[Checked]:
    """Yield the puzzles of a set as they are decided, and write their instances; the table comes last."""
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} has files; name a new folder")
    for name in ("instances", "maps"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    sources = (NamedPuzzle(name, 1, puzzle) for name, puzzle in _puzzles(family, count, seed))
    request, rows = Request(limits=Limits(wall=limit)), list[dict[str, object]]()
    try:
        for checked in check_puzzles(sources, PROVERS, request, jobs=jobs):
            if checked.finding is Finding.DISAGREED:
                raise NonocspError(f"{checked.source.name}: the backends disagree; nonocsp check tells more")
            if checked.finding is Finding.AGREED:
                rows += _instances(checked, folder, language, encoding)
            yield checked
    finally:
        rows.sort(key=lambda row: str(row["instance"]))
        with (folder / "verdicts.csv").open("w", newline="", encoding="utf-8") as stream:
            table = csv.DictWriter(stream, rows[0] if rows else ["instance"], lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
        made = f"--family {family} --to {language} --count {count}"
        made += f" --seed {seed}" * (family != "dominoes") + f" --encoding {encoding}" * (language != "xcsp3")
        made += f" --limit {limit:g}s"
        text = _readme(family, rows, language=language, encoding=encoding, limit=limit, options=made)
        (folder / "README.md").write_text(text)


def _puzzles(family: str, count: int, seed: int) -> Iterator[tuple[str, Puzzle]]:
    """Yield the puzzles of a family by their names."""
    for step in range(1, count + 1):
        if family == "dominoes":
            yield f"dominoes-{step:03}", n_dom(step)
            continue
        side = 9 + step
        density = float(np.interp(side, _SIDES, _DENSITIES))
        [puzzle] = random_set(1000 * seed + side, count=1, rows=side, columns=side, density=density)
        yield f"transition-{side:03}", puzzle
        rows, middle = [*puzzle.rows], side // 2
        rows[0], rows[middle] = rows[middle], rows[0]
        yield f"transition-{side:03}-exchanged", Puzzle(tuple(rows), puzzle.columns)


def _instances(checked: Checked, folder: Path, language: str, encoding: str) -> Iterator[dict[str, object]]:
    """Write the instances of a puzzle, and yield their rows of the table."""
    found, puzzle = checked.outcomes[PROVERS[0]], checked.source.puzzle
    questions: list[Grid | None] = [None, found.grid] if found.answer is Answer.UNIQUE else [None]
    for without in questions:
        name = f"{checked.source.name}{'-other' if without else ''}{LANGUAGES[language]}"
        made = export(puzzle, language, encoding=encoding, root=False, without=without)
        content = "".join(made.parts)
        (folder / "instances" / name).write_text(content)
        (folder / "maps" / f"{name}.map.json").write_text(made.map.text())
        is_sat = found.answer is not Answer.UNSAT and without is None
        row: dict[str, object] = {"instance": name, "verdict": "sat" if is_sat else "unsat"}
        row |= zip(("rows", "columns"), puzzle.shape, strict=True)
        row |= {"solutions of the puzzle": _SOLUTIONS[found.answer], "bytes": len(content)}
        for spec, outcome in checked.outcomes.items():
            row[f"{spec} seconds"] = f"{outcome.wall_s:.3f}"
            row[f"{spec} conflicts"] = outcome.stats.get("conflicts", 0)
        yield row | {"sha256": hashlib.sha256(content.encode()).hexdigest()}


def _readme(family: str, rows: list[dict[str, object]], *, encoding: str, **said: object) -> str:
    text = Path(__file__).with_name("competition.md").read_text(encoding="utf-8")
    sat = sum(row["verdict"] == "sat" for row in rows)
    model = f"a formula in the {encoding} encoding of the blocks' positions"
    if said["language"] == "xcsp3":
        model = "a variable for each cell, whose value is its colour, and a `regular` constraint a line"
    return text.format(
        about=FAMILIES[family],
        sat=sat,
        unsat=len(rows) - sat,
        model=model,
        provers=" and ".join(f"`{spec}`" for spec in PROVERS),
        version=version("nonocsp"),
        example=rows[0]["instance"] if rows else "NAME",
        **said,
    )
