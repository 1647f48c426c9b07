"""Unpacking gives what the standard library gives, and stops where a file goes on without content."""

from __future__ import annotations

import gzip
import io
import random
import zlib

import pytest

from nonocsp.formats.gunzip import Gunzip

PACKED = gzip.compress(random.Random(0).randbytes(100_000) + bytes(100_000), mtime=0)
EMPTY = gzip.compress(b"", mtime=0)


def unpacked(data: bytes) -> bytes:
    return io.BufferedReader(Gunzip(io.BytesIO(data))).read()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        EMPTY,
        PACKED,
        PACKED * 3,
        EMPTY * 100 + PACKED + EMPTY * 100 + PACKED,
        PACKED + bytes(1000),
        PACKED + bytes(1000) + PACKED,
    ],
    ids=len,
)
def test_whole_files_are_unpacked_like_by_the_standard_library(data: bytes) -> None:
    assert unpacked(data) == gzip.decompress(data)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (PACKED[:-1], EOFError),
        (PACKED[:5], EOFError),
        (PACKED + PACKED[:9], EOFError),
        (PACKED + b"more", zlib.error),
        (PACKED[:-5] + b"?" + PACKED[-4:], zlib.error),
        (b"text", (EOFError, zlib.error)),
    ],
    ids=["end", "head", "second head", "text behind", "checksum", "text"],
)
def test_damaged_files_are_an_error(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        unpacked(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 1_000_000,
        EMPTY * 100_000,
        PACKED + EMPTY * 100_000,
        PACKED + bytes(1_000_000),
    ],
    ids=["name", "empty parts", "empty parts behind", "zeros"],
)
def test_what_goes_on_without_content_is_an_error(data: bytes) -> None:
    with pytest.raises(OSError, match="256 KiB of it unpack to nothing"):
        unpacked(data)
