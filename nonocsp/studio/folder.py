"""The folder that the studio reads and saves: names inside it, and nothing else of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from nonocsp.formats.files import holds_puzzles
from nonocsp.formats.registry import formats
from nonocsp.formats.target import open_target
from nonocsp.model import UsageError

MOST_FILES = 1000
"""Files that a list names; more are cut off."""
MOST_LOOKED_AT = 20_000
"""Entries of folders that are looked at for it."""
DEEP = 3
"""Folders below each other that are looked at."""
NAME_CHARS = 100
_REPORT = "report.html"
_PAGES = (".html", ".htm")
"""Suffixes of saved pages of sites, which the list leaves out: most pages of a folder are none."""


class Exists(Exception):
    """There is a file of that name already."""


class Folder:
    """A folder, by whose names alone its files are reached; UsageError if there is none."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise UsageError(f"{path}: there is no such folder; make it first, or name another with --folder")
        self.root = path.resolve()

    def listing(self) -> dict[str, Any]:
        """Return the names of files with puzzles and of reports, and whether the list was cut off."""
        suffixes = {suffix for known in formats() for suffix in known.suffixes}.difference(_PAGES)
        files, reports, looked_at = list[str](), list[str](), 0
        for path in self._below(self.root, DEEP):
            looked_at += 1
            name = path.relative_to(self.root).as_posix()
            if path.name == _REPORT:
                reports.append(name)
            elif holds_puzzles(name, suffixes):
                files.append(name)
            if len(files) == MOST_FILES or looked_at == MOST_LOOKED_AT:
                break
        is_cut = len(files) == MOST_FILES or looked_at == MOST_LOOKED_AT
        return {"files": files, "reports": reports, "isCut": is_cut}

    def find(self, name: str) -> Path:
        """Return the path of a file in the folder or below it; UsageError if there is none to be seen."""
        parts = PurePosixPath(name).parts
        is_plain = bool(parts) and name.isprintable() and "\\" not in name and not name.startswith("/")
        if is_plain and not any(part.startswith(".") for part in parts):
            with suppress(OSError):  # such as a name that is too long
                path = self.root.joinpath(*parts).resolve()  # through links
                if path.is_relative_to(self.root) and path.is_file():
                    return path
        raise UsageError(f"{name[:NAME_CHARS]!r}: there is no such file in the folder of the studio")

    def save(self, name: str, content: bytes, *, is_replaced: bool) -> None:
        """Save a file directly in the folder.

        Raises `Exists` if there is one of that name and it may not be replaced; UsageError if the text is no
        name of a file, names a link, or the file cannot be made.
        """
        if not name.isprintable() or name.startswith(".") or set(name) & set('/\\:*?"<>|'):
            raise UsageError(f"{name[:NAME_CHARS]!r} is not the name of a file, such as cat.non")
        if not 0 < len(name.encode(errors="replace")) <= NAME_CHARS:
            raise UsageError(f"the name of a file has 1 to {NAME_CHARS} characters")
        path = self.root / name
        if is_replaced and (path.exists() or path.is_symlink()):
            with open_target(path, follow_links=False) as stream:
                stream.write(content)
            return
        try:
            with path.open("xb") as stream:  # another program may make the file at the same moment
                stream.write(content)
        except FileExistsError:
            raise Exists(f"{name} is there already") from None
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None

    def _below(self, folder: Path, deep: int) -> Iterator[Path]:
        """Yield the ordinary files of a folder, then those of its folders; no links, nothing hidden."""
        try:
            entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
        except OSError:  # a folder that this user may not open
            return
        here = [entry for entry in entries if not entry.is_symlink()]
        yield from (entry for entry in here if entry.is_file())
        for entry in here:
            if deep > 1 and entry.is_dir():
                yield from self._below(entry, deep - 1)
