"""Start the templates of an executor, and end everything that they leave: one process for each executor.

The server has imported what every template needs, so a template starts within some 50 ms. As child subreaper
it adopts whatever outlives a template, and ends it. When the driver dies, even by ``kill -9``, the server's
socket closes: it ends all templates and removes their folder.
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
from collections.abc import Sequence
from contextlib import suppress

from nonocsp.model import BackendError
from nonocsp.run.processes import adopt_orphans, children, tree_cpu_s

PYTHON = (sys.executable, "-P")
"""Starts Python without the current folder on its path, where a ``json.py`` or a checkout of nonocsp may lie;
the user's ``PYTHONPATH`` stays."""
_MESSAGE_BYTES = 1 << 16
_PATIENCE_S, _PAUSE_S = 5.0, 0.001
"""How long templates and killed processes may take to end; and the pause between two looks."""


class ForkServer:
    """The driver's end.

    Attributes
    ----------
    folder
        For temporary files of all templates; removed at the end.

    Raises
    ------
    BackendError
        If the system starts no process.
    """

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="nonocsp-")
        self._socket, theirs = socket.socketpair()
        environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ}  # its threads are not used and take 30 ms
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [*PYTHON, "-m", __name__, str(theirs.fileno()), self.folder],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C in the terminal is for the driver alone
                    env=environment,
                )
            except OSError as error:
                os.rmdir(self.folder)  # noqa: PTH106
                raise BackendError(f"cannot start a process for runs: {error.strerror}") from None

    def cpu_s(self) -> float:
        """Return the CPU seconds of all that measures."""
        return tree_cpu_s(self._process.pid)

    def start(self, spec: str, mode: str, cores: Sequence[int] | None) -> tuple[int, socket.socket]:
        """Start a template."""
        ours, theirs = socket.socketpair()
        request = json.dumps([spec, mode, [*cores] if cores is not None else None]).encode()
        try:
            return self._ask(request, theirs.fileno()), ours
        except BackendError:
            ours.close()
            raise
        finally:
            theirs.close()

    def end(self, pid: int) -> int:
        """End a template and all that it left; return its exit status, as `os.waitpid` does."""
        return self._ask(json.dumps(pid).encode())

    def close(self) -> None:
        """End everything."""
        self._socket.close()
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)  # the server has done it, unless it was killed

    def _ask(self, request: bytes, *descriptors: int) -> int:
        try:
            socket.send_fds(self._socket, [request], descriptors)
            if answer := self._socket.recv(_MESSAGE_BYTES):
                return int(answer)
        except OSError:
            pass
        raise BackendError(
            "the process that starts measured runs has ended; start again, and the rest is run"
        )


def main(descriptor: str, folder: str) -> None:
    """Serve until the driver ends."""
    from nonocsp.run.template import be_template  # heavy, and only the server needs it

    adopt_orphans()
    driver = socket.socket(fileno=int(descriptor))
    templates: set[int] = set()
    with suppress(OSError):
        while True:
            message, descriptors, _, _ = socket.recv_fds(driver, _MESSAGE_BYTES, 1)
            if not message:
                break
            if descriptors:
                spec, mode, cores = json.loads(message)
                if (pid := os.fork()) == 0:
                    driver.close()
                    be_template(socket.socket(fileno=descriptors[0]), spec, mode, cores, folder)
                os.close(descriptors[0])
                templates.add(pid)
                answer = pid
            else:
                pid = json.loads(message)
                templates.discard(pid)
                answer = _end(pid, templates)
            driver.send(b"%d" % answer)
    deadline = time.monotonic() + _PATIENCE_S  # they have heard of the driver's end, too
    while templates & {*children(os.getpid())} and time.monotonic() < deadline:
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(_PAUSE_S)
    for pid in templates:
        _end(pid, set())
    shutil.rmtree(folder, ignore_errors=True)


def _end(pid: int, others: set[int]) -> int:
    """Kill a template and what it left to this process; return its exit status, 0 if it has ended before."""
    status, deadline = 0, time.monotonic() + _PATIENCE_S
    while (left := {*children(os.getpid())} - others) and time.monotonic() < deadline:
        for child in left:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                status = ended[1] if ended[0] == pid else status
        time.sleep(_PAUSE_S)
    return status


if __name__ == "__main__":
    main(*sys.argv[1:])
