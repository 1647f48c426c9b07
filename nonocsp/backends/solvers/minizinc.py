"""Backend ``minizinc``: models of our own, in MiniZinc, for any solver that MiniZinc has and that enumerates.

What the root fixpoint leaves open goes to ``minizinc`` as JSON, beside one of the three models in `models/`,
and the solutions come back as a stream. The program and its solver are killed when the run must stop.
Complete.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Run
from nonocsp.backends.ending import end_session
from nonocsp.backends.interruption import POLL
from nonocsp.backends.open_lines import (
    OpenLine,
    OpenLinesBackend,
    RootOptions,
    automaton,
    colours_in,
    full_grid,
    open_lines,
    table,
)
from nonocsp.backends.solvers import EXTRA
from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import BackendError, Grid

MODELS = Path(__file__).with_name("models")


@dataclass(frozen=True, slots=True)
class MiniZincOptions(RootOptions):
    """Options of ``minizinc``."""

    solver: Annotated[
        str, Doc("a solver that minizinc --solvers lists and that has -a, such as gecode, chuffed or cp-sat")
    ] = "gecode"
    model: Annotated[
        Literal["regular", "table", "intervals"],
        Doc("constraint of a line: an automaton, a table of its placements, or the starts of its blocks"),
    ] = "regular"


class MiniZinc(OpenLinesBackend):
    """Models in MiniZinc."""

    Options = MiniZincOptions
    summary = "each line becomes an automaton, a table or start variables, for any solver of MiniZinc"
    paper = "Nethercote, Stuckey, Becket, Brand, Duck & Tack, MiniZinc: towards a standard CP language, 2007"
    programs: ClassVar = {"minizinc": "apt install minizinc, or https://www.minizinc.org"}
    extra = EXTRA

    def search_open(self, line_solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[Grid]:
        """Yield all solutions; a seed other than 0 is the solver's (-r)."""
        lines = list(open_lines(line_solver, candidates, run))
        is_open = np.bitwise_count(candidates).ravel() > 1
        colours = len(line_solver.puzzle.palette)
        data = DATA[self.options.model](lines, colours) | _cells(candidates, colours)
        with TemporaryDirectory() as folder:
            file = Path(folder) / "puzzle.json"
            file.write_text(json.dumps(data))
            for found in self._solutions(file, run):
                values = np.array(found)[is_open] - 1
                yield full_grid(candidates, values.tolist())

    def _solutions(self, data: Path, run: Run) -> Iterator[list[int]]:
        """Yield the colours of all cells in each solution."""
        seed = run.request.seed % 2**31
        command = [
            *("minizinc", "--solver", self.options.solver, "--json-stream", "--output-mode", "json"),
            *("--all-solutions", "--statistics", *(("--random-seed", str(seed)) if seed else ())),
            *(str(MODELS / f"{self.options.model}.mzn"), str(data)),
        ]
        errors, status = data.with_name("errors"), "unknown"
        with errors.open("wb") as file:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=file,
                start_new_session=True,
                env={**os.environ, "TMPDIR": str(data.parent)},  # for what it leaves there when it is killed
            )
        try:
            for message in _messages(process, run):
                match message.get("type"):
                    case "solution":
                        yield message["output"]["json"]["colour"]
                    case "statistics":
                        counts = message["statistics"]
                        run.stats.update((KEPT[key], counts[key]) for key in KEPT if key in counts)
                    case "status":
                        status = str(message["status"])
                    case "error":
                        raise BackendError(f"minizinc, {message.get('what')}: {message.get('message')}")
        finally:
            end_session(process)  # its solver too
            process.communicate()
        if status not in ENDED:
            code, words = process.returncode, errors.read_text("utf-8", "replace").split()
            how = f"status {status}, exit code {code}, last words: {' '.join(words)[-300:] or 'none'}"
            raise BackendError(f"minizinc ended before its search did: {how}")


KEPT = {"flatTime": "flat_s", "solveTime": "solver_s", "nodes": "nodes", "failures": "fails"}
"""What is kept of the statistics of MiniZinc and its solver, and under which names."""
ENDED = ("ALL_SOLUTIONS", "UNSATISFIABLE")
"""What MiniZinc says after a search that ended by itself."""


def _messages(process: subprocess.Popen[bytes], run: Run) -> Iterator[dict[str, Any]]:
    """Yield what minizinc says, one JSON object a line, until it ends or the run must stop."""
    assert process.stdout is not None
    output, rest = process.stdout.fileno(), b""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            run.check()
            if not selector.select(POLL):
                continue
            chunk = os.read(output, 1 << 16)
            *lines, rest = (rest + (chunk or b"\n")).split(b"\n")
            for line in lines:
                run.check()
                with suppress(ValueError):  # it prints its help, too
                    yield json.loads(line)
            if not chunk:
                process.wait()
                return


def _cells(candidates: Candidates, colours: int) -> dict[str, Any]:
    """Return what the cells may be; in the models, colours count from 1."""
    sets = [{"set": [colour + 1 for colour in colours_in(each)]} for each in candidates.ravel().tolist()]
    return {"colours": colours, "candidates": sets}


def _split(name: str, parts: list[list[Any]]) -> dict[str, Any]:
    """Return lists joined to one, and where each begins in it, counted from 1."""
    joined = [value for part in parts for value in part]
    return {name: joined, f"first_{name}": list(accumulate(map(len, parts), initial=1))}


def _of_lines(lines: list[OpenLine], *, whole: bool) -> dict[str, Any]:
    cells = [
        [
            cell + 1
            for cell, candidate in zip(line.cells, line.candidates, strict=True)
            if whole or np.bitwise_count(candidate) > 1
        ]
        for line in lines
    ]
    return {"lines": len(lines), **_split("cell", cells)}


def _regular(lines: list[OpenLine], colours: int) -> dict[str, Any]:
    """Return the automata: for each state, counted from 1, the state after each colour; 0 is none."""
    states, steps = [], []
    for line in lines:
        _, finals, transitions = automaton(line.clue)
        states.append(max(finals) + 1)
        step = np.zeros((states[-1], colours), int)
        for state, colour, following in transitions:
            step[state, colour] = following + 1
        steps.append(step.ravel().tolist())
    return {**_of_lines(lines, whole=True), "states": states, **_split("step", steps)}


def _table(lines: list[OpenLine], colours: int) -> dict[str, Any]:  # noqa: ARG001
    """Return the placements as colours of the open cells."""
    values = [(table(line) + 1).ravel().tolist() for line in lines]
    return {**_of_lines(lines, whole=False), **_split("value", values)}


def _intervals(lines: list[OpenLine], colours: int) -> dict[str, Any]:  # noqa: ARG001
    """Return the blocks, with the starts that each may have."""
    blocks = [
        [
            {
                "window": {"set": (starts + 1).tolist()},
                "length": block.length,
                "block_colour": block.colour + 1,
            }
            for block, starts in zip(line.clue, line.starts, strict=True)
        ]
        for line in lines
    ]
    split = _split("block", blocks)
    properties = {
        key: [block[key] for block in split["block"]] for key in ("window", "length", "block_colour")
    }
    return {**_of_lines(lines, whole=True), "first_block": split["first_block"], **properties}


DATA: dict[str, Callable[[list[OpenLine], int], dict[str, Any]]] = {
    "regular": _regular,
    "table": _table,
    "intervals": _intervals,
}
"""What each model wants to know of the open lines."""
