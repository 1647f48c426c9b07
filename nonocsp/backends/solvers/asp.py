"""Backend ``asp``: an answer set program, solved by clingo.

The program is `asp.lp`, a page long; what the root fixpoint leaves open comes to it as facts. clingo grounds
it line by line, so that a stop is noticed in between, and enumerates its answer sets in one search: every
answer set is another grid. Complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from annotated_doc import Doc

from nonocsp.backends.base import Run
from nonocsp.backends.interruption import POLL
from nonocsp.backends.open_lines import OpenLine, OpenLinesBackend, RootOptions, colours_in, open_lines
from nonocsp.backends.solvers import EXTRA
from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import Grid

if TYPE_CHECKING:
    from clingo import Control, Model

PROGRAM = Path(__file__).with_suffix(".lp")

DEVIATION = 0.02
"""The share of decisions that are random if there is a seed."""


@dataclass(frozen=True, slots=True)
class AspOptions(RootOptions):
    """Options of ``asp``."""

    configuration: Annotated[
        Literal["auto", "frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"],
        Doc("clingo's set of defaults for heuristics, restarts and deletion"),
    ] = "auto"


class Asp(OpenLinesBackend):
    """An answer set program, in clingo."""

    Options = AspOptions
    summary = "a one-page answer set program, for clingo"
    paper = "Gebser, Kaminski, Kaufmann & Schaub, Multi-shot ASP solving with clingo, 2019"
    requires = ("clingo",)
    extra = EXTRA

    def search_open(self, line_solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[Grid]:
        """Yield all solutions; with a seed other than 0, two in a hundred decisions are random."""
        control = self._grounded(list(open_lines(line_solver, candidates, run)), candidates, run)
        try:
            with control.solve(yield_=True, async_=True) as search:
                while True:
                    search.resume()
                    while not search.wait(POLL):
                        run.check()
                    run.check()
                    model = search.model()
                    if model is None:
                        return
                    yield _grid(model, candidates)
        finally:  # a search that is left is cancelled, and then has its counts
            program, solvers = control.statistics["problem"]["lp"], control.statistics["solving"]["solvers"]
            for counts, names in (
                (program, ("atoms", "rules")),
                (solvers, ("choices", "conflicts", "restarts")),
            ):
                run.stats.update((name, int(counts[name])) for name in names)

    def _grounded(self, lines: list[OpenLine], candidates: Candidates, run: Run) -> Control:
        """Return the program of all lines, ground; `run` is asked after each."""
        from clingo import Control, Number

        seed = run.request.seed % 2**32
        control = Control(
            [
                *("--models=0", "--warn=none"),
                f"--configuration={self.options.configuration}",
                *([f"--seed={seed}", f"--rand-freq={DEVIATION}"] if seed else []),
            ]
        )
        control.load(str(PROGRAM))
        control.add("facts", [], "\n".join(_facts(lines, candidates)))
        control.ground([("facts", []), ("cells", [])])
        for number in range(len(lines)):
            run.check()
            control.ground([("line", [Number(number)])])
        return control


def _facts(lines: list[OpenLine], candidates: Candidates) -> Iterator[str]:
    """Yield what `asp.lp` wants to know; lines are numbered in order."""
    for cell in sorted({cell for line in lines for cell in line.cells}):
        for colour in colours_in(int(candidates.flat[cell])):
            yield f"candidate({cell},{colour})."
    for number, line in enumerate(lines):
        for position, cell in enumerate(line.cells):
            yield f"at({number},{position},{cell})."
        for j, (block, starts) in enumerate(zip(line.clue, line.starts, strict=True)):
            yield f"block({number},{j},{block.length},{block.colour})."
            yield f"window({number},{j},{starts[0]},{starts[-1]})."


def _grid(model: Model, candidates: Candidates) -> Grid:
    cells = candidates.copy()
    for symbol in model.symbols(shown=True):
        cell, colour = (argument.number for argument in symbol.arguments)
        cells.flat[cell] = 1 << colour
    return Grid(cells)
