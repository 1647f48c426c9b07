"""Run a declared program as a backend.

What a claim counts for. The program is asked once, and the grids that it prints are passed on, to be verified
like those of any backend. Then:

- ``unsat``, without a grid, ends the search: there is no solution. ``unique`` and ``all`` end it if there is
  a grid: there is no other. These claims have the standing of any backend's: others can contradict them.
- ``multiple`` and ``solved`` count for nothing beside the grids: two different grids prove ``multiple``.
- Any claim of a solution without a grid that can be read is an error, and so is ``unsat`` with a grid.
- A program that can be asked again (DIMACS, FlatZinc, or with `exclude`) is asked for another solution, until
  it finds none or the task is settled. Others leave the question open: the answer is ``solved``.
- ``unknown`` without a grid is the answer ``partial``, with the grid that it printed or an open one.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from nonocsp.backends.base import Backend, Capabilities, Interrupted, Proof, Request, Run, Task, Unsupported
from nonocsp.backends.command import whole_set
from nonocsp.backends.command.declaration import DIMACS, PLACEHOLDER, Declaration
from nonocsp.backends.command.program import Execution, execute
from nonocsp.backends.command.questions import DimacsQuestion, Question, found_file, proof_file, question_of
from nonocsp.backends.command.reading import Reading, Unreadable
from nonocsp.engine import StopFlag
from nonocsp.formats import write_for_program
from nonocsp.model import Grid, Puzzle, bounds

_NO_LIMIT_S = 1_000_000
_KEPT_BYTES = 1 << 16
"""How much is read of what a program printed before it was stopped."""
_SAT_CODES = {10, 20}
"""What SAT solvers end with: 10 for a model, 20 for none. The output says the same."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    """A declared program has no options of its own: they are in its command."""


class Command:
    """A declared program. `class_of` makes a subclass for each declaration."""

    Options: ClassVar[type[Any]] = NoOptions
    summary: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    capabilities: Capabilities = Capabilities()
    requires: ClassVar[tuple[str, ...]] = ()
    declaration: ClassVar[Declaration]

    def __init__(self, options: NoOptions | None = None) -> None:
        self.options = options or NoOptions()

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield the grids that the program prints; ask again while it can find others.

        Parameters
        ----------
        puzzle, run
            See `Backend.search`.
        """
        if self.declaration.given == "set":
            yield self._search_set(puzzle, run)
            yield Grid.unknown(*puzzle.shape, puzzle.palette)  # there may be others
            return
        found: list[Grid] = []
        partial: Grid | None = None
        run.stats["program_runs"] = 0
        with TemporaryDirectory(prefix="nonocsp-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            question = question_of(self.declaration, puzzle, run)
            while True:
                run.check()
                reading, is_cut_off = self._ask(question, puzzle, run, folder, found)
                yield from reading.grids
                found += reading.grids
                partial = reading.partial or partial
                if is_cut_off:
                    raise Interrupted
                if reading.claim in ("unsat", "unique", "all"):
                    return
                if not (self.declaration.can_exclude and reading.grids):
                    break
        if run.request.task is Task.COUNT and len(found) > 1:
            raise Unsupported(f"the program does not say whether there are more than {len(found)} solutions")
        yield partial or Grid.unknown(*puzzle.shape, puzzle.palette)

    def _search_set(self, whole: Puzzle, run: Run) -> Grid:
        """Return what the program finds of a set, as a partial grid of its carrier."""
        declared, puzzles = self.declaration, whole_set.members(whole)
        with TemporaryDirectory(prefix="nonocsp-", ignore_cleanup_errors=True) as name:
            path = Path(name, "puzzles.txt")
            write_for_program(puzzles, path, declared.input)
            ended, output = self._execute(declared.command, whole, run, path, [])
        found = whole_set.read_set(output, puzzles, declared.rules)
        if ended.is_cut_off:
            run.stats["set_cut_off"] = 1
        elif ended.code not in (0, *declared.rules.exit_codes):
            run.stats["set_failure"] = ended.ended_how()
        arrivals = [] if declared.output_file else ended.arrivals
        run.stats["set_times"] = whole_set.times_text(found, arrivals, ended.wall_s)
        if whole.palette.is_one_colour:
            if found[0] is not None:
                return found[0][0]
            if ended.is_cut_off:
                raise Interrupted
            raise Unreadable(run.stats.get("set_failure", "the program printed no grid that can be read"))
        return whole_set.grid_of_set(whole, [one and one[0] for one in found])

    def _execute(
        self, command: Sequence[str], puzzle: Puzzle, run: Run, path: Path, found: list[Grid]
    ) -> tuple[Execution, bytes]:
        """Run a command in the folder of its input; return what came of it, and its answer."""
        declared, folder = self.declaration, path.parent
        values = _values(puzzle, run, folder, path, found)
        words = [PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), word) for word in command]
        for former in filter(None, (declared.output_file, declared.proof and proof_file(folder).name)):
            with suppress(OSError):  # or a program that is stopped would seem to repeat its former answer
                (folder / former).unlink()
        ended = execute(words, folder, run, path if declared.reads_stdin else None)
        _count(run, ended)
        if not declared.output_file:
            return ended, ended.output
        is_needed = not ended.is_cut_off and ended.code in self._good_codes and declared.given != "set"
        path = folder / declared.output_file
        return ended, _content(path, bounds.PROGRAM_OUTPUT, is_needed=is_needed)

    @property
    def _good_codes(self) -> set[int]:
        codes = {0, *self.declaration.rules.exit_codes}
        return codes | _SAT_CODES if self.declaration.input == DIMACS else codes

    def prepare(self) -> None:
        """Do what a run does around the program, so that a first run takes no longer than others."""
        unsettled = Puzzle.from_clues([[1], [1]], [[1], [1]])
        with TemporaryDirectory(prefix="nonocsp-") as name, suppress(Unreadable):
            question = question_of(self.declaration, unsettled, Run(Request(), StopFlag()))
            question.write(Path(name), [])
            question.read(b"")

    def _ask(
        self, question: Question, puzzle: Puzzle, run: Run, folder: Path, found: list[Grid]
    ) -> tuple[Reading, bool]:
        """Run the program once; return what it says, and whether it had to be stopped."""
        if question.settled:
            return question.settled, False
        declared = self.declaration
        path = question.write(folder, found)
        command = declared.exclude if found and declared.exclude else declared.command
        ended, output = self._execute(command, puzzle, run, path, found)
        if not ended.is_cut_off and ended.code not in self._good_codes:
            raise Unreadable(ended.ended_how())
        if ended.is_cut_off:
            with suppress(Unreadable):  # it may have been in the middle of a line
                return Reading(question.read(output[:_KEPT_BYTES]).grids), True
            return Reading(), True
        reading = self._checked(question, output, ended)
        if declared.proof and reading.claim == "unsat" and isinstance(question, DimacsQuestion):
            content = _content(proof_file(folder), bounds.PROGRAM_PROOF, is_needed=True)
            run.proof = Proof(content, declared.proof == "lrat", question.asked(found).literals)
        run.stats.update(reading.statistics)
        if reading.claim in (None, "multiple") and declared.solutions == "all":
            if len(reading.grids) < run.request.wanted - len(found):
                reading.claim = "all" if reading.grids else "unsat"
        elif reading.claim is None and not reading.grids and reading.partial is None:
            raise Unreadable(f"the program's answer cannot be read: {reading.note}{ended.last_words()}")
        return reading, False

    def _checked(self, question: Question, output: bytes, ended: Execution) -> Reading:
        """Return what a program printed that ended by itself, if that and its exit code make sense."""
        codes = self.declaration.rules.exit_codes
        try:
            reading = question.read(output)
        except Unreadable as error:
            raise Unreadable(f"the program's answer cannot be read: {error}{ended.last_words()}") from None
        if (by_code := codes.get(ended.code)) is not None:
            if reading.claim not in (None, by_code):
                contradiction = f"it claims {reading.claim}, and its exit code {ended.code} says {by_code}"
                raise Unreadable(f"the program contradicts itself: {contradiction}")
            reading.claim = by_code
        claim, grids = reading.claim, len({*reading.grids})
        if (claim == "unsat" and grids) or (claim == "unique" and grids > 1):
            raise Unreadable(f"the program contradicts itself: it claims {claim} and prints {grids} grids")
        if claim in ("unique", "multiple", "all", "solved") and not grids:
            raise Unreadable(f"the program claims {claim}, but no grid can be read: {reading.note}")
        return reading


def class_of(declaration: Declaration) -> type[Backend]:
    """Return the backend of a declared program."""
    described = {
        "declaration": declaration,
        "summary": declaration.summary,
        "paper": declaration.paper,
        "capabilities": Capabilities(
            _is_complete(declaration), declaration.colours or declaration.given == "set"
        ),
    }
    return type("Command", (Command,), described)


def _is_complete(declaration: Declaration) -> bool:
    """Return whether a program can decide uniqueness, as far as its declaration says."""
    rules = declaration.rules
    codes = {*rules.exit_codes.values()}
    return (
        declaration.can_exclude
        or declaration.solutions == "all"
        or declaration.printed == "json"
        or bool(rules.unique or rules.all or codes & {"unique", "all"})
    )


def _values(puzzle: Puzzle, run: Run, folder: Path, path: Path, found: list[Grid]) -> dict[str, str]:
    rows, columns = puzzle.shape
    return {
        "puzzle": str(path),
        "folder": str(folder),
        "found": str(found_file(folder)),
        "proof": str(proof_file(folder)),
        "solutions": str(run.request.wanted - len(found)),
        "seed": str(run.request.seed),
        "wall": f"{_NO_LIMIT_S if run.remaining is None else run.remaining:.3f}".rstrip("0").rstrip("."),
        "rows": str(rows),
        "columns": str(columns),
    }


def _count(run: Run, ended: Execution) -> None:
    """Add a run of the program to the statistics."""
    for key, value in (("program_runs", 1), ("program_wall_s", ended.wall_s), ("program_cpu_s", ended.cpu_s)):
        before = run.stats.get(key, 0)
        assert not isinstance(before, str)
        run.stats[key] = before + value
    if ended.left:
        run.stats["left_running"] = 1


def _content(path: Path, most: int, *, is_needed: bool) -> bytes:
    """Return the file that a program wrote; a link, a pipe or a device is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:  # noqa: PTH123  (it is open already)
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            content = file.read(most + 1) if is_file else None
    except OSError as error:
        if not is_needed:
            return b""
        raise Unreadable(f"the program did not write {path.name}: {error.strerror}") from None
    if content is None:
        raise Unreadable(f"the program's {path.name} is not a file")
    if len(content) > most:
        raise Unreadable(f"the program wrote more than {most >> 20} MiB to {path.name}")
    return content
