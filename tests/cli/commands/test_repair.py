"""``nonocsp repair``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from typer.testing import Result

from nonocsp import Grid, load, save, solve
from nonocsp.model import Puzzle

Cli = Callable[..., Result]
Files = Callable[[str], Path]


def test_the_ambiguous_cells_and_the_repairs_are_shown(cli: Cli, files: Files) -> None:
    result = cli("repair", files("multiple"))
    assert result.exit_code == 0
    assert "several solutions: 4 cells are ambiguous" in result.stdout
    assert "? ?" in result.stdout
    assert "black to white" in result.stdout or "white to black" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[1:])


def test_a_unique_puzzle_is_left_alone_and_an_impossible_one_cannot_be_repaired(
    cli: Cli, files: Files
) -> None:
    result = cli("repair", files("unique"))
    assert (result.exit_code, "nothing to repair" in result.stdout) == (0, True)
    result = cli("repair", files("unsat"))
    assert (result.exit_code, "no grid has these clues" in result.stdout) == (1, True)


def test_json_names_cells_from_one_and_the_repaired_grids_are_unique(cli: Cli, files: Files) -> None:
    path = files("multiple")
    record = json.loads(cli("repair", "--json", "--best", 2, path).stdout)
    assert (record["answer"], record["fine"], record["all_ambiguous"]) == ("multiple", False, True)
    assert min(min(cell) for cell in record["ambiguous"]) == 1
    assert len(record["repairs"]) == 2
    for repair in record["repairs"]:
        (change,) = repair["changes"]
        assert change["before"] != change["after"]
        puzzle = Puzzle.from_grid(Grid.from_strings(repair["solutions"][0]))
        assert solve(puzzle).answer == "unique"


def test_the_best_repair_is_saved_as_a_puzzle_or_as_a_picture_with_marks(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    for name in ("repaired.json", "repaired.svg", "repaired.png"):
        assert cli("repair", "--output", tmp_path / name, files("multiple")).exit_code == 0
    assert solve(load(tmp_path / "repaired.json")).answer == "unique"
    assert (tmp_path / "repaired.png").read_bytes().startswith(b"\x89PNG")
    lines = ElementTree.parse(tmp_path / "repaired.svg").iter("{http://www.w3.org/2000/svg}line")
    marks = [line for line in lines if line.get("stroke") == "#e6007e"]
    assert len(marks) == 4 * (4 + 1)  # the sides of four ambiguous cells and of one that is changed


def test_too_few_changes_are_said_to_be_too_few(cli: Cli, tmp_path: Path) -> None:
    scattered = ["#......", ".#.....", ".......", "...#...", "....#..", ".....#.", "......#"]
    path = tmp_path / "scattered.json"
    save(Puzzle.from_grid(Grid.from_strings(scattered)), path)
    result = cli("repair", "--max-changes", 1, path)
    assert result.exit_code == 1
    assert "no repair found that changes one cell; no single cell suffices" in result.stdout


def test_one_file_holds_one_repair(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    save([Puzzle.from_grid(Grid.from_strings(["#.", ".#"]))] * 2, path)
    result = cli("repair", "--output", tmp_path / "out.svg", path)
    assert (result.exit_code, "choose one puzzle with --index" in result.stderr) == (2, True)
