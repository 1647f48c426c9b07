"""Looks at memory when it is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hostile.base import Hostile

from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

_BLOCK = 1 << 24


class LooksForItsJob(Hostile):
    """Looks for its job in the memory of its process while it loads."""

    def __init__(self, options: Any) -> None:
        name = b"looks-for-its-job"
        self._has_found = any(
            memory[at - 2 : at] == bytes([0x8C, len(name)])  # as a pickle has it
            for memory in _memory()
            for at in _places(memory, name)
        )
        super().__init__(options)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        if self._has_found:
            raise RuntimeError("it knew the puzzle before the clock ran")


def _memory() -> Iterator[bytes]:
    """Yield what this process can write, in blocks."""
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in Path("/proc/self/maps").read_text().splitlines():
            place, rights, *_ = line.split()
            start, end = (int(each, 16) for each in place.split("-"))
            if rights.startswith("rw") and "[v" not in line:
                for at in range(start, end, _BLOCK):
                    memory.seek(at)
                    yield memory.read(min(_BLOCK, end - at))


def _places(memory: bytes, name: bytes) -> Iterator[int]:
    at = memory.find(name)
    while at >= 0:
        yield at
        at = memory.find(name, at + 1)
