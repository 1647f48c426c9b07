"""Open what is read: a file, compressed or not, or standard input, as bytes, as text or line by line.

Text is UTF-8, with or without a byte order mark; anything else is a FormatError that names the line. A
source is read once and lazily: only its head is looked at to recognise the format. Untrusted input cannot
take all memory: a line, and all that is read for one puzzle, have limits far above any that people make.
"""

from __future__ import annotations

import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, cast

from nonocsp.formats.gunzip import Gunzip
from nonocsp.model import FormatError, UsageError, bounds

HEAD_BYTES = 8192

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class _Budget:
    """How many bytes and lines may still be read for the puzzle at hand."""

    left: int = bounds.FILE_BYTES
    lines: int = bounds.FILE_LINES


@dataclass(frozen=True, slots=True)
class Source:
    """An open source of puzzles.

    Parameters
    ----------
    name
        For messages: the path, or ``<stdin>``.
    size
        (rows, columns) if the user gave them, for formats that do not say.
    """

    name: str
    size: tuple[int, int] | None
    _head: tuple[bytes, ...]
    _stream: BinaryIO
    _budget: _Budget = field(default_factory=_Budget)

    @property
    def head(self) -> bytes:
        """The first bytes: at least `HEAD_BYTES`, or the whole file if it is shorter."""
        return b"".join(self._head)

    def error(self, message: str, *, line: int = 0, column: int = 0, expected: str = "") -> FormatError:
        """Return the error that says what is wrong in this source, and where.

        Parameters
        ----------
        message
            What is wrong.
        line, column
            Where, counted from 1; 0 if unknown.
        expected
            What would have been right, as a phrase.
        """
        return FormatError(message, file=self.name, line=line, column=column, expected=expected)

    def next_puzzle(self) -> None:
        """Start to count bytes and lines anew, for the next puzzle."""
        self._budget.left, self._budget.lines = bounds.FILE_BYTES, bounds.FILE_LINES

    def lines(self, longest: int = bounds.LINE_BYTES) -> Iterator[tuple[int, str]]:
        """Yield the lines without their ends, LF or CRLF, each with its number from 1."""
        head = (part if part.endswith(b"\n") else part + self._read_line(longest) for part in self._head)
        rest = iter(lambda: self._read_line(longest), b"")
        for number, raw in enumerate(chain(head, rest), start=1):
            data = raw.removeprefix(_BOM) if number == 1 else raw
            yield number, self._decode(data, number).rstrip("\r\n")

    def text(self, limit: int | None = None) -> str:
        """Return the whole text; `limit` and errors are those of `content`."""
        return self._decode(self.content(limit).removeprefix(_BOM), 1)

    def content(self, limit: int | None = None) -> bytes:
        """Return all bytes.

        Raises
        ------
        FormatError
            If there are more than `limit` bytes, `bounds.FILE_BYTES` by default.
        """
        limit, head = limit or bounds.FILE_BYTES, self.head
        content = head + self._guarded(lambda: self._stream.read(limit - len(head) + 1))
        if len(content) > limit:
            raise self.error("the file is too large", expected=f"at most {limit >> 20} MiB")
        return content

    def _read_line(self, longest: int) -> bytes:
        line = self._guarded(lambda: self._stream.readline(longest + 1))
        if len(line) > longest:
            raise self.error("a line is too long", expected=f"at most {longest >> 20} MiB")
        self._budget.left -= len(line)
        self._budget.lines -= 1
        if min(self._budget.left, self._budget.lines) < 0:
            expected = f"at most {bounds.FILE_BYTES >> 20} MiB in {bounds.FILE_LINES} lines"
            raise self.error("too much for one puzzle", expected=expected)
        return line

    def _guarded(self, read: Callable[[], bytes]) -> bytes:
        try:
            return read()
        except (OSError, EOFError, zlib.error) as error:
            raise _unreadable(self.name, error) from error

    def _decode(self, data: bytes, first_line: int) -> str:
        position, fault, expected = data.find(0), "a NUL byte", "text"
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            position, fault, expected = error.start, "not UTF-8", "text in UTF-8"
        if position < 0:
            return text
        start = data.rfind(b"\n", 0, position) + 1
        line = first_line + data.count(b"\n", 0, position)
        column = len(data[start:position].decode(errors="replace")) + 1
        raise self.error(fault, line=line, column=column, expected=expected)


@contextmanager
def open_source(source: str | Path, size: tuple[int, int] | None = None) -> Iterator[Source]:
    """Open a file, or standard input for ``-``.

    Parameters
    ----------
    source
        A path. Gzip is recognised by its magic number or the suffix ``.gz``.
    size
        (rows, columns) for formats that do not say.

    Raises
    ------
    UsageError
        If there is no such file or it cannot be opened.
    FormatError
        If the file is empty or its compression is damaged.
    """
    with ExitStack() as stack:
        if str(source) == "-":
            name, stream = "<stdin>", io.BufferedReader(cast("Any", sys.stdin.buffer))
            stack.callback(stream.detach)
        else:
            name, stream = str(source), stack.enter_context(_open(Path(source)))
        try:
            binary: BinaryIO = stream
            if stream.peek(2)[:2] == _GZIP_MAGIC or name.endswith(".gz"):
                binary = io.BufferedReader(Gunzip(stream))
            head: list[bytes] = []  # whole lines; only the last one may be cut
            missing = HEAD_BYTES
            while missing > 0 and (line := binary.readline(HEAD_BYTES)):
                head.append(line)
                missing -= len(line)
        except (OSError, EOFError, zlib.error) as error:
            raise _unreadable(name, error) from error
        if not head:
            raise FormatError("the file is empty", file=name, expected="a puzzle")
        yield Source(name, size, tuple(head), binary)


def is_plain(path: Path, most_bytes: int | None = None) -> bool:
    """Return whether a path is an ordinary file, neither a link nor a pipe nor a device.

    Parameters
    ----------
    path
        The path.
    most_bytes
        The most that the file may have; None for any size.
    """
    try:
        found = path.lstat()
    except OSError:
        return False
    return S_ISREG(found.st_mode) and (most_bytes is None or found.st_size <= most_bytes)


def _open(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; name a file in it") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be opened: {getattr(error, 'strerror', None) or error}") from None


def _unreadable(name: str, error: Exception) -> FormatError:
    return FormatError(
        f"cannot be read to its end: {error}", file=name, expected="a whole file, gzip-compressed or not"
    )
