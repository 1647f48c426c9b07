"""Run the studio: bind a port of this machine, say where, open the browser, and serve until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import NoReturn

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from nonocsp.model import UsageError
from nonocsp.studio.app import Studio

HOST = "127.0.0.1"
HEAD_S = 10.0
"""Seconds in which the head of a request must have come, from the start of the wait for it."""
CONNECTIONS = 64
"""The server refuses more. From half of them on, a new one closes the one that waits longest for a head."""
_REASONS = {
    errno.EADDRINUSE: "another program uses it; choose another, or leave out --port for a free one",
    errno.EACCES: "this user may not use it; choose one from 1024 to 65535, or leave out --port",
}


def bind(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine alone; 0 is any free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a second start need not wait
        listening.bind((HOST, port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        raise UsageError(f"port {port}: {_REASONS.get(error.errno or 0, error.strerror)}") from None
    return listening


def serve(studio: Studio, listening: socket.socket, started: Callable[[str], None]) -> NoReturn:
    """Serve until Ctrl-C, then end all work and connections; `started` gets the page's address."""
    with listening:
        port = listening.getsockname()[1]
        server = server_of(studio, port)
        started(address_of(studio, port))
        server.run(sockets=[listening])
    raise KeyboardInterrupt


def server_of(studio: Studio, port: int) -> uvicorn.Server:
    """Return the server of a studio, which waits for no request once it has to end."""
    config = uvicorn.Config(
        studio.app(port),
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Connection,
        ws="none",
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=0,
    )
    return uvicorn.Server(config)


class Connection(H11Protocol):
    """A connection that asks for nothing does not stay, so that idle ones keep nobody out."""

    _wait: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, and make room if there are many that wait."""
        super().connection_made(transport)
        self._wait_for_head()
        waiting = [one for one in self.connections if isinstance(one, Connection) and one._is_waiting()]
        if len(waiting) > CONNECTIONS // 2:
            min(waiting, key=Connection._rank).transport.close()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._wait_for_head()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the wait."""
        super().connection_lost(exc)
        if self._wait:
            self._wait.cancel()

    def _wait_for_head(self) -> None:
        if self._wait:
            self._wait.cancel()
        self._wait = self.loop.call_later(HEAD_S, self._close_if_waiting)

    def _close_if_waiting(self) -> None:
        if self._is_waiting():
            self.transport.close()

    def _is_waiting(self) -> bool:
        is_idle = self.cycle is None or self.cycle.response_complete
        return is_idle and not self.transport.is_closing()

    def _rank(self) -> tuple[bool, float]:
        """Put first who never asked, and who waits longest."""
        return self.cycle is not None, self._wait.when() if self._wait else 0.0


def address_of(studio: Studio, port: int) -> str:
    """Return the address of the page, which contains the token."""
    return f"http://{HOST}:{port}/?token={studio.token}"


def open_browser(address: str) -> None:
    """Open the page in the user's browser, if there is one with windows; do not wait for it."""
    has_windows = sys.platform == "darwin" or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if has_windows:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
