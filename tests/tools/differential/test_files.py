"""Comparing backends on the puzzles of files, and on every description of 4x4."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nonocsp.formats import save
from tools.differential.__main__ import app
from tools.differential.files import every_4x4
from tools.differential.puzzles import random_puzzles


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments), "--jobs", "1"])


def test_a_comparison_takes_only_part_of_the_tournament_sets_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "tournament").mkdir()
    puzzles = list(islice(random_puzzles(3), 7))
    save(puzzles, tmp_path / "tournament" / "set.jsonl")
    save(puzzles[:3], tmp_path / "three.jsonl")
    (tmp_path / "README").write_text("no puzzle at all\n")
    result = compare("files", tmp_path, "--thin", 3, "--backends", "sat,twosat")
    assert result.exit_code == 0
    assert "6 puzzles: 6 agreed" in result.stdout
    assert "README" in result.stdout.partition("No puzzle:")[2]
    rows = [line.split("|")[2:-2] for line in result.stdout.splitlines() if line.startswith("| `")]
    assert [sum(map(int, row)) for row in rows] == [6, 6]


@pytest.mark.usefixtures("unruly")
def test_a_disagreement_names_backend_and_puzzle_and_saves_the_puzzle(tmp_path: Path) -> None:
    save(next(random_puzzles(3)), tmp_path / "one.json")
    result = compare("files", tmp_path, "--backends", "sat,deny", "--save", tmp_path / "failures")
    assert result.exit_code == 1
    assert "DISAGREEMENT one.json: deny answered unsat, sat has a solution" in result.stdout
    assert f"one.json: saved as {tmp_path}" in result.stdout
    assert len(list((tmp_path / "failures").glob("*.claims.json"))) == 1


def test_the_4x4_descriptions_are_different_named_puzzles() -> None:
    sources = list(islice(every_4x4(), 200))
    assert [source.name for source in sources] == [f"4x4#{number}" for number in range(1, 201)]
    assert {source.puzzle.shape for source in sources} == {(4, 4)}
    assert len({source.puzzle.canonical_hash for source in sources}) == 200
