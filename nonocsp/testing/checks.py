"""The checks, one function each: what a backend must do, tried out.

A check takes a backend and `sample`: it tries every `sample`-th of many small puzzles. It raises
`NonConformance`. Its docstring ends with its cost, in runs of the backend on small puzzles.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection
from functools import wraps
from itertools import product

import numpy as np

from nonocsp.backends.base import (
    LISTED,
    Answer,
    Backend,
    Counting,
    Limits,
    Outcome,
    Request,
    Task,
    Termination,
)
from nonocsp.backends.run import run_backend
from nonocsp.datasets import n_dom
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, NonocspError, Palette, Puzzle
from nonocsp.testing.puzzles import (
    SMALL,
    SMALL_IN_COLOUR,
    coloured_permutations,
    descriptions,
    permutations,
    solutions,
)

PATIENCE = 1.0
"""Seconds that a backend may take to notice a stop: generous, for busy machines."""

LONG = 0.2
"""Seconds after which a long search is told to stop."""


_VERDICTS = frozenset({Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE})
"""Answers after which all solutions can be counted."""


class NonConformance(NonocspError):
    """A backend that breaks its contract; the message says how."""


class TooLate(NonConformance):
    """A backend that noticed a stop too late, or ran on a machine that is too busy."""


Check = Callable[[Backend, int], None]
"""Takes a backend and `sample` as `nonocsp.testing.check_backend` does."""


def small_puzzles_have_the_known_answers(backend: Backend) -> None:
    """Try the shapes and special cases that solvers get wrong: 20 puzzles, 2 runs each."""
    for puzzle in (*SMALL, *(SMALL_IN_COLOUR if backend.capabilities.colours else ())):
        _agree(backend, puzzle, solutions(puzzle))


def every_description_of_3x3_has_the_known_answer(backend: Backend, sample: int) -> None:
    """Decide and count the descriptions of all 512 images: 445, of which 384 have one solution; 890 runs."""
    _agree_on_every_description(backend, 3, (445, 384), sample)


def every_description_of_4x4_has_the_known_answer(backend: Backend, sample: int) -> None:
    """Decide the descriptions of all 65 536 images: 58 196, of which 52 362 have one solution."""
    _agree_on_every_description(backend, 4, (58_196, 52_362), sample, counted={Answer.MULTIPLE})


def random_puzzles_have_the_enumerated_solutions(backend: Backend, sample: int) -> None:
    """Try 108 random grids up to 6x6, sparse and dense, in one to three colours, 2 runs each."""
    random = np.random.default_rng(0)
    for colours, density, _ in product((1, 2, 3), (0.3, 0.5, 0.7), range(max(1, 12 // sample))):
        shape = random.integers(1, 7, 2)
        cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))
        if backend.capabilities.colours or colours == 1:
            _agree(backend, puzzle, solutions(puzzle))


def colours_are_refused_if_not_supported(backend: Backend) -> None:
    """See that a backend without colours ends as ``unsupported``, and one with them does not: 1 run."""
    outcome = _run(backend, SMALL_IN_COLOUR[0])
    refused = outcome.termination is Termination.UNSUPPORTED
    _require(refused != backend.capabilities.colours, f"colours end as {outcome.termination}")


def counting_stops_at_the_bound(backend: Backend) -> None:
    """Count all 120 solutions of a puzzle, all 36 of one in colour, or as many as were asked for: 4 runs."""
    if not backend.capabilities.complete:
        return
    cases = [(permutations(5), math.factorial(5))]
    if backend.capabilities.colours:
        cases.append((coloured_permutations(3), math.factorial(3) ** 2))
    for (puzzle, every), bound in product(cases, (7, 1000)):
        found = len(_run(backend, puzzle, Task.COUNT, bound=bound).solutions)
        _require(found == min(bound, every), f"{found} solutions instead of {min(bound, every)}")


def a_count_beyond_enumeration_is_exact(backend: Backend) -> None:
    """See that a backend that counts without enumerating knows 12! and (5!)^2, with two grids: 2 runs."""
    if not isinstance(backend, Counting):
        return
    cases = [(permutations(12), math.factorial(12))]
    if backend.capabilities.colours:
        cases.append((coloured_permutations(5), math.factorial(5) ** 2))
    for puzzle, expected in cases:
        outcome = _run(backend, puzzle, Task.COUNT, bound=None)
        _require(outcome.count == expected, f"{outcome.count} solutions counted instead of {expected}")
        _require(len(outcome.solutions) >= 2, f"{len(outcome.solutions)} solutions listed with a count")


def solving_takes_one_solution(backend: Backend) -> None:
    """See that task ``solve`` claims nothing about other solutions: 1 run."""
    outcome = _run(backend, permutations(4), Task.SOLVE)
    expected = Answer.SOLVED if backend.capabilities.complete else Answer.PARTIAL
    _require(outcome.answer in (Answer.SOLVED, expected), f"the answer is {outcome.answer}")


def a_seed_fixes_the_course(backend: Backend) -> None:
    """See that two runs with one seed return the same grids in the same order: 4 runs."""
    for seed in (0, 1):
        first, second = (_run(backend, permutations(5), Task.COUNT, bound=5, seed=seed) for _ in range(2))
        same = (first.solutions, first.partial) == (second.solutions, second.partial)
        _require(same, f"two runs with seed {seed} differ")


def the_puzzle_is_left_as_it_was(backend: Backend) -> None:
    """See that a backend does not write into its input: 2 runs."""
    for family, size in ((permutations, 4), (coloured_permutations, 2)):
        puzzle, untouched = family(size), family(size)
        _run(backend, puzzle, Task.COUNT)
        _require(puzzle == untouched, "the clues changed")
        flat, before = ((p.flat_rows, p.flat_columns) for p in (puzzle, untouched))
        _require(flat == before, "the flat clues changed")


def a_stop_before_the_start_ends_at_once(backend: Backend) -> None:
    """See that a run that is told to stop in advance proves nothing: 1 run."""
    stop = StopFlag()
    stop.set()
    outcome = run_backend(backend, n_dom(3), Request(), stop)
    _require(outcome.termination is Termination.KILLED, f"the termination is {outcome.termination}")
    _require(outcome.answer is Answer.UNKNOWN, f"the answer is {outcome.answer}")


def a_stop_ends_a_long_search(backend: Backend) -> None:
    """See that another thread's stop is noticed, whatever the search is doing: `LONG` seconds."""
    _stopped_in_time(backend, n_dom(14), Request())


def a_stop_ends_an_enumeration(backend: Backend) -> None:
    """See that a stop is noticed between solutions too, however easily they come: `LONG` seconds."""
    _stopped_in_time(backend, permutations(12), Request(Task.COUNT, bound=10**9))


def the_wall_limit_ends_a_long_search(backend: Backend) -> None:
    """See that the limit of the request is kept, and is no verdict: `LONG` seconds."""
    _ends_in_time(backend, n_dom(14), Request(limits=Limits(wall=LONG)), StopFlag(), Termination.WALL)


def _without_sampling(check: Callable[[Backend], None]) -> Check:
    """Return a check that tries all its few puzzles, whatever the sample."""

    @wraps(check)
    def checked(backend: Backend, _sample: int) -> None:
        check(backend)

    return checked


CHECKS: tuple[Check, ...] = (
    _without_sampling(small_puzzles_have_the_known_answers),
    every_description_of_3x3_has_the_known_answer,
    every_description_of_4x4_has_the_known_answer,
    random_puzzles_have_the_enumerated_solutions,
    *map(
        _without_sampling,
        (
            colours_are_refused_if_not_supported,
            counting_stops_at_the_bound,
            a_count_beyond_enumeration_is_exact,
            solving_takes_one_solution,
            a_seed_fixes_the_course,
            the_puzzle_is_left_as_it_was,
            a_stop_before_the_start_ends_at_once,
            a_stop_ends_a_long_search,
            a_stop_ends_an_enumeration,
            the_wall_limit_ends_a_long_search,
        ),
    ),
)
"""All checks, quick ones of single puzzles around those that can be sampled."""


def _require(holds: bool, otherwise: str) -> None:
    """Raise if something does not hold; unlike ``assert``, under ``python -O`` too."""
    if not holds:
        raise NonConformance(otherwise)


def _run(
    backend: Backend, puzzle: Puzzle, task: Task = Task.DECIDE, *, bound: int | None = 1000, seed: int = 0
) -> Outcome:
    return run_backend(backend, puzzle, Request(task, bound=bound, seed=seed), StopFlag())


def _agree_on_every_description(
    backend: Backend, size: int, totals: tuple[int, int], sample: int, counted: Collection[Answer] = _VERDICTS
) -> None:
    """Compare on all square descriptions of a size; without sampling, the totals must come out as well."""
    answers = [
        _agree(backend, puzzle, expected, counted)
        for puzzle, expected in descriptions(size, size, sample=sample)
    ]
    found = len(answers), answers.count(Answer.UNIQUE)
    if sample == 1 and backend.capabilities.complete:
        _require(found == totals, f"(descriptions, unique) are {found} instead of {totals}")


def _agree(
    backend: Backend, puzzle: Puzzle, expected: list[Grid], counted: Collection[Answer] = _VERDICTS
) -> Answer:
    """Decide, and also count if the answer is one of `counted`; `expected` are all solutions."""
    answer = _decide(backend, puzzle, expected)
    if answer in counted:
        outcome = _run(backend, puzzle, Task.COUNT, bound=None)
        found = set(outcome.solutions)
        if (
            outcome.count != len(expected)
            or not found <= set(expected)
            or len(found) < min(LISTED, len(expected))
        ):
            raise _failure(
                puzzle, f"{outcome.count} solutions, {len(found)} listed, instead of {len(expected)}"
            )
    return answer


def _decide(backend: Backend, puzzle: Puzzle, expected: list[Grid]) -> Answer:
    """Check the answer against the enumerated solutions."""
    outcome = _run(backend, puzzle)
    if outcome.termination is not Termination.OK:
        raise _failure(puzzle, f"{outcome.termination}, {outcome.message}")
    if any(grid not in expected for grid in outcome.solutions):
        raise _failure(puzzle, "a grid that is no solution")
    if outcome.answer in (Answer.PARTIAL, Answer.SOLVED) and not backend.capabilities.complete:
        partial = outcome.partial
        if partial is not None and any((grid.candidates & ~partial.candidates).any() for grid in expected):
            raise _failure(puzzle, "the partial grid excludes a solution")
        return outcome.answer
    answer = (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)[min(2, len(expected))]
    if outcome.answer is not answer:
        raise _failure(puzzle, f"{outcome.answer} instead of {answer}")
    return answer


def _failure(puzzle: Puzzle, message: str) -> NonConformance:
    rows, columns = ("; ".join(map(str, clues)) for clues in (puzzle.rows, puzzle.columns))
    return NonConformance(f"{puzzle.title or 'puzzle'}, rows {rows}, columns {columns}: {message}")


def _stopped_in_time(backend: Backend, puzzle: Puzzle, request: Request) -> None:
    """Run with a stop that another thread sets; on a busy machine one of three runs must end in time."""
    for tries_left in (2, 1, 0):
        stop = StopFlag()
        timer = threading.Timer(LONG, stop.set)
        timer.start()
        try:
            _ends_in_time(backend, puzzle, request, stop, Termination.KILLED)
            break
        except TooLate:
            if not tries_left:
                raise
        finally:
            timer.cancel()
            timer.join()


def _ends_in_time(
    backend: Backend, puzzle: Puzzle, request: Request, stop: StopFlag, cut: Termination
) -> None:
    """Run a hard puzzle, which a strong backend may finish before it is cut off."""
    started = time.perf_counter()
    outcome = run_backend(backend, puzzle, request, stop)
    took = time.perf_counter() - started
    if outcome.termination is Termination.OK:
        return
    if took >= LONG + PATIENCE:
        raise TooLate(f"it took {took:.1f} s to stop")
    how = f"the termination is {outcome.termination}: {outcome.message or 'no message'}"
    _require(outcome.termination is cut, how)
    claims = outcome.answer in (Answer.UNIQUE, Answer.UNSAT)
    _require(not claims, f"a search that was cut off claims {outcome.answer}")
