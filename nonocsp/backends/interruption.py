"""Call solvers and the core so that long calls end soon after a stop, a deadline or Ctrl-C."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from subprocess import Popen
from typing import TypeVar

import psutil

from nonocsp import engine
from nonocsp.backends.base import Interrupted, Run, Unsupported
from nonocsp.engine import LineSolver, MddSearch, Propagation, Search, SolutionCounter
from nonocsp.model import Grid

T = TypeVar("T")

POLL = 0.01
"""Seconds between two looks at the stop flag and the clock, while another thread works."""
_DYING_S, _PAUSE_S = 1.0, 0.001
"""How long killed processes, which need time to end, are waited for; and the pause between two looks."""


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


def end_session(process: Popen[bytes]) -> bool:
    """Kill a process and all that it started, wait for their end, and return whether others still ran.

    Parameters
    ----------
    process
        Started with ``start_new_session=True``. What it starts stays in its session, even in a process group
        of its own, as MiniZinc gives its solvers one.
    """
    if process.poll() is None:
        process.kill()
        process.wait()
    killed: set[int] = set()
    while found := set(_session(process.pid)) - killed:  # those that were forked meanwhile come next
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        killed |= found
    deadline = time.monotonic() + _DYING_S
    while not all(map(_has_ended, killed)) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)
    return bool(killed)


def _has_ended(pid: int) -> bool:
    """Return whether a process has ended, even if its parent has taken no note of it."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _session(leader: int) -> Iterator[int]:
    """Yield the processes of a session."""
    for pid in psutil.pids():
        with suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == leader:
                yield pid


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
