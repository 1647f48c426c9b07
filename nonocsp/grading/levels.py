"""Say how hard a puzzle is for people: easy, medium, hard or expert, with the numbers behind it.

The level follows from the techniques of `nonocsp.grading.explain` that a person needs. The core walks in
rounds: each takes the lowest grade of technique that helps in any line, and applies all that the grade finds,
in all lines at once. Where lines alone are stuck, it asks what-if questions: of the assumptions that end in a
contradiction, those that do so soonest are refuted together. So neither turning nor mirroring a puzzle
changes its level. A walk takes a few milliseconds for 30x30.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from nonocsp.backends.base import Answer, Limits, Request, Run, check_limit
from nonocsp.engine import LineSolver, StopFlag, grading
from nonocsp.grading.classes import decide
from nonocsp.grading.explain.catalogue import GRADES, Technique
from nonocsp.grading.explain.texts import Words, filled, table
from nonocsp.model import BLACK_AND_WHITE, Puzzle
from nonocsp.model.puzzle import checked_puzzle

MAX_GRADE = max(GRADES)
"""The grade of what-if questions."""


class Level(StrEnum):
    """How hard a puzzle is for people; easiest first."""

    EASY = "easy"
    """Counting in a line, and the ends of runs and gaps (grades 1 and 2)."""
    MEDIUM = "medium"
    """The order of the blocks and runs of a line as well (grade 3)."""
    HARD = "hard"
    """All placements of a line at once (grade 4), or a few short what-if questions."""
    EXPERT = "expert"
    """More questions, longer ones, or questions within questions."""


@dataclass(frozen=True)
class Effort:
    """The work that a puzzle is for a person, and the level that follows from it."""

    least: Level
    """The lowest level that the walk allows as far as it came, provided that there is one solution."""
    is_unique: bool | None
    """Whether the puzzle has exactly one solution; None if that is not known."""
    techniques: Mapping[Technique, int]
    """How often each technique tells something new in a round, the easiest first; ``probe`` asks what-if."""
    rounds: tuple[int, ...]
    """How often nothing easier than techniques of grade 1, 2, 3, 4 and 5 helps anywhere."""
    chain: int
    """Sweeps from the assumption of the longest what-if question to its contradiction; 0 without one."""
    depth: int
    """Levels of what-if: 0 if lines suffice, 1 if one assumption at a time does, 2 if more are needed. If the
    walk is not complete, as far as it got."""
    open_cells: int
    """Cells that stay open where lines alone get stuck for the first time."""
    is_complete: bool
    """Whether the walk ended. It stops at a limit, and once the level is expert for sure."""
    steps: int | None = field(compare=False)
    """The steps of `nonocsp.explain` to the full grid; None if it does not get there, a limit came first or
    nobody asked. Turning a puzzle may change their number."""

    @property
    def level(self) -> Level | None:
        """The level; None without exactly one solution, or if a limit came first."""
        is_certain = self.is_complete or self.least is Level.EXPERT
        return self.least if self.is_unique and is_certain else None

    @property
    def hardest(self) -> Technique | None:
        """The hardest technique; None if there is nothing to deduce."""
        return max(self.techniques, key=[*Technique].index, default=None)

    @property
    def questions(self) -> int:
        """How often lines alone are stuck, so that a what-if question must help."""
        return self.rounds[MAX_GRADE - 1]

    @property
    def grade(self) -> int:
        """The highest grade of technique that a line needs; 0 if what-if questions are needed at once."""
        return max(
            (technique.grade for technique in self.techniques if technique.grade < MAX_GRADE), default=0
        )

    @property
    def reasons(self) -> str:
        """The numbers behind the level, in words."""
        return self._reasons("en")

    def _reasons(self, language: str) -> str:
        texts, techniques = table(language)["effort"], table(language)["techniques"]
        said = [] if self.steps is None else [filled(texts["steps"], self.steps)]
        if grade := self.grade:
            hardest = [techniques[technique][0] for technique in self.techniques if technique.grade == grade]
            times = filled(texts["times"], self.rounds[grade - 1])
            names = Words(BLACK_AND_WHITE, language).listed(hardest)
            said.append(filled(texts["hardest"], len(hardest), techniques=names, grade=grade, times=times))
        if self.questions:
            sentence = texts["questions" if self.is_complete else "least-questions"]
            said.append(filled(sentence, self.questions, chain=self.chain))
        if self.depth > 1:
            said.append(texts["deeper"])
        elif not self.questions:
            said.append(texts["no-questions"])
        return "; ".join(said)

    @property
    def text(self) -> str:
        """The level and the numbers behind it."""
        return self.told()

    def told(self, language: str = "en") -> str:
        """Return the level and the numbers behind it, in English or German (``de``)."""
        texts = table(language)["effort"]
        if self.is_unique is False:
            return str(texts["several"])
        level, _ = table(language)["levels"][self.least]
        sentence = texts["known" if self.level else "unknown"]
        return filled(sentence, level=level, reasons=self._reasons(language))

    def record(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return {
            "steps": self.steps,
            "hardest": self.hardest and str(self.hardest),
            "techniques": {str(technique): uses for technique, uses in self.techniques.items()},
            "rounds": list(self.rounds),
            "questions": self.questions,
            "chain": self.chain,
            "open_cells": self.open_cells,
        }


EFFORT_KEYS = "steps", "hardest", "techniques", "rounds", "questions", "chain", "open_cells"
"""The keys of `Effort.record`."""


def effort(
    puzzle: Puzzle, *, is_unique: bool = False, wall: float | None = None, with_steps: bool = True
) -> Effort:
    """Return the work that a puzzle is for a person, and its level, unless `wall` seconds leave that open.

    Counting the steps takes as long as the rest, which is why it can be left out.
    """
    checked_puzzle(puzzle)
    check_limit("wall", wall)
    deadline = None if wall is None else time.perf_counter() + wall
    run = Run(Request(limits=Limits(wall=wall)), StopFlag(), deadline)
    return measured(LineSolver(puzzle), run, is_unique=is_unique, with_steps=with_steps)


def measured(solver: LineSolver, run: Run, *, is_unique: bool, with_steps: bool = True) -> Effort:
    """Return the effort of a puzzle within the limits of a run."""
    work, steps, is_interrupted = grading.effort(
        solver.compiled, run.stop, run.remaining, with_steps=with_steps
    )
    known: bool | None = work["isFull"] or is_unique or None
    if work["contradiction"]:
        known = False
    elif not (known or is_interrupted):
        answer = decide(solver, run).answer
        known = {Answer.UNIQUE: True, Answer.MULTIPLE: False, Answer.UNSAT: False}.get(answer)
    is_stuck = work["isComplete"] and not work["isFull"]
    return Effort(
        least=Level(work["least"]),
        is_unique=known,
        techniques={Technique(name): uses for name, uses in work["techniques"].items()},
        rounds=tuple(work["rounds"]),
        chain=work["chain"],
        depth=2 if is_stuck else min(work["rounds"][MAX_GRADE - 1], 1),
        open_cells=work["openCells"],
        is_complete=work["isComplete"],
        steps=steps,
    )
