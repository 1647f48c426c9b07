"""Files by other authors, beside the checkout: each parses or is refused for the right reason.

The results match their authors' labels (line-solvable, number of solutions, the solutions).
"""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.formats import load, load_all
from nonocsp.model import FormatError, Grid, NonocspError, Puzzle, mismatches

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
    **{"1": Answer.UNIQUE, "2+": Answer.MULTIPLE},
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
    """Return the rows of a CSV file, without comments."""
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minizinc", "gecode-json"])
def test_the_number_of_solutions_matches_the_label(datasets: Path, name: str) -> None:
    """Open labels, such as >=1?, say less than the answer."""
    for label, puzzle in labelled(datasets, name):
        answer = outcome_of(puzzle).answer
        assert answer is ANSWERS.get(label["solutions"], answer), label["name"]
        assert answer is not Answer.UNSAT, label["name"]


def test_the_uniqueness_of_webpbn_puzzles_is_the_known_one(datasets: Path) -> None:
    """Knotty is left out: finding its second solution takes minutes."""
    statuses = {
        row["puzzle"]: row["status"] for row in table(datasets / "webpbn-redist/known-uniqueness.csv")
    }
    paths = {f"webpbn-{int(p.stem):05}": p for p in (datasets / "webpbn-redist").glob("[0-9]*.xml")}
    assert len(paths) == 12
    for name, path in paths.items():
        assert outcome_of(load(path)).answer is ANSWERS[statuses[name]], name


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("unsolvablePuzzle", Answer.UNSAT),
        ("ambiguousPuzzle", Answer.MULTIPLE),
        ("ambiguous2", Answer.MULTIPLE),
    ],
)
def test_the_bad_puzzles_have_the_faults_in_their_names(datasets: Path, name: str, answer: Answer) -> None:
    assert outcome_of(load(datasets / "bad" / f"{name}.json")).answer is answer


def test_the_published_solutions_of_the_minizinc_challenge_solve_its_puzzles(datasets: Path) -> None:
    paths = sorted((datasets / "minizinc" / "nonogram").glob("*.out"))
    assert len(paths) == 20
    for path in paths:
        numbers = re.search(r"array2d\(1\.\.(\d+), 1\.\.(\d+), \[([^]]*)\]", path.read_text())
        assert numbers
        cells = np.array(numbers[3].split(","), int).reshape(int(numbers[1]), int(numbers[2]))
        assert mismatches(load(path.with_suffix(".dzn")), Grid.from_cells(cells - 1)) == []  # 2 is filled


@pytest.mark.parametrize("name", ["dragonfly", "p200"])
def test_padded_clues_and_lists_of_clues_give_the_same_puzzle(datasets: Path, name: str) -> None:
    dzn = load(datasets / "csplib" / f"nonogram_{name}.dzn")
    assert dzn.canonical_hash == gecode_puzzles(datasets)[name].canonical_hash


def test_the_dominoes_of_two_authors_are_equal(datasets: Path) -> None:
    picross = {p.shape: p for p in load_all(datasets / "picross-solver/inputs/domino_logic.txt")}
    for name in ("dom_06", "dom_08"):
        dzn = load(datasets / "minizinc" / "nonogram" / f"{name}.dzn")
        assert dzn.canonical_hash == picross[dzn.shape].canonical_hash


def test_essence_parameters_hold_the_csplib_puzzles_with_trailing_zeros(
    datasets: Path, tmp_path: Path
) -> None:
    """Essence is refused as another language, but its tables are those of a ``.dzn`` file."""
    with zipfile.ZipFile(datasets / "csplib" / "params.zip") as archive:
        archive.extractall(tmp_path)
    with pytest.raises(FormatError, match="the format is not recognised"):
        load(tmp_path / "params" / "phard.param")
    essence = (tmp_path / "params" / "phard.param").read_text()
    tables = [re.findall(r"\[([\d,]+)\]", text) for text in essence.split("letting")[3:]]
    rows, columns = ("|".join(lines) for lines in tables)
    path = tmp_path / "phard.dzn"
    path.write_text(f"row_rules = [|{rows}|];\ncol_rules = [|{columns}|];\n")
    assert load(path).canonical_hash == load(datasets / "csplib/nonogram_soccer_player.dzn").canonical_hash


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


REASONS = {
    r"rows \((\d+)\) and columns \((\d+)\) do not": "#1: the rows have {} black cells and the columns {};",
    r"Invalid height = 0": ":49: the grid 'False note' has no rows;",
    r"Height = (\d+) .*\[ (.*) \].* = (\d+)": "#1: column 1: the clue {1} needs {2} cells, the line has {0}",
    r"Width = (\d+) .*\[ (.*) \].* = (\d+)": "#1: row 1: the clue {1} needs {2} cells, the line has {0}",
}
"""What picross-solver says of faulty grids, and the same in our words."""


def test_picross_solver_gives_the_same_reasons_for_its_faulty_grids(datasets: Path, tmp_path: Path) -> None:
    rows = [row for row in invalid_grids(datasets) if row["Valid"] == "ERR"]
    assert len(rows) == len(REASONS)
    for row in rows:
        ((found, reason),) = [(m, REASONS[p]) for p in REASONS if (m := re.search(p, row["Misc"]))]
        path = tmp_path / "one.txt"
        path.write_text("\n".join(only_grid(datasets, row["Grid"])))
        with pytest.raises(NonocspError, match=re.escape(f"{path}{reason.format(*found.groups())}")):
            load(path)


def test_the_contradictory_grids_of_picross_solver_are_unsolvable(datasets: Path, tmp_path: Path) -> None:
    titles = [row["Grid"] for row in invalid_grids(datasets) if row["Misc"] == "Contradictory grid"]
    assert titles == ["Impossible", "Zero"]
    for title in titles:
        path = tmp_path / "one.txt"
        path.write_text("\n".join(only_grid(datasets, title)))
        assert outcome_of(load(path)).answer is Answer.UNSAT


def test_picross_solver_finds_a_syntax_error_in_the_same_line(datasets: Path, tmp_path: Path) -> None:
    (misc,) = (row["Misc"] for row in invalid_grids(datasets) if "PARSING" in row["Misc"])
    ((token, line, text),) = re.findall(r"Invalid token (\w+).* on line (\d+): (.*)", misc)
    path = tmp_path / "one.txt"
    path.write_text("\n".join([*only_grid(datasets, "Zero"), text]))
    puzzles = load_all(path)
    assert next(puzzles).title == "Zero"
    with pytest.raises(FormatError, match=rf"one\.txt:{line}:1: '{token}' is out of place"):
        next(puzzles)


def invalid_grids(datasets: Path) -> list[dict[str, str]]:
    rows = table(datasets / "picross-solver" / "validation.csv")
    return [row for row in rows if row["File"] == "invalid_input.txt"]


def only_grid(datasets: Path, wanted: str) -> list[str]:
    """Return the lines of the file of faulty grids, with all other grids blanked to keep the line numbers."""
    lines = (datasets / "picross-solver" / "inputs" / "invalid_input.txt").read_text().splitlines()
    kept, title = [], ""
    for line in lines[:-1]:  # the last one is the syntax error
        title = line.removeprefix("GRID ") if line.startswith("GRID") else title
        kept.append(line if title == wanted else "")
    return kept


def test_the_tournament_puzzles_agree_with_their_labels(datasets: Path) -> None:
    puzzles = {f"taai2011.txt#{p.title}": p for p in load_all(datasets / "tournament" / "taai2011.txt")}
    for label in table(datasets / "labels" / "tournament_taai2011.csv"):
        unknown = unknown_after_line_solving(puzzles[label["name"]])
        assert unknown == int(label["unknown_after_line_solving"]), label["name"]


def test_an_empty_line_of_a_tournament_set_is_a_clue(datasets: Path) -> None:
    puzzles = load_all(datasets / "tournament" / "icga2020.txt")
    empty = Counter(sum(not clue for clue in (*p.rows, *p.columns)) for p in puzzles)
    assert empty == {0: 999, 1: 1}


def test_number_loom_puzzles_have_one_solution_in_one_or_two_colours(datasets: Path) -> None:
    puzzles = number_loom_puzzles(datasets)
    assert Counter(puzzle.palette.is_one_colour for puzzle in puzzles) == {True: 24, False: 7}
    assert {outcome_of(puzzle).answer for puzzle in puzzles} == {Answer.UNIQUE}


def number_loom_puzzles(datasets: Path) -> list[Puzzle]:
    paths = (datasets / "number-loom" / "puzzles").glob("*.xml")
    return [load(path) for path in paths if path.stem not in ("cut_and_polished", "wake_up")]


def test_pictures_and_the_puzzles_made_from_them_are_equal(datasets: Path) -> None:
    folder = datasets / "number-loom"
    pictures = {load(path).canonical_hash for path in (folder / "examples" / "png").glob("*.png")}
    pairs = [puzzle for puzzle in number_loom_puzzles(datasets) if puzzle.canonical_hash in pictures]
    assert Counter(len(puzzle.palette) for puzzle in pairs) == {2: 19, 3: 6}


@pytest.mark.parametrize("number", [1, 6, 16, 21, 529])
def test_the_same_puzzle_in_two_formats_is_equal(datasets: Path, number: int) -> None:
    xml = load(datasets / "webpbn-redist" / f"{number}.xml")
    non = load(datasets / "mikix" / "db" / "webpbn" / f"{number}.non")
    assert xml.canonical_hash == non.canonical_hash
    assert xml.goal == non.goal
    assert xml.author == non.author == "Jan Wolter"


def test_line_solving_finds_the_goals_of_the_colour_puzzles_of_webpbn(datasets: Path) -> None:
    for path in sorted((datasets / "webpbn-redist").glob("webpbn-color-*.xml")):
        puzzle = load(path)
        found = LineSolver(puzzle).propagate()
        assert puzzle.goal is not None
        assert np.array_equal(found.candidates & puzzle.goal.candidates, puzzle.goal.candidates), path.name


def test_the_first_puzzles_of_a_set_are_read_without_the_rest(datasets: Path) -> None:
    titles = [p.title for p in islice(load_all(datasets / "tournament" / "tcga2017.txt"), 3)]
    assert titles == ["1", "2", "3"]
