"""Long calls into solvers, made so that they end within `POLL` seconds of a stop, a deadline or Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nonocsp.backends.base import Run
from nonocsp.engine import LineSolver, Order, Propagation, StopFlag

T = TypeVar("T")

POLL = 0.01
"""Seconds between two looks at the stop flag and the clock."""

QUICK_CELLS = 10_000
"""Propagating a grid up to this size takes a few milliseconds: not worth a thread."""


def interruptible(run: Run, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
    """Return ``call()``, made in a thread of its own while this one watches `run`.

    Parameters
    ----------
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


def root_fixpoint(solver: LineSolver, run: Run, order: Order = Order.QUEUE) -> Propagation:
    """Propagate from nothing, and note ``settles`` in the statistics.

    Raises
    ------
    Interrupted
        If the run was told to stop.
    """
    run.check()
    rows, columns = solver.puzzle.shape
    if rows * columns <= QUICK_CELLS:
        root = solver.propagate(order=order)
    else:
        stop = StopFlag()
        root = interruptible(run, lambda: solver.propagate(order=order, stop=stop), stop.set)
    run.stats["settles"] = root.settles
    return root
