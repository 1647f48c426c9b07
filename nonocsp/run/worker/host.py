"""Load a backend and run it: the untrusted process that executes foreign code.

A server forks a host for each backend. The host gives up everything that it has from the server but one end
of a channel, then loads its backend and rehearses it. It says

- ``READY`` when that is done, before it hears of any puzzle;
- ``BORN`` in a process that it forks for one run, over a channel of that run's own, and ``GONE`` with the
  exit code when that process has ended;
- ``PREPARED`` when the puzzle is built and the run waits for ``GO``;
- ``ENDED`` when the backend has finished, then ``REPLY``; a forked run waits for ``NOTED`` between them.

``python -m nonocsp.run.worker.host SOCKET`` is a host that is started and not forked: it reads a nonce and
the backend's spec from its standard input, connects to the socket, and runs one job.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import socket
import sys
import tempfile
import time
import warnings
from typing import NoReturn

from nonocsp.backends import registry
from nonocsp.backends.base import Answer, Backend, Limits, Outcome, Request, Termination
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.processes.starting import TEMPORARY
from nonocsp.run.jobs import decode_job
from nonocsp.run.process import private_descriptors
from nonocsp.run.worker.channel import (
    BORN,
    ENDED,
    GO,
    GONE,
    JOB,
    NONCE_BYTES,
    PREPARED,
    READY,
    REPLY,
    Channel,
    Frame,
)
from nonocsp.run.worker.reply import encode_reply

_LIBC = ctypes.CDLL(None)
_REHEARSAL_WALL, _PAUSE_S = 5.0, 0.02
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4


def run_host(channel: Channel, spec: str, nonce: bytes, *, is_forking: bool) -> NoReturn:
    """Serve as a host until the channel ends; never return.

    Parameters
    ----------
    channel
        To the server.
    spec
        The backend's.
    nonce
        To be said when the host is ready.
    is_forking
        Whether each run gets a process of its own.
    """
    code = 1
    with contextlib.suppress(BaseException):
        die_with_parent()
        _leave_server()
        with contextlib.suppress(
            Exception, SystemExit
        ):  # what fails here fails again in the run, which says so
            load(spec)
        channel.send(nonce, READY)
        with contextlib.suppress(EOFError):
            while is_forking:
                _fork_run(channel)
            while True:
                _run(channel, channel.receive(), is_forked=False)
        code = 0
    os._exit(code)


def load(spec: str) -> Backend:
    """Create a backend, have it import what it needs, and prepare this process for forks."""
    backend = registry.create(spec)
    _rehearse(backend)
    settle_memory()
    _loaded[spec] = backend
    return backend


_loaded: dict[str, Backend] = {}


def settle_memory() -> None:
    """Keep what is loaded out of garbage collection, and give free memory back."""
    gc.collect()
    gc.freeze()  # or every collection inside a measured run would walk through all imported modules
    with contextlib.suppress(AttributeError, OSError):
        _LIBC.malloc_trim(0)  # what a run uses of free memory would count as the host's


def _leave_server() -> None:
    """Give up what this process should not have from the server that forked it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tempfile.tempdir = os.environ[TEMPORARY[0]]  # or it is tried out, and the disk may be full
    os.chdir(tempfile.tempdir)
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)  # or its memory could not be read


def die_with_parent() -> None:
    """Have the system kill this process when its parent ends (Linux only)."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _fork_run(channel: Channel) -> None:
    """Fork a process for the next run, and say how it ended."""
    frame, end = channel.receive_end()
    _take_note_of_children()
    pid = _fork_patiently()
    if pid == 0:
        _run_and_exit(channel, Channel(end), frame.nonce)
    end.close()
    ended = os.waitid(
        os.P_PID, pid, os.WEXITED | os.WNOWAIT
    )  # the server reads the CPU clock of what is left
    assert ended is not None
    code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    channel.send(frame.nonce, GONE, b"%d" % code)


def _fork_patiently() -> int:
    """Fork this process; wait while the system can start none, perhaps because of a run in another slot."""
    while True:
        try:
            return os.fork()
        except BlockingIOError:
            time.sleep(_PAUSE_S)  # the server ends this process if that takes too long


def _run_and_exit(control: Channel, channel: Channel, nonce: bytes) -> NoReturn:
    """Run one job as a process that was forked for it."""
    code = 1
    with contextlib.suppress(BaseException):
        control.close()
        die_with_parent()
        for backend in _loaded.values():
            _rehearse(backend)  # touches the memory that a fork only promises
        channel.send(nonce, BORN)
        _run(channel, channel.receive(), is_forked=True)
        code = 0
    os._exit(code)


def _run(channel: Channel, frame: Frame, *, is_forked: bool) -> None:
    """Run a job and reply."""
    if frame.word != JOB:
        raise ValueError(f"{frame.word!r} in place of a job")
    _take_note_of_children()
    os.chdir(tempfile.gettempdir())
    job = decode_job(frame.payload)
    channel.send(frame.nonce, PREPARED)
    if channel.receive().word != GO:
        raise ValueError("no word to begin")
    outcome = or_crashed(
        lambda: run_backend(
            _loaded.get(job.backend) or load(job.backend), job.puzzle, job.request, StopFlag(), verify=False
        )  # the driver verifies
    )
    channel.send(frame.nonce, ENDED)
    if is_forked:
        channel.receive()  # the server reads figures that are gone once this process has ended
    try:
        reply = encode_reply(outcome, job.puzzle)
    except ValueError as error:
        message = f"the backend's answer cannot be reported: {error}"
        reply = encode_reply(Outcome(Answer.UNKNOWN, Termination.CRASHED, message=message), job.puzzle)
    channel.send(frame.nonce, REPLY, reply)
    if is_forked:
        channel.receive()  # until the server has read the peak of the memory, and ends this process


def _take_note_of_children() -> None:
    """Reap the children that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _rehearse(backend: Backend) -> None:
    """Have a backend solve something small; or only prepare, if it runs a program, which may do anything."""
    if (prepare := getattr(backend, "prepare", None)) is not None:
        prepare()
        return
    unsettled = Puzzle.from_clues([[1], [1]], [[1], [1]])  # settling paints nothing: the search has to start
    with contextlib.suppress(Exception, SystemExit):
        run_backend(
            backend, unsettled, Request(limits=Limits(wall=_REHEARSAL_WALL)), StopFlag(), verify=False
        )


def main(name: str, folder: str) -> NoReturn:
    """Serve as a host that is started for one job.

    Parameters
    ----------
    name
        The name of the server's socket.
    folder
        For temporary files; BenchExec would have another.
    """
    os.environ.update(dict.fromkeys(TEMPORARY, folder))
    warnings.simplefilter("ignore")
    orders, unused = private_descriptors()
    os.close(unused)
    with os.fdopen(orders, "rb") as file:
        nonce, spec = file.read(NONCE_BYTES), file.read().decode()
    end = socket.socket(socket.AF_UNIX)
    end.connect(f"\0{name}")
    run_host(Channel(end), spec, nonce, is_forking=False)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
