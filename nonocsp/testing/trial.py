"""Try a backend on ten small puzzles, and say in plain words what is right and what is missing.

This is for the author of a program, in the first minute: one puzzle of each kind that programs get wrong. The
conformance suite (`nonocsp.testing.check_backend`) is for later. Expected answers are enumerated here. Runs
go through executor ``warm``, under limits, so a program that hangs or prints gigabytes does no harm.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path
from typing import Any

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.command.declaration import DEFAULT_INPUT
from nonocsp.backends.command.reading import EXCHANGED
from nonocsp.backends.registry import canonical_spec, create, is_declared, is_program, program
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Puzzle, UsageError, verify
from nonocsp.run.jobs import Job
from nonocsp.run.local import WarmExecutor
from nonocsp.run.provenance import version_line
from nonocsp.testing.puzzles import SMALL, SMALL_IN_COLOUR, permutations, solutions

WALL_S = 5.0
"""The wall limit of each run, unless another is given."""
MEMORY = 4 << 30
_TITLES = (
    "one full cell",
    "one row",
    "one column",
    "empty grid",
    "full grid",
    "two solutions",
    "unique, not simple",
    "unsatisfiable, by line solving",
    "unsatisfiable, by search",
    "colours that touch",
)
_BOUND = 30


class Verdict(StrEnum):
    """What to think of a run."""

    RIGHT = "right"
    """The answer that is expected."""
    LESS = "less"
    """True, but less than could be known."""
    WRONG = "wrong"
    """A false answer, a crash, or a run that was cut off."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A puzzle, what came back, and what to think of it."""

    puzzle: Puzzle
    task: Task
    found: int  # how many solutions the puzzle has
    outcome: Outcome
    verdict: Verdict
    reason: str  # what is wrong or less, in a sentence; empty if all is right
    grid: Grid | None = None  # the wrong grid of a program, if that is what is wrong

    def comparison(self) -> list[str]:
        """Return the lines that show a wrong grid beside a right one; none if no grid is wrong."""
        if self.grid is None:
            return []
        wrong = self.grid.strings(self.puzzle.palette)
        right = next((one.strings(self.puzzle.palette) for one in solutions(self.puzzle)), ["(none)"])
        width = max(len("printed"), *map(len, wrong))
        return [
            f"{left:<{width}}  {beside}".rstrip()
            for left, beside in zip_longest(["printed", *wrong], ["expected", *right], fillvalue="")
        ]

    @property
    def expected(self) -> Answer:
        """The answer of a complete backend."""
        return (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)[min(2, self.found)]

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        said = {"task": str(self.task), "expected": str(self.expected), "verdict": str(self.verdict)}
        title = {"puzzle": self.puzzle.title}
        return (
            title | said | ({"reason": self.reason} if self.reason else {}) | self.outcome.record(self.puzzle)
        )


def ten_puzzles() -> list[Puzzle]:
    """Return the puzzles of a trial: nine in one colour, the last in two."""
    titled = {puzzle.title: puzzle for puzzle in (*SMALL, *SMALL_IN_COLOUR)}
    return [titled[title] for title in _TITLES]


def trials(spec: str, wall_s: float = WALL_S) -> Iterator[Trial]:
    """Yield the runs of a backend on the ten puzzles, and one that counts 24 solutions."""
    if not is_declared(spec) and Path(spec).is_file():
        raise UsageError(_how_to_declare(Path(spec)))
    canonical, limits = canonical_spec(spec), Limits(wall=wall_s, memory=MEMORY)
    jobs = [Job(puzzle, canonical, Request(Task.DECIDE, limits)) for puzzle in ten_puzzles()]
    jobs.append(Job(permutations(4), canonical, Request(Task.COUNT, limits, bound=_BOUND)))
    with WarmExecutor() as executor:
        for job, measurement in executor.run(jobs):
            found = len(solutions(job.puzzle))
            verdict, reason = _judged(job.request.task, found, measurement.outcome)
            grid = _wrong_grid(job, wall_s) if measurement.outcome.wrong and is_program(canonical) else None
            if grid and grid.shape == job.puzzle.shape[::-1] and verify(job.puzzle, grid.transposed()):
                reason += f"; {EXCHANGED}"
            yield Trial(job.puzzle, job.request.task, found, measurement.outcome, verdict, reason, grid)


def _how_to_declare(path: Path) -> str:
    """Return what to write into a YAML file so that a program can be tried."""
    interpreter = {".py": "python3, ", ".mjs": "node, ", ".js": "node, ", ".jar": "java, -jar, "}
    first = "" if os.access(path, os.X_OK) else interpreter.get(path.suffix, "")
    return (
        f"{path} is a program; declare it in a file mine.yaml beside it and try that, "
        "nonocsp backends --try ./mine.yaml:\n"
        f'  name: mine\n  command: [{first}./{path.name}, "{{puzzle}}"]\n'
        "  input: non    # the format that it reads: non, nin, mk, tournament, json or another"
    )


def _wrong_grid(job: Job, wall_s: float) -> Grid | None:
    """Ask a program once more and return its first grid that is wrong, unless it gives none."""
    request = replace(job.request, limits=Limits(wall=wall_s))
    outcome = or_crashed(
        lambda: run_backend(create(job.backend), job.puzzle, request, StopFlag(), verify=False)
    )
    return next((grid for grid in outcome.solutions if not verify(job.puzzle, grid)), None)


def summary(spec: str, tried: Sequence[Trial]) -> list[str]:
    """Return what all `trials` of a backend say is right, missing and wrong, a sentence each."""
    *ten, counted = tried
    right = [trial for trial in ten if trial.verdict is Verdict.RIGHT]
    lines = [f"right: {len(right)} of {len(ten)} puzzles"]
    solved = [trial for trial in ten if trial.found and trial.outcome.solutions]
    if solved:
        lines.append(
            f"right: a solution of {len(solved)} of {sum(bool(trial.found) for trial in ten)} that have one"
        )
    if counted.verdict is Verdict.RIGHT:
        lines.append(f"right: counts the {counted.found} solutions of a puzzle")
    else:
        lines.append("missing: cannot count solutions (only campaigns with task count need that)")
    if not create(spec).capabilities.colours:
        lines.append(f"missing: puzzles of several colours{_advice(spec, 'colours: true, if it takes them')}")
    if any(trial.outcome.answer is Answer.SOLVED for trial in ten):
        advice = "rules: unique and multiple, or solutions: all, or exclude, or compare with task: solve"
        lines.append(f"missing: does not say whether a solution is the only one{_advice(spec, advice)}")
    if any(trial.outcome.answer is Answer.PARTIAL for trial in ten):
        lines.append("missing: gives up on some puzzles (answer partial)")
    if is_program(spec) and version_line(program(spec).version) == "unknown":
        lines.append("missing: its version; add version: the command that prints it")
    if is_program(spec) and not right and program(spec).input == DEFAULT_INPUT:
        lines.append(
            f"missing: perhaps input: in the declaration; the program got puzzles as {DEFAULT_INPUT}, "
            "the default (nonocsp convert --help lists the others)"
        )
    wrong = Counter(kind_of(trial.reason) for trial in tried if trial.verdict is Verdict.WRONG)
    for kind, count in wrong.items():
        first = next(trial.reason for trial in tried if kind_of(trial.reason) == kind)
        where = "wrong" if count == 1 else f"wrong, {count} puzzles"
        lines.append(f"{where}: {first.removeprefix('wrong answer: ')}")
    return lines


def kind_of(reason: str) -> str:
    """Return a reason without what differs from puzzle to puzzle: lines, clues, numbers and quotations."""
    return re.sub(r"'.*?'|(row|column) \d+|clue [\d ]+|\d+|(?<=[a-z])s\b", "", reason)


def _advice(spec: str, advice: str) -> str:
    return f"; declare {advice}" if is_program(spec) else ""


def _judged(task: Task, found: int, outcome: Outcome) -> tuple[Verdict, str]:
    """Return what to think of an outcome, and why."""
    expected = (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)[min(2, found)]
    answer, count = outcome.answer, len(outcome.solutions)
    if outcome.termination is not Termination.OK:
        is_refused = outcome.termination is Termination.UNSUPPORTED
        return Verdict.LESS if is_refused else Verdict.WRONG, outcome.message
    if task is Task.COUNT and answer is Answer.MULTIPLE and count < found:
        return Verdict.WRONG, f"it counts {count} solutions; there are {found}"
    if answer is expected:
        return Verdict.RIGHT, ""
    if answer in (Answer.PARTIAL, Answer.UNKNOWN, Answer.SOLVED):
        is_solved = answer is Answer.SOLVED
        return Verdict.LESS, "it does not say whether there are others" if is_solved else "it gives up"
    said = {Answer.UNSAT: "no solution", Answer.UNIQUE: "one solution"}.get(answer, "several solutions")
    return Verdict.WRONG, f"it claims {said}; there {'is 1' if found == 1 else f'are {found}'}"
