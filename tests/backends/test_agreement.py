"""Complete backends agree on random grids of 5 to 12 lines; the measurement behind it sees where one lies."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import typer

from benchmarks.agreement import BOUND, main, random_puzzles
from nonocsp.backends.base import Limits, Request, Task
from nonocsp.backends.registry import complete_names, create
from nonocsp.backends.run import run_backend
from nonocsp.bench.checking import Checked, Finding
from nonocsp.engine import StopFlag
from nonocsp.formats import NamedPuzzle, save

SPECS = dict.fromkeys(complete_names(), 15)
REQUEST = Request(Task.COUNT, Limits(wall=20), bound=BOUND)


def checked(source: NamedPuzzle, *specs: str) -> Checked:
    outcomes = {spec: run_backend(create(spec), source.puzzle, REQUEST, StopFlag()) for spec in specs}
    return Checked.of(source, REQUEST, outcomes)


def test_a_backend_agrees_with_another(backend_spec: str, sample: int) -> None:
    other = "cpsat" if backend_spec.startswith("sat") else "sat"
    for source in islice(random_puzzles(150), 0, None, sample):
        found = checked(source, backend_spec, other)
        assert found.disagreements == []
        assert found.finding is Finding.AGREED, (source.name, found.outcomes)


def test_random_puzzles_are_of_every_size_and_number_of_colours_and_fixed_by_the_seed() -> None:
    puzzles = [source.puzzle for source in random_puzzles(300)]
    assert {size for puzzle in puzzles for size in puzzle.shape} == set(range(5, 13))
    assert {len(puzzle.palette) - 1 for puzzle in puzzles} == {1, 2, 3}
    assert all(puzzle.goal is None for puzzle in puzzles)
    assert puzzles[:5] == [source.puzzle for source in random_puzzles(5)]
    assert puzzles[:5] != [source.puzzle for source in random_puzzles(5, seed=1)]


def exit_code(**options: Any) -> int:
    with pytest.raises(typer.Exit) as leaving:
        main(**options)
    return leaving.value.exit_code


def test_the_measurement_prints_a_table_of_how_every_run_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(puzzles=5, backends="settle,sat,twosat", jobs=1) == 0
    first, _, head, _, *rows = capsys.readouterr().out.splitlines()
    assert first == "5 puzzles: 5 agreed, 0 disagreed"
    assert head.startswith("| backend | ")
    assert [row.split("`")[1] for row in rows if row] == ["settle", "sat", "twosat"]
    assert all(sum(map(int, row.split("|")[2:-2])) == 5 for row in rows if row)


@pytest.mark.usefixtures("unruly")
def test_the_measurement_tells_who_lies_about_what_and_saves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(puzzles=1, backends="sat,deny", jobs=1, save=tmp_path) == 1
    text = capsys.readouterr().out
    assert "DISAGREEMENT random#1: deny answered unsat, sat has a solution" in text
    assert len(list(tmp_path.glob("*.claims.json"))) == 1
    assert f"random#1: saved as {tmp_path}" in text


def test_the_measurement_takes_a_folder_with_a_part_of_its_tournament_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tournament").mkdir()
    puzzles = [source.puzzle for source in random_puzzles(7)]
    save(puzzles, tmp_path / "tournament" / "set.jsonl")
    save(puzzles[:3], tmp_path / "three.jsonl")
    (tmp_path / "README").write_text("no puzzle at all\n")
    assert exit_code(datasets=tmp_path, thin=3, backends="sat,twosat", jobs=1) == 0
    text = capsys.readouterr().out
    assert "6 puzzles: 6 agreed" in text
    assert "README" in text.partition("No puzzle:")[2]
