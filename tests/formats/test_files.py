"""Folders, globs, archives and numbers: which files are read, in which order, under which names."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.formats import load, load_all, load_named, save
from nonocsp.model import FormatError, NonocspError, Puzzle, UsageError, bounds

FILES = {
    "README.md": b"no puzzle\n",
    "b.nin": b"1 1\n1\n1\n",
    "deep/a.nin": b"2 1\n1\n1\n\n",
    "deep/set.jsonl": b'{"rows": [[3]], "columns": [[1], [1], [1]]}\n'
    b'{"rows": [[4]], "columns": [[1], [1], [1], [1]]}\n',
    "deep/.hidden.nin": b"broken\n",
    "__MACOSX/b.nin": b"broken\n",
    "z.nin.gz": gzip.compress(b"5 1\n5\n1\n1\n1\n1\n1\n"),
}
NAMES = ["b.nin", "deep/a.nin", "deep/set.jsonl#1", "deep/set.jsonl#2", "z.nin.gz"]
COLUMNS = [1, 2, 3, 4, 5]
TAR_MODES = {".tar": "w", ".tar.gz": "w:gz", ".tgz": "w:gz", ".tar.xz": "w:xz", ".tar.bz2": "w:bz2"}


def write_archive(path: Path, files: dict[str, bytes], **options: object) -> Path:
    """Write an archive whose kind the suffix names."""
    kind = next((kind for suffix, kind in TAR_MODES.items() if path.name.endswith(suffix)), "")
    if not kind:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, kind, **options) as tar:  # type: ignore[call-overload]
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "files" / "__MACOSX" / "b.nin").unlink()
    (tmp_path / "files" / "deep" / "loop").symlink_to(tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture(params=["folder", ".zip", *TAR_MODES])
def container(request: pytest.FixtureRequest, folder: Path) -> Path:
    """The files in a folder, and in each kind of archive."""
    if request.param == "folder":
        return folder
    return write_archive(folder.with_name(f"set{request.param}"), FILES)


def test_a_container_yields_the_puzzles_of_its_files_one_after_the_other(container: Path) -> None:
    found = list(load_named(container))
    assert [named.name for named in found] == [f"{container}/{name}" for name in NAMES]
    assert [named.index for named in found] == [1, 2, 3, 4, 5]
    assert [named.puzzle.shape[1] for named in found] == COLUMNS
    assert [puzzle.shape[1] for puzzle in load_all(container)] == COLUMNS


def test_a_number_chooses_one_puzzle_of_a_file_or_container(container: Path) -> None:
    for number, name in enumerate(NAMES, start=1):
        assert load(f"{container}#{number}").shape[1] == number
        (named,) = load_named(f"{container}#{number}")
        assert (named.name, named.index) == (f"{container}/{name}", number)
    with pytest.raises(UsageError, match="has no puzzle 6; it has 5"):
        load(f"{container}#6")


def test_a_member_of_an_archive_is_named_like_a_file_of_a_folder(container: Path) -> None:
    assert load(container / "deep" / "a.nin").shape == (1, 2)
    assert load(f"{container}/deep/set.jsonl#2").shape == (1, 4)
    assert [puzzle.shape[1] for puzzle in load_all(container / "deep")] == [2, 3, 4]
    with pytest.raises(UsageError, match=r"deep/c\.nin"):
        load(container / "deep" / "c.nin")


def test_a_file_whose_name_ends_in_a_number_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "set#2").write_bytes(FILES["b.nin"])
    assert load(f"{tmp_path}/set#2").shape == (1, 1)


def test_a_glob_yields_the_files_that_match_by_name(folder: Path) -> None:
    assert [p.shape[1] for p in load_all(f"{folder}/*.nin*")] == [1, 5]
    assert [p.shape[1] for p in load_all(f"{folder}/**/*.nin")] == [1, 2]
    assert [p.shape[1] for p in load_all(folder / "d*")] == [2, 3, 4]
    with pytest.raises(UsageError, match="no file with a suffix of puzzles"):
        load(f"{folder}/*.xml")


def test_an_archive_in_a_folder_is_read_and_one_in_an_archive_is_an_error(folder: Path) -> None:
    inner = write_archive(folder / "deep" / "more.zip", {"c.nin": FILES["b.nin"]})
    assert [named.name for named in load_named(folder / "deep")][1:2] == [f"{inner}/c.nin"]
    outer = write_archive(folder.with_name("outer.tar"), {"more.zip": inner.read_bytes()})
    with pytest.raises(FormatError, match=r"outer\.tar/more\.zip: an archive in an archive is not read"):
        load(outer)


def test_an_error_names_the_member_and_the_others_go_on_if_the_caller_says_so(tmp_path: Path) -> None:
    files = {
        "a.nin": b"1 1\n2\n1\n",
        "b.nin": b"",
        "c.nin": b"1 1\n2 2\n1\n",
        "d.nin": FILES["b.nin"],
        "e.zip": b"PK",
    }
    for container in (tmp_path / "files", *(tmp_path / f"set{suffix}" for suffix in (".zip", *TAR_MODES))):
        if container.suffix:
            write_archive(container, files)
        else:
            container.mkdir()
            for name, content in files.items():
                (container / name).write_bytes(content)
        with pytest.raises(NonocspError, match=r"a\.nin: row 1"):
            list(load_all(container))
        errors: list[NonocspError] = []
        (named,) = load_named(container, failed=errors.append)
        assert (named.name, named.index) == (f"{container}/d.nin", 1)
        assert [str(error).split(":")[0] for error in errors] == [
            f"{container}/{x}" for x in ("a.nin", "b.nin", "c.nin", "e.zip")
        ]


def test_reading_ends_after_a_hundred_unreadable_files(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "set.zip", {f"{i:03}.nin": b"1 1\n2 2\n1\n" for i in range(200)})
    errors: list[NonocspError] = []
    with pytest.raises(NonocspError, match=r"set\.zip/100\.nin"):
        list(load_named(archive, failed=errors.append))
    assert len(errors) == bounds.UNREADABLE_FILES


def test_a_tar_archive_can_come_from_standard_input_and_a_zip_archive_cannot(
    tmp_path: Path, as_stdin: Callable[[bytes], None]
) -> None:
    archive = write_archive(tmp_path / "set.tar.xz", FILES)
    as_stdin(archive.read_bytes())
    assert [named.name for named in load_named("-")] == [f"<stdin>/{name}" for name in NAMES]
    as_stdin(write_archive(tmp_path / "set.zip", FILES).read_bytes())
    with pytest.raises(FormatError, match="a zip archive on standard input"):
        load("-")


@pytest.fixture
def as_stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Give bytes to standard input."""
    return lambda data: monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_reading_a_single_file_does_not_load_the_modules_for_archives(tmp_path: Path) -> None:
    save(Puzzle.from_clues([[1]], [[1]]), tmp_path / "a.json")
    code = "import sys, nonocsp; nonocsp.load('a.json'); print({'zipfile', 'tarfile'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=tmp_path) == "set()\n"
