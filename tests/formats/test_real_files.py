"""Files that others made, beside the checkout: all parse, and line solving gives what their labels say."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from nonocsp.engine import LineSolver
from nonocsp.formats import load, load_all
from nonocsp.model import FormatError, Grid, Puzzle, PuzzleError

COUNTS = {
    "tournament/*.txt": 5000,
    "webpbn-redist/*.xml": 14,
    "webpbn-redist/*.nin": 1,
    "jwilk-nin/data/*.nin": 151,
    "mikix/db/**/*.non": 39,
    "lqmon/dataset/*/*.txt": 300,
    "number-loom/examples/png/*.png": 35,
    "picross-solver/inputs/*.non": 1,
    "picross-solver/inputs/*.nin": 1,
}
TRIDDLERS = ("cut_and_polished", "wake_up")
LABELLED = ("jwilk", "mikix", "lqmon_easy", "lqmon_medium", "lqmon_hard")


def unknown_after_line_solving(puzzle: Puzzle) -> int:
    return Grid(LineSolver(puzzle).propagate().candidates).unknown_cells


@pytest.mark.parametrize("pattern", COUNTS)
def test_every_file_parses(datasets: Path, pattern: str) -> None:
    assert sum(1 for path in datasets.glob(pattern) for _ in load_all(path)) == COUNTS[pattern]


@pytest.mark.parametrize("name", LABELLED)
def test_line_solving_leaves_as_many_unknown_cells_as_the_label_says(datasets: Path, name: str) -> None:
    with (datasets / "labels" / f"{name}.csv").open() as file:
        labels = list(csv.DictReader(file))
    assert labels
    for label in labels:
        puzzle = load(datasets / label["name"])
        assert puzzle.shape == (int(label["height"]), int(label["width"])), label["name"]
        unknown = unknown_after_line_solving(puzzle)
        assert unknown == int(label["unknown_after_line_solving"]), label["name"]
        assert (unknown == 0) == (label["line_solvable"] == "1"), label["name"]


def test_the_tournament_puzzles_agree_with_their_labels(datasets: Path) -> None:
    with (datasets / "labels" / "tournament_taai2011.csv").open() as file:
        labels = list(csv.DictReader(file))
    puzzles = {f"taai2011.txt#{p.title}": p for p in load_all(datasets / "tournament" / "taai2011.txt")}
    for label in labels:
        unknown = unknown_after_line_solving(puzzles[label["name"]])
        assert unknown == int(label["unknown_after_line_solving"]), label["name"]


def test_an_empty_line_of_a_tournament_set_is_a_clue(datasets: Path) -> None:
    puzzles = load_all(datasets / "tournament" / "icga2020.txt")
    empty = Counter(sum(not clue for clue in (*p.rows, *p.columns)) for p in puzzles)
    assert empty == {0: 999, 1: 1}


def test_number_loom_puzzles_parse(datasets: Path) -> None:
    paths = (datasets / "number-loom" / "puzzles").glob("*.xml")
    puzzles = [load(path) for path in paths if path.stem not in TRIDDLERS]
    assert Counter(puzzle.palette.is_one_colour for puzzle in puzzles) == {True: 24, False: 7}


@pytest.mark.parametrize("name", TRIDDLERS)
def test_triddlers_are_refused(datasets: Path, name: str) -> None:
    with pytest.raises(
        FormatError, match=f"{name}.xml:3: a puzzle of type 'triddler', which is no rectangular"
    ):
        load(datasets / "number-loom" / "puzzles" / f"{name}.xml")


def test_pictures_and_the_puzzles_made_of_them_are_the_same(datasets: Path) -> None:
    folder = datasets / "number-loom"
    pictures = {load(path).canonical_hash for path in (folder / "examples" / "png").glob("*.png")}
    puzzles = [load(path) for path in (folder / "puzzles").glob("*.xml") if path.stem not in TRIDDLERS]
    pairs = [puzzle for puzzle in puzzles if puzzle.canonical_hash in pictures]
    assert Counter(len(puzzle.palette) for puzzle in pairs) == {2: 19, 3: 6}


@pytest.mark.parametrize("number", [1, 6, 16, 21, 529])
def test_one_puzzle_in_two_formats_is_the_same(datasets: Path, number: int) -> None:
    xml = load(datasets / "webpbn-redist" / f"{number}.xml")
    non = load(datasets / "mikix" / "db" / "webpbn" / f"{number}.non")
    assert xml.canonical_hash == non.canonical_hash
    assert xml.goal == non.goal
    assert xml.author == non.author == "Jan Wolter"


def test_the_colour_puzzles_of_webpbn_have_the_goal_that_line_solving_finds(datasets: Path) -> None:
    for path in sorted((datasets / "webpbn-redist").glob("webpbn-color-*.xml")):
        puzzle = load(path)
        found = LineSolver(puzzle).propagate()
        assert puzzle.goal is not None
        assert np.array_equal(found.candidates & puzzle.goal.candidates, puzzle.goal.candidates), path.name


def test_the_bad_puzzles_are_bad_in_the_way_their_names_say(datasets: Path) -> None:
    folder = datasets / "bad"
    with pytest.raises(PuzzleError, match="the rows have 3 black cells and the columns 1"):
        load(folder / "invalidPuzzle.json")
    assert LineSolver(load(folder / "unsolvablePuzzle.json")).propagate().contradiction is not None
    for name in ("ambiguous2", "ambiguousPuzzle"):
        assert unknown_after_line_solving(load(folder / f"{name}.json")) > 0


def test_the_first_puzzles_of_a_set_come_without_reading_the_rest(datasets: Path) -> None:
    titles = [p.title for p in islice(load_all(datasets / "tournament" / "tcga2017.txt"), 3)]
    assert titles == ["1", "2", "3"]
