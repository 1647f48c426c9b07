"""Start processes by forking one that has imported what they need, and end everything that they leave.

As child subreaper, the server adopts whatever outlives one, and ends it. When the driver dies, even by ``kill
-9``, the server's socket closes: it ends all processes and removes their folder.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from nonocsp.model import BackendError
from nonocsp.run.processes import adopt_orphans, children, tree_cpu_s

PYTHON = (sys.executable, "-P")
"""Starts Python without the current folder on its path, where a ``json.py`` or a checkout of nonocsp may lie;
the user's ``PYTHONPATH`` stays."""
_MESSAGE_BYTES = 1 << 16
_PATIENCE_S, _PAUSE_S = 5.0, 0.001
"""How long processes may take to end by themselves or when killed; and the pause between two looks."""


class ForkServer:
    """The driver's end; `folder` is for temporary files of all processes, and removed at the end."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="nonocsp-")
        self._socket, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [*PYTHON, "-m", __name__, str(theirs.fileno()), self.folder],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C in the terminal is for the driver alone
                    env={"OPENBLAS_NUM_THREADS": "1", **os.environ},  # its threads take 30 ms to start
                )
            except OSError as error:
                os.rmdir(self.folder)  # noqa: PTH106
                raise BackendError(f"cannot start a process for runs: {error.strerror}") from None

    def cpu_s(self) -> float:
        """Return the CPU seconds of all that the server has started, and its own."""
        return tree_cpu_s(self._process.pid)

    def start(self, spec: str, mode: str, cores: Sequence[int] | None) -> tuple[int, socket.socket]:
        """Start a template; return its process, and the socket to it."""
        return self.call("nonocsp.run.template:be_template", spec, mode, cores, self.folder)

    def call(self, function: str, *arguments: object) -> tuple[int, socket.socket]:
        """Call a function, given as ``module:name``, in a process, with a socket and values for JSON."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return self._ask([function, *arguments], theirs.fileno()), ours
            except BackendError:
                ours.close()
                raise

    def end(self, pid: int) -> int:
        """End a process and all that it left; return its exit status, as `os.waitpid` does."""
        return self._ask(pid)

    def close(self) -> None:
        """End everything."""
        self._socket.close()
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)  # the server has done it, unless it was killed

    def _ask(self, request: object, *descriptors: int) -> int:
        with suppress(OSError):
            socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
            if answer := self._socket.recv(_MESSAGE_BYTES):
                return int(answer)
        raise BackendError(
            "the process that starts measured runs has ended; start again, and the rest is run"
        )


def main(descriptor: str, folder: str) -> None:
    """Serve until the driver ends."""
    adopt_orphans()
    driver = socket.socket(fileno=int(descriptor))
    started: dict[int, int | None] = {}  # the exit status of each, once it is known
    with suppress(OSError):
        while (received := socket.recv_fds(driver, _MESSAGE_BYTES, 1))[0]:
            request, descriptors = json.loads(received[0]), received[1]
            if descriptors:
                module, _, name = request[0].partition(":")
                function = getattr(import_module(module), name)  # imported here, for all processes to come
                if (answer := os.fork()) == 0:
                    driver.close()
                    _call(function, socket.socket(fileno=descriptors[0]), *request[1:])
                os.close(descriptors[0])
                started[answer] = None
            else:
                answer = _end(request, started)
            driver.send(b"%d" % answer)
    deadline = time.monotonic() + _PATIENCE_S  # they have heard of the driver's end, too
    while started.keys() & {*children(os.getpid())} and time.monotonic() < deadline:
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(_PAUSE_S)
    _end(0, {})
    shutil.rmtree(folder, ignore_errors=True)


def _call(function: Callable[..., object], *arguments: object) -> NoReturn:
    try:
        function(*arguments)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _end(pid: int, started: dict[int, int | None]) -> int:
    """Kill a process and what it left to this one; return its exit status, 0 if it is not known."""
    others, deadline = started.keys() - {pid}, time.monotonic() + _PATIENCE_S
    started.setdefault(pid, 0)
    while time.monotonic() < deadline:
        left = {*children(os.getpid())} - others
        if not left and started[pid] is not None:
            break
        for child in left:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:  # others may have ended meanwhile, too
                if ended[0] in started:
                    started[ended[0]] = ended[1]
        time.sleep(_PAUSE_S)
    return started.pop(pid) or 0


if __name__ == "__main__":
    main(*sys.argv[1:])
