"""Call solvers and the core so that long calls end soon after a stop, a deadline or Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from nonocsp import engine
from nonocsp.backends.base import Interrupted, Run, Unsupported
from nonocsp.engine import LineSolver, MddSearch, Propagation, Search, SolutionCounter
from nonocsp.model import Grid

T = TypeVar("T")

POLL = 0.01
"""Seconds between two looks at the stop flag and the clock, while another thread works."""


def interruptible(run: Run, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
    """Return ``call()``, made in a thread of its own while this one watches the run.

    The call must release the GIL and return soon after `interrupt`, which is called again and again: a first
    time may come before the call listens. Raises `Interrupted` if the run was told to stop.
    """
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(call)
        try:
            while not wait([future], POLL).done:
                run.check()
        except BaseException:
            while not wait([future], POLL).done:
                interrupt()
            raise
    return future.result()


def root_fixpoint(solver: LineSolver, run: Run, *, is_wanted: bool = True) -> Propagation:
    """Propagate from the clues alone, if that is wanted, and note ``settles``; may raise `Interrupted`."""
    if not is_wanted:
        return solver.nothing_known()
    root = solver.propagate(stop=run.stop, wall=run.remaining)
    run.stats["settles"] = root.settles
    if root.interrupted:
        raise Interrupted
    return root


def solutions(search: Search, run: Run) -> Iterator[Grid]:
    """Yield the solutions of a search of the core, and keep its statistics however it ends."""
    run.check()
    while True:
        try:
            cells = search.next(run.stop, run.remaining)
        except engine.Interrupted:
            raise Interrupted from None
        except engine.Unsupported as error:
            raise Unsupported(str(error)) from None
        finally:
            run.stats.update(search.statistics())
        if cells is None:
            return
        yield Grid(cells)


def counted(counter: SolutionCounter | MddSearch, run: Run) -> int:
    """Return the exact number of solutions, and keep statistics and the lower bound however that ends."""
    try:
        return counter.count(run.stop, run.remaining)
    except engine.Interrupted:
        raise Interrupted from None
    finally:
        run.stats.update(counter.statistics())
        run.at_least = max(run.at_least, counter.at_least(run.at_least > 0))


def memory_for_states(run: Run, mebibytes: int) -> int:
    """Return how many bytes of states a method may hold; half of the run's limit is left to all else."""
    memory = run.request.limits.memory
    allowed = mebibytes << 20
    return allowed if memory is None else min(allowed, memory // 2)
