"""Trace a search over cells that learns clauses from its conflicts, with lines as propagators.

It decides, propagates, resolves conflicts up to the first unique implication point, learns a clause and jumps
back (Marques-Silva & Sakallah, GRASP, 1996; Moskewicz et al., Chaff, 2001), as backend hybrid does: settle
propagates, and a line explains itself only if a conflict asks (lazy clause generation; Ohrimenko, Stuckey &
Codish 2009). Simple, for small puzzles: without watches, restarts and minimization.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence

import numpy as np

from nonocsp.backends.open_lines import colours_in
from nonocsp.engine import Candidates
from nonocsp.engine.line_solver import cells_of
from nonocsp.engine.lines import feasible, settle
from nonocsp.grading.ladder.inference import Literal, Step, changes_between, lines_of
from nonocsp.model import Line, Puzzle

MOST_CONFLICTS = 40
"""After so many the trace ends."""
_DECAY = 0.9

Reason = Line | tuple[Literal, ...] | None
"""Why a value is lost: a line, the lost values of a clause, or a decision."""


class Learning:
    """The search. A literal on its trail is a value that a cell has lost; a clause keeps one value."""

    def __init__(self, puzzle: Puzzle, cells: Candidates) -> None:
        self.puzzle, self.root, self.cells = puzzle, cells.copy(), cells.copy()
        self.clauses: list[tuple[Literal, ...]] = []
        self.solutions: list[Candidates] = []
        self._trail: dict[Literal, tuple[int, int, Reason]] = {}  # place, level, reason
        self._level, self._dirty = 0, lines_of(puzzle)
        self._activity, self._bump = Counter[tuple[int, ...]](), 1.0

    def steps(self) -> Iterator[Step]:
        """Search until there is no other solution; two solutions, or `MOST_CONFLICTS`, end it early."""
        while True:
            nogood = yield from self._propagate()
            if nogood is None and (np.bitwise_count(self.cells) > 1).any():
                yield self._decide()
                continue
            if nogood is None:
                self.solutions.append(self.cells.copy())
                nogood = [lost for lost, (_, _, reason) in self._trail.items() if reason is None]
                why = "several" if len(self.solutions) > 1 else "solution" if nogood else "unique"
                yield Step(why, facts={"literals": self._kept(nogood)})
                if why != "solution":
                    return
            if not any(self._level_of(lost) for lost in nogood):
                yield Step("unique", changes_between(self.cells, self.solutions[0]))
                return
            if len(self.clauses) == MOST_CONFLICTS:
                yield Step("gives-up", facts={"n": MOST_CONFLICTS})
                return
            yield self._learn(nogood)

    def _decide(self) -> Step:
        """Drop the first value of the open cell that was in most conflicts lately."""
        cells = map(tuple, np.argwhere(np.bitwise_count(self.cells) > 1).tolist())
        row, column = max(cells, key=self._activity.__getitem__)
        self._level += 1
        before = self.cells.copy()
        self._lose(Literal(row, column, 1 << colours_in(int(before[row, column]))[0]), None)
        facts = {"n": self._level, "literal": Literal(row, column, int(self.cells[row, column]))}
        return Step("decide", changes_between(before, self.cells), facts=facts)

    def _lose(self, lost: Literal, reason: Reason) -> None:
        self.cells[lost[:2]] &= ~np.uint64(lost.colours)
        self._trail[lost] = len(self._trail), self._level, reason
        lines = Line("row", lost.row), Line("column", lost.column)
        self._dirty += [line for line in lines if line not in self._dirty]

    def _propagate(self) -> Generator[Step, None, Sequence[Literal] | None]:
        """Propagate clauses, then lines; return lost values that exclude each other, or None."""
        while True:
            for clause in self.clauses:
                if all(value in self._trail for value in clause):
                    yield Step("clause-conflict", facts={"clause": clause})
                    return clause
                if step := self._unit(clause):
                    yield step
                    break
            else:
                if not self._dirty:
                    return None
                line, after = self._dirty.pop(0), self.cells.copy()
                left = settle(self.puzzle.line_clue(line), cells_of(line, after))
                if left is None:
                    nogood = self._explain(line)
                    why = "line-conflict" if nogood else "root-conflict"
                    yield Step(why, line=line, facts={"literals": self._kept(nogood)})
                    return nogood
                cells_of(line, after)[:] = left
                if changes := changes_between(self.cells, after):
                    for row, column, old, new in changes:
                        for colour in colours_in(old & ~new):
                            self._lose(Literal(row, column, 1 << colour), line)
                    yield Step("propagate", changes, line, {"n": self._level})

    def _unit(self, clause: tuple[Literal, ...]) -> Step | None:
        """Propagate a clause of which only one value is left."""
        left = [value for value in clause if value not in self._trail]
        if len(left) != 1 or int(self.cells[left[0][:2]]) == left[0].colours:
            return None
        [value], before = left, self.cells.copy()
        for colour in colours_in(int(before[value[:2]]) & ~value.colours):
            self._lose(value._replace(colours=1 << colour), tuple(lost for lost in clause if lost != value))
        return Step("unit", changes_between(before, self.cells), facts={"clause": clause, "n": len(clause)})

    def _explain(self, line: Line, implied: Literal | None = None) -> list[Literal]:
        """Return lost values that make a line contradict, or lose another value; spare the latest."""
        clue, cells = self.puzzle.line_clue(line), self.root.copy()
        end = self._trail[implied][0] if implied else len(self._trail)
        at = implied[:2] if implied else None
        here = [lost for lost in [*self._trail][:end] if line.position == lost[line.axis == "column"]]
        for lost in here:
            cells[lost[:2]] &= ~np.uint64(lost.colours)
        if implied:
            cells[at] = implied.colours
        needed = []
        for lost in reversed([lost for lost in here if self._level_of(lost) and lost[:2] != at]):
            cells[lost[:2]] |= np.uint64(lost.colours)
            if feasible(clue, cells_of(line, cells)):
                cells[lost[:2]] &= ~np.uint64(lost.colours)
                needed.append(lost)
        return needed

    def _learn(self, nogood: Sequence[Literal]) -> Step:
        """Resolve a conflict up to the first unique implication point, learn the clause, and jump back."""
        pending = {lost for lost in nogood if self._level_of(lost)}
        top, resolved = max(map(self._level_of, pending)), list[tuple[Literal, Reason]]()
        while True:
            latest = max(pending, key=self._trail.__getitem__)
            if sum(self._level_of(lost) == top for lost in pending) == 1:
                break
            reason = self._trail[latest][2]
            resolved += zip(self._kept([latest]), [reason], strict=True)
            causes = self._explain(reason, latest) if isinstance(reason, Line) else reason or ()
            pending = pending - {latest} | {lost for lost in causes if self._level_of(lost)}
        clause = tuple(sorted(pending, key=self._trail.__getitem__, reverse=True))
        self._bump /= _DECAY
        self._activity.update({lost[:2]: self._bump for lost in clause})
        self.clauses.append(clause)
        before, [first] = self.cells.copy(), self._kept(clause[:1])
        self._jump_back(max(map(self._level_of, clause[1:]), default=0))
        facts = {"clause": clause, "resolved": resolved, "first": first, "from": top, "n": self._level}
        why = "learn" if resolved else "learn-decision"
        return Step(why, changes_between(before, self.cells), facts=facts)

    def _jump_back(self, level: int) -> None:
        """Take back all above a level, where all lines had been settled."""
        for lost in [lost for lost in self._trail if self._level_of(lost) > level]:
            self.cells[lost[:2]] |= np.uint64(lost.colours)
            del self._trail[lost]
        self._level, self._dirty = level, []

    def _level_of(self, lost: Literal) -> int:
        return self._trail[lost][1]

    def _kept(self, losses: Sequence[Literal]) -> list[Literal]:
        """Return for lost values what else the cells could be."""
        return [lost._replace(colours=int(self.root[lost[:2]]) & ~lost.colours) for lost in losses]
