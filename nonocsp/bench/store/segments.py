"""Lay out the rows of a campaign in files: ``runs.jsonl``, and closed segments in the folder ``segments``.

New rows go to ``runs.jsonl``. When it passes a size it becomes the next segment: it is renamed to
``segments/000001.jsonl``, a new ``runs.jsonl`` begins, and the segment is compressed to
``segments/000001.jsonl.gz``. Each step is one rename of a complete file, so a kill between any two leaves
every row in one file at least. Closed segments never change.

A compressed segment is a gzip file of many members of about a MiB (`zcat` reads it). So a single row is read
by unpacking one of them. Places of rows are offsets in the unpacked text, and stay the same when a segment is
compressed.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import weakref
import zlib
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from nonocsp.formats.source import is_plain
from nonocsp.model import FormatError

FILE = "runs.jsonl"
FOLDER = "segments"
LOCK = ".lock"
READ = (FILE, FOLDER, "campaign.json")
WRITTEN = (*READ, LOCK, "failures", "index.sqlite", "solutions")
"""What a reader needs of a campaign's folder, and what a driver writes there. None of it may be a link: a
folder that comes from somebody else could lead to any file of the user's, or to one without an end."""
SEGMENT_BYTES = 64 << 20
"""The size at which ``runs.jsonl`` becomes a segment."""
MOST_BYTES = 2 << 30
"""The most bytes of a file, unpacked, that are read: two million rows, thirty times `SEGMENT_BYTES`."""
MEMBER_BYTES = 1 << 20
"""Bytes of text in a member of a compressed segment."""
_LEVEL = 2
"""Of the compression: 6 takes three times as long for a tenth less."""
_CHUNK = 1 << 16
_MOST_EMPTY = 1000
_MOST_SEGMENTS = 999_999_999
_NAME = re.compile(r"([0-9]{6}|[1-9][0-9]{6,8})\.jsonl(\.gz)?")

Opener = Callable[[int], BinaryIO]
"""Opens the text of a file at a place."""
Members = Sequence[tuple[int, int]]
"""Where members of a compressed segment start: offsets in the text and in the file, ascending."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Segment:
    """A closed segment: its number, from 1, and its file."""

    number: int
    path: Path

    @property
    def stamp(self) -> str:
        """What identifies this file on this machine as long as nobody changes or copies it."""
        path, found = self._look(Path.stat)
        return f"{path.name} {found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"

    def open(self, members: Members = (), offset: int = 0) -> BinaryIO:
        """Open the text of the segment.

        Parameters
        ----------
        members
            Places where reading can start.
        offset
            Where reading starts.
        """
        path, file = self._look(lambda path: path.open("rb"))
        if path.suffix != ".gz":
            file.seek(offset)
            return file
        return io.BufferedReader(Unpacked(file, members, offset), MEMBER_BYTES)

    def _look(self, look: Callable[[Path], Found]) -> tuple[Path, Found]:
        """Look at the file; at the compressed one if a driver has replaced it meanwhile."""
        try:
            return self.path, look(self.path)
        except FileNotFoundError:
            packed = self.path.with_suffix(".jsonl.gz")
            return packed, look(packed)


def closed_segments(folder: Path) -> list[Segment]:
    """Return the closed segments of a folder in their order; the compressed file if there are two."""
    found: dict[int, Path] = {}
    for path in sorted((folder / FOLDER).glob("*.jsonl*")):
        if match := _NAME.fullmatch(path.name):
            packed = path.with_name(f"{match[1]}.jsonl.gz")  # it may have come after the names were listed
            found.update({int(match[1]): file for file in (path, packed) if is_plain(file)})
    return [Segment(number, path) for number, path in sorted(found.items())]


def holds_rows(folder: Path) -> bool:
    """Return whether a folder holds the rows of a campaign."""
    return (folder / FILE).is_file() or bool(closed_segments(folder))


def refuse_last_number(folder: Path, segments: Sequence[Segment]) -> None:
    """Raise FormatError if no segment can follow: rows that are appended would never be read."""
    if segments and segments[-1].number >= _MOST_SEGMENTS:
        raise FormatError(
            f"{segments[-1].path.name} is the last possible segment",
            file=str(folder / FOLDER),
            expected="files that nonocsp wrote; remove it, or name another output",
        )


def close_live(folder: Path) -> Segment:
    """Make ``runs.jsonl`` the next segment; a new one has to be begun."""
    segments = folder / FOLDER
    segments.mkdir(exist_ok=True)
    number = max((segment.number for segment in closed_segments(folder)), default=0) + 1
    path = (folder / FILE).rename(segments / f"{number:06}.jsonl")
    sync_folder(segments)
    return Segment(number, path)


def compress(segment: Segment) -> tuple[Segment, Members]:
    """Replace the file of a segment by a compressed one; return it, and where its members start.

    Raises
    ------
    OSError
        If there is no room. The segment stays as it is.
    """
    path = segment.path.with_suffix(".jsonl.gz")
    new = path.with_name(f".{path.name}.new")
    members, start = list[tuple[int, int]](), 0
    new.unlink(missing_ok=True)
    try:
        with segment.path.open("rb") as text, new.open("xb") as file:  # not through a link
            for lines in iter(partial(text.readlines, MEMBER_BYTES), []):
                members.append((start, file.tell()))
                block = b"".join(lines)
                file.write(gzip.compress(block, _LEVEL, mtime=0))
                start += len(block)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    sync_folder(path.parent)
    segment.path.unlink()
    return Segment(segment.number, path), members


def sync_folder(folder: Path) -> None:
    """Ask the disk to keep the names in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Pinned(io.RawIOBase):
    """A file that others may rename or remove while it is read; several can read it at once.

    Parameters
    ----------
    file
        Open for reading; its own position does not change.
    offset
        Where reading starts.
    """

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self._file, self._offset = file, offset

    def readable(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor of the file."""
        return self._file.fileno()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer; 0 at the end."""
        count = os.preadv(self._file.fileno(), [buffer], self._offset)
        self._offset += count
        return count


def pinned(path: Path) -> Opener:
    """Open a file; return a function that opens its content at a place, whatever becomes of its name."""
    file = path.open("rb")

    def open_at(offset: int) -> BinaryIO:
        return io.BufferedReader(Pinned(file, offset), MEMBER_BYTES)

    weakref.finalize(open_at, file.close)
    return open_at


class Unpacked(io.RawIOBase):
    """The text of a gzip file, at most `MOST_BYTES` of it.

    Parameters
    ----------
    file
        The gzip file; closed with this one.
    members, offset
        As for `Segment.open`.

    Raises
    ------
    OSError
        On reading, where the file is damaged, or has more text than that.
    """

    def __init__(self, file: BinaryIO, members: Members = (), offset: int = 0) -> None:
        self._file = file
        self._packed = b""
        place = bisect_right(members, (offset, MOST_BYTES)) - 1
        start, position = members[place] if place >= 0 else (0, 0)
        self._file.seek(position)
        self._left = MOST_BYTES - start
        self._next: zlib._Decompress | None = None
        self._is_drained = False
        self.members: list[tuple[int, int]] = []
        """Where members that were read start, each half of `MEMBER_BYTES` behind the last one at least."""
        self._skip = offset - start

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer; 0 at the end."""
        while self._skip and (text := self._unpack(min(self._skip, MEMBER_BYTES))):
            self._skip -= len(text)
        text = self._unpack(len(buffer))
        buffer[: len(text)] = text
        return len(text)

    def _unpack(self, most: int) -> bytes:
        """Return some bytes of text, none at the end."""
        text, empty = b"", 0
        if not self._left and self._has_more():
            raise OSError(f"it has more than {MOST_BYTES >> 20} MiB of text")
        while not text and self._left and self._has_more():
            if self._next is None:
                self._next = zlib.decompressobj(wbits=31)
                start, position = MOST_BYTES - self._left, self._file.tell() - len(self._packed)
                if not self.members or start >= self.members[-1][0] + MEMBER_BYTES // 2:
                    self.members.append((start, position))
            try:
                text = self._next.decompress(self._packed, min(most, self._left))
            except zlib.error as error:
                raise OSError(f"the compressed data are damaged ({error})") from None
            self._packed = self._next.unconsumed_tail
            if self._next.eof:
                self._packed, self._next = self._next.unused_data, None
                empty += not text
                if empty > _MOST_EMPTY:
                    raise OSError("the compressed data are damaged (empty members)")
        self._left -= len(text)
        return text

    def _has_more(self) -> bool:
        """Read on if needed; return whether there is something to unpack."""
        self._packed = self._packed or self._file.read(_CHUNK)
        if self._packed or self._next is None:
            return bool(self._packed)
        if self._is_drained:
            raise OSError("the compressed data end too early")
        self._is_drained = True  # the last bytes of text can be in the decompressor still
        return True

    def close(self) -> None:
        """Close the file, too."""
        self._file.close()
        super().close()
