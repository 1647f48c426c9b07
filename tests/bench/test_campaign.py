"""Campaigns as a whole: they are complete, resume, and report failures."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from nonocsp import json_lines
from nonocsp.backends.base import Termination
from nonocsp.bench import (
    CampaignResult,
    Contradicted,
    Event,
    Finished,
    Planned,
    Shard,
    Started,
    load_config,
    plan,
    run_campaign,
)
from nonocsp.bench.merging import merge
from nonocsp.bench.store import read_campaign
from nonocsp.formats import load
from nonocsp.json_lines import read_json_lines
from nonocsp.model import UsageError
from nonocsp.run.benchexec import benchexec_problem
from tests.waiting import wait_for_ends, wait_until

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: small
puzzles: [{file: puzzles.jsonl}]
backends: [brute]
limits: {wall: 10}
"""
SLOW = CONFIG.replace("[brute]", "['brute:sleep=0.03']") + "repeats: 24\njobs: 2\n"
DRIVER = """\
from pathlib import Path
from nonocsp.bench import load_config, run_campaign
run_campaign(load_config({!r}), Path({!r}))
"""
ROW_KEYS = {
    *("run", "campaign", "puzzle", "index", "puzzle_hash", "rows", "columns", "backend", "task", "bound"),
    *("seed", "repeat", "limits", "answer", "termination", "wall_s", "cpu_s", "solutions", "stats"),
    *("peak_rss_bytes", "executor", "reliable", "conditions", "versions", "machine", "session", "code"),
}


def test_every_planned_run_becomes_one_row(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config = load_config(write_config(CONFIG))
    events: list[Event] = []
    result = run_campaign(config, tmp_path / "out", on_event=events.append)
    assert (result.planned, result.ran, result.skipped, result.is_sound) == (6, 6, 0, True)
    assert isinstance(events[0], Planned)
    assert [run.id for run in events[0].missing] == [run.id for run in plan(config)]
    assert (events[0].counts, len(events[0].done), events[0].warnings) == ({"brute": 6}, 0, [])
    assert [event.row["run"] for event in events[1:] if isinstance(event, Finished)] == [
        row["run"] for row in read_json_lines(tmp_path / "out" / "runs.jsonl")
    ]
    assert [row["run"] for row in result.rows] == [run.id for run in plan(config)]
    assert {row["puzzle"]: row["answer"] for row in result.rows} == {
        "puzzles.jsonl#1": "unique",
        "puzzles.jsonl#2": "multiple",
        "puzzles.jsonl#3": "unique",
        "puzzles.jsonl#4": "unique",
        "puzzles.jsonl#5": "multiple",
        "puzzles.jsonl#6": "unsat",
    }


def test_a_row_describes_its_run_completely(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    result = run_campaign(load_config(write_config(CONFIG)), tmp_path / "out")
    for row in result.rows:
        assert row.keys() - {"claimed_wall_s", "claimed_cpu_s"} == ROW_KEYS
        assert row["versions"].keys() >= {"nonocsp", "python", "brute"}
        assert row["limits"] == {"wall": 10.0, "cpu": None, "memory": None}
    assert next(iter(result.rows))["solutions"] == [[".#.", "###", ".#."]]
    rows = list(result.rows)
    assert json.loads(json.dumps(rows)) == rows


def test_a_second_start_runs_only_the_missing_runs(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    first = run_campaign(load_config(write_config(CONFIG)), tmp_path / "out")
    longer = load_config(write_config(CONFIG.replace("[brute]", "[brute, deny]")))
    events: list[Event] = []
    second = run_campaign(longer, tmp_path / "out", on_event=events.append)
    assert (second.planned, second.ran, second.skipped) == (12, 6, 6)
    assert isinstance(events[0], Planned)
    assert {run.backend for run in events[0].missing} == {"deny"}
    assert events[0].counts == {"deny": 6}
    assert len(events[0].done) == 6
    kept = [row for row in second.rows if row["backend"] == "brute"]
    assert kept == list(first.rows)
    assert run_campaign(longer, tmp_path / "out").ran == 0


def test_rows_of_runs_no_longer_planned_stay_in_the_file_but_are_not_reported(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    run_campaign(load_config(write_config(CONFIG)), tmp_path / "out")
    shorter = CONFIG.replace("puzzles.jsonl}", "puzzles.jsonl, slice: ':2'}")
    result = run_campaign(load_config(write_config(shorter)), tmp_path / "out")
    assert (result.planned, result.ran, len(result.rows)) == (2, 0, 2)
    assert len(list(read_json_lines(tmp_path / "out" / "runs.jsonl"))) == 6


@pytest.mark.slow
def test_a_driver_killed_repeatedly_loses_no_row_and_repeats_none(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    path, output = write_config(SLOW), tmp_path / "out"
    planned = {run.id for run in plan(load_config(path))}
    rows, kept = output / "runs.jsonl", []
    for more in (1, 9, 23):
        workers = _kill_after(path, output, wanted=len(kept) + more)
        wait_for_ends(workers)
        whole = [json.loads(line) for line in rows.read_bytes().split(b"\n")[:-1]]
        assert whole[: len(kept)] == kept
        assert len(whole) < len(planned)
        kept = whole
    result = run_campaign(load_config(path), output)
    stored = list(read_json_lines(rows))
    assert stored[: len(kept)] == kept
    assert sorted(row["run"] for row in stored) == sorted(planned)
    assert (result.skipped, result.ran) == (len(kept), len(planned) - len(kept))


def _kill_after(config: Path, output: Path, wanted: int) -> list[psutil.Process]:
    """Start a driver, kill it after some rows, and return the processes it had started."""
    driver = subprocess.Popen([sys.executable, "-c", DRIVER.format(str(config), str(output))])
    rows = output / "runs.jsonl"
    wait_until(lambda: driver.poll() or (rows.exists() and rows.read_bytes().count(b"\n") >= wanted))
    assert driver.poll() is None
    started = psutil.Process(driver.pid).children(recursive=True)
    driver.kill()
    driver.wait()
    assert started
    return started


def test_ctrl_c_keeps_the_finished_runs(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    def interrupt(event: Event) -> None:
        if isinstance(event, Finished):
            os.kill(os.getpid(), signal.SIGINT)

    config = load_config(write_config(SLOW))
    before = set(psutil.Process().children(recursive=True))
    with pytest.raises(KeyboardInterrupt):
        run_campaign(config, tmp_path / "out", on_event=interrupt)
    assert set(psutil.Process().children(recursive=True)) <= before
    assert 1 <= len(list(read_json_lines(tmp_path / "out" / "runs.jsonl"))) < len(plan(config))


def test_backends_that_contradict_each_other_make_the_campaign_unsound(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    config = load_config(write_config(CONFIG.replace("[brute]", "[brute, deny]")))
    result = run_campaign(config, tmp_path / "out")
    assert not result.is_sound
    assert {d.claim["puzzle"] for d in result.disagreements} == {f"puzzles.jsonl#{i}" for i in range(1, 6)}
    assert {(d.claim["backend"], d.evidence["backend"]) for d in result.disagreements} == {("deny", "brute")}


def test_a_warning_about_a_busy_machine_comes_before_the_first_run(
    write_config: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "nonocsp.bench.campaign.disturbances", lambda jobs, cores, pin: [f"no room for {jobs}"]
    )
    config = load_config(write_config(CONFIG)).override(jobs=2)
    events: list[Event] = []
    run_campaign(config, tmp_path / "out", on_event=events.append)
    assert isinstance(events[0], Planned)
    assert events[0].warnings == ["no room for 2"]


def test_a_contradiction_is_reported_at_once(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config = load_config(write_config(CONFIG.replace("[brute]", "[brute, deny]")))
    events: list[Event] = []
    result = run_campaign(config, tmp_path / "out", on_event=events.append)
    told = [event.disagreement for event in events if isinstance(event, Contradicted)]
    assert sorted(map(str, told)) == sorted(map(str, result.disagreements))
    assert isinstance(events[events.index(Contradicted(told[0])) - 1], Finished)
    assert not run_campaign(config, tmp_path / "out").is_sound


def test_every_run_starts_once_and_before_it_finishes(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    events: list[Event] = []
    run_campaign(load_config(write_config(CONFIG)), tmp_path / "out", on_event=events.append)
    started: list[str] = []
    for event in events:
        if isinstance(event, Started):
            started.append(event.run.id)
        if isinstance(event, Finished):
            assert event.row["run"] in started
    assert len(started) == len(set(started)) == 6


def test_the_puzzle_of_a_wrong_answer_is_saved(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config = load_config(write_config(CONFIG.replace("[brute]", "['unruly:how=lie']")))
    result = run_campaign(config, tmp_path / "out")
    assert not result.is_sound
    titles = {
        "cross",
        "three dots",
        "full",
        "two dots",
        "none",
    }  # an all-background grid solves the empty one
    saved = {load(tmp_path / "out" / "failures" / f"{row['run']}.json").title for row in result.wrong}
    assert saved == titles


def test_a_change_of_versions_is_a_warning(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config = load_config(write_config(CONFIG))
    run_campaign(config, tmp_path / "out")
    rows = tmp_path / "out" / "runs.jsonl"
    rows.write_text(rows.read_text().replace('"brute":"1.0"', '"brute":"0.9"', 2))
    warnings = run_campaign(config, tmp_path / "out").warnings
    assert "brute was measured with different versions: brute 0.9 and 1.0" in warnings


SCRIPT = """\
#!/bin/sh
# {}
printf '{}\\n'
"""
DECLARED = """\
name: declared
puzzles: [{file: puzzles.jsonl, slice: ":2"}]
backends: [settle, {name: mine, command: [./mine.sh, "{puzzle}"]}]
task: solve
executor: warm
"""
OLD = "2 rows were made by other code: mine (2); they are kept, but not scored; "
OLD += "nonocsp bench --keep-old scores them"


def test_old_code_never_speaks_for_new_code(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config, out, program = write_config(DECLARED), tmp_path / "out", tmp_path / "mine.sh"
    told: list[Event] = []

    def run(comment: str, repeats: int = 1, **how: bool) -> CampaignResult:
        program.write_text(SCRIPT.format(comment, "unknown"))
        program.chmod(0o755)
        told.clear()
        return run_campaign(load_config(config).override(repeats=repeats), out, on_event=told.append, **how)

    first = run("first")
    assert (first.ran, first.skipped) == (4, 0)
    second = run("second")
    assert (second.ran, second.skipped) == (2, 2)
    assert isinstance(told[0], Planned)
    assert told[0].warnings[0] == OLD
    assert OLD in second.warnings
    assert told[0].counts == {"mine": 2}
    assert len(second.rows) == len(read_campaign(out).rows) == 4
    assert read_campaign(out).faults == [OLD]
    assert len((out / "runs.jsonl").read_text().splitlines()) == 6
    codes = {row["code"] for row in second.rows if row["backend"] == "mine"}
    assert len(codes) == 1
    assert codes.isdisjoint(row["code"] for row in first.rows)

    assert run("second").ran == 0
    undone = run("first")  # its rows are there still
    assert (undone.ran, list(undone.rows)) == (0, list(first.rows))
    assert list(read_campaign(out).rows) == list(first.rows)

    kept = run("third", repeats=2, keep_old=True)
    assert (kept.ran, kept.skipped) == (4, 4)
    assert "mine was measured with different code: " in "".join(kept.warnings)
    assert not any("not scored" in warning for warning in kept.warnings)
    assert len(read_campaign(out).rows) == 8
    assert (run("third", repeats=2).ran, run("third", repeats=2).ran) == (2, 0)


def test_a_merge_scores_what_each_folder_scored(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config, program = write_config(DECLARED), tmp_path / "mine.sh"
    for number in ("1", "2"):  # the program is edited in between, as where two machines have compiled it
        for comment in ("spoiled", number):
            program.write_text(SCRIPT.format(comment, "unknown"))
            program.chmod(0o755)
            run_campaign(load_config(config), tmp_path / number, shard=Shard.of(f"{number}/2"))
    merged = merge([tmp_path / "1", tmp_path / "2"], tmp_path / "all")
    assert (len(merged.campaign.rows), len(merged.campaign.table)) == (4, 4)
    assert [text for text in merged.warnings if text.startswith("mine was measured with different code")]
    result = run_campaign(load_config(config), tmp_path / "all")
    assert (result.ran, result.skipped) == (1, 3)


def test_retrying_runs_only_what_ended_so(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    config = load_config(write_config(CONFIG.replace("[brute]", "['unruly:how=lie', brute]")))
    run_campaign(config, tmp_path / "out")
    again = run_campaign(config, tmp_path / "out", retry={Termination.CRASHED})
    assert (again.ran, again.skipped) == (5, 7)
    assert len(again.rows) == 12


def test_a_full_disk_ends_the_campaign_and_the_next_call_resumes(
    write_config: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def fill(event: Event) -> None:
        if isinstance(event, Finished):
            monkeypatch.setattr(os, "fsync", full)
            monkeypatch.setattr(json_lines, "SYNC_S", 0.0)

    config = load_config(write_config(CONFIG))
    with pytest.raises(UsageError, match=r"runs\.jsonl cannot be written: No space .*: free some space"):
        run_campaign(config, tmp_path / "out", on_event=fill)
    monkeypatch.undo()
    monkeypatch.setattr("nonocsp.bench.campaign.disturbances", lambda jobs, cores, pin: [])
    result = run_campaign(config, tmp_path / "out")
    assert (result.ran + result.skipped, len(result.rows)) == (6, 6)
    assert not [warning for warning in result.warnings if "skipped" in warning]


def test_more_jobs_than_cores_make_the_runs_unreliable(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    config = load_config(write_config(CONFIG))
    result = run_campaign(config.override(jobs=(os.cpu_count() or 1) + 1), tmp_path / "out")
    assert not any(row["reliable"] for row in result.rows)
    assert "6 of 6 runs did not have a core to themselves" in "".join(result.warnings)


def test_a_named_backend_is_shown_and_scored_under_its_name(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    text = "name: named\npuzzles: [{file: puzzles.jsonl}]\nexecutor: inline\n"
    text += "backends: [{spec: settle, name: lines}, {spec: settle, name: again}, settle]\n"
    result = run_campaign(load_config(write_config(text)), tmp_path / "out")
    assert [score.backend for score in result.scores] == ["lines", "again", "settle"]
    campaign = read_campaign(tmp_path / "out")
    assert campaign.backends == ["lines", "again", "settle"]
    assert {(row["backend"], row.get("spec")) for row in campaign.rows} == {
        ("lines", "settle"),
        ("again", "settle"),
        ("settle", None),
    }
    assert {"settle"} < {*next(iter(campaign.rows))["versions"]}
    lines = campaign.table["backend"] == campaign.table.backends.index("lines")
    assert (campaign.table["open_share"][lines] >= 0.0).any()


def test_more_repeats_are_a_further_session_that_measures_only_them(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    text = "name: again\npuzzles: [{file: puzzles.jsonl}]\nexecutor: inline\nbackends: [settle]\n"
    config = load_config(write_config(text))
    for repeats in (1, 2, 2, 3):
        result = run_campaign(config.override(repeats=repeats), tmp_path / "out")
    assert (result.planned, result.ran) == (18, 6)
    runs = read_campaign(tmp_path / "out").rows
    sessions = {row["repeat"]: row["session"] for row in runs}
    assert len(set(sessions.values())) == 3
    assert all(row["session"] == sessions[row["repeat"]] for row in runs)


NOTING = """\
name: noting
puzzles: [{{file: puzzles.jsonl, slice: {{stop: 1}}}}]
backends: [{{name: noting, command: [sh, -c, "echo noted > {folder}/note && printf '.#.\\n###\\n.#.\\n'"]}}]
task: solve
executor: {executor}
writable: [{writable}]
"""


def test_a_program_in_a_container_writes_where_the_config_lets_it(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    if problem := benchexec_problem():
        pytest.skip(problem)
    folder = tmp_path / "notes"
    folder.mkdir()
    refused = write_config(NOTING.format(folder=folder, executor="benchexec", writable=""))
    (row,) = run_campaign(load_config(refused), tmp_path / "refused").rows
    assert row["termination"] == "crashed"
    assert not [*folder.iterdir()]
    allowed = write_config(NOTING.format(folder=folder, executor="benchexec", writable=folder))
    (row,) = run_campaign(load_config(allowed), tmp_path / "allowed").rows
    assert row["answer"] == "solved", row
    assert (folder / "note").read_text() == "noted\n"


def test_a_folder_to_write_in_must_exist(write_config: Callable[[str], Path], tmp_path: Path) -> None:
    if problem := benchexec_problem():
        pytest.skip(problem)
    absent = NOTING.format(folder=tmp_path, executor="benchexec", writable=tmp_path / "absent")
    config = load_config(write_config(absent))
    with pytest.raises(UsageError, match=r"writable: .*absent is no folder of this machine; make it, or"):
        run_campaign(config, tmp_path / "out")
