"""``nonocsp repair``."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from nonocsp import Grid, load, save, solve
from nonocsp.model import Puzzle


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("multiple", 0, "several solutions: 4 cells are ambiguous, here ?"),
        ("unique", 0, "one solution already: nothing to repair"),
        ("unsat", 1, "no grid has these clues; repair needs the picture that they are meant to show"),
    ],
)
def test_the_text_says_what_is_wrong(cli, files, name, code, said):
    result = cli("repair", files(name))
    assert (result.exit_code, said in result.stdout) == (code, True)
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[1:])
    assert ("? ?" in result.stdout) == (name == "multiple")
    assert (" to white" in result.stdout or " to black" in result.stdout) == (name == "multiple")


def test_json_names_cells_from_one_and_the_repaired_grids_are_unique(records, files):
    (record,) = records("repair", "--best", 2, files("multiple"))
    assert (record["answer"], record["fine"], record["all_ambiguous"]) == ("multiple", False, True)
    assert min(min(cell) for cell in record["ambiguous"]) == 1
    assert len(record["repairs"]) == 2
    for repair in record["repairs"]:
        (change,) = repair["changes"]
        assert change["before"] != change["after"]
        puzzle = Puzzle.from_grid(Grid.from_strings(repair["solutions"][0]))
        assert solve(puzzle).answer == "unique"


def test_the_best_repair_is_saved_as_a_puzzle_or_as_a_picture_with_marks(cli, files, here):
    for name in ("repaired.json", "repaired.svg", "repaired.png"):
        assert cli("repair", "--output", name, files("multiple")).exit_code == 0
    assert solve(load("repaired.json")).answer == "unique"
    assert Path("repaired.png").read_bytes().startswith(b"\x89PNG")
    lines = ElementTree.parse("repaired.svg").iter("{http://www.w3.org/2000/svg}line")
    marks = [line for line in lines if line.get("stroke") == "#e6007e"]
    assert len(marks) == 4 * (4 + 1)  # the sides of four ambiguous cells and of one that is changed


def test_a_puzzle_that_needs_no_repair_is_saved_as_it_is_and_an_impossible_one_is_not(cli, files, here):
    for name in ("fine.json", "fine.svg", "fine.png"):
        result = cli("repair", "--output", name, files("unique"))
        assert (result.exit_code, result.stderr) == (0, f"{name}: the puzzle as it is\n")
    puzzle = load("fine.json")
    assert puzzle.rows == load(files("unique")).rows
    assert puzzle.goal
    assert puzzle.goal.strings(puzzle.palette) == ["#.#", "###", ".#."]
    assert "#e6007e" not in Path("fine.svg").read_text()
    cli("repair", "--output", "none.json", files("unsat"))
    assert not Path("none.json").exists()


def test_too_few_changes_are_said_to_be_too_few(cli, here):
    scattered = ["#......", ".#.....", ".......", "...#...", "....#..", ".....#.", "......#"]
    save(Puzzle.from_grid(Grid.from_strings(scattered)), "scattered.json")
    result = cli("repair", "--max-changes", 1, "scattered.json")
    assert result.exit_code == 1
    assert "no repair found that changes one cell; no single cell suffices" in result.stdout


def test_one_file_holds_one_repair(cli, here):
    save([Puzzle.from_grid(Grid.from_strings(["#.", ".#"]))] * 2, "two.json")
    result = cli("repair", "--output", "out.svg", "two.json")
    assert (result.exit_code, "choose one puzzle with --index" in result.stderr) == (2, True)
