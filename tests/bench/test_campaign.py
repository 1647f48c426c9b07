"""Stories of campaigns: run, extended, killed, resumed, changed, wrong, out of room, in a container."""

import errno
import os
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nonocsp import json_lines
from nonocsp.backends.base import Termination
from nonocsp.bench import load_config, plan, run_campaign
from nonocsp.bench.campaign import CampaignResult, Contradicted, Event, Finished, Planned, Started
from nonocsp.bench.merging import merge
from nonocsp.bench.rows import KEYS
from nonocsp.bench.store import read_campaign
from nonocsp.formats import load
from nonocsp.json_lines import read_json_lines
from nonocsp.model import UsageError
from nonocsp.run.benchexec import benchexec_problem
from nonocsp.run.provenance import machine

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
# a comment
name: small
puzzles: [{file: puzzles.jsonl}]
backends: [brute]
limits: {wall: 10}
"""
INLINE = CONFIG + "executor: inline\n"
ANSWERS = ["unique", "multiple", "unique", "unique", "multiple", "unsat"]


def test_a_campaign_runs_every_planned_run_once_and_says_how(write_config, tmp_path):
    config = load_config(write_config(CONFIG)).override(jobs=2)
    before, events = datetime.now(UTC), list[Event]()
    result = run_campaign(config, tmp_path / "out", on_event=events.append)
    assert (result.planned, result.ran, result.skipped, result.is_sound) == (6, 6, 0, True)
    (planned, *others), ids = events, [run.id for run in plan(config)]
    assert isinstance(planned, Planned)
    assert [run.id for run in planned.missing] == ids
    assert (planned.counts, len(planned.done), planned.warnings) == ({"brute": 6}, 0, [])
    told = [("start", it.run.id) for it in others if isinstance(it, Started)]
    assert sorted(told) == sorted(("start", run) for run in ids)
    finished = [(number, it.row["run"]) for number, it in enumerate(others) if isinstance(it, Finished)]
    stored = list(read_json_lines(tmp_path / "out" / "runs.jsonl"))
    assert [run for _, run in finished] == [row["run"] for row in stored]
    assert all(
        any(isinstance(it, Started) and it.run.id == run for it in others[:number])
        for number, run in finished
    )

    rows = sorted(result.rows, key=lambda row: row["index"])
    assert [(row["run"], row["answer"]) for row in rows] == list(zip(ids, ANSWERS, strict=True))
    assert rows[0]["solutions"] == [[".#.", "###", ".#."]]
    for row in rows:
        assert list(row) == [key for key in KEYS if key in row]
        assert row["versions"].keys() >= {"nonocsp", "python", "brute"}
        assert row["limits"] == {"wall": 10.0, "cpu": None, "memory": None}
    campaign = read_campaign(tmp_path / "out")
    (session,) = campaign.info["sessions"]
    assert campaign.name == campaign.info["name"] == "small"
    assert (session["config_text"], session["config"]["limits"]) == (CONFIG, {"wall": 10.0})
    assert (session["jobs"], session["planned"], session["missing"]) == (2, 6, 6)
    assert session["versions"].keys() >= {"nonocsp", "python", "brute"}
    assert session["machine"] == asdict(machine())
    assert before - timedelta(seconds=1) <= datetime.fromisoformat(session["start"]) <= datetime.now(UTC)


def test_a_campaign_that_certifies_says_how_far_each_verdict_is_proved(write_config, tmp_path):
    config = load_config(write_config(f"{CONFIG}certify: true\n".replace("brute", "hybrid, sat")))
    result = run_campaign(config, tmp_path / "out")
    found = {(row["backend"], row["index"]): row["evidence"] for row in result.rows}
    grid = "checked grid"
    expected = {"hybrid": ["proved"] * 6, "sat": [grid, "proved", grid, grid, "proved", "claimed"]}
    assert found == {
        (backend, n): said for backend, all_said in expected.items() for n, said in enumerate(all_said, 1)
    }
    scores = {one.backend: (one.proved, one.checked_grid, one.claimed) for one in result.scores}
    assert scores == {"hybrid": (6, 0, 0), "sat": (2, 3, 1)}
    plain = load_config(write_config(CONFIG.replace("brute", "hybrid")))
    assert not {run.id for run in plan(plain)} & {run.id for run in plan(config)}


def test_a_campaign_is_extended_shortened_and_repeated(write_config, tmp_path):
    out, events = tmp_path / "out", list[Event]()

    def run(old: str = "", new: str = "", **changes: Any) -> CampaignResult:
        events.clear()
        config = load_config(write_config(INLINE.replace(old, new))).override(**changes)
        return run_campaign(config, out, on_event=events.append)

    first = run()
    longer = run("[brute]", "[brute, {spec: settle, name: lines}, {spec: settle, name: again}, settle]")
    assert (first.ran, longer.planned, longer.ran, longer.skipped) == (6, 24, 18, 6)
    assert isinstance(events[0], Planned)
    assert (events[0].counts, len(events[0].done)) == ({"lines": 6, "again": 6, "settle": 6}, 6)
    assert [row for row in longer.rows if row["backend"] == "brute"] == list(first.rows)
    assert [score.backend for score in longer.scores] == ["brute", "lines", "again", "settle"]
    campaign = read_campaign(out)
    assert campaign.backends == ["brute", "lines", "again", "settle"]
    named = {(row["backend"], row.get("spec")) for row in campaign.rows}
    assert named == {("brute", None), ("lines", "settle"), ("again", "settle"), ("settle", None)}
    lines = campaign.table["backend"] == campaign.table.backends.index("lines")
    assert (campaign.table["open_share"][lines] >= 0.0).any()

    shorter = run("puzzles.jsonl}", "puzzles.jsonl, slice: ':2'}")
    assert (shorter.planned, shorter.ran, len(shorter.rows)) == (2, 0, 2)
    assert len(list(read_json_lines(out / "runs.jsonl"))) == 24
    for repeats, ran in ((2, 6), (2, 0), (3, 6)):
        assert run(repeats=repeats).ran == ran
    runs = [row for row in read_campaign(out).rows if row["backend"] == "brute"]
    assert len({(row["repeat"], row["session"]) for row in runs}) == 3  # a session for each repeat
    sessions = [(it["planned"], it["missing"]) for it in read_campaign(out).info["sessions"]]
    assert sessions == [(6, 6), (24, 18), (12, 6), (18, 6)]  # those with something to do

    lines_of = out / "runs.jsonl"
    lines_of.write_text(lines_of.read_text().replace('"brute":"1.0"', '"brute":"0.9"', 2))
    assert "brute was measured with different versions: brute 0.9 and 1.0" in run().warnings
    with pytest.raises(UsageError, match="holds the campaign 'small', not 'other': choose another --output"):
        run("small", "other")


def test_a_campaign_resumes_after_a_full_disk(write_config, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    config = load_config(write_config(INLINE))
    with monkeypatch.context() as patch:

        def fill(event: Event) -> None:
            if isinstance(event, Finished):
                patch.setattr(os, "fsync", full)
                patch.setattr(json_lines, "SYNC_S", 0.0)

        with pytest.raises(UsageError, match=r"runs\.jsonl cannot be written: No space .*: free some space"):
            run_campaign(config, tmp_path / "out", on_event=fill)
    result = run_campaign(config, tmp_path / "out")
    assert (result.ran + result.skipped, len(result.rows)) == (6, 6)
    assert not [warning for warning in result.warnings if "skipped" in warning]


def test_wrong_answers_are_told_at_once_kept_and_retried(write_config, tmp_path):
    text, out = INLINE.replace("[brute]", "[brute, deny, 'unruly:how=lie']"), tmp_path / "out"
    config, events = load_config(write_config(text)), list[Event]()
    result = run_campaign(config, out, on_event=events.append)
    assert not result.is_sound
    told = [event.disagreement for event in events if isinstance(event, Contradicted)]
    every = {(it.claim["puzzle"], it.backends) for it in result.disagreements}
    assert {(it.claim["puzzle"], it.backends) for it in told} <= every
    for found in (told, result.disagreements):
        assert {it.claim["puzzle"] for it in found} == {f"puzzles.jsonl#{i}" for i in range(1, 6)}
        assert {it.claim["backend"] for it in found} == {"deny"}
    assert isinstance(events[events.index(Contradicted(told[0])) - 1], Finished)
    saved = {load(out / "failures" / f"{row['run']}.json").title for row in result.wrong}
    assert saved == {"cross", "three dots", "full", "two dots", "none"}  # the lie is right about "empty"

    again = run_campaign(config, out, retry={Termination.CRASHED})
    assert (again.ran, again.skipped, len(again.rows), again.is_sound) == (5, 13, 18, False)
    merge([out], tmp_path / "all")
    names = [{path.name for path in (folder / "failures").iterdir()} for folder in (out, tmp_path / "all")]
    assert names[0] == names[1]


SCRIPT = """\
#!/bin/sh
# {}
printf 'unknown\\n'
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


def write_program(path: Path, comment: str) -> None:
    path.write_text(SCRIPT.format(comment))
    path.chmod(0o755)


def test_old_code_never_speaks_for_new_code(write_config, tmp_path):
    config, out, told = write_config(DECLARED), tmp_path / "out", list[Event]()

    def run(comment: str, repeats: int = 1, **how: bool) -> CampaignResult:
        write_program(tmp_path / "mine.sh", comment)
        told.clear()
        return run_campaign(load_config(config).override(repeats=repeats), out, on_event=told.append, **how)

    first = run("first")
    assert (first.ran, first.skipped) == (4, 0)
    second = run("second")
    assert (second.ran, second.skipped) == (2, 2)
    assert isinstance(told[0], Planned)
    assert (told[0].warnings[0], told[0].counts) == (OLD, {"mine": 2})
    assert OLD in second.warnings
    assert len(second.rows) == len(read_campaign(out).rows) == 4
    assert read_campaign(out).faults == [OLD]
    assert len((out / "runs.jsonl").read_text().splitlines()) == 6
    codes = [{row["code"] for row in it.rows if row["backend"] == "mine"} for it in (first, second)]
    assert len(codes[0] | codes[1]) == 2

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


NOTING = """\
name: noting
puzzles: [{{file: puzzles.jsonl, slice: {{stop: 1}}}}]
backends: [{{name: noting, command: [sh, -c, "echo noted > {folder}/note && printf '.#.\\n###\\n.#.\\n'"]}}]
task: solve
executor: benchexec
writable: [{writable}]
"""


def test_a_container_writes_where_the_config_lets_it(write_config, tmp_path):
    if problem := benchexec_problem():
        pytest.skip(problem)
    (folder := tmp_path / "notes").mkdir()
    for name, writable, ending in (("refused", "", "crashed"), ("allowed", folder, "ok")):
        config = load_config(write_config(NOTING.format(folder=folder, writable=writable)))
        (row,) = run_campaign(config, tmp_path / name).rows
        assert row["termination"] == ending, row
        assert [path.name for path in folder.iterdir()] == ["note"] * (name == "allowed")
    absent = load_config(write_config(NOTING.format(folder=tmp_path, writable=tmp_path / "absent")))
    with pytest.raises(UsageError, match=r"writable: .*absent is no folder of this machine; make it, or"):
        run_campaign(absent, tmp_path / "out")
