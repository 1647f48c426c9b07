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


def counted(counter: SolutionCounter | MddSearch, run: Run) -> int:
    """Return the exact number of solutions, and keep statistics and lower bound however it ends.

    Parameters
    ----------
    counter
        Made by the core.
    run
        Says when to stop, and takes the statistics and the lower bound. Its ``at_least`` says whether a
        solution is known.

    Raises
    ------
    Interrupted
        If the run was told to stop.
    TooManyStates
        If the memory does not suffice; a `MemoryError`.
    """
    try:
        return counter.count(run.stop, run.remaining)
    except engine.Interrupted:
        raise Interrupted from None
    finally:
        run.stats.update(counter.statistics())
        run.at_least = max(run.at_least, counter.at_least(run.at_least > 0))


def memory_for_states(run: Run, mebibytes: int) -> int:
    """Return how many bytes of states a method may hold: what its options say, within the run's limit.

    Parameters
    ----------
    run
        Half of its memory limit is left to all else.
    mebibytes
        What the backend's options say.
    """
    memory = run.request.limits.memory
    allowed = mebibytes << 20
    return allowed if memory is None else min(allowed, memory // 2)
