"""A search tells its progress through the stop flag while it runs."""

from collections.abc import Callable
from threading import Thread

import pytest

from nonocsp.backends.base import Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import Stage, StopFlag
from nonocsp.testing import n_dom, permutations
from tests.waiting import wait_until

Seen = tuple[Stage, int, int | None, float | None]


def watched(spec: str, is_enough: Callable[[list[Seen]], bool], task: Task = Task.DECIDE) -> list[Seen]:
    """Return what a backend tells of itself on a puzzle that takes very long, until it is enough."""
    stop, seen = StopFlag(), []
    thread = Thread(target=run_backend, args=(create(spec), n_dom(14), Request(task), stop))
    thread.start()
    try:
        wait_until(lambda: seen.append(stop.progress) or is_enough(seen))
    finally:
        stop.set()
        thread.join()
    return seen


def test_hybrid_learns_after_its_first_stages_and_counts_its_conflicts():
    def is_enough(seen: list[Seen]) -> bool:
        return len({conflicts for _, conflicts, *_ in seen}) >= 3

    stages, conflicts, open_cells, _ = zip(*watched("hybrid", is_enough), strict=True)
    assert stages[-1] is Stage.LEARNING
    assert list(conflicts) == sorted(conflicts)
    assert 0 < open_cells[-1] <= 29 * 29


@pytest.mark.parametrize("spec", ["gac", "segments", "twosat"])
def test_a_depth_first_search_tells_its_share_of_the_tree(spec):
    def is_enough(seen: list[Seen]) -> bool:
        return len({share for *_, share in seen} - {None, 0.0}) >= 3

    shares = [share for *_, share in watched(spec, is_enough) if share is not None]
    assert shares == sorted(shares)
    assert 0 < shares[-1] < 1


def test_a_search_that_ends_has_searched_the_whole_tree():
    for spec in ("gac", "probing", "twosat"):
        stop = StopFlag()
        outcome = run_backend(create(spec), permutations(4), Request(Task.COUNT, bound=100), stop)
        assert outcome.count == 24
        assert stop.progress[3] == pytest.approx(1)
