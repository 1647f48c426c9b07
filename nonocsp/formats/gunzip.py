"""Unpack gzip as it is read, in little time and memory whatever the file holds.

Unlike the standard library's, this reader gives up on a file that goes on without content: a name of
megabytes, or millions of empty parts.
"""

from __future__ import annotations

import io
import zlib
from typing import BinaryIO

from nonocsp.model import bounds

_CHUNK = 1 << 14
_GZIP = 16 + zlib.MAX_WBITS


class Gunzip(io.RawIOBase):
    """The content of a gzip file: of all its parts, one after the other.

    Parameters
    ----------
    stream
        The file. It is not closed.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._packed = b""
        self._part: zlib._Decompress | None = None
        self._silent = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # of any kind in the base class
        """Unpack into a buffer; return the number of bytes.

        Raises
        ------
        EOFError
            If the file ends within a part.
        zlib.error
            If the file is damaged.
        OSError
            If it cannot be read, or goes on without content.
        """
        content = b""
        while not content and self._fill():
            self._part = self._part or zlib.decompressobj(_GZIP)
            before = len(self._packed)
            content = self._part.decompress(self._packed, len(buffer))
            if self._part.eof:
                self._packed, self._part = self._part.unused_data, None
            else:
                self._packed = self._part.unconsumed_tail
            self._silent = 0 if content else self._silent
            self._count(0 if content else before - len(self._packed))
        buffer[: len(content)] = content
        return len(content)

    def _fill(self) -> bool:
        """Read more if all is unpacked; return whether there is something to unpack."""
        while True:
            if not self._part:  # zeros may stand between parts, to fill a tape
                padded = len(self._packed)
                self._packed = self._packed.lstrip(b"\0")
                self._count(padded - len(self._packed))
            if self._packed:
                return True
            self._packed = self._stream.read(_CHUNK)
            if not self._packed and self._part:
                raise EOFError("the compressed data end too early")
            if not self._packed:
                return False

    def _count(self, silent: int) -> None:
        self._silent += silent
        if self._silent > bounds.SILENT_BYTES:
            raise OSError(f"{bounds.SILENT_BYTES >> 10} KiB of it unpack to nothing")
