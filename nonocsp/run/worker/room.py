"""Keep runs from filling the disk: end one whose temporary files take more of it than they leave free.

So a single run gets half of what is free, and of nine that fill the disk at once each gets a tenth. Nobody
has to say how many there are.

A look costs 5 µs unless the free room has halved since the run began, or hardly any is left; only then are
files counted. Linux can hand out a whole disk at once, between two looks (`nonocsp.run.limits.POLL_S`). So
a disk can be full until a run is ended and its files are removed, and others have to wait for that
(`nonocsp.full_disk`).
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from nonocsp.run.limits import COST
from nonocsp.run.worker.usage import BLOCK, deleted_sizes

OVERDRAWN = "killed: its temporary files took more of the disk than they left free"
SMALL = 0.001
"""A run whose files take less than this part of the whole disk is not to blame if that is full."""
LOW = 0.01
"""If less than this part of the disk is free, files are counted in any case."""
MOST_FILES = 100_000
"""How many files are counted. A run with more is ended when files are counted, however small they are."""
MOST_KEPT = 16 << 20
"""Bytes of deleted files that a process may keep open when its run is over."""


class Amounts(NamedTuple):
    """So much of a disk: bytes, and files."""

    size: float
    files: float


class Room:
    """The room on the disk of a slot's temporary files, during one run after the other.

    Parameters
    ----------
    folder
        In which runs can write.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.begin()
        self._checked = self._before.size

    def begin(self) -> None:
        """Take note that a run begins."""
        self._before, _ = self._free()
        self._next_look = 0.0

    def is_overdrawn(self, pids: Callable[[], Iterable[int]]) -> bool:
        """Return whether a run must end, as far as that is known now.

        Parameters
        ----------
        pids
            Returns its processes.
        """
        began, (free, whole) = time.perf_counter(), self._free()
        pairs = [*zip(free, whole, strict=True)]
        is_ample = all(
            left >= max(before / 2, LOW * total)
            for (left, total), before in zip(pairs, self._before, strict=True)
        )
        if is_ample or began < self._next_look:
            return False
        taken = self._taken(pids())
        ended = time.perf_counter()
        self._next_look = ended + COST * (ended - began)
        return any(took > max(left, SMALL * total) for took, (left, total) in zip(taken, pairs, strict=True))

    def is_kept(self, pids: Iterable[int]) -> bool:
        """Return whether processes that outlive a run keep much of the disk, in deleted files."""
        free = self._free()[0].size
        if free >= self._checked - MOST_KEPT:  # so they hold hardly more than when that was checked last
            self._checked = max(self._checked, free)
            return False
        self._checked = free
        return sum(deleted_sizes(pids, in_memory=False).values()) > MOST_KEPT

    def _free(self) -> tuple[Amounts, Amounts]:
        """Return what is free, and the whole disk; without end if nobody tells."""
        try:
            system = os.statvfs(self._folder)
        except OSError:  # a run that is not isolated has moved the folder
            return _ENDLESS, _NOTHING
        sizes = system.f_bavail * system.f_frsize, system.f_blocks * system.f_frsize
        files = (system.f_favail, system.f_files) if system.f_files else (math.inf, 0)
        return Amounts(sizes[0], files[0]), Amounts(sizes[1], files[1])

    def _taken(self, pids: Iterable[int]) -> Amounts:
        """Return what the folder and deleted files take; without end if that cannot be found out."""
        sizes = deleted_sizes(pids, in_memory=False)
        files, todo = len(sizes), [self._folder]
        while todo:
            try:
                with os.scandir(todo.pop()) as entries:
                    for entry in entries:
                        files += 1
                        if files > MOST_FILES:
                            return _ENDLESS
                        if entry.is_dir(follow_symlinks=False):
                            todo.append(entry.path)
                        with suppress(FileNotFoundError):
                            found = entry.stat(follow_symlinks=False)
                            sizes[found.st_ino] = found.st_blocks * BLOCK
            except (FileNotFoundError, NotADirectoryError):
                continue  # it was removed meanwhile
            except OSError:  # without rights, or too deep: a run can hide files so
                return _ENDLESS
        return Amounts(sum(sizes.values()), files)


_ENDLESS, _NOTHING = Amounts(math.inf, math.inf), Amounts(0, 0)
