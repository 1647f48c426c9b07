"""Work as a process of a pool: on the puzzles that it is sent, in order, answering each with a result.

Run as ``python -P -m nonocsp.run.pool_worker``. Messages are pickles: the other end is the same program.
The first message is the work. Then come batches: lists of numbered puzzles. A number alone says to forget all
puzzles but that. The worker answers ``(number, result)`` for each puzzle, and None when it has started and
when it has forgotten. It ends when its input does.
"""

from __future__ import annotations

import contextlib
import pickle
import select
from collections import deque
from multiprocessing.connection import Connection
from typing import Any

from nonocsp.run.process import private_descriptors
from nonocsp.run.window import Numbered


def send(connection: Connection, message: Any) -> None:
    """Send a message; BrokenPipeError if nobody is left to read it.

    Parameters
    ----------
    connection
        Open for writing.
    message
        Anything that can be pickled.
    """
    connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(connection: Connection) -> Any:
    """Return the next message; EOFError if there are no more, or only half of one."""
    return pickle.loads(connection.recv_bytes())


def main() -> None:
    """Serve until the input ends."""
    orders, answers = private_descriptors()
    with contextlib.suppress(EOFError, BrokenPipeError):
        serve(Connection(orders, writable=False), Connection(answers, readable=False))


def serve(inbox: Connection, outbox: Connection) -> None:
    """Follow the messages; raise EOFError at their end.

    Parameters
    ----------
    inbox
        Brings the work, then batches.
    outbox
        Takes the answers.
    """
    work = receive(inbox).start()
    waiting = select.poll()  # a tenth of the time of `Connection.poll`
    waiting.register(inbox.fileno(), select.POLLIN)
    todo: deque[Numbered] = deque()
    send(outbox, None)
    while True:
        if todo and not waiting.poll(0):
            number, puzzle = todo.popleft()
            send(outbox, (number, work(puzzle)))
        elif isinstance(message := receive(inbox), list):
            todo.extend(message)
        else:
            todo = deque(numbered for numbered in todo if numbered[0] == message)
            send(outbox, None)


if __name__ == "__main__":
    main()
