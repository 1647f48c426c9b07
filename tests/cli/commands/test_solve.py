"""``nonocsp solve``: answers, exit codes, output in every form, limits, Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from typer.testing import Result

from nonocsp.formats import load_all, save
from nonocsp.model import Grid, Puzzle, verify
from tests.waiting import AMPLE_S

Cli = Callable[..., Result]
Files = Callable[[str], Path]
Start = Callable[..., "subprocess.Popen[str]"]
KEYS = {
    *("puzzle", "index", "rows", "columns", "backend", "task", "answer", "termination"),
    *("wall_s", "cpu_s", "solutions", "stats"),
}


def records(result: Result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("name", "task", "expected"),
    [
        ("unique", "decide", ("unique", 0)),
        ("multiple", "decide", ("multiple", 1)),
        ("unsat", "decide", ("unsat", 1)),
        ("multiple", "solve", ("solved", 0)),
        ("unsat", "solve", ("unsat", 1)),
        ("multiple", "count", ("multiple", 0)),
        ("unique", "count", ("unique", 0)),
        ("unsat", "count", ("unsat", 1)),
    ],
)
def test_the_answer_and_the_exit_code_match_the_task(
    cli: Cli, files: Files, name: str, task: str, expected: tuple[str, int]
) -> None:
    result = cli("solve", files(name), "--task", task, "--json")
    [record] = records(result)
    assert (record["answer"], result.exit_code) == expected
    assert (record["termination"], record["task"]) == ("ok", task)
    [puzzle] = load_all(files(name))
    assert all(verify(puzzle, Grid.from_strings(solution)) for solution in record["solutions"])


def test_json_is_one_object_a_line_with_the_projects_keys_and_nothing_else(cli: Cli, files: Files) -> None:
    found = records(cli("solve", files("set"), files("unique"), "--json"))
    assert all(set(record) == KEYS for record in found)
    path, single = str(files("set")), str(files("unique"))
    assert [record["puzzle"] for record in found] == [f"{path}#1", f"{path}#2", f"{path}#3", single]
    assert [record["index"] for record in found] == [1, 2, 3, 1]
    assert found[0]["solutions"] == [["#.#", "###", ".#."]]


def test_text_shows_grid_clues_answer_termination_time_and_statistics(cli: Cli, files: Files) -> None:
    lines = cli("solve", files("unique"), "--backend", "settle").stdout.splitlines()
    assert lines[0] == f'{files("unique")}: 3x3, "Cat"'
    assert lines[2:6] == ["    2 2 2", "1 1 # . #", "  3 # # #", "  1 . # ."]
    assert [line.split()[0] for line in lines[7:11]] == ["answer", "termination", "time", "statistics"]
    assert lines[7].split() == ["answer", "unique"]


def test_text_shows_two_different_solutions_of_an_ambiguous_puzzle(cli: Cli, files: Files) -> None:
    text = cli("solve", files("multiple")).stdout
    first, second = text.split("solution 1\n")[1].split("solution 2\n")
    assert first.splitlines()[:3] != second.splitlines()[:3]


def test_a_method_that_gets_stuck_shows_its_partial_grid(cli: Cli, files: Files) -> None:
    result = cli("solve", files("multiple"), "--backend", "settle")
    assert result.exit_code == 1
    assert "partial (4 cells undecided)" in result.stdout
    assert result.stdout.count("?") == 4


@pytest.mark.parametrize(
    ("settings", "painted"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colours_are_for_terminals_without_no_color(
    cli: Cli, files: Files, settings: dict[str, str], painted: bool
) -> None:
    text = cli("solve", files("unique"), **settings).stdout
    assert ("\x1b[" in text) == painted
    assert ("# . #" in text) != painted


def test_output_wider_than_the_terminal_is_folded(cli: Cli, tmp_path: Path) -> None:
    save(Puzzle.from_grid(Grid.from_cells([[1] * 60])), tmp_path / "wide.json")
    settings = {"FORCE_COLOR": "1", "NO_COLOR": "1", "COLUMNS": "40"}
    text = cli("solve", tmp_path / "wide.json", **settings).stdout
    assert "columns 1 to 40\n" + "#" * 40 + "\ncolumns 41 to 60\n" + "#" * 20 in text


def test_a_puzzle_can_come_from_standard_input(cli: Cli, files: Files) -> None:
    [record] = records(cli("solve", "-", "--json", input=files("unique").read_bytes()))
    assert (record["puzzle"], record["answer"]) == ("-", "unique")


def test_output_json_holds_the_records_and_the_screen_no_grids(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    result = cli("solve", files("set"), "--output", tmp_path / "out.json")
    found = [json.loads(line) for line in (tmp_path / "out.json").read_text().splitlines()]
    assert [record["answer"] for record in found] == ["unique", "multiple", "unsat"]
    assert "#." not in result.stdout
    assert result.stdout.count("answer ") == 3


def test_output_text_equals_the_output_in_a_pipe(cli: Cli, files: Files, tmp_path: Path) -> None:
    cli("solve", files("set"), "--backend", "settle", "--output", tmp_path / "out.txt")
    piped = cli("solve", files("set"), "--backend", "settle").stdout

    def without_times(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith("time")]

    assert without_times((tmp_path / "out.txt").read_text()) == without_times(piped)


def test_output_svg_and_png_are_pictures_of_the_solution(cli: Cli, files: Files, tmp_path: Path) -> None:
    cli("solve", files("unique"), "--output", tmp_path / "out.svg")
    cli("solve", files("unique"), "--output", tmp_path / "out.png")
    root = ElementTree.parse(tmp_path / "out.svg").getroot()
    image = Image.open(BytesIO((tmp_path / "out.png").read_bytes()))
    assert image.size == (int(root.get("width")), int(root.get("height")))


def test_pictures_of_solutions_can_have_patterns(cli: Cli, tmp_path: Path) -> None:
    puzzle = tmp_path / "two.json"
    save(Puzzle.from_grid(Grid.from_cells([[1, 2]])), puzzle)
    for suffix in (".svg", ".png"):
        plain, hatched = tmp_path / f"plain{suffix}", tmp_path / f"hatched{suffix}"
        assert cli("solve", puzzle, "--output", plain).exit_code == 0
        assert cli("solve", puzzle, "--output", hatched, "--patterns").exit_code == 0
        assert plain.read_bytes() != hatched.read_bytes()


def test_a_second_picture_for_one_file_is_refused_and_the_first_is_kept(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    result = cli("solve", files("set"), "--output", tmp_path / "out.svg")
    assert result.exit_code == 2
    assert "--index" in result.stderr
    assert ElementTree.parse(tmp_path / "out.svg").getroot() is not None


def test_a_bug_in_a_backend_is_not_hidden(cli: Cli, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("nonocsp.backends.settle.Settle.search", search)
    result = cli("solve", files("unique"), "--backend", "settle")
    assert isinstance(result.exception, ZeroDivisionError)
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("args", "termination"), [(["--limit", "300ms"], "wall"), (["--memory", "1MiB"], "memory")]
)
def test_a_limit_ends_the_run_with_code_3(cli: Cli, hard: Path, args: list[str], termination: str) -> None:
    result = cli("solve", hard, *args, "--json")
    [record] = records(result)
    assert (record["answer"], record["termination"]) == ("unknown", termination)
    assert result.exit_code == 3


@pytest.mark.parametrize("more", [["--json"], [], ["--json", "--limit", "1min"]])
def test_several_jobs_change_only_times(cli: Cli, files: Files, more: list[str]) -> None:
    outputs = []
    for jobs in (1, 3):
        result = cli("solve", files("set"), files("unique"), "--backend", "gac", "--jobs", jobs, *more)
        times = r'"(wall|cpu)_s": [^,]*,|time .*'
        outputs.append((re.sub(times, "", result.stdout), result.stderr, result.exit_code))
    assert outputs[0] == outputs[1]
    assert outputs[0][0].count("unique") >= 2
    assert outputs[0][2] == 1


def test_several_jobs_show_progress_on_a_terminal_without_disturbing_the_results(files: Files) -> None:
    driver, terminal = pty.openpty()
    command = [sys.executable, "-c", "from nonocsp.cli import main; main()", "solve", files("set"), "--json"]
    with subprocess.Popen([*command, "--jobs", "2"], stdout=subprocess.PIPE, stderr=terminal) as process:
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError):  # that is how a terminal ends
            while chunk := os.read(driver, 1 << 12):
                shown += chunk
        os.close(driver)
        assert [json.loads(line)["index"] for line in process.stdout.readlines()] == [1, 2, 3]
    assert b"3/?" in shown


def test_with_several_jobs_too_puzzles_before_a_broken_file_are_kept(cli: Cli, files: Files) -> None:
    result = cli("solve", files("set"), "nosuch.non", "--json", "--jobs", 2)
    assert (result.exit_code, result.stderr) == (2, "error: nosuch.non: there is no such file\n")
    assert [record["answer"] for record in records(result)] == ["unique", "multiple", "unsat"]


@pytest.mark.parametrize(
    "limits",
    [[], ["--limit", "1min"], ["--jobs", "2"], ["--jobs", "2", "--limit", "1min"]],
    ids=["in-process", "guarded", "pool", "guarded pool"],
)
def test_ctrl_c_exits_with_130_at_once_and_keeps_the_printed_results(
    start: Start, files: Files, hard: Path, limits: list[str]
) -> None:
    with start("solve", files("unique"), hard, "--json", *limits) as process:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=AMPLE_S)
    assert json.loads(line)["answer"] == "unique"
    assert process.returncode == 130
    assert messages.endswith("unique.json\ninterrupted\n")


@pytest.mark.parametrize("backend", ["hybrid", "mdd", "sat"])
def test_a_count_is_exact_and_a_bound_is_a_lower_bound(cli: Cli, files: Files, backend: str) -> None:
    [record] = records(cli("solve", files("multiple"), "--task", "count", "--json", "-b", backend))
    assert record["count"] == len(record["solutions"]) == 2
    assert "(2 solutions)" in cli("solve", files("multiple"), "--task", "count", "-b", backend).stdout
    options = ("--task", "count", "--bound", "2", "-b", backend)
    [record] = records(cli("solve", files("multiple"), *options, "--json"))
    assert (record["count_at_least"], "count" in record) == (2, False)
    assert "(at least 2 solutions)" in cli("solve", files("multiple"), *options).stdout
