"""The search for hard puzzles finds the maxima of the census."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import nonocsp
from nonocsp.backends.base import Request, Run
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.grading.hardest_family import hardest
from nonocsp.grading.hardest_search import search_hardest
from nonocsp.grading.sweeps import trace_sweeps
from nonocsp.model import UsageError


@pytest.mark.parametrize(
    ("size", "maximum", "trials"), [(2, 2, 5_000), (3, 3, 5_000), (4, 9, 50_000), (5, 17, 500_000)]
)
def test_the_search_finds_the_maximum_of_a_size(size: int, maximum: int, trials: int) -> None:
    *_, best = search_hardest(size, size, trials=trials)
    assert best.sweeps == maximum
    puzzle = best.puzzle()
    assert nonocsp.verify(puzzle, puzzle.goal)  # type: ignore[arg-type]
    found = nonocsp.difficulty(puzzle)
    assert (found.is_simple, found.sweeps) == (True, maximum)


@pytest.mark.slow
def test_the_search_finds_the_26_sweeps_of_6x6() -> None:
    found = next(best for best in search_hardest(6, 6, trials=15_000_000) if best.sweeps >= 26)
    assert nonocsp.difficulty(found.puzzle()).sweeps == found.sweeps == 26


def test_the_search_starts_from_the_constructions_if_the_size_allows() -> None:
    for size in ((6, 9), (11, 15), (18, 18)):
        *_, best = search_hardest(*size, trials=200)
        assert best.trials >= 200
        assert best.sweeps >= trace_sweeps(LineSolver(hardest(*size)), Run(Request(), StopFlag())).rows_first


def test_a_seed_and_a_number_of_trials_fix_the_result() -> None:
    *_, first = search_hardest(5, 6, seed=3, trials=60_000)
    *_, again = search_hardest(5, 6, seed=3, trials=60_000)
    assert (first.sweeps, first.trials) == (again.sweeps, again.trials)
    assert np.array_equal(first.image, again.image)
    *_, other = search_hardest(5, 6, seed=4, trials=60_000)
    assert not np.array_equal(first.image, other.image)


def test_the_best_puzzle_never_gets_worse_and_a_time_limit_ends_the_search() -> None:
    sweeps = [best.sweeps for best in islice(search_hardest(5, 5), 50)]
    assert sweeps == sorted(sweeps)
    assert len(list(search_hardest(9, 9, wall=1e-9))) == 1


@pytest.mark.parametrize("request_", [{"rows": 0, "columns": 3}, {"rows": 3, "columns": 3, "seed": -1}])
def test_an_invalid_search_is_an_error(request_: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="at least one row"):
        search_hardest(**request_)
