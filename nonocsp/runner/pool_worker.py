"""A process that works on the puzzles which it is sent, in their order, and answers with an outcome for each.

Run as ``python -m nonocsp.runner.pool_worker``. Everything that travels is a pickle: the other end is the
same program. The first message is the work. Then come lists of numbered puzzles; a number alone
says to forget all others. Answers are ``(number, outcome)``, and None: at the start, and when others were
forgotten. The worker ends when its input does.
"""

from __future__ import annotations

import contextlib
import select
from collections import deque
from multiprocessing.connection import Connection

from nonocsp.runner.pickles import receive, send
from nonocsp.runner.streams import private_descriptors
from nonocsp.runner.window import Numbered


def main() -> None:
    """Serve until the input ends."""
    orders, answers = private_descriptors()
    with contextlib.suppress(EOFError, BrokenPipeError):
        serve(Connection(orders, writable=False), Connection(answers, readable=False))


def serve(inbox: Connection, outbox: Connection) -> None:
    """Do what the messages say; raise EOFError at their end."""
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
