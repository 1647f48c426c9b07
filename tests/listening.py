"""Listen like a program of this machine, and notice who connects."""

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def listening(*names: str) -> Iterator[tuple[int, Callable[[], list[object]]]]:
    """Listen on a port, which it yields, and on sockets with names; also yield who has connected."""
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server(("127.0.0.1", 0)))]
        port = listeners[0].getsockname()[1]
        for name in names:
            listeners.append(stack.enter_context(socket.socket(socket.AF_UNIX)))
            listeners[-1].bind(name.replace("@", "\0"))
            listeners[-1].listen()
            if not name.startswith("@"):
                stack.callback(Path(name).unlink)
        yield port, lambda: select.select(listeners, [], [], 0)[0]
