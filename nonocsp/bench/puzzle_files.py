"""Find the files that a path, glob or folder of a config leads to, within bounds.

``*`` and ``**`` match no names that start with a dot; ``**`` follows no links to folders. Pipes, devices and
the files of ``/proc`` and ``/sys`` are no files of puzzles: reading them may block, or change the system.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import translate
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from nonocsp.model import bounds

_WILDCARD = re.compile(r"[*?[]")
_SYSTEM = ("/proc", "/sys")
_COSTLY = 10
"""Entries that can be looked at in the time that it takes to open a folder or follow a link."""


class Entry(NamedTuple):
    """A file or folder: its path as the config would write it, its name, and what is there."""

    path: str
    name: str
    is_file: bool
    is_folder: bool
    is_link: bool


class Scan:
    """Searches folders, as seen from the folder of a config; all searches share `bounds.ENTRIES`."""

    def __init__(self) -> None:
        self._left = bounds.ENTRIES

    def matching(self, root: Path, pattern: str) -> Iterator[str]:
        """Yield the files that match a path or glob."""
        path = PurePosixPath(pattern)
        self._count(len(path.parts))
        if is_file(root / pattern):
            yield pattern
            return
        given = path.parts[bool(path.anchor) :]
        parts = [part for i, part in enumerate(given) if part != "**" or given[i - 1 : i] != ("**",)]
        yield from self._expand(root, path.anchor, parts)

    def below(self, root: Path, folder: str) -> Iterator[str]:
        """Yield all files in and below a folder, hidden ones, too."""
        waiting = [folder.rstrip("/") or "/"]
        while waiting:
            for entry in self._entries(root, waiting.pop()):
                if entry.is_file:
                    yield entry.path
                elif entry.is_folder and not entry.is_link:
                    waiting.append(entry.path)

    def _expand(self, root: Path, prefix: str, parts: list[str]) -> Iterator[str]:
        """Yield the files that the parts of a pattern lead to behind a prefix."""
        fixed = next((i for i, part in enumerate(parts) if _WILDCARD.search(part)), len(parts))
        for part in parts[:fixed]:
            prefix = _joined(prefix, part)
        if fixed == len(parts):
            if is_file(root / prefix):
                yield prefix
            return
        part, rest = parts[fixed], parts[fixed + 1 :]
        if part == "**" and rest:
            yield from self._expand(root, prefix, rest)  # ** is no folder, too
        matches = re.compile(translate(part)).match
        for entry in self._entries(root, prefix):
            if not matches(entry.name) or (entry.name[0] == "." and part[0] != "."):
                continue
            if entry.is_file and not rest:
                yield entry.path
            if entry.is_folder and part == "**" and not entry.is_link:
                yield from self._expand(root, entry.path, [part, *rest])
            elif entry.is_folder and part != "**" and rest:
                yield from self._expand(root, entry.path, rest)

    def _entries(self, root: Path, folder: str) -> Iterator[Entry]:
        """Yield the entries of a folder; none if it cannot be read."""
        self._count(_COSTLY)
        if folder.count("/") > bounds.FOLDERS_DEEP:
            raise ValueError(f"folders more than {bounds.FOLDERS_DEEP} deep; name one that is less deep")
        try:
            if _is_of_system(root / folder):
                return
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    self._count()
                    path = _joined(folder, entry.name)
                    if entry.is_symlink():
                        self._count(_COSTLY)
                        yield Entry(path, entry.name, is_file(root / path), _is_folder(root / path), True)
                    else:
                        yield Entry(path, entry.name, entry.is_file(), entry.is_dir(), False)
        except OSError:
            return

    def _count(self, cost: int = 1) -> None:
        self._left -= cost
        if self._left < 0:
            most = f"more than {bounds.ENTRIES} files and folders to look through"
            raise ValueError(f"{most}; name a folder or pattern that leads to fewer")


def fixed_part(pattern: str) -> str:
    """Return the folder that all matches of a pattern lie in: its parts before the first wildcard."""
    path = PurePosixPath(pattern)
    fixed = takewhile(lambda part: not _WILDCARD.search(part), path.parent.parts)
    return str(PurePosixPath(*fixed))


def is_file(path: Path) -> bool:
    """Return whether there is such a file, and reading it is harmless."""
    try:
        return path.is_file() and not _is_of_system(path)
    except OSError:  # such as a name that is too long
        return False


def why_no_file(root: Path, given: str) -> str:
    """Return why a path leads to no file of puzzles."""
    if _is_folder(root / given):
        return f"{given!r} is a folder; write 'directory: {given}'"
    try:
        is_special = (root / given).exists()
    except OSError:
        is_special = False
    return f"{given!r} is a pipe, a device or a system file" if is_special else f"no file matches {given!r}"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _is_of_system(path: Path) -> bool:
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(folder) for folder in _SYSTEM)


def _joined(folder: str, name: str) -> str:
    return f"{folder}{name}" if not folder or folder.endswith("/") else f"{folder}/{name}"
