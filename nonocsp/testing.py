"""The conformance suite of backends: what every backend must do, third-party ones included.

``check_backend("mine")`` runs every check of `CHECKS` on a registered backend, or on an instance of one. The
expected answers come from a plain enumerator in this module (all placements of every row, kept while the
columns can still be completed), never from another backend. An incomplete backend may answer ``partial``
(its grid must contain every solution) or ``solved``. Takes some seconds with a backend that needs a
millisecond a puzzle.
"""

from __future__ import annotations

import math
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from nonocsp.backends.base import Answer, Backend, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Clue, Grid, NonocspError, Puzzle

PATIENCE = 1.0
"""Seconds that a backend may take to notice a stop: generous, for busy machines."""


class NonConformance(NonocspError):
    """A backend that breaks its contract; the message lists every check that failed and why."""


def check_backend(backend: str | Backend, *, sample: int = 1) -> None:
    """Run all checks.

    Parameters
    ----------
    backend
        A spec such as ``"sat:solver=cadical195"``, or an instance that need not be registered.
    sample
        Take only every `sample`-th of the many small puzzles, for a slow backend.

    Raises
    ------
    NonConformance
        If a check fails.
    """
    subject = create(backend) if isinstance(backend, str) else backend
    failures = []
    for check in CHECKS:
        try:
            check(subject, sample)
        except AssertionError as error:
            failures.append(f"{check.__name__}: {error}")
    if failures:
        raise NonConformance("\n".join(failures))


def solutions(puzzle: Puzzle) -> list[Grid]:
    """Return all solutions of a small puzzle by enumeration: slow, and plain to see that it is right."""
    columns = [set[tuple[int, ...]]() for _ in puzzle.columns]
    for beginnings, clue in zip(columns, puzzle.columns, strict=True):
        for line in placements(clue, puzzle.shape[0]):
            beginnings.update(line[:i] for i in range(len(line) + 1))
    grids: list[list[tuple[int, ...]]] = [[]]
    for clue in puzzle.rows:
        grids = [
            [*grid, line]
            for grid, line in product(grids, list(placements(clue, puzzle.shape[1])))
            if all(tuple(column) in columns[i] for i, column in enumerate(zip(*grid, line, strict=True)))
        ]
    return [Grid.from_cells(grid) for grid in grids]


def placements(clue: Clue, length: int) -> Iterator[tuple[int, ...]]:
    """Yield every line of `length` cells that has the clue."""
    if not clue:
        yield (0,) * length
        return
    block, rest = clue[0], Clue(clue[1:])
    gap = 1 if rest and rest[0].colour == block.colour else 0
    for start in range(length - block.length - gap - rest.min_length + 1):
        used = start + block.length + gap
        for tail in placements(rest, length - used):
            yield (0,) * start + (block.colour,) * block.length + (0,) * gap + tail


def permutations(size: int) -> Puzzle:
    """Return the puzzle whose solutions are the size! permutation matrices."""
    return Puzzle.from_clues([[1]] * size, [[1]] * size, title=f"permutations of {size}")


def n_dom(n: int) -> Puzzle:
    """Return the n-Dom puzzle, 2n+1 cells square: one solution, closed to line solving, hard from n = 13."""
    inner = [[1], [3, 1]] * (n - 1)
    rows = [[3], *inner, [1], [1]]
    columns = [[1], *([1], [1, 3]) * (n - 1), [1], [3]]
    return Puzzle.from_clues(rows, columns, title=f"{n}-Dom")


SMALL = (
    Puzzle.from_clues([[]], [[]], title="one empty cell"),
    Puzzle.from_clues([[1]], [[1]], title="one full cell"),
    Puzzle.from_clues([[2, 1]], [[1], [1], [], [1], []], title="one row"),
    Puzzle.from_clues([[1], [], [1], [1], []], [[1, 2]], title="one column"),
    Puzzle.from_clues([[]] * 3, [[]] * 4, title="empty grid"),
    Puzzle.from_clues([[4]] * 3, [[3]] * 4, title="full grid"),
    Puzzle.from_clues([[1]] * 2, [[1]] * 2, title="two solutions"),
    permutations(4),
    Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]], title="unique, not simple"),
    Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []], title="unsatisfiable, by line solving"),
    Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]], title="unsatisfiable, by search"),
)

SMALL_IN_COLOUR = (
    Puzzle.from_clues([[1, (1, 2)]], [[1], [(1, 2)]], title="colours that touch"),
    Puzzle.from_clues([[1], [1], [(1, 2)], [(1, 2)]], [[1, (1, 2)]] * 2, title="four solutions in colour"),
    Puzzle.from_clues([[1, (1, 2)]] * 2, [[1, (1, 2)], [(1, 2), 1]], title="unsatisfiable in colour"),
)


def small_puzzles_have_the_known_answers(backend: Backend, sample: int) -> None:
    """Try the shapes and special cases that solvers get wrong."""
    del sample  # each of them matters
    for puzzle in (*SMALL, *(SMALL_IN_COLOUR if backend.capabilities.colours else ())):
        _agree(backend, puzzle, solutions(puzzle))


def every_description_of_3x3_has_the_known_answer(backend: Backend, sample: int) -> None:
    """Try the descriptions of all 512 images: 445, of which 384 have one solution."""
    described = defaultdict[Puzzle, list[Grid]](list)
    for cells in product((0, 1), repeat=9):
        grid = Grid.from_cells(np.reshape(cells, (3, 3)))
        clues = Puzzle.from_grid(grid)
        described[Puzzle(clues.rows, clues.columns)].append(grid)
    for puzzle, grids in list(described.items())[::sample]:
        _agree(backend, puzzle, grids)


def random_puzzles_have_the_enumerated_solutions(backend: Backend, sample: int) -> None:
    """Try random grids up to 6x6, sparse and dense, in one to three colours."""
    random = np.random.default_rng(0)
    for colours, density, _ in product((1, 2, 3), (0.3, 0.5, 0.7), range(max(1, 12 // sample))):
        shape = random.integers(1, 7, 2)
        cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        if backend.capabilities.colours or puzzle.palette.is_one_colour:
            _agree(backend, puzzle, solutions(puzzle))


def colours_are_refused_if_not_supported(backend: Backend, sample: int) -> None:
    """See that a backend without colours ends as ``unsupported``, and one with them does not."""
    del sample
    outcome = _run(backend, SMALL_IN_COLOUR[0])
    refused = outcome.termination is Termination.UNSUPPORTED
    assert refused != backend.capabilities.colours, f"colours end as {outcome.termination}"


def counting_stops_at_the_bound(backend: Backend, sample: int) -> None:
    """Count all 120 solutions of a puzzle, or as many as were asked for."""
    del sample
    if backend.capabilities.complete:
        for bound, expected in ((7, 7), (1000, math.factorial(5))):
            found = len(_run(backend, permutations(5), Task.COUNT, bound=bound).solutions)
            assert found == expected, f"{found} solutions instead of {expected}"


def solving_takes_one_solution(backend: Backend, sample: int) -> None:
    """See that task ``solve`` claims nothing about other solutions."""
    del sample
    outcome = _run(backend, permutations(4), Task.SOLVE)
    expected = Answer.SOLVED if backend.capabilities.complete else Answer.PARTIAL
    assert outcome.answer in (Answer.SOLVED, expected), f"the answer is {outcome.answer}"


def a_seed_fixes_the_course(backend: Backend, sample: int) -> None:
    """See that two runs with one seed return the same grids in the same order."""
    del sample
    for seed in (0, 1):
        first, second = (_run(backend, permutations(5), Task.COUNT, bound=5, seed=seed) for _ in range(2))
        same = (first.solutions, first.partial) == (second.solutions, second.partial)
        assert same, f"two runs with seed {seed} differ"


def the_puzzle_is_left_as_it_was(backend: Backend, sample: int) -> None:
    """See that a backend does not write into its input."""
    del sample
    puzzle, untouched = permutations(4), permutations(4)
    _run(backend, puzzle)
    assert puzzle == untouched, "the clues changed"
    arrays = zip(
        (*puzzle.flat_rows, *puzzle.flat_columns),
        (*untouched.flat_rows, *untouched.flat_columns),
        strict=True,
    )
    assert all(np.array_equal(a, b) for a, b in arrays), "the flat clues changed"


def a_stop_before_the_start_ends_at_once(backend: Backend, sample: int) -> None:
    """See that a run that is told to stop in advance proves nothing."""
    del sample
    stop = StopFlag()
    stop.set()
    outcome = run_backend(backend, n_dom(3), Request(), stop)
    assert outcome.termination is Termination.KILLED, f"the termination is {outcome.termination}"


def a_stop_ends_a_long_search(backend: Backend, sample: int) -> None:
    """See that another thread's stop is noticed, whatever the search is doing."""
    del sample
    stop = StopFlag()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    _ends_in_time(backend, Request(), stop, Termination.KILLED)
    timer.join()


def the_wall_limit_ends_a_long_search(backend: Backend, sample: int) -> None:
    """See that the limit of the request is kept, and is no verdict."""
    del sample
    _ends_in_time(backend, Request(limits=Limits(wall=0.2)), StopFlag(), Termination.WALL)


Check = Callable[[Backend, int], None]

CHECKS: tuple[Check, ...] = (
    small_puzzles_have_the_known_answers,
    every_description_of_3x3_has_the_known_answer,
    random_puzzles_have_the_enumerated_solutions,
    colours_are_refused_if_not_supported,
    counting_stops_at_the_bound,
    solving_takes_one_solution,
    a_seed_fixes_the_course,
    the_puzzle_is_left_as_it_was,
    a_stop_before_the_start_ends_at_once,
    a_stop_ends_a_long_search,
    the_wall_limit_ends_a_long_search,
)
"""Each takes a backend and a `sample` as `check_backend` does, and raises AssertionError."""


def _run(
    backend: Backend, puzzle: Puzzle, task: Task = Task.DECIDE, *, bound: int = 1000, seed: int = 0
) -> Outcome:
    return run_backend(backend, puzzle, Request(task, bound=bound, seed=seed), StopFlag())


def _agree(backend: Backend, puzzle: Puzzle, expected: list[Grid]) -> None:
    """Check the answer and all solutions against the enumerated ones."""
    place = f"{puzzle.title or 'puzzle'}, rows {puzzle.rows}, columns {puzzle.columns}"
    outcome = _run(backend, puzzle)
    assert outcome.termination is Termination.OK, f"{place}: {outcome.termination}, {outcome.message}"
    if outcome.answer in (Answer.PARTIAL, Answer.SOLVED) and not backend.capabilities.complete:
        assert set(outcome.solutions) <= set(expected), f"{place}: a grid that is no solution"
        if outcome.partial is not None:
            _contains(outcome.partial, expected, place)
        return
    answer = (Answer.UNSAT, Answer.UNIQUE, Answer.MULTIPLE)[min(2, len(expected))]
    assert outcome.answer is answer, f"{place}: {outcome.answer} instead of {answer}"
    counted = _run(backend, puzzle, Task.COUNT, bound=len(expected) + 1).solutions
    assert set(counted) == set(expected), f"{place}: {len(counted)} solutions instead of {len(expected)}"


def _contains(partial: Grid, expected: list[Grid], place: str) -> None:
    for grid in expected:
        lost = grid.candidates & ~partial.candidates
        assert not lost.any(), f"{place}: the partial grid excludes a solution"


def _ends_in_time(backend: Backend, request: Request, stop: StopFlag, cut: Termination) -> None:
    """Run a hard puzzle, which a strong backend may finish before it is cut off."""
    started = time.perf_counter()
    outcome = run_backend(backend, n_dom(14), request, stop)
    took = time.perf_counter() - started
    assert took < 0.2 + PATIENCE or outcome.termination is Termination.OK, f"it took {took:.1f} s to stop"
    assert outcome.termination in (cut, Termination.OK), f"the termination is {outcome.termination}"
    if outcome.termination is cut:
        assert outcome.answer is not Answer.UNIQUE, "a search that was cut off claims uniqueness"
