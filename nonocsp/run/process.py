"""Start, end and judge worker processes, and protect their streams."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, NamedTuple

from nonocsp.backends.base import Termination
from nonocsp.backends.ending import how_it_ended, signal_name
from nonocsp.processes.guard import Guard, kill_tree, remove
from nonocsp.processes.starting import PYTHON, TEMPORARY

_REAP_S = 1.0
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


@contextmanager
def confined(cores: Collection[int] | None) -> Iterator[None]:
    """Confine the processes that this thread starts in the context to some cores; None confines nothing."""
    if cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


class GuardedProcess:
    """A Python module that runs as a process in a group of its own, between two pipes.

    Parameters
    ----------
    module
        Run as ``python -P -m module``.
    guard
        Ends the process if this one dies without doing so.
    arguments
        For the module.
    before
        A command that runs the one behind it, such as `nonocsp.processes.starting.isolating`.
    folder
        For its temporary files; removed when it is closed. The system's if empty.
    """

    def __init__(
        self, module: str, guard: Guard, *arguments: str, before: Sequence[str] = (), folder: str = ""
    ) -> None:
        self._folder = folder
        environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ}  # its threads are not used and take 30 ms
        if folder:
            environment.update(dict.fromkeys(TEMPORARY, folder))
        self._process = subprocess.Popen(
            [*before, *PYTHON, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._guard = guard
        guard.watch(self._process.pid, folder)

    @property
    def pid(self) -> int:
        """The number of the process that was started."""
        return self._process.pid

    @property
    def input(self) -> IO[bytes]:
        """The pipe to the process."""
        return self._input

    def fileno(self) -> int:
        """Return the descriptor that is readable when the process has written something or ended."""
        return self._output.fileno()

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def exit_code(self) -> int | None:
        """Return the exit code of a process that has ended, negative for a signal; None if it still runs."""
        try:
            return self._process.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            return None

    def ended_how(self) -> str:
        """Say how a process has ended that nobody here killed: a signal's name or an exit code."""
        return f"the worker process {how_it_ended(self.exit_code())}"

    def kill(self) -> None:
        """End the process and everything it started."""
        kill_tree(self._process.pid)
        self._process.wait()
        self._guard.forget(self._process.pid)

    def close(self) -> None:
        """Close the streams of a process that was killed."""
        self._input.close()
        self._output.close()
        if self._folder:
            remove(self._folder)


class Verdict(NamedTuple):
    """Why a run ended that did not reply."""

    termination: Termination
    message: str


def killed_or_crashed(what: str, code: int | None, when: str = "") -> Verdict:
    """Say how a run ended whose process has ended: ``killed`` if others commonly send that signal.

    Parameters
    ----------
    what
        The process.
    code
        Its exit code, negative for a signal; None if it only closed its streams.
    when
        What to add to the message, such as `` before the run started``.
    """
    if code is not None and -code in _FROM_OUTSIDE:
        why = ", perhaps by the system because memory ran out" if -code == signal.SIGKILL else ""
        return Verdict(Termination.KILLED, f"killed from outside with {signal_name(-code)}{why}")
    return Verdict(Termination.CRASHED, f"{what} {how_it_ended(code)}{when}")


def private_descriptors() -> tuple[int, int]:
    """Hide this process's standard input and output from backends, which get ``/dev/null``.

    Returns
    -------
    tuple[int, int]
        New descriptors of the former standard input and output.
    """
    private = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    return private
