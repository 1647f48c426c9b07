"""``nonocsp convert``: from any format to any other, nothing overwritten, nothing half written."""

import gzip

import pytest

from nonocsp.formats import formats, load, load_all, save
from nonocsp.model import Grid, Puzzle


@pytest.mark.parametrize(
    ("suffix", "lost"),
    [
        *((suffix, "") for suffix in (".non", ".xml", ".json", ".png", ".jsonl")),
        (".nin", "title, goal"),
        (".tcga", "title, goal, size (read it with --size 2x3)"),
        (".gif", "title"),
    ],
)
def test_a_converted_puzzle_is_the_same_puzzle_and_losses_are_allowed_and_named(cli, tmp_path, suffix, lost):
    puzzle = Puzzle.from_grid(Grid.from_strings(["#.#", "##."]), title="Cat")
    save(puzzle, tmp_path / "in.json")
    target = tmp_path / f"out{suffix}"
    result = cli("convert", tmp_path / "in.json", target)
    if lost:
        assert (result.exit_code, result.stdout, target.exists()) == (2, "", False)
        assert f"error: {target}: {suffix[1:3]}" in result.stderr.replace("tournament", "tc")
        result = cli("convert", "--lossy", tmp_path / "in.json", target)
    format = {".tcga": "tournament"}.get(suffix, suffix[1:])
    note = f"note: {target} lacks what {format} has no place for: {lost}\n" if lost else ""
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{note}{target}: 1 puzzle\n"
    size = puzzle.shape if suffix == ".tcga" else None
    assert load(target, size=size).canonical_hash == puzzle.canonical_hash


def test_pipes_work_on_both_ends(cli, files):
    result = cli("convert", "-", "-", "--to", "nin", "--lossy", input=files("unique").read_bytes())
    assert result.stdout.split() == ["3", "3", "1", "1", "3", "1", "2", "2", "2"]
    assert result.stderr == "note: standard output lacks what nin has no place for: title\n"


def test_a_set_is_compressed_by_its_suffix_and_counted(cli, files, tmp_path):
    result = cli("convert", files("set"), tmp_path / "set.jsonl.gz")
    assert result.stderr.endswith(": 3 puzzles\n")
    assert gzip.decompress((tmp_path / "set.jsonl.gz").read_bytes()).count(b"\n") == 3
    assert len(list(load_all(tmp_path / "set.jsonl.gz"))) == 3


def test_an_existing_file_is_replaced_only_with_force(cli, files, tmp_path):
    target = tmp_path / "out.nin"
    target.write_text("precious")
    result = cli("convert", files("unique"), target)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert target.read_text() == "precious"
    assert cli("convert", files("unique"), target, "--force", "--lossy").exit_code == 0
    assert load(target).shape == (3, 3)


def test_the_list_of_formats_has_every_format(cli):
    text = cli("convert", "--formats").stdout
    assert all(known.name in text and known.summary in text for known in formats())
    assert max(map(len, text.splitlines())) <= 110
