"""Read the members of zip and tar archives one by one, without extracting anything.

A tar archive is read as a stream, compressed or not; of a zip archive, only the directory is in memory. Names
of members are nothing but names: ``..`` leads nowhere. Hostile archives end in an error: directories and
headers of many megabytes, sparse files, and much in a row that nobody asked for.
"""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from nonocsp.formats.source import Reading, Source
from nonocsp.model import bounds

Opener = Callable[[], io.BufferedReader]
Member = tuple[str, Opener]
"""A name, and the function that opens the content, which is read before the next member is asked for."""

_METHODS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2
_BLOCK = tarfile.BLOCKSIZE
_HEADER_COST = 1 << 12
"""Bytes that are skipped in the time that a header takes."""
_PIECE = 1 << 16
_ABOUT_NEXT = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
)
"""Types of tar headers whose content describes a file that follows."""
_PAX = re.compile(rb"([1-9]\d{0,6}) ([^=]{1,100})=", re.DOTALL)


class _Limited(io.FileIO):
    """A file that is not read in pieces as large as only a hostile directory is."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > bounds.DIRECTORY_BYTES:
            raise OSError(f"its directory has more than {bounds.DIRECTORY_BYTES >> 20} MiB")
        return super().read(size) or b""


def in_zip(source: Source) -> Iterator[Member]:
    """Yield the files in a zip archive, as they are stored."""
    if source.name == "<stdin>":
        raise source.error("a zip archive on standard input", expected="its path, or a tar archive")
    try:
        with _Limited(source.name) as file, zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                if not info.filename:
                    raise ValueError("a file in it has no name")
                if not info.is_dir():
                    yield info.filename, lambda info=info: _zipped(archive, info)  # type: ignore[misc]
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise source.error(f"cannot be read: {error}", expected="a whole zip archive") from None


def _zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> io.BufferedReader:
    """Return the content of a member; whatever is wrong with it comes out as OSError when it is read."""
    stream: Any = None

    def read(count: int) -> bytes:
        nonlocal stream
        if info.compress_type not in _METHODS:
            raise OSError(f"packed by method {info.compress_type}, which is not known")
        try:
            stream = stream or archive.open(info)
            content: bytes = stream.read(count)
        except (zipfile.BadZipFile, RuntimeError, ValueError, zlib.error) as error:
            raise OSError(str(error)) from None
        return content

    return io.BufferedReader(Reading(read))


def in_tar(source: Source) -> Iterator[Member]:
    """Yield the files in a tar archive, as they are stored."""
    stream, skippable = source.binary(), bounds.SKIPPED_BYTES
    known: dict[bytes, bytes] = {}  # what headers say about the file that follows
    while info := _header(source, stream):
        if info.type in _ABOUT_NEXT:
            content = _about_next(source, stream, info)
            if info.type == tarfile.GNUTYPE_LONGNAME:
                known[b"path"] = content.partition(b"\0")[0]
            elif info.type == tarfile.XHDTYPE:
                known |= _pax(content)
            skippable -= len(content) + _HEADER_COST
            _check_skippable(source, skippable)
            continue
        if info.type == tarfile.GNUTYPE_SPARSE or any(key.startswith(b"GNU.sparse") for key in known):
            raise source.error("a sparse file", expected="a tar archive of files as they are")
        given = known.get(b"size", b"")
        size = int(given) if given.isdigit() and len(given) < 20 else info.size
        part = _Part(stream, size if info.isreg() or info.type not in tarfile.SUPPORTED_TYPES else 0)
        if info.isreg():
            name = known.get(b"path")
            yield (info.name if name is None else name.decode(errors="surrogateescape")), part.opened
        if part.is_read:
            skippable = bounds.SKIPPED_BYTES
        known = {}
        skippable -= part.left + _HEADER_COST
        _check_skippable(source, skippable)
        try:
            part.skip(-size % _BLOCK)
        except (OSError, EOFError, zlib.error) as error:
            raise source.error(f"cannot be read: {error}", expected="a whole tar archive") from None


class _Part:
    """The content of one file of a tar stream."""

    def __init__(self, stream: io.BufferedReader, size: int) -> None:
        self._stream = stream
        self.left = size
        self.is_read = False

    def opened(self) -> io.BufferedReader:
        """Return the content."""
        return io.BufferedReader(Reading(self._read))

    def skip(self, padding: int) -> None:
        """Move to the next header."""
        while self.left:
            self._take(_PIECE)
        self.left = padding
        while self.left and self._stream.peek(1):  # the last file may lack its padding
            self._take(_PIECE)

    def _read(self, count: int) -> bytes:
        self.is_read = True
        return self._take(count) if self.left else b""

    def _take(self, count: int) -> bytes:
        content = self._stream.read(min(count, self.left))
        if not content:
            raise EOFError("the archive ends within a file")
        self.left -= len(content)
        return content


def _header(source: Source, stream: io.BufferedReader) -> tarfile.TarInfo | None:
    """Return the next header of a tar stream; None at its end."""
    try:
        block = stream.read(_BLOCK)
        if not block.strip(b"\0"):
            return None
        info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        if info.size < 0:
            raise tarfile.TarError("a negative size")
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise source.error(f"cannot be read: {error}", expected="a whole tar archive") from None
    return info


def _check_skippable(source: Source, left: int) -> None:
    if left < 0:
        most = bounds.SKIPPED_BYTES >> 20
        raise source.error(f"more than {most} MiB in a row are no puzzles", expected="an archive of puzzles")


def _about_next(source: Source, stream: io.BufferedReader, info: tarfile.TarInfo) -> bytes:
    """Return the content of a header."""
    if info.size > bounds.HEADER_BYTES:
        most = f"at most {bounds.HEADER_BYTES >> 10} KiB"
        raise source.error(f"a header of {info.size} bytes in a tar archive", expected=most)
    return stream.read(info.size + -info.size % _BLOCK)[: info.size]


def _pax(content: bytes) -> dict[bytes, bytes]:
    """Return the keys and values of an extended header, as far as it is well formed."""
    found, place = {}, 0
    while record := _PAX.match(content, place):
        length = int(record[1])
        found[record[2]] = content[record.end() : place + length - 1]
        place += max(length, record.end() - place)
    return found
