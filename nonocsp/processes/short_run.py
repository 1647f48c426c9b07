"""Run a command that only has to say something, such as its version: bounded, isolated, and leaving nothing.

The command may be hostile. Where Linux allows it, it runs in namespaces of its own, as the runs of a campaign
do: it sees no process of the one who asks, and the kernel ends all that it has started. Everywhere a keeper
(`nonocsp.processes.keeper`) ends its processes. It starts in an empty folder for temporary files.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from nonocsp.model import NonocspError
from nonocsp.processes import keeper
from nonocsp.processes.ending import end_session
from nonocsp.processes.guard import Guard, remove
from nonocsp.processes.starting import PYTHON_FILE, TEMPORARY, can_isolate, isolating, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

_GRACE_S = 10.0
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ShortRun:
    """What came of a command.

    Parameters
    ----------
    output
        What it printed, at most one byte more than it may.
    code
        Its exit code; 128 and the number of the signal that it died of. None if it was ended.
    is_late
        Whether it was ended because its time was over.
    """

    output: bytes
    code: int | None
    is_late: bool


def run_short(
    command: Sequence[str],
    *,
    wait_s: float,
    most_bytes: int,
    memory_bytes: int = 0,
    asked: bytes = b"",
    environment: Mapping[str, str] | None = None,
    with_errors: bool = False,
) -> ShortRun:
    """Run a command, and end it with all that it has started, whatever it does.

    Parameters
    ----------
    command
        The program and its arguments.
    wait_s
        When to end it.
    most_bytes
        How much it may print; it is ended when it prints more.
    memory_bytes
        How much data each of its processes may have (``RLIMIT_DATA``); 0 sets no limit. Reserved addresses do
        not count, nor does shared memory.
    asked
        Its standard input.
    environment
        Variables beside those of this process.
    with_errors
        Whether what it prints as errors counts as output.

    Raises
    ------
    NonocspError
        If the system starts no process; a missing program has exit code 127.
    """
    with _guarded_folder(command[0]) as (guard, outer):
        folder, source = os.path.join(outer, "run"), os.path.join(outer, "input")  # noqa: PTH118
        Path(folder).mkdir()
        Path(source).write_bytes(asked)
        try:
            process = subprocess.Popen(
                [
                    *(isolating() if can_isolate() else ()),
                    *(*PYTHON_FILE, keeper.__file__, str(memory_bytes), source),
                    *command,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if with_errors else subprocess.DEVNULL,
                cwd=folder,
                env={**os.environ, **(environment or {}), **dict.fromkeys(TEMPORARY, folder)},
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise _not_started(command[0], error) from None
        guard.watch(process.pid, outer)
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            deadline = time.monotonic() + wait_s
            code = None
            try:
                output, is_late = _hear(process.stdout, most_bytes, deadline)
                if len(output) <= most_bytes and not is_late:
                    code = process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                is_late = True
            finally:
                process.stdin.close()  # the keeper ends everything
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_GRACE_S)
                end_session(process)
        guard.forget(process.pid)
    return ShortRun(output, code, is_late)


def _hear(output: IO[bytes], most_bytes: int, deadline: float) -> tuple[bytes, bool]:
    """Read until the output ends, is longer than it may be, or time is over; return whether that is so."""
    heard = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while len(heard) <= most_bytes:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                return bytes(heard), True
            if not (chunk := os.read(output.fileno(), min(_CHUNK, most_bytes + 1 - len(heard)))):
                break
            heard += chunk
    return bytes(heard), False


@contextmanager
def _guarded_folder(program: str) -> Iterator[tuple[Guard, str]]:
    """Make an empty folder and a guard; remove both at the end, whatever is in the folder by then."""
    outer = make_folder()
    try:
        try:
            guard = Guard()
        except OSError as error:
            raise _not_started(program, error) from None
        try:
            yield guard, outer
        finally:
            guard.close()
    finally:
        remove(outer)


def _not_started(program: str, error: OSError) -> NonocspError:
    advice = "end other programs, or raise the limits of this user (ulimit -u, ulimit -v)"
    return NonocspError(f"cannot start {program}: {error.strerror}; {advice}")
