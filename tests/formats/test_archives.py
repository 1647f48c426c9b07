"""Archives that were made to do harm, and odd ones that are valid: each is read, or refused in few steps."""

from __future__ import annotations

import io
import lzma
import struct
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nonocsp.formats import load_all, load_named
from nonocsp.model import FormatError, bounds

NIN = b"1 1\n1\n1\n"


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.USTAR_FORMAT if size < 8**11 else tarfile.GNU_FORMAT)


def entry(name: str, content: bytes, kind: bytes = tarfile.REGTYPE) -> bytes:
    return header(name, len(content), kind) + content + bytes(-len(content) % 512)


def pax(**records: str) -> bytes:
    content = b""
    for key, value in records.items():
        body = f" {key.replace('__', '.')}={value}\n".encode()
        length = len(body) + 2
        content += f"{length if length > 9 else length + 1:02}".encode().lstrip(b"0").rjust(2, b"0") + body
    return entry("pax", content, tarfile.XHDTYPE)


def tar(tmp_path: Path, *parts: bytes) -> Path:
    path = tmp_path / "set.tar"
    path.write_bytes(b"".join(parts) + bytes(1024))
    return path


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_and_foreign_names_are_kept_in_every_dialect(tmp_path: Path, format: int) -> None:
    names = ["a.nin", "ä" * 40 + ".nin", "d" * 90 + "/" + "e" * 90 + ".nin", "../../etc/x.nin", "/abs.nin"]
    if format != tarfile.USTAR_FORMAT:
        names.append("f" * 300 + ".nin")
    path = tmp_path / "set.tar"
    with tarfile.open(path, "w", format=format) as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(NIN), 0.5  # a fraction makes an extended header
            archive.addfile(info, io.BytesIO(NIN))
        archive.addfile(directory("folder.nin"))
        archive.addfile(link("link.nin"))
    assert [named.name for named in load_named(path)] == [f"{path}/{name}" for name in names]


def directory(name: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = tarfile.DIRTYPE
    return info


def link(name: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
    return info


def test_an_archive_of_the_tar_program_is_read(tmp_path: Path) -> None:
    for name in ("a.nin", "b" * 120 + ".nin"):
        (tmp_path / name).write_bytes(NIN)
    subprocess.run(["tar", "-cf", "set.tar", "a.nin", "b" * 120 + ".nin"], cwd=tmp_path, check=True)
    (tmp_path / "set.tar.xz").write_bytes(lzma.compress((tmp_path / "set.tar").read_bytes()))
    assert len(list(load_all(tmp_path / "set.tar.xz"))) == 2


def hostile_tars() -> Iterator[tuple[str, list[bytes], str]]:
    yield "a huge file that is no puzzle", [header("a.bin", 1 << 40), entry("b.nin", NIN)], "256 MiB in a row"
    yield "many headers", [header("a.bin", 0)] * 70_000, "256 MiB in a row"
    yield "a huge name", [header("x", 1 << 33, tarfile.GNUTYPE_LONGNAME)], "a header of 8589934592 bytes"
    yield "a huge header", [header("x", 1 << 21, tarfile.XHDTYPE)], "a header of 2097152 bytes"
    yield "an old sparse file", [entry("a.nin", NIN, tarfile.GNUTYPE_SPARSE)], "a sparse file"
    yield "a new sparse file", [pax(GNU__sparse__major="1"), entry("a.nin", NIN)], "a sparse file"
    yield "a file cut off", [header("a.nin", 5000), NIN], "cannot be read"
    yield "noise behind a file", [entry("a.nin", NIN), b"x" * 512], "cannot be read"
    yield "a negative size", [header("a.nin", 0).replace(b"00000000000\0", b"\xff" * 12, 1)], "cannot be read"


@pytest.mark.parametrize(
    ("parts", "message"),
    [pytest.param(parts, message, id=name) for name, parts, message in hostile_tars()],
)
def test_a_hostile_tar_archive_is_refused(tmp_path: Path, parts: list[bytes], message: str) -> None:
    path = tar(tmp_path, *parts)
    with pytest.raises(FormatError, match=message) as error:
        list(load_all(path))
    assert str(path) in str(error.value)


def test_the_rest_of_a_faulty_file_is_skipped(tmp_path: Path) -> None:
    path = tar(tmp_path, entry("a.nin", b"1 1\n2 2\n1\n" * 30_000), entry("b.nin", NIN))
    assert [named.name for named in load_named(path, failed=lambda _: None)] == [f"{path}/b.nin"]


def zipped(path: Path, change: Callable[[bytes], bytes] = bytes, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.nin", content)
    path.write_bytes(change(path.read_bytes()))
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:-30], "set.zip: cannot be read"),
        (
            lambda data: data.replace(NIN, b"1 1\n2\n1\n", 1),
            "set.zip/a.nin: cannot be read to its end: Bad CRC",
        ),
        (lambda data: data.replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0"), "password"),
        (lambda data: data.replace(b"\x14\0\0\0\0\0", b"\x14\0\0\0\x09\0"), "packed by method 9, which is"),
    ],
    ids=["cut off", "checksum", "encrypted", "unknown method"],
)
def test_a_damaged_zip_archive_is_refused(
    tmp_path: Path, change: Callable[[bytes], bytes], message: str
) -> None:
    path = zipped(tmp_path / "set.zip", change, a=NIN)
    with pytest.raises(FormatError, match=message):
        assert list(load_all(path)) == []


def test_a_zip_archive_with_a_large_directory_is_refused(tmp_path: Path) -> None:
    size = bounds.DIRECTORY_BYTES + 100
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, size, 0, 0)
    path = tmp_path / "set.zip"
    path.write_bytes(b"PK\3\4" + bytes(size - 4) + end)
    with pytest.raises(FormatError, match="its directory has more than 16 MiB"):
        list(load_all(path))


def test_a_spreadsheet_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "book.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("a.nin", NIN)
    with pytest.raises(FormatError):
        list(load_all(path, format="nin"))
