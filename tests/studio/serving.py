"""A studio that serves in a thread of the test, and requests to it."""

import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from nonocsp import pages
from nonocsp.formats import load
from nonocsp.studio.app import Studio
from nonocsp.studio.folder import Folder
from nonocsp.studio.server import address_of, bind, server_of
from tests.waiting import AMPLE_S

STUB = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; img-src data: blob:"
    />
    <title>Stub</title>
    <script type="module" crossorigin>document.title = "ran";</script>
  </head>
  <body>{pages.PLACE}</body>
</html>
"""
"""A page like that of the studio, for tests that need no core in it."""


class Served:
    """A running studio."""

    def __init__(self, studio: Studio, port: int) -> None:
        self.studio, self.port = studio, port
        self.folder = studio.folder.root
        self.address = address_of(studio, port)
        self.client = httpx.Client(timeout=AMPLE_S)
        self.origin = f"http://127.0.0.1:{port}"
        self.headers = {"Origin": self.origin, "X-Studio-Token": studio.token}

    def call(self, task: str, /, **request: Any) -> httpx.Response:
        return self.client.post(f"{self.origin}/api/{task}", json=request, headers=self.headers)

    def raw(self, request: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=AMPLE_S) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@contextmanager
def serving(folder: Path, page: str, file: Path | None = None) -> Iterator[Served]:
    """Serve a page until the end of the block."""
    (place := folder.parent / f"{folder.name}-page").mkdir()
    (place / "studio.html").write_text(page, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, bind(0) as listening:
        patch.setattr(pages, "FOLDER", place)
        studio = Studio(Folder(folder), file.name if file else "", load(file) if file else None)
        port = listening.getsockname()[1]
        server = server_of(studio, port)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        served = Served(studio, port)
        try:
            with served.client:
                yield served
        finally:
            server.should_exit = True
            thread.join(AMPLE_S)
            assert not thread.is_alive()


def packed(content: bytes) -> str:
    return b64encode(content).decode()
