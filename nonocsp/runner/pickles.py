"""Messages between the driver and its workers: one pickle each."""

from __future__ import annotations

import pickle
from multiprocessing.connection import Connection
from typing import Any


def send(connection: Connection, message: Any) -> None:
    """Send a message; BrokenPipeError if nobody is left to read it."""
    connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def receive(connection: Connection) -> Any:
    """Return the next message; EOFError if there are no more, or half of one."""
    return pickle.loads(connection.recv_bytes())
