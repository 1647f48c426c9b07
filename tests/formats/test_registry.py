"""Every format: recognition, compression, error messages, and no half-written files."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nonocsp.formats import formats, load, registry, save
from nonocsp.model import FormatError, Grid, NonocspError, Puzzle, PuzzleError, UsageError, bounds

Read = Callable[..., list[Puzzle]]

SMILE = Puzzle.from_grid(Grid.from_strings(["#.#", "...", "###"]), title="1")
FLAG = Puzzle.from_clues([[(1, 1), (1, 2)]], [[1], [(1, 2)]])
NAMES = [f.name for f in formats() if f.can_write]
NIN = b"1 1\n1\n1\n"


def test_pillow_and_the_xml_parser_are_imported_only_when_needed() -> None:
    code = "import sys, nonocsp.formats; print(sorted({'PIL', 'defusedxml', 'xml.sax'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize("format", NAMES)
def test_gzip_is_recognised_by_content_and_written_by_suffix_reproducibly(
    tmp_path: Path, format: str
) -> None:
    for name in ("a.gz", "b.gz"):
        save(SMILE, tmp_path / name, format=format)
    packed = (tmp_path / "a.gz").read_bytes()
    assert packed[:2] == b"\x1f\x8b"
    assert packed == (tmp_path / "b.gz").read_bytes()
    (tmp_path / "plain").write_bytes(packed)
    assert load(tmp_path / "plain").canonical_hash == SMILE.canonical_hash


def test_a_puzzle_of_the_wrong_size_is_refused(tmp_path: Path) -> None:
    save(SMILE, tmp_path / "a.json")
    with pytest.raises(PuzzleError, match="the puzzle is 3x3, not 25x25 as the given size says"):
        load(tmp_path / "a.json", size=(25, 25))


def broken_set() -> Iterator[Puzzle]:
    yield SMILE
    raise RuntimeError("while the second one was made")


def test_a_failed_write_leaves_only_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("old")
    with pytest.raises(RuntimeError):
        save(broken_set(), path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("set.jsonl", "old")]


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "a.nin", tmp_path / "link.nin"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    save(SMILE, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert load(path).shape == (3, 3)


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    save(Puzzle.from_clues([[1]], [[1]]), pipe, format="nin")
    assert os.read(reader, 100) == NIN
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    ("puzzles", "name", "format", "message"),
    [
        ([SMILE, SMILE], "a.nin", None, "a nin file holds one puzzle; for several write json, jsonl, webpbn"),
        ([SMILE, SMILE], "a.png", None, "a png file holds one puzzle"),
        (FLAG, "a.nin", None, "nin has no colours; write png"),
        (FLAG, "a", "tournament", "tournament has no colours; write png"),
        ([], "a.json", None, "there is no puzzle to write"),
        (
            SMILE,
            "a.doc",
            None,
            "no format has the suffix '.doc'; take one such as .json, .non or .png, or name a",
        ),
        (SMILE, "a.txt", None, ".txt is the suffix of several formats; name a format with --to: tournament"),
        (SMILE, "a.json", "yaml", "unknown format 'yaml'; there are png, gif"),
        (SMILE, "-", None, "standard output has no suffix; name the format: png"),
        (SMILE, "no/such/folder/a.json", None, "a.json cannot be written: No such file or directory"),
        (SMILE, ".", "json", "is a folder; name a file in it"),
    ],
)
def test_a_puzzle_that_cannot_be_written_gets_an_error_with_advice(
    tmp_path: Path, puzzles: Puzzle | list[Puzzle], name: str, format: str | None, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        save(puzzles, name if name == "-" else tmp_path / name, format=format)
    assert message in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (gzip.compress(b""), "the file is empty"),
        (gzip.compress(NIN * 100)[:-20], "expected a whole file, compressed or not"),
        (b"\x1f\x8bnot gzip at all", "expected a whole file, compressed or not"),
        (bytes(range(256)) * 40, "the format is not recognised; expected clues, a drawing or a puzzle file"),
        (b"an English sentence,\nand another one\n", "the format is not recognised"),
        (b"$1\n1\n\x81\n", ":3:1: neither UTF-8 nor Latin-1; expected text in UTF-8"),
        ('{"rows": [[1]],\n"columns": [[1]], "title": "é\x81"}'.encode("latin-1"), ":2:30: neither UTF-8"),
        (b"$1\n1\n1\x00\n", ":3:2: a NUL byte; expected text"),
        (b'{"rows": [[1]], "columns": [[1]],\n \0}', ":2:2: a NUL byte; expected text"),
    ],
    ids=[
        *("empty", "empty gz", "cut gz", "false gz", "junk", "prose", "byte", "byte in JSON"),
        *("NUL", "NUL in JSON"),
    ],
)
def test_input_without_a_puzzle_gives_one_clear_error(read: Read, content: bytes, message: str) -> None:
    with pytest.raises(NonocspError) as error:
        read(content, name="cat")
    assert "cat" in str(error.value)
    assert message in str(error.value)


def test_a_compressed_bomb_of_blanks_is_refused_quickly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FILE_BYTES", 1 << 20)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b"{" + b" " * (3 << 20)))
    with pytest.raises(FormatError, match="a line is too long; expected at most 1 MiB"):
        load(path)
    path.write_bytes(gzip.compress(b"GIF89a" + b" \n" * (3 << 20)))
    with pytest.raises(FormatError, match="the file is too large; expected at most 1 MiB"):
        load(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.non", "missing.non: there is no such file"),
        (".", "has no file with a suffix of puzzles"),
        ("a\0b", "null"),
    ],
)
def test_a_file_that_cannot_be_opened_is_a_usage_error(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load(f"{tmp_path}/{name}")


def test_the_table_of_suffixes_agrees_with_the_formats_of_each_module() -> None:
    for module, suffixes in registry._SUFFIXES.items():
        of_formats = {suffix for known in registry._formats_of(module) for suffix in known.suffixes}
        assert set(suffixes) == of_formats, module
