"""Reading and writing through the public functions, from and to real files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from nonocsp.formats import load_all, save
from nonocsp.model import Puzzle

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that writes content to a file and reads its puzzles."""

    def read_content(content: str | bytes, name: str = "puzzle", **options: Any) -> list[Puzzle]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return list(load_all(path, **options))

    return read_content


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes puzzles in a format and returns the bytes of the file."""

    def written(puzzles: Puzzle | Iterable[Puzzle], format: str) -> bytes:
        path = tmp_path / "written"
        save(puzzles, path, format=format)
        return path.read_bytes()

    return written
