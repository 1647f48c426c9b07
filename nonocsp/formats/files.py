"""Find the files of puzzles that a path leads to: a file, a folder, a glob, an archive, or a member of one.

Files come one by one, those of folders in the order of their names, those of archives as they are stored. So
sets of any size take constant memory. Of folders and archives, only files with a suffix of puzzles are read;
the pictures of a folder only if their format is named.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from nonocsp.formats.source import Source, open_source, small_source, source_of
from nonocsp.formats.unpacking import PACKED, without_packing
from nonocsp.model import FormatError, NonocspError, UsageError, bounds

if TYPE_CHECKING:
    from nonocsp.formats.archives import Member, Opener

ARCHIVES = (".zip", ".tar", ".tgz", ".txz", ".tbz2", *(f".tar{suffix}" for suffix in PACKED))
"""Suffixes of archives."""

_ZIP = b"PK\x03\x04", b"PK\x05\x06"
_DOCUMENTS = b"[Content_Types].xml", b"mimetype", b"_rels/", b"docProps/", b"xl/"
"""First members of zip files that are documents, such as spreadsheets."""

_NUMBER = re.compile(r"(.+)#([1-9]\d{0,17})", re.DOTALL)
_ADDRESS = re.compile("https?://")
_Size = tuple[int, int] | None


class File(NamedTuple):
    """A file that a path leads to, to be opened before the next one is asked for."""

    name: str  # its path; of a member, the path of the archive and the name in it
    is_member: bool  # whether it stands in a folder or archive, so that others may follow
    open: Callable[[], Source]  # returns its source; raises UsageError or FormatError


def split_number(source: str | Path) -> tuple[str, int | None]:
    """Return the path and the number of ``set.txt#3``; None if there is no number, or a file of that name."""
    text = str(source)
    match = _NUMBER.fullmatch(text) if "#" in text else None
    return (text, None) if match is None or _exists(Path(text)) else (match[1], int(match[2]))


def holds_puzzles(name: str, suffixes: Collection[str]) -> bool:
    """Return whether the name of a file in a folder or archive says that it holds puzzles."""
    parts = PurePosixPath(name).parts
    if any(part.startswith(".") and part != ".." for part in parts) or "__MACOSX" in parts:
        return False
    return is_archive(name) or PurePosixPath(without_packing(name)).suffix.lower() in suffixes


def is_archive(name: str) -> bool:
    """Return whether a file is called like an archive."""
    return name.lower().endswith(ARCHIVES)


def files_of(
    path: str, size: _Size, suffixes: Collection[str], pictures: Collection[str] = ()
) -> Iterator[File]:
    """Yield the files that a path leads to: those of `suffixes`, if it is a folder, a glob or an archive.

    Files of a folder with a suffix of `pictures` are passed over. A link is a text: it is never followed.
    """
    is_file = path != "-" and os.path.isfile(path)  # noqa: PTH113  (a Path would take as long as reading it)
    if is_file and (small := small_source(path, size)) and _stored(small) is None:
        yield File(path, False, lambda: small)
        return
    if is_file or path == "-":
        yield from _of_file(path, "", size, suffixes)
        return
    if _ADDRESS.match(path) and not _exists(Path(path)):
        text = path.encode(errors="replace")
        yield File(path, False, lambda: source_of(path, io.BufferedReader(io.BytesIO(text)), size))
        return
    if not (several := _several(Path(path))):
        yield from _of_file(*_in_archive(path), size, suffixes)
        return
    is_empty = True
    if Path(path).is_dir():
        suffixes = set(suffixes) - set(pictures)
    for file in several:
        if holds_puzzles(file.name, suffixes):
            is_empty = False
            try:
                for found in _of_file(str(file), "", size, suffixes):
                    yield File(found.name, True, found.open)
            except NonocspError as error:  # the next file may be better
                yield File(str(file), True, partial(_fail, error))
    if is_empty:
        raise _no_puzzles(path)


def _several(path: Path) -> Iterator[Path] | None:
    """Return the files of a folder, or those that a glob matches; None for any other path."""
    if _exists(path):
        return _below(path) if path.is_dir() else None
    from glob import has_magic

    fixed = next((place for place, part in enumerate(path.parts) if has_magic(part)), None)
    return None if fixed is None else _matching(Path(*path.parts[:fixed]), path.parts[fixed:])


def _matching(folder: Path, parts: tuple[str, ...]) -> Iterator[Path]:
    """Yield what matches the parts of a glob below a folder; only a dot in a pattern matches dot files."""
    takes_hidden = any(part.startswith(".") for part in parts)
    for match in sorted(folder.glob("/".join(parts))):
        is_hidden = any(part.startswith(".") for part in match.relative_to(folder).parts)
        if is_hidden and not takes_hidden:
            continue
        if match.is_file():
            yield match
        elif "**" not in parts:  # which matches what lies in folders, too
            yield from _below(match)


def _below(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Yield the files in and below a folder, without hidden ones; links to folders are not followed."""
    if depth > bounds.FOLDERS_DEEP:
        raise UsageError(
            f"{folder} is more than {bounds.FOLDERS_DEEP} folders deep; name one that is less deep"
        )
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder} cannot be opened: {error.strerror or error}") from None
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_file():
            yield entry
        elif entry.is_dir() and not entry.is_symlink():
            yield from _below(entry, depth + 1)


def _in_archive(path: str) -> tuple[str, str]:
    """Return the file that a path leads to, and what the path names in it if that is an archive."""
    there = next((parent for parent in Path(path).parents if _exists(parent)), None)
    if _exists(Path(path)) or not (there and there.is_file()):
        return path, ""
    return str(there), Path(path).relative_to(there).as_posix()


def _of_file(path: str, wanted: str, size: _Size, suffixes: Collection[str]) -> Iterator[File]:
    """Yield a file, or the members of an archive, only the `wanted` one or those in that folder."""
    with open_source(path, size) as source:
        stored = _stored(source)
        if stored is None:
            if wanted:
                raise UsageError(f"{path} is no archive, so it has no {wanted}")
            yield File(source.name, False, lambda: source)
            return
        is_empty = True
        for name, opened in stored:
            if wanted and name != wanted and not name.startswith(f"{wanted}/"):
                continue
            if name == wanted or holds_puzzles(name, suffixes):
                is_empty = False
                member = partial(_member, f"{source.name}/{name}", opened, size)
                yield File(f"{source.name}/{name}", name != wanted, member)
        if is_empty:
            raise UsageError(f"{path} has no {wanted}") if wanted else _no_puzzles(path)


def _stored(source: Source) -> Iterator[Member] | None:
    """Return the files in an archive; None if a source is none. The modules for archives load slowly."""
    head = source.head
    if head.startswith(_ZIP) and not head[30:].startswith(_DOCUMENTS):
        from nonocsp.formats.archives import in_zip

        return in_zip(source)
    if head[257:262] == b"ustar":
        from nonocsp.formats.archives import in_tar

        return in_tar(source)
    return None


def _member(name: str, opened: Opener, size: _Size) -> Source:
    if is_archive(name):
        raise FormatError(
            "an archive in an archive is not read", file=name, expected="puzzles; unpack it first"
        )
    return source_of(name, opened(), size)


def _fail(error: NonocspError) -> NoReturn:
    raise error


def _no_puzzles(path: str) -> UsageError:
    more = f"; name pictures as {path}/*.png" if Path(path).is_dir() else ""
    return UsageError(
        f"{path} has no file with a suffix of puzzles; nonocsp convert --formats lists them{more}"
    )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # such as a name that is too long
        return False
