"""Open what is read: a file, compressed or not, or standard input, as bytes, as text or line by line.

Text is UTF-8, with or without a byte order mark. UTF-16 with such a mark is read, too, and so are lines in
Latin-1, as Windows extends it; both give a FormatWarning, because nothing in such a line proves its coding. A
source is read once and lazily: only its head is looked at to recognise the format. A line, and all that is
read for one puzzle, have limits far above any that people make.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, NamedTuple, cast

from nonocsp.formats.unpacking import Unpacked, compression
from nonocsp.model import FormatError, FormatWarning, NoSuchFileError, UsageError, bounds

HEAD_BYTES = 8192
_PART_BYTES = 1 << 17
"""No more lines than a puzzle may have."""

_BOM = codecs.BOM_UTF8
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROLS = bytes(sorted({*range(32)} - set(b"\t\n\f\r\x1b")))
"""Bytes that no text has."""
_LATIN_1 = "cp1252"
"""What files that claim Latin-1 hold. Five bytes are no character in it: few binary files pass for text."""


@dataclass(slots=True)
class _Budget:
    """How many bytes and lines may still be read for the puzzle at hand."""

    left: int = bounds.FILE_BYTES
    lines: int = bounds.FILE_LINES


class Reading(io.RawIOBase):
    """A stream whose bytes come from a function: so many or fewer, none at the end."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # of any kind in the base class
        """Read into a buffer; return the number of bytes."""
        content = self._read(len(buffer))
        buffer[: len(content)] = content
        return len(content)


class ReadOptions(NamedTuple):
    """How the user wants files to be read that can be read in several ways."""

    cell: tuple[int, int] | None = None  # rows and columns of pixels in a cell of a picture; None to find out
    invert: bool = False  # whether the background of a picture is its dark colour
    columns_first: bool = False  # in formats that do not say it, the clues of the columns come first
    transpose: bool = False  # whether to exchange rows and columns of what was read


AS_USUAL = ReadOptions()


@dataclass(slots=True)
class Source:
    """An open source of puzzles."""

    name: str  # for messages: the path, or ``<stdin>``
    size: tuple[int, int] | None  # (rows, columns) if the user gave them, for formats that do not say
    head: bytes  # the first bytes: at least `HEAD_BYTES`, or the whole file if it is shorter
    _stream: io.BufferedIOBase
    options: ReadOptions = AS_USUAL
    _budget: _Budget = field(default_factory=_Budget)
    _notes: set[str] | None = field(default_factory=set)

    @property
    def head_in_utf8(self) -> bytes:
        """The head as it is read if it is text; unchanged if it is none."""
        head = self.head
        if head.isascii() or len(head.translate(None, _CONTROLS)) < len(head):
            return head
        try:
            return b"".join(
                line if _is_utf8(line) else line.decode(_LATIN_1).encode() for line in _split(head)
            )
        except UnicodeDecodeError:
            return head

    @property
    def plain(self) -> str | None:
        """The whole text of a small file in ASCII, as most are; None for any other."""
        is_small = len(self.head) < HEAD_BYTES
        return self.head.decode() if is_small and _is_clean(self.head) else None

    def again(self, content: bytes) -> Source:
        """Return a source of the same name that holds these bytes: what was read of this one."""
        stream = io.BytesIO(content)
        head = _head_of(stream)
        return Source(self.name, self.size, head, stream, self.options, _notes=self._notes)

    def quietly(self) -> Source:
        """Return this source for a reading that the user does not hear of: its notes are dropped."""
        return replace(self, _notes=None)

    def note(self, message: str, line: int = 0) -> None:
        """Warn of something that a reader took or left out on its own; the same thing once for each file."""
        if self._notes is not None and message not in self._notes:
            self._notes.add(message)
            place = f"{self.name}:{line}" if line else self.name
            warnings.warn(f"{place}: {message}", FormatWarning, stacklevel=2)

    def error(self, message: str, *, line: int = 0, column: int = 0, expected: str = "") -> FormatError:
        """Return the error that says what is wrong in this source, and where."""
        return FormatError(message, file=self.name, line=line, column=column, expected=expected)

    def next_puzzle(self) -> None:
        """Start to count bytes and lines anew, for the next puzzle."""
        self._budget.left, self._budget.lines = bounds.FILE_BYTES, bounds.FILE_LINES

    def lines(self, longest: int = bounds.LINE_BYTES) -> Iterator[tuple[int, str]]:
        """Yield the lines without their ends, LF or CRLF, each with its number from 1."""
        number = 1
        for block in self._blocks(longest):
            if _is_clean(block):
                lines = iter(block.decode().removesuffix("\n").split("\n"))
            else:
                lines = map(self._decode, _split(block), count(number))
            for number, line in enumerate(lines, start=number):  # noqa: B020  (goes on counting)
                yield number, line.rstrip("\r\n")
            number += 1

    def parts(self) -> Iterator[bytes]:
        """Yield the text in UTF-8, in parts of whole lines that come as the stream gives them."""
        number = 1
        for block in self._blocks(bounds.LINE_BYTES):
            if _is_clean(block):
                yield block
            else:
                yield "".join(map(self._decode, _split(block), count(number))).encode()
            number += block.count(b"\n")

    def _blocks(self, longest: int) -> Iterator[bytes]:
        """Yield blocks of whole lines, as the stream gives them."""
        block = self.head.removeprefix(_BOM)
        while block:
            yield block if block.endswith(b"\n") else block + self._read_line(longest)
            block = self._guarded(lambda: self._stream.read1(_PART_BYTES))
            self._spend(len(block), block.count(b"\n"))

    def text(self, limit: int | None = None) -> str:
        """Return the whole text; `limit` and errors are those of `content`."""
        return self._decode(self.content(limit).removeprefix(_BOM), 1)

    def content(self, limit: int | None = None) -> bytes:
        """Return all bytes."""
        limit, head = limit or bounds.FILE_BYTES, self.head
        if len(head) < HEAD_BYTES:  # and no more: reading on would reserve memory up to the limit
            return head
        content = head + self._guarded(lambda: self._stream.read(limit - len(head) + 1))
        if len(content) > limit:
            raise self.error("the file is too large", expected=f"at most {limit >> 20} MiB")
        return content

    def binary(self) -> io.BufferedReader:
        """Return the bytes from the first one on as a stream, unpacked and without limits."""
        head = io.BytesIO(self.head)
        return io.BufferedReader(Reading(lambda count: head.read(count) or self._stream.read(count)))

    def _read_line(self, longest: int) -> bytes:
        line = self._guarded(lambda: self._stream.readline(longest + 1))
        if len(line) > longest:
            raise self.error("a line is too long", expected=f"at most {longest >> 20} MiB")
        self._spend(len(line), 1)
        return line

    def _spend(self, count: int, lines: int) -> None:
        self._budget.left -= count
        self._budget.lines -= lines
        if min(self._budget.left, self._budget.lines) < 0:
            expected = f"at most {bounds.FILE_BYTES >> 20} MiB in {bounds.FILE_LINES} lines"
            raise self.error("too much for one puzzle", expected=expected)

    def _guarded(self, read: Callable[[], bytes]) -> bytes:
        try:
            return read()
        except (OSError, EOFError, UnicodeError, zlib.error) as error:
            raise _unreadable(self.name, error) from error

    def _decode(self, data: bytes, first_line: int) -> str:
        position, fault, expected = data.find(0), "a NUL byte", "text"
        if position < 0:
            try:
                return data.decode()
            except UnicodeDecodeError as error:
                first = first_line + data.count(b"\n", 0, error.start)
            try:
                text = data.decode(_LATIN_1)
            except UnicodeDecodeError as error:
                position, fault, expected = error.start, "neither UTF-8 nor Latin-1", "text in UTF-8"
            else:
                self.note("not UTF-8; read as Latin-1 (Windows-1252)", first)
                return text
        start = data.rfind(b"\n", 0, position) + 1
        line = first_line + data.count(b"\n", 0, position)
        column = len(data[start:position].decode(errors="replace")) + 1
        raise self.error(fault, line=line, column=column, expected=expected)


@contextmanager
def open_source(source: str | Path, size: tuple[int, int] | None = None) -> Iterator[Source]:
    """Open a file, or standard input for ``-``."""
    name = str(source)
    if name == "-":
        stream = io.BufferedReader(cast("Any", sys.stdin.buffer))
        try:
            yield source_of("<stdin>", stream, size)
        finally:
            stream.detach()
    else:
        with _open(name) as stream:
            yield source_of(name, stream, size)


def small_source(path: str, size: tuple[int, int] | None = None) -> Source | None:
    """Return the source of a small, plain file, in half the time; None for any other, to be opened."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            head = os.read(descriptor, HEAD_BYTES)
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return None
    if not 0 < len(head) < HEAD_BYTES or head.startswith(_UTF_16) or compression(head[:10], path):
        return None
    return Source(path, size, head, io.BytesIO())


def source_of(name: str, stream: io.BufferedReader, size: tuple[int, int] | None = None) -> Source:
    """Return a source that reads a stream, compressed or not."""
    try:
        binary = stream
        start = stream.peek(10)[:10]
        if suffix := compression(start, name):
            binary = io.BufferedReader(Unpacked(stream, suffix))
            start = binary.peek(2)
        is_utf_16 = start.startswith(_UTF_16)
        if is_utf_16:
            binary = io.BufferedReader(_Utf8(binary))
        head = _head_of(binary)
    except (OSError, EOFError, UnicodeError, zlib.error) as error:
        raise _unreadable(name, error) from error
    if not head:
        raise FormatError("the file is empty", file=name, expected="a puzzle")
    opened = Source(name, size, head, binary)
    if is_utf_16:
        opened.note("read as UTF-16")
    return opened


class _Utf8(io.RawIOBase):
    """The text of a stream in UTF-16, in UTF-8."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16")()
        self._ready = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # of any kind in the base class
        """Fill a buffer; return the number of bytes, 0 at the end. UnicodeError if it is not UTF-16."""
        chunk = b"more"
        while chunk and not self._ready:
            chunk = self._stream.read(io.DEFAULT_BUFFER_SIZE)
            self._ready = self._decoder.decode(chunk, final=not chunk).encode()
        taken, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _head_of(stream: io.BufferedIOBase) -> bytes:
    """Return the first lines; only the last one may be cut."""
    head = stream.read(HEAD_BYTES)
    is_cut = len(head) == HEAD_BYTES and not head.endswith(b"\n")
    return head + stream.readline(HEAD_BYTES) if is_cut else head


def _is_clean(block: bytes) -> bool:
    """Return whether bytes are ASCII without a NUL byte, which is an error."""
    return block.isascii() and 0 not in block


def _split(text: bytes) -> Iterator[bytes]:
    """Return the lines of a text, with their ends."""
    return iter(io.BytesIO(text))


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are text in UTF-8; the last character may be cut."""
    try:
        codecs.utf_8_decode(data)
    except UnicodeDecodeError:
        return False
    return True


def is_plain(path: Path, most_bytes: int | None = None) -> bool:
    """Return whether a path is an ordinary file, neither a link nor a pipe nor a device."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return S_ISREG(found.st_mode) and (most_bytes is None or found.st_size <= most_bytes)


def _open(path: str) -> io.BufferedReader:
    try:
        return open(path, "rb")  # noqa: PTH123  (a Path takes longer)
    except FileNotFoundError:
        raise NoSuchFileError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; name a file in it") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from None


def _unreadable(name: str, error: Exception) -> FormatError:
    return FormatError(
        f"cannot be read to its end: {error}", file=name, expected="a whole file, compressed or not"
    )
