"""``nonocsp solve``: answers, exit codes, output in every form, limits, Ctrl-C."""

import json
import re
import signal
import time
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from nonocsp.backends.base import Answer, Outcome, Task, Termination
from nonocsp.cli.commands.solve import of_outcome
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.formats import load_all, save
from nonocsp.model import Grid, Puzzle, verify
from tests.waiting import AMPLE_S

KEYS = {
    *("puzzle", "index", "rows", "columns", "backend", "task", "answer", "termination"),
    *("wall_s", "cpu_s", "solutions", "stats"),
}


@pytest.mark.parametrize(
    ("answer", "termination", "codes"),
    [
        ("unique", "ok", (0, 0, 0)),
        ("multiple", "ok", (1, 0, 0)),
        ("solved", "ok", (1, 0, 0)),
        ("unsat", "ok", (1, 1, 1)),
        ("partial", "ok", (1, 1, 1)),
        ("unknown", "ok", (1, 1, 1)),
        ("unknown", "wall", (3, 3, 3)),
        ("solved", "cpu", (3, 3, 3)),
        ("unknown", "memory", (3, 3, 3)),
        ("unknown", "crashed", (1, 1, 1)),
        ("unknown", "killed", (1, 1, 1)),
        ("unknown", "unsupported", (2, 2, 2)),
    ],
)
def test_the_exit_code_says_what_the_outcome_means_for_the_task(answer, termination, codes):
    outcome = Outcome(Answer(answer), Termination(termination))
    assert tuple(of_outcome(outcome, Task(task)) for task in ("decide", "solve", "count")) == codes


@pytest.mark.parametrize(
    ("name", "task", "answer", "code"),
    [
        ("unique", "decide", "unique", 0),
        ("multiple", "decide", "multiple", 1),
        ("unsat", "decide", "unsat", 1),
        ("multiple", "solve", "solved", 0),
        ("unsat", "solve", "unsat", 1),
        ("multiple", "count", "multiple", 0),
        ("unsat", "count", "unsat", 1),
    ],
)
def test_the_answer_and_the_exit_code_match_the_task(records, files, name, task, answer, code):
    [record] = records("solve", files(name), "--task", task, code=code)
    assert (record["answer"], record["termination"], record["task"]) == (answer, "ok", task)
    [puzzle] = load_all(files(name))
    assert all(verify(puzzle, Grid.from_strings(solution)) for solution in record["solutions"])


def test_json_is_one_object_a_line_with_the_projects_keys(records, files):
    found = records("solve", files("set"), files("unique"))
    assert all(set(record) == KEYS for record in found)
    path, single = str(files("set")), str(files("unique"))
    names = [(f"{path}#1", 1), (f"{path}#2", 2), (f"{path}#3", 3), (single, 1)]
    assert [(record["puzzle"], record["index"]) for record in found] == names
    assert found[0]["solutions"] == [["#.#", "###", ".#."]]
    [piped] = records("solve", "-", input=files("unique").read_bytes())
    assert (piped["puzzle"], piped["answer"]) == ("-", "unique")


def test_text_shows_grids_with_clues_the_answer_and_statistics(cli, files):
    lines = cli("solve", files("unique"), "--backend", "settle").stdout.splitlines()
    assert lines[0] == f'{files("unique")}: 3x3, "Cat"'
    assert lines[2:6] == ["    2 2 2", "1 1 # . #", "  3 # # #", "  1 . # ."]
    assert [line.split()[0] for line in lines[7:11]] == ["answer", "termination", "time", "statistics"]
    assert lines[7].split() == ["answer", "unique"]
    text = cli("solve", files("multiple")).stdout
    first, second = text.split("solution 1\n")[1].split("solution 2\n")
    assert first.splitlines()[:3] != second.splitlines()[:3]
    assert "ambiguous    4 cells differ; nonocsp repair finds what to change\n" in text
    stuck = cli("solve", files("multiple"), "--backend", "settle")
    assert (stuck.exit_code, "partial (4 cells undecided)" in stuck.stdout) == (1, True)
    assert stuck.stdout.count("?") == 4


@pytest.mark.parametrize(
    ("settings", "painted"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colours_are_for_terminals_without_no_color(cli, files, settings, painted):
    text = cli("solve", files("unique"), **settings).stdout
    assert ("\x1b[" in text) == painted
    assert ("# . #" in text) != painted


def test_a_file_gets_the_records_or_the_text_and_the_screen_no_grids(cli, files, here):
    result = cli("solve", files("set"), "--output", "out.json")
    found = [json.loads(line) for line in Path("out.json").read_text().splitlines()]
    assert [record["answer"] for record in found] == ["unique", "multiple", "unsat"]
    assert ("#." in result.stdout, result.stdout.count("answer ")) == (False, 3)
    cli("solve", files("set"), "--backend", "settle", "--output", "out.txt")
    piped = cli("solve", files("set"), "--backend", "settle").stdout
    saved, shown = (
        [line for line in text.splitlines() if not line.startswith("time")]
        for text in (Path("out.txt").read_text(), piped)
    )
    assert saved == shown


def test_pictures_show_the_solution_with_patterns_if_asked_for(cli, files, here):
    for name in ("out.svg", "out.png"):
        cli("solve", files("unique"), "--output", name)
    root = ElementTree.parse("out.svg").getroot()
    size = Image.open(BytesIO(Path("out.png").read_bytes())).size
    assert size == (int(root.get("width", 0)), int(root.get("height", 0)))
    save(Puzzle.from_grid(Grid.from_cells([[1, 2]])), "two.json")
    for suffix in (".svg", ".png"):
        assert cli("solve", "two.json", "--output", f"plain{suffix}").exit_code == 0
        assert cli("solve", "two.json", "--output", f"hatched{suffix}", "--patterns").exit_code == 0
        assert Path(f"plain{suffix}").read_bytes() != Path(f"hatched{suffix}").read_bytes()


def test_a_bug_in_a_backend_is_not_hidden(cli, files, monkeypatch):
    def search(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("nonocsp.backends.settle.Settle.search", search)
    result = cli("solve", files("unique"), "--backend", "settle")
    assert (type(result.exception), result.exit_code) == (ZeroDivisionError, 1)


@pytest.mark.parametrize(
    ("option", "value", "termination"), [("--limit", "300ms", "wall"), ("--memory", "1MiB", "memory")]
)
def test_a_limit_ends_the_run_with_code_3(records, hard, option, value, termination):
    [record] = records("solve", hard, option, value, code=ExitCode.LIMIT)
    assert (record["answer"], record["termination"]) == ("unknown", termination)


@pytest.mark.parametrize("more", [[], ["--json", "--limit", "1min"]])
def test_several_jobs_change_only_times(cli, files, more):
    outputs = []
    for jobs in (1, 3):
        result = cli("solve", files("set"), files("unique"), "--backend", "gac", "--jobs", jobs, *more)
        times = r'"(wall|cpu)_s": [^,]*,|time .*'
        outputs.append((re.sub(times, "", result.stdout), result.stderr, result.exit_code))
    assert outputs[0] == outputs[1]
    assert outputs[0][0].count("unique") >= 2
    assert outputs[0][2] == 1


@pytest.mark.parametrize("limits", ["", "--jobs 2 --limit 1min"], ids=["here", "elsewhere"])
def test_ctrl_c_exits_with_130_at_once_and_keeps_the_printed_results(start, files, hard, limits):
    with start("solve", files("unique"), hard, "--json", *limits.split()) as process:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=AMPLE_S)
    assert json.loads(line)["answer"] == "unique"
    assert process.returncode == 130
    assert messages.endswith("unique.json\ninterrupted\n")


@pytest.mark.parametrize("backend", ["hybrid", "mdd", "sat"])
def test_a_count_is_exact_and_a_bound_is_a_lower_bound(cli, records, files, backend):
    count = ("solve", files("multiple"), "--task", "count", "-b", backend)
    [record] = records(*count)
    assert record["count"] == len(record["solutions"]) == 2
    assert "(2 solutions)" in cli(*count).stdout
    [record] = records(*count, "--bound", 2)
    assert (record["count_at_least"], "count" in record) == (2, False)
    assert "(at least 2 solutions)" in cli(*count, "--bound", 2).stdout
