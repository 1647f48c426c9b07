"""Work as a process of a pool: ``python -P -m nonocsp.run.pool_worker SOCKET LIFE``.

The arguments are file descriptors. Through the socket come pickles: first the work, then batches of puzzles.
Each puzzle is answered with its result in a tuple, and each batch with None. Nobody writes to the pipe LIFE.
When the driver dies, it closes, and the system kills this process with its group.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

BATCH_S = 0.02
"""How long a batch may take; puzzles that were not begun by then go back to the pool."""


def send(link: Connection, message: Any) -> None:
    """Send a message; raise OSError if nobody is left to read it."""
    link.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(link: Connection) -> Any:
    """Return the next message; raise EOFError or OSError if there are no more, or only half of one."""
    return pickle.loads(link.recv_bytes())


def main(link: Connection, life: int) -> None:
    """Serve until the driver ends."""
    if sys.platform == "linux":  # elsewhere a worker ends after its puzzle
        fcntl.fcntl(life, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, os.O_ASYNC)
    work = receive(link).start()
    send(link, None)
    os.dup2(0, 2)  # errors until here are for the user; now /dev/null, as for the output
    with contextlib.suppress(EOFError, OSError):
        serve(link, work)


def serve(link: Connection, work: Callable[[Any], Any]) -> None:
    """Answer batches until the driver ends."""
    while True:
        puzzles = receive(link)
        until = time.perf_counter() + BATCH_S
        for puzzle in puzzles:
            send(link, (work(puzzle),))
            if time.perf_counter() > until:
                break
        send(link, None)


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])), int(sys.argv[2]))
