"""Backends over versions of their code: which sessions are a version, and what times and work tell."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import pytest

from nonocsp.bench.history import History, histories
from nonocsp.bench.report.history import counters, sentences, to_records
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign, read_campaign
from nonocsp.model import UsageError
from tools.benchmarks.harness import synthetic

FIRST, OTHERS = "hybrid:budget=1", "hybrid:budget=2"
SESSIONS = 6


@pytest.fixture
def measured(tmp_path):
    """Write a folder of sessions that alternate with those of every other `start`."""

    def write(name: str, start: int = 0, *, code: str, slower: float = 1.0, work: float = 1.0) -> Campaign:
        rows = synthetic.rows(
            backends=3, puzzles=12, repeats=SESSIONS, seed=4, slower={FIRST: slower}, hours=start
        )
        synthetic.write_campaign(tmp_path / name, changed(rows, code, work))
        return read_campaign(tmp_path / name)

    return write


def changed(rows: Iterator[RunRow], code: str, work: float) -> Iterator[RunRow]:
    """Give rows the hash of some code, and a counter that depends on the code alone."""
    for row in rows:
        is_first = row["backend"] == FIRST
        stats: dict[str, Any] = {"conflicts": round(1000 * row["index"] * (work if is_first else 1.0))}
        yield {**row, "code": sha256(code.encode()).hexdigest()[:16], "stats": stats}


def only(campaigns: list[Campaign], **settings: Any) -> History:
    (found,) = histories(campaigns, [FIRST], **settings)
    return found


@pytest.mark.parametrize(
    ("slower", "verdict"), [(1.0, "same"), (1.1, "regression"), (1 / 1.1, "improvement"), (1.03, "same")]
)
def test_the_latest_version_is_judged_against_the_one_before(measured, slower, verdict):
    found = only([measured("old", code="a"), measured("new", 12, code="b", slower=slower)])
    assert [it.label for it in found.versions] == ["old", "new"]
    assert [it.changed for it in found.versions] == ["", "code"]
    latest = found.versions[-1]
    assert latest.since_previous is not None
    assert (latest.since_previous.verdict, found.has_regressed) == (verdict, verdict == "regression")
    assert latest.since_previous.ratio == pytest.approx(slower, rel=0.03)
    assert latest.time_s / found.versions[0].time_s == pytest.approx(slower, rel=0.03)


def test_an_older_regression_is_shown_and_the_latest_version_decides(measured):
    found = only(
        [
            measured("v1", code="a"),
            measured("v2", 8, code="b", slower=1.3),
            measured("v3", 16, code="c"),
        ]
    )
    steps, firsts = (
        [getattr(it, f"since_{which}") for it in found.versions] for which in ("previous", "first")
    )
    assert [step and step.verdict for step in steps] == [None, "regression", "improvement"]
    assert firsts[-1].ratio == pytest.approx(1.0, rel=0.03)
    assert not found.has_regressed


def test_the_same_code_is_one_version_wherever_its_sessions_are(measured):
    twice = only([measured("monday", code="a"), measured("tuesday", 12, code="a", slower=1.5)])
    (version,) = twice.versions
    assert (version.runs, len(version.sessions)) == (2 * SESSIONS * 12, 2 * SESSIONS)
    assert not twice.has_regressed
    assert next(sentences(twice)).endswith("nothing to compare.")


def test_each_session_can_be_a_line_and_has_no_verdict(measured):
    found = only([measured("only", code="a")], each_session=True)
    assert [it.label for it in found.versions] == [f"2026-01-0{day} 00:00" for day in range(1, 1 + SESSIONS)]
    assert {it.runs for it in found.versions} == {12}
    assert found.advice == ""


def test_work_counts_where_every_run_decided_and_does_not_depend_on_the_machine(measured):
    old, new = measured("old", code="a"), measured("new", 12, code="b", slower=50.0, work=1.25)
    found = only([old, new])
    decided: Mapping[str, set[bool]] = {}
    for campaign in (old, new):
        for row in campaign.rows:
            if row["backend"] == FIRST:
                decided.setdefault(row["puzzle"], set()).add(row["termination"] == "ok")
    always = [int(name.partition("#")[2]) for name, ended in decided.items() if ended == {True}]
    assert 0 < len(always) == found.worked < found.questions == 12
    assert [it.work["conflicts"] for it in found.versions] == [1000 * sum(always), 1250 * sum(always)]
    assert counters(found) == ["conflicts"]
    assert [*sentences(found)][1].endswith(
        f"on the same {found.worked} questions, whatever the machine, conflicts +25%."
    )


def test_the_records_are_json_and_name_what_to_measure(measured):
    found = only([measured("old", code="a"), measured("new", 30 * 24, code="b")])
    records = [json.loads(json.dumps(record)) for record in to_records([found])]
    assert [record["kind"] for record in records] == ["version", "version", "headline", "warning"]
    assert "they do not alternate" in records[-1]["message"]


def test_unknown_backends_are_named_with_those_that_are_there(measured):
    with pytest.raises(UsageError, match=f"no runs of 'sat'; there are {FIRST}, {OTHERS}, settle"):
        histories([measured("old", code="a")], ["sat"])
