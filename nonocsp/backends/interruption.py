"""Call solvers and the core so that long calls end soon after a stop, a deadline or Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from nonocsp import engine
from nonocsp.backends.base import Interrupted, Run, Unsupported
from nonocsp.engine import LineSolver, Propagation, Search
from nonocsp.model import Grid

T = TypeVar("T")

POLL = 0.01
"""Seconds between two looks at the stop flag and the clock, while another thread works."""


def interruptible(run: Run, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
    """Return ``call()``, made in a thread of its own while this one watches the run.

    Parameters
    ----------
    run
        Says when to stop.
    call
        Must let other threads run (release the GIL), and return soon after `interrupt` was called.
    interrupt
        Called again and again until `call` returns: a first one may come before `call` listens.

    Raises
    ------
    Interrupted
        If the run was told to stop; whatever `call` returned is lost. Anything `call` raises passes through.
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


def root_fixpoint(solver: LineSolver, run: Run) -> Propagation:
    """Propagate from the clues alone, and store ``settles`` in the statistics.

    Parameters
    ----------
    solver
        The clues.
    run
        Says when to stop, and takes the statistics.

    Raises
    ------
    Interrupted
        If the run was told to stop.
    """
    root = solver.propagate(stop=run.stop, wall=run.remaining)
    run.stats["settles"] = root.settles
    if root.interrupted:
        raise Interrupted
    return root


def solutions(search: Search, run: Run) -> Iterator[Grid]:
    """Yield the solutions of a search of the core, and keep its statistics however it ends.

    Parameters
    ----------
    search
        The search, at its start.
    run
        Says when to stop, and takes the statistics.

    Raises
    ------
    Interrupted
        If the run was told to stop.
    Unsupported
        If the puzzle is beyond the method.
    """
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
