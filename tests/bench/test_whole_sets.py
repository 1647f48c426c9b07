"""Programs that take a whole set at once: sets are put together, run, and divided puzzle by puzzle."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.backends.registry import create
from nonocsp.bench import load_config, run_campaign
from nonocsp.bench.whole_sets import measured
from nonocsp.formats import save
from nonocsp.model import Grid, Puzzle, UsageError
from nonocsp.run.jobs import Job, Measurement
from nonocsp.run.local import WarmExecutor

GRIDS = (["#.#", "###", ".#."], ["...", "...", "..."], ["..#", "...", "#.."], ["###", "#.#", "###"])
PUZZLES = [Puzzle.from_grid(Grid.from_strings(grid)) for grid in GRIDS]
ROWS = ["".join(f"{line}\\n" for line in grid) for grid in GRIDS]


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def run(tmp_path) -> Callable[..., list[Measurement]]:
    def run(text: str, puzzles: list[Puzzle] = PUZZLES, wall: float = 20, **rest: Any) -> list[Measurement]:
        command = [script(tmp_path / "program", text)]
        spec = json.dumps({"name": "p", "command": command, "given": "set", "input": "tournament", **rest})
        jobs = [Job(p, spec, Request(limits=Limits(wall=wall)), str(i)) for i, p in enumerate(puzzles)]
        with WarmExecutor() as executor:
            found = {int(job.id): one for job, one in measured(executor, jobs)}
        return [found[i] for i in range(len(puzzles))]

    return run


def printing(rows: list[str], between: str = "") -> str:
    """Return a script that prints the grid of each puzzle under its number."""
    return between.join(f"printf '${i + 1}\\n{grid}'\n" for i, grid in enumerate(rows))


def test_a_wrong_grid_spoils_its_own_puzzle_only(run):
    wrong = printing([ROWS[0], ROWS[0], *ROWS[2:]]).replace("\n", ";").rstrip(";")
    found = [
        one.outcome
        for one in run(f"test $(grep -c '[$]') = 4 || exit 3; ({wrong}) > out.txt", output_file="out.txt")
    ]
    assert [str(one.termination) for one in found] == ["ok", "crashed", "ok", "ok"]
    assert found[1].wrong
    assert "wrong answer" in found[1].message


def test_what_came_before_the_limit_or_a_crash_is_kept(run):
    begin = f"printf '$1\\n{ROWS[0]}$3\\n{ROWS[2]}'"
    for text, how in ((f"{begin}; sleep 300", Termination.WALL), (f"{begin}; exit 9", Termination.CRASHED)):
        found = [one.outcome for one in run(text, wall=0.3)]
        assert [one.answer for one in found] == [Answer.SOLVED, "unknown", Answer.SOLVED, "unknown"]
        assert [found[1].termination, found[3].termination] == [how, how]
    assert "exit code 9" in found[1].message


def test_sets_have_one_shape_and_colours_are_refused(run):
    colours = Puzzle.from_clues([[1, (1, 2)]], [[1], [(1, 2)]])
    other = Puzzle.from_clues([[1]], [[1]])
    text = f"if [ $(grep -c '[$]') = 1 ]; then echo 1; else printf '{''.join(ROWS)}'; fi"
    found = [one.outcome for one in run(text, [*PUZZLES[:2], colours, other, *PUZZLES[2:]])]
    assert [one.termination for one in found] == ["ok", "ok", "unsupported", "ok", "ok", "ok"]


def test_a_campaign_has_a_row_for_each_puzzle_of_a_set(tmp_path):
    save(PUZZLES, tmp_path / "set.txt", format="tournament")
    script(tmp_path / "program", printing(ROWS))
    (tmp_path / "own.yaml").write_text(
        "name: own\npuzzles: [{file: set.txt}]\ntask: solve\nlimits: {wall: 20}\n"
        "backends: [hybrid, {name: whole, command: [./program], given: set, input: tournament}]\n"
    )
    result = run_campaign(load_config(tmp_path / "own.yaml"), tmp_path / "out")
    rows = [row for row in result.rows if row["backend"] == "whole"]
    assert sorted(row["index"] for row in rows) == [1, 2, 3, 4]
    assert {row["answer"] for row in rows} == {"solved"}
    assert {row["stats"]["set_size"] for row in rows} == {4}
    assert result.is_sound


@pytest.mark.parametrize("rest", [{"input": "nin"}, {"output": "json"}, {"colours": True}])
def test_a_set_needs_a_format_that_holds_many(rest, tmp_path):
    spec = {
        "name": "p",
        "command": [script(tmp_path / "p", "")],
        "given": "set",
        "input": "tournament",
        **rest,
    }
    with pytest.raises(UsageError, match="given: set needs an input with many puzzles"):
        create(json.dumps(spec))
