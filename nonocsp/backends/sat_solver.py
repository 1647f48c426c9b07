"""Feed one of python-sat's incremental solvers quickly, and stop it in time.

Most are interrupted from another thread. CaDiCaL cannot be, so it solves a few hundred conflicts at a time.
Lingeling can do neither: only a limit from outside ends it. Not offered are Kissat, which is not incremental,
CryptoMiniSat, which python-sat does not contain, and Ergo, which took minutes to end on a large formula.
"""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from itertools import repeat, starmap
from typing import Any, Literal

from nonocsp.backends.base import Run, Unsupported
from nonocsp.backends.interruption import interruptible
from nonocsp.engine.encodings import Cnf

SolverName = Literal[
    "cadical103",
    "cadical153",
    "cadical195",
    "cadical300",
    "gluecard3",
    "gluecard4",
    "glucose3",
    "glucose4",
    "glucose42",
    "lingeling",
    "maplechrono",
    "maplecm",
    "maplesat",
    "mergesat3",
    "minicard",
    "minisat22",
    "minisatep",
    "minisatgh",
]

WITHOUT_PHASES = frozenset[SolverName]({"cadical103"})
"""Solvers that cannot be told which value of a variable to try first."""

CONFLICTS = 200
"""Conflicts of a call that no other thread watches; they take milliseconds."""

QUICK_CLAUSES = 50_000
"""Clauses that are fed in about 15 milliseconds."""

UNLIMITED = -1
"""What python-sat takes for a budget without a limit."""


class SatSolver:
    """A SAT solver of python-sat, or `Unsupported`, with the clauses of a formula; `close` it after use."""

    def __init__(self, name: SolverName, cnf: Cnf, run: Run) -> None:
        import pysolvers  # type: ignore[import-not-found]
        from pysat.solvers import NoSuchSolverError, Solver, SolverNames

        aliases = getattr(SolverNames, name, (name,))
        try:
            self._solver: Any = Solver(aliases[-1])
        except NoSuchSolverError:
            raise Unsupported(f"this version of python-sat has no solver {name}") from None
        self._name = name
        self._is_quick = cnf.clauses <= QUICK_CLAUSES
        self.seconds = 0.0
        # Clauses go through the C function below python-sat's own loops, which take twice as long.
        names = (f"{alias}_add_cl" for alias in (name, *aliases))
        add_clause = next(getattr(pysolvers, name) for name in names if hasattr(pysolvers, name))
        handle = next(v for v in vars(self._solver.solver).values() if type(v).__name__ == "PyCapsule")
        one_clause = (handle, cnf.stream())
        for done in range(0, cnf.clauses, QUICK_CLAUSES):
            run.check()
            count = min(QUICK_CLAUSES, cnf.clauses - done)
            deque(starmap(add_clause, repeat(one_clause, count)), maxlen=0)

    def add(self, clause: list[int]) -> None:
        """Add one more clause."""
        self._solver.add_clause(clause)

    def set_phases(self, literals: list[int]) -> None:
        """Let decisions on the variables of these literals try the literals first."""
        self._solver.set_phases(literals)

    def solve(self, run: Run) -> bool:
        """Return whether there is a model; raise `Interrupted` when `run` says stop."""
        run.check()
        started = time.perf_counter()
        try:
            if self._name == "lingeling":
                return bool(self._solver.solve())
            if self._name.startswith("cadical"):
                while (verdict := self._solve_within(CONFLICTS)) is None:
                    run.check()
                return verdict
            verdict = self._solve_within(CONFLICTS) if self._is_quick else None
            if verdict is None:
                unlimited = partial(self._solve_within, UNLIMITED)
                verdict = interruptible(run, unlimited, self._solver.interrupt)
            return bool(verdict)
        finally:
            self.seconds += time.perf_counter() - started

    def solve_within(self, conflicts: int, run: Run) -> bool | None:
        """Return whether there is a model; None if a number of conflicts, not a clock, does not tell."""
        for _ in range(0, conflicts, CONFLICTS):
            run.check()
            if (verdict := self._solve_within(CONFLICTS)) is not None:
                return verdict
        return None

    def model(self) -> list[int]:
        """Return the model that `solve` found: literals in the order of their variables."""
        model: list[int] = self._solver.get_model()
        return model

    def statistics(self) -> dict[str, int]:
        """Return the conflicts, decisions, propagations and restarts so far."""
        counts: dict[str, int] = self._solver.accum_stats()
        return counts

    def close(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()

    def _solve_within(self, conflicts: int) -> bool | None:
        self._solver.conf_budget(conflicts)
        verdict: bool | None = self._solver.solve_limited(expect_interrupt=True)
        return verdict
