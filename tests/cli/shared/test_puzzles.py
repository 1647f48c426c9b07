"""Which puzzles a command takes: archives, places, slices, samples; and what it does about bad files."""

import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp.formats import NamedPuzzle, load, save
from nonocsp.formats.naming import sampled
from nonocsp.model import Puzzle, UsageError


@pytest.fixture
def hundred(tmp_path) -> Path:
    """A hundred puzzles; the n-th has a title n."""
    path = tmp_path / "set.jsonl"
    save((Puzzle.from_clues([[1]], [[1]], title=str(n)) for n in range(1, 101)), path)
    return path


@pytest.fixture
def archive(tmp_path) -> Path:
    """A broken puzzle between two others."""
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, clue in (("a", 1), ("b", 2), ("c", 1)):
            file.writestr(f"{name}.json", json.dumps({"rows": [[clue]], "columns": [[1]]}))
    return path


def indices(result: Result) -> list[int]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line)["index"] for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("3", [3]),
        ("98-", [98, 99, 100]),
        ("2-4", [2, 3, 4]),
        ("0:2", [1, 2]),
        ("97:", [98, 99, 100]),
        ("::50", [1, 51]),
    ],
)
def test_an_index_counts_from_1_and_a_slice_from_0_as_in_python(cli, hundred, index, expected):
    assert indices(cli("solve", "--json", "--index", index, hundred)) == expected


def test_a_number_behind_a_file_names_its_puzzle(cli, hundred):
    result = cli("solve", "--json", f"{hundred}#7", f"{hundred}#100")
    assert indices(result) == [7, 100]
    assert json.loads(result.stdout.splitlines()[0])["puzzle"] == f"{hundred}#7"
    assert "has no puzzle 101; it has 100" in cli("solve", f"{hundred}#101").stderr
    assert "leave out --index" in cli("solve", "--index", "1", f"{hundred}#7").stderr


@pytest.mark.parametrize("command", ["solve", "difficulty", "explain", "check"])
def test_a_sample_is_the_same_for_the_same_seed_in_every_command(cli, hundred, command):
    more = {"check": ["--backends", "settle"], "explain": ["--summary"]}.get(command, [])
    found = [
        sorted(indices(cli(command, *more, "--json", "--sample", 5, "--seed", seed, hundred)))
        for seed in (1, 2)
    ]
    puzzles = [NamedPuzzle("", n, Puzzle.from_clues([[1]], [[1]])) for n in range(1, 101)]
    assert found == [[one.index for one in sampled(puzzles, 5, seed)] for seed in (1, 2)]
    assert found[0] != found[1]


def test_the_pictures_of_a_folder_are_puzzles_only_if_asked_for(cli, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in ("a.non", "b.png", "c.pbm"):
        save(Puzzle.from_grid([[1]]), folder / name)

    def names(*words: object) -> list[str]:
        lines = cli("solve", "--json", *words).stdout.splitlines()
        return [Path(json.loads(line)["puzzle"]).name for line in lines]

    assert names(folder) == ["a.non"]
    assert names("--from", "png", folder) == ["b.png"]
    assert names(f"{folder}/*") == ["a.non", "b.png", "c.pbm"]
    assert names(folder / "b.png") == ["b.png"]


def test_a_file_that_is_not_there_is_both_errors_that_one_may_expect():
    for error in (FileNotFoundError, UsageError):
        with pytest.raises(error, match=r"^nothere: there is no such file$"):
            load("nothere")


@pytest.mark.parametrize("command", ["solve", "difficulty", "explain", "check"])
def test_a_file_that_cannot_be_read_is_named_and_the_others_go_on(cli, archive, command):
    more = {"check": ["--backends", "settle"], "explain": ["--summary"]}.get(command, [])
    result = cli(command, "--json", *more, archive)
    assert [json.loads(line)["puzzle"] for line in result.stdout.splitlines()] == [
        f"{archive}/a.json",
        f"{archive}/c.json",
    ]
    assert result.exit_code == 2
    assert f"error: {archive}/b.json#1: row 1: the clue 2 needs 2 cells" in result.stderr
    assert "error: 1 file could not be read; the others were\n" in result.stderr


def test_a_conversion_of_an_archive_with_a_bad_file_writes_nothing(cli, archive):
    result = cli("convert", archive, archive.with_name("all.jsonl"))
    assert result.exit_code == 2
    assert not archive.with_name("all.jsonl").exists()
