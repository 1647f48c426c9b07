"""Define a fuzz target: a reader of outside data, and the properties that its results must have."""

from __future__ import annotations

import io
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SEPARATOR = b"\n%%\n"
"""Separator between the files of an input that has several."""


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, as the command line calls it."""

    name: str  # also of its folder of seeds, ``tests/corpus/NAME``
    read: Callable[[bytes], Any]  # to its end; may raise NonocspError alone, within the limits of a trial
    check: Callable[[Any], None] = lambda _: None  # raises AssertionError if the result lacks a property
    longest: int = 4096  # input, in bytes
    words: tuple[str, ...] = ()  # of such inputs, for the mutator


@contextmanager
def as_stdin(data: bytes) -> Iterator[str]:
    """Provide bytes as standard input; yields its name for readers."""
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data))
    try:
        yield "-"
    finally:
        sys.stdin = stdin


@contextmanager
def as_files(data: bytes, *names: str) -> Iterator[Path]:
    """Provide the parts of an input as files with these names in a folder in memory."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        for name, part in zip(names, data.split(SEPARATOR, len(names) - 1), strict=False):
            (Path(folder) / name).write_bytes(part)
        yield Path(folder)


def with_checksums(data: bytes) -> bytes:
    """Return a PNG with correct checksums, other data unchanged: Pillow refuses any chunk without."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return data
    parts, at = [data[:8]], 8
    while at + 8 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        chunk = data[at + 4 : end]
        parts += [data[at : at + 4], chunk, zlib.crc32(chunk).to_bytes(4, "big")]
        at = end + 4
    return b"".join(parts)


def seeds(target: Target) -> Path:
    """Return the folder of the inputs that every session starts from, former findings among them."""
    return Path(__file__).parents[2] / "tests" / "corpus" / target.name
