"""Run the studio: bind a port of this machine, say where, open the browser, and serve until Ctrl-C."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import NoReturn

import uvicorn

from nonocsp.model import UsageError
from nonocsp.studio.app import Studio

HOST = "127.0.0.1"
_REASONS = {
    errno.EADDRINUSE: "another program uses it; choose another, or leave out --port for a free one",
    errno.EACCES: "this user may not use it; choose one from 1024 to 65535, or leave out --port",
}


def bind(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine alone; 0 is any free one.

    UsageError if it is taken.
    """
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
    """Serve until Ctrl-C, then end all work and close all connections, `listening` too.

    `started` gets the address of the page, which contains the token. Raises KeyboardInterrupt at the end.
    """
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
        http="h11",
        ws="none",
        limit_concurrency=64,
        timeout_graceful_shutdown=0,
    )
    return uvicorn.Server(config)


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
