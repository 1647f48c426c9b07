"""Unpacking gives what the standard library gives, and stops where a file goes on without content."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import zlib
from types import ModuleType

import pytest

from nonocsp.formats.unpacking import Unpacked

CONTENT = random.Random(0).randbytes(100_000) + bytes(100_000)
PACKED = gzip.compress(CONTENT, mtime=0)
EMPTY = gzip.compress(b"", mtime=0)
MODULES = {".gz": gzip, ".xz": lzma, ".bz2": bz2}


def unpacked(data: bytes, suffix: str = ".gz") -> bytes:
    return io.BufferedReader(Unpacked(io.BytesIO(data), suffix)).read()


@pytest.mark.parametrize(("suffix", "module"), MODULES.items())
@pytest.mark.parametrize("layout", ["p", "ppp", "eep", "peep", "p0p", "p0"])
def test_whole_files_are_unpacked_like_by_the_standard_library(
    suffix: str, module: ModuleType, layout: str
) -> None:
    parts = {"p": module.compress(CONTENT), "e": module.compress(b"") * 20, "0": bytes(1000)}
    data = b"".join(parts[part] for part in layout)
    assert unpacked(data, suffix) == CONTENT * layout.count("p")
    if "0" not in layout:  # padding between parts is a matter of gzip and xz
        assert unpacked(data, suffix) == module.decompress(data)


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


@pytest.mark.parametrize("suffix", [".xz", ".bz2"])
def test_damage_of_other_compressions_is_an_error_too(suffix: str) -> None:
    packed = MODULES[suffix].compress(CONTENT)
    for damaged in (packed[:-1], packed[:50_000] + b"?" + packed[50_001:], packed + b"more", b"text"):
        with pytest.raises((OSError, EOFError)):
            unpacked(damaged, suffix)


def test_an_xz_file_that_needs_much_memory_is_an_error() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]
    with pytest.raises(OSError, match="usage limit"):
        unpacked(lzma.compress(CONTENT, filters=filters), ".xz")


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * 1_000_000, ".gz"),
        (EMPTY * 100_000, ".gz"),
        (PACKED + EMPTY * 100_000, ".gz"),
        (PACKED + bytes(1_000_000), ".gz"),
        (lzma.compress(b"") * 10_000, ".xz"),
        (bz2.compress(b"") * 20_000, ".bz2"),
    ],
    ids=["name", "empty parts", "empty parts behind", "zeros", "xz", "bz2"],
)
def test_what_goes_on_without_content_is_an_error(data: bytes, suffix: str) -> None:
    with pytest.raises(OSError, match="256 KiB of it unpack to nothing"):
        unpacked(data, suffix)
