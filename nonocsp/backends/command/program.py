"""Run a program once: give it its input, keep what it prints within bounds, and end it in time.

The program gets a session of its own, so it has no terminal, and what it starts can be ended with it. Its
output and the end of its error output are kept. It is killed when the run must stop, and when it prints more
than `bounds.PROGRAM_OUTPUT`.
"""

from __future__ import annotations

import errno
import os
import resource
import selectors
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from nonocsp.backends.base import Interrupted, Run
from nonocsp.backends.ending import end_session, how_it_ended
from nonocsp.model import BackendError, bounds

POLL_S = 0.01
"""How often the stop flag and the clock are looked at."""
ERRORS_KEPT = 4000
"""Bytes at the end of the error output that are kept."""
ERRORS_SHOWN = 500
"""Characters of them that a message repeats."""
_CHUNK = 1 << 16
_NOT_FOUND, _NOT_EXECUTABLE = 127, 126


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of one run of a program."""

    output: bytes  # what it printed
    errors: str  # the end of what it printed as errors
    code: int  # its exit code, negative for a signal
    is_cut_off: bool  # whether it was ended because the run had to stop
    left: bool  # whether processes that it had started outlived it; they were ended
    wall_s: float
    cpu_s: float  # of the program and the processes that it waited for
    arrivals: list[tuple[int, float]]  # how many bytes of output had come by when, in seconds since the start

    def ended_how(self) -> str:
        """Say how the program ended, and the last that it printed as errors."""
        why = {
            _NOT_FOUND: " (a command that it runs was not found)",
            _NOT_EXECUTABLE: " (a file that it runs cannot be executed)",
        }.get(self.code, "")
        return f"the program {how_it_ended(self.code)}{why}{self.last_words()}"

    def last_words(self) -> str:
        """Return the end of the error output, for messages; empty if there was none."""
        words = " ".join("".join(c if c.isprintable() else " " for c in self.errors).split())
        if not words:
            return ""
        shown = words if len(words) <= ERRORS_SHOWN else f"…{words[-ERRORS_SHOWN:]}"
        is_refused = os.strerror(errno.EROFS) in words
        advice = " (runs write in the folder where they start; writable: in a config adds others)"
        return f"; its last words: {shown}{advice if is_refused else ''}"


def execute(command: Sequence[str], folder: Path, run: Run, stdin: Path | None = None) -> Execution:
    """Run a program to its end or until the run stops; BackendError if it cannot start or prints too much."""
    before, started = _children_cpu_s(), time.perf_counter()
    is_cut_off = False
    arrivals: list[tuple[int, float]] = []
    with ExitStack() as stack:
        source: IO[bytes] | int = subprocess.DEVNULL
        if stdin:
            source = stack.enter_context(stdin.open("rb"))
        process = stack.enter_context(_start(command, folder, source))
        try:
            output, errors = _listen(process, run, arrivals)
        except _CutOff as cut_off:
            output, errors, is_cut_off = cut_off.output, cut_off.errors, True
        finally:
            left = end_session(process)
        wall_s, cpu_s = time.perf_counter() - started, _children_cpu_s() - before
    text = errors.decode("utf-8", "replace")
    arrivals = [(count, when - started) for count, when in arrivals]
    return Execution(output, text, process.returncode, is_cut_off, left, wall_s, cpu_s, arrivals)


def _start(command: Sequence[str], folder: Path, source: IO[bytes] | int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
    except OSError as error:
        reasons = {
            errno.ENOENT: "there is no such program, or the interpreter that its first line names is missing",
            errno.EACCES: f"it is not executable: chmod +x {command[0]}",
            errno.ENOEXEC: "it is no program for this processor, or a script without a first line such as "
            "#!/bin/sh",
        }
        reason = reasons.get(error.errno or 0, error.strerror or str(error))
        raise BackendError(f"cannot start {command[0]}: {reason}") from None


class _CutOff(Exception):
    """The run must stop; carries what the program has printed by then."""

    def __init__(self, output: bytes, errors: bytes) -> None:
        super().__init__()
        self.output, self.errors = output, errors


def _listen(
    process: subprocess.Popen[bytes], run: Run, arrivals: list[tuple[int, float]]
) -> tuple[bytes, bytes]:
    """Return all that the program prints, and the end of its errors; `arrivals` gets when how much came."""
    assert process.stdout is not None
    assert process.stderr is not None
    heard = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
    output, errors = heard.values()
    with selectors.DefaultSelector() as selector, ExitStack() as stack:
        for descriptor in heard:
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ)
        if hasattr(os, "pidfd_open"):  # readable when the program ends, even if others hold its streams
            with suppress(OSError):
                end = os.pidfd_open(process.pid)
                stack.callback(os.close, end)
                selector.register(end, selectors.EVENT_READ)
        has_ended = False
        while not has_ended:
            has_ended = process.poll() is not None  # first: what it printed before is read below
            wait_s = 0.0 if has_ended else POLL_S if run.remaining is None else min(POLL_S, run.remaining)
            for key, _ in selector.select(wait_s):
                if key.fd in heard and not _hear(key.fd, heard[key.fd], until_empty=has_ended):
                    selector.unregister(key.fd)
            del errors[:-ERRORS_KEPT]
            if len(output) > (arrivals[-1][0] if arrivals else 0):
                arrivals.append((len(output), time.perf_counter()))
            if len(output) > bounds.PROGRAM_OUTPUT:
                raise BackendError(f"the program printed more than {bounds.PROGRAM_OUTPUT >> 20} MiB")
            try:
                run.check()
            except Interrupted:
                if not has_ended:
                    raise _CutOff(bytes(output), bytes(errors)) from None
    return bytes(output), bytes(errors)


def _hear(descriptor: int, heard: bytearray, *, until_empty: bool) -> bool:
    """Read what there is, once or until nothing is left; return whether more may come."""
    with suppress(BlockingIOError):
        while chunk := os.read(descriptor, _CHUNK):
            heard += chunk
            if not until_empty or len(heard) > bounds.PROGRAM_OUTPUT:
                return True
        return False
    return True


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
