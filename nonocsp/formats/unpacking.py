"""Unpack gzip, xz and bzip2 as they are read, in little time and memory whatever a file holds.

Unlike the standard library's, this reader gives up on a file that goes on without content, such as a name of
megabytes or millions of empty parts, and on one that needs a large dictionary.
"""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from typing import BinaryIO, Protocol

from nonocsp.model import bounds

PACKED = (".gz", ".xz", ".bz2")
"""Suffixes of compressed files."""
_MAGIC = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\0": ".xz", b"BZh": ".bz2"}
_CHUNK = 1 << 14
_GZIP = 16 + zlib.MAX_WBITS
_DICTIONARY = 1 << 27
"""Bytes that an xz file may need to be unpacked; ``xz -9`` needs half of it."""


class _Part(Protocol):
    """A decompressor of the standard library: it takes more input when it needs some."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """The decompressor of zlib with the interface of the others, which keep their input."""

    def __init__(self) -> None:
        self._part = zlib.decompressobj(_GZIP)

    @property
    def eof(self) -> bool:
        return self._part.eof

    @property
    def needs_input(self) -> bool:
        return not self._part.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._part.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._part.decompress(self._part.unconsumed_tail + data, max_length)


def without_packing(name: str) -> str:
    """Return the name of a file without the suffix that says how it is compressed."""
    return name.rpartition(".")[0] if name.endswith(PACKED) else name


def compression(head: bytes, name: str) -> str:
    """Return the suffix that says how a file is compressed, or nothing, by its first bytes or its name."""
    if head.startswith(tuple(_MAGIC)):
        suffix = next(suffix for magic, suffix in _MAGIC.items() if head.startswith(magic))
        if suffix != ".bz2" or head[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
            return suffix
    return f".{name.rpartition('.')[2]}" if name.endswith(PACKED) else ""


class Unpacked(io.RawIOBase):
    """The content of a compressed file: of all its parts, one after the other."""

    def __init__(self, stream: BinaryIO, suffix: str) -> None:
        self._stream = stream
        self._suffix = suffix
        self._packed = b""
        self._part: _Part | None = None
        self._silent = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # of any kind in the base class
        """Unpack into a buffer; return the number of bytes."""
        content = b""
        while not content and self._fill():
            part = self._part = self._part or self._new_part()
            given, self._packed = (self._packed, b"") if part.needs_input else (b"", self._packed)
            try:
                content = part.decompress(given, len(buffer))
            except lzma.LZMAError as error:
                raise OSError(str(error)) from None
            if part.eof:
                self._packed, self._part = part.unused_data, None
            self._silent = 0 if content else self._silent
            self._count(0 if content else len(given) - len(self._packed))
        buffer[: len(content)] = content
        return len(content)

    def _new_part(self) -> _Part:
        match self._suffix:
            case ".xz":
                return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_DICTIONARY)
            case ".bz2":
                return bz2.BZ2Decompressor()
        return _Gzip()

    def _fill(self) -> bool:
        """Read more if all is unpacked; return whether there is something to unpack."""
        while True:
            if not self._part:  # zeros may stand between parts, to fill a tape
                padded = len(self._packed)
                self._packed = self._packed.lstrip(b"\0")
                self._count(padded - len(self._packed))
            if self._packed or (self._part and not self._part.needs_input):
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
