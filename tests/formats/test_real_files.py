"""Files by other authors, beside the checkout: each parses or is refused for the right reason.

The results match their authors' labels (line-solvable, number of solutions, the solutions).
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.formats import load, load_all
from nonocsp.model import Grid, NonocspError, Puzzle, mismatches

COUNTS = {
    "tournament/*.txt": 5000,
    "webpbn-redist/*.xml": 14,
    "webpbn-redist/*.nin": 1,
    "webpbn-redist/frans_faase.txt": 1,
    "jwilk-nin/data/*.nin": 151,
    "mikix/db/**/*.non": 39,
    "lqmon/dataset/*/*.txt": 300,
    "number-loom/examples/png/*.png": 35,
    "number-loom/examples/char-grid/unicode_colors.txt": 1,
    "number-loom/puzzles/[!cw]*.xml": 30,
    "number-loom/puzzles/what_is_it.xml": 1,
    "picross-solver/inputs/*.non": 1,
    "picross-solver/inputs/*.nin": 1,
    "picross-solver/inputs/test_pattern_*.txt": 15,
    "picross-solver/inputs/example_input.txt": 2,
    "picross-solver/inputs/domino_logic.txt": 7,
    "minizinc/nonogram/*.dzn": 26,
    "csplib/*.dzn": 3,
    "gecode-json/*.json": 19,
    "bad/am*.json": 2,
    "bad/unsolvablePuzzle.json": 1,
}
"""How many puzzles the files have that parse."""

REFUSED = {
    "bad/invalidPuzzle.json": "#1: the rows have 3 black cells and the columns 1; both must be the same",
    "number-loom/puzzles/cut_and_polished.xml": ":3: a puzzle of type 'triddler', which is no rectangular",
    "number-loom/puzzles/wake_up.xml": ":3: a puzzle of type 'triddler', which is no rectangular",
    "number-loom/examples/char-grid/ladle.txt": ":1:2: '◢' is no cell; expected a full solution of whole",
    "number-loom/examples/char-grid/usb_type_a_no_emblem.txt": ":2:26: '◢' is no cell; expected a full",
    "number-loom/examples/triddler/blob.g": ":1: a triddler, which is no rectangular nonogram; expected",
    "picross-solver/inputs/invalid_input.txt": "#1: the rows have 153 black cells and the columns 154",
    "csplib/params.zip": " has no file with a suffix of puzzles",
    "minizinc/nonogram/*.out": ": the format is not recognised",
    "[!l]*/*.csv": ": the format is not recognised",
    "*/README.txt": ": the format is not recognised",
}
"""What the message says about files that do not."""

NO_PUZZLES = ("README.md", "labels/*", "*/LICENSE*", "*/.commit", "lqmon/dataset/*/*.png")
"""What is not to be read: texts about the puzzles, and drawings in which a cell is many pixels."""

ANSWERS = {
    **{"0": Answer.UNSAT, "1": Answer.UNIQUE, "2+": Answer.MULTIPLE},
    **{"UNIQUE": Answer.UNIQUE, "MULTIPLE": Answer.MULTIPLE},
    **{"OK": Answer.UNIQUE, "MULT": Answer.MULTIPLE},
}
"""What a verdict is called in labels/, in known-uniqueness.csv and in validation.csv."""

LABELLED = (
    "jwilk",
    "mikix",
    "lqmon_easy",
    "lqmon_medium",
    "lqmon_hard",
    "minizinc",
    "gecode-json",
    "picross_txt",
)


def table(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def labelled(datasets: Path, name: str) -> Iterator[tuple[dict[str, str], Puzzle]]:
    """Yield the rows of a table of labels whose puzzles exist and can be read, with the puzzles."""
    for label in table(datasets / "labels" / f"{name}.csv"):
        file, _, title = label["name"].partition(":")
        if name == "gecode-json":
            yield label, gecode_puzzles(datasets)[label["name"]]
        elif (datasets / file).exists() and "invalid" not in file:
            yield label, next(p for p in load_all(datasets / file) if title in ("", p.title))


@cache
def gecode_puzzles(datasets: Path) -> dict[str, Puzzle]:
    path = datasets / "gecode-json" / "gecode_specs.json"
    names = [specification["name"] for specification in json.loads(path.read_text())]
    return dict(zip(names, load_all(path), strict=True))


def outcome_of(puzzle: Puzzle, task: Task = Task.DECIDE) -> Outcome:
    return run_backend(create("sat"), puzzle, Request(task), StopFlag())


def unknown_after_line_solving(puzzle: Puzzle) -> int:
    return Grid(LineSolver(puzzle).propagate().candidates).unknown_cells


@pytest.mark.filterwarnings("ignore:.*is read as background")
@pytest.mark.parametrize("pattern", COUNTS)
def test_every_file_parses(datasets: Path, pattern: str) -> None:
    assert sum(1 for path in datasets.glob(pattern) for _ in load_all(path)) == COUNTS[pattern]


@pytest.mark.parametrize("pattern", REFUSED)
def test_every_other_file_is_refused_for_the_right_reason(datasets: Path, pattern: str) -> None:
    paths = list(datasets.glob(pattern))
    assert paths
    for path in paths:
        with pytest.raises(NonocspError, match=re.escape(f"{path}{REFUSED[pattern]}")):
            load(path)


def test_these_tests_cover_every_file(datasets: Path) -> None:
    patterns = (*COUNTS, *REFUSED, *NO_PUZZLES)
    known = [path for pattern in patterns for path in datasets.glob(pattern) if path.is_file()]
    assert sorted(known) == sorted(path for path in datasets.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", LABELLED)
def test_the_unknown_cells_after_line_solving_match_the_label(datasets: Path, name: str) -> None:
    labels = list(labelled(datasets, name))
    assert labels
    for label, puzzle in labels:
        assert puzzle.shape == (int(label["height"]), int(label["width"])), label["name"]
        unknown = unknown_after_line_solving(puzzle)
        assert unknown == int(label["unknown_after_line_solving"]), label["name"]
        assert (unknown == 0) == (label["line_solvable"] == "1"), label["name"]


@pytest.mark.parametrize(
    "name", [*LABELLED[:5], *(pytest.param(name, marks=pytest.mark.slow) for name in LABELLED[5:])]
)
def test_the_number_of_solutions_matches_the_label(datasets: Path, name: str) -> None:
    """Open labels, such as >=1?, say less than the answer."""
    for label, puzzle in labelled(datasets, name):
        answer = outcome_of(puzzle).answer
        assert answer is ANSWERS.get(label["solutions"], answer), label["name"]
        assert label["solutions"] == "0" or answer is not Answer.UNSAT, label["name"]


def test_the_uniqueness_of_webpbn_puzzles_is_the_known_one(datasets: Path) -> None:
    """Knotty is left out: finding its second solution takes minutes."""
    statuses = {
        row["puzzle"]: row["status"] for row in table(datasets / "webpbn-redist/known-uniqueness.csv")
    }
    paths = {f"webpbn-{int(p.stem):05}": p for p in (datasets / "webpbn-redist").glob("[0-9]*.xml")}
    assert len(paths) == 12
    for name, path in paths.items():
        assert outcome_of(load(path)).answer is ANSWERS[statuses[name]], name


def test_the_published_solutions_of_the_minizinc_challenge_solve_its_puzzles(datasets: Path) -> None:
    paths = sorted((datasets / "minizinc" / "nonogram").glob("*.out"))
    assert len(paths) == 20
    for path in paths:
        numbers = re.search(r"array2d\(1\.\.(\d+), 1\.\.(\d+), \[([^]]*)\]", path.read_text())
        assert numbers
        cells = np.array(numbers[3].split(","), int).reshape(int(numbers[1]), int(numbers[2]))
        assert mismatches(load(path.with_suffix(".dzn")), Grid.from_cells(cells - 1)) == []  # 2 is filled


def test_picross_solver_finds_the_same_difficulty_and_solutions_of_its_valid_grids(
    datasets: Path,
) -> None:
    folder = datasets / "picross-solver"
    expected = [row for row in table(folder / "validation.csv") if row["Valid"] in ANSWERS]
    assert len(expected) == 24
    for row in expected:
        puzzle = next(p for p in load_all(folder / "inputs" / row["File"]) if p.title == row["Grid"])
        outcome = outcome_of(puzzle, Task.COUNT)
        assert row["Size"] == f"{len(puzzle.columns)}x{len(puzzle.rows)}", row
        assert (outcome.answer, len(outcome.solutions)) == (ANSWERS[row["Valid"]], int(row["Solutions"])), row
        line_solvable = unknown_after_line_solving(puzzle) == 0
        assert line_solvable == (row["Difficulty"] == "LINE"), row


@pytest.mark.parametrize("number", [1, 6, 16, 21, 529])
def test_the_same_puzzle_in_two_formats_is_equal(datasets: Path, number: int) -> None:
    xml = load(datasets / "webpbn-redist" / f"{number}.xml")
    non = load(datasets / "mikix" / "db" / "webpbn" / f"{number}.non")
    assert xml.canonical_hash == non.canonical_hash
    assert xml.goal == non.goal
    assert xml.author == non.author == "Jan Wolter"
