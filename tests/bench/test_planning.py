"""Plans: which runs a config means, in which order, under which ids, in which shards; estimates of time."""

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.bench import load_config
from nonocsp.bench.estimate import AROUND_S, END_S, Times, Total
from nonocsp.bench.planning import Plan, PlannedRun, Shard, plan
from nonocsp.bench.table import table_of
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle, UsageError

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: plan
puzzles: [{file: puzzles.jsonl, slice: "1::2"}]
backends: [brute, deny, "brute:sleep=1"]
seeds: [3, 4]
repeats: 2
"""
ALL = {"brute", "deny", "brute:sleep=1.0"}
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
RUN = PlannedRun(NamedPuzzle("dots.non", 1, DOTS), "sat", Request(Task.COUNT), repeat=0)


@pytest.fixture
def runs(write_config) -> Plan:
    return plan(load_config(write_config(CONFIG)))


def test_a_plan_combines_all_puzzles_backends_seeds_and_repeats_in_a_fair_order(runs):
    every = list(runs)
    assert len({run.id for run in every}) == len(every) == 3 * 3 * 2 * 2
    assert {run.source.name for run in every} == {f"puzzles.jsonl#{index}" for index in (2, 4, 6)}
    assert {run.source.puzzle.title for run in every} == {"three dots", "empty", "none"}
    groups = [every[i : i + 3] for i in range(0, len(every), 3)]
    assert all(len({run.instance for run in group}) == 1 for group in groups)
    assert all({run.backend for run in group} == ALL for group in groups)
    assert [group[0].backend for group in groups[:3]] == ["brute", "deny", "brute:sleep=1.0"]
    halves = every[:18], every[18:]  # repeats lie far apart, and start with another backend
    assert [run.repeat for run in every] == [0] * 18 + [1] * 18
    assert [run.instance[:3] for run in halves[0]] == [run.instance[:3] for run in halves[1]]
    assert all(one.backend != other.backend for one, other in zip(*halves, strict=True))


def test_names_and_doubles(write_config):
    doubled = CONFIG.replace("[brute, deny,", "[brute, brute, 'brute:sleep=0',").replace(
        "puzzles: [", "puzzles: [{file: '*.jsonl', slice: ':4'}, "
    )
    assert len(list(plan(load_config(write_config(doubled))))) == 5 * 2 * 2 * 2
    named = CONFIG.replace("[brute, deny,", "[brute, {spec: brute, name: a}, {spec: brute, name: b},")
    runs = list(plan(load_config(write_config(named))))
    assert len({run.id for run in runs}) == len(runs) == 3 * 4 * 2 * 2
    assert Counter(run.backend for run in runs) == dict.fromkeys(("brute", "a", "b", "brute:sleep=1.0"), 12)
    assert {run.job.backend for run in runs} == {"brute", "brute:sleep=1.0"}
    path = write_config(CONFIG.replace('puzzles.jsonl, slice: "1::2"', "one.json"))
    (path.parent / "one.json").write_text('{"rows": [[1]], "columns": [[1]]}')
    assert {run.source.name for run in plan(load_config(path))} == {"one.json"}  # the only one of its file


@pytest.mark.parametrize(
    "change",
    [
        *({"backend": "settle"}, {"repeat": 1}, {"spec": "cpsat"}, {"backend": "glucose", "spec": "sat"}),
        *({"request": Request(Task.SOLVE)}, {"request": Request(Task.COUNT, bound=2)}),
        *({"request": Request(Task.COUNT, seed=1)}, {"request": Request(Task.COUNT, Limits(wall=1.0))}),
        {"request": Request(Task.COUNT, Limits(cpu=1.0))},
        {"request": Request(Task.COUNT, Limits(memory=1))},
        *({"source": replace(RUN.source, index=2)}, {"source": replace(RUN.source, name="other.non")}),
        {"source": replace(RUN.source, puzzle=Puzzle.from_clues([[1]], [[1]]))},
    ],
)
def test_a_change_to_the_measurement_changes_the_id(change):
    assert replace(RUN, **change).id != RUN.id


def test_a_change_that_does_not_affect_the_measurement_keeps_the_id():
    titled = replace(RUN.source, puzzle=replace(DOTS, title="Dots"))
    assert RUN.id == replace(RUN, source=titled).id == replace(RUN, spec="sat").id
    assert len({replace(RUN, request=Request(bound=bound)).id for bound in (5, 6)}) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_plan_without_room_names_the_folder(write_config, monkeypatch):
    config = load_config(write_config(CONFIG))
    monkeypatch.setattr("tempfile.TemporaryFile", lambda: open("/dev/full", "wb", buffering=0))  # noqa: SIM115, PTH123
    with pytest.raises(UsageError, match=f"kept in {tempfile.gettempdir()}: No space left .* set TMPDIR to"):
        plan(config)


@pytest.mark.parametrize("shards", [1, 2, 3, 5, 12])
def test_shards_cover_the_plan_without_overlap_and_keep_instances_together(runs, shards):
    chosen = [list(Shard.of(f"{shard}/{shards}").select(runs)) for shard in range(1, shards + 1)]
    assert sorted(run.id for part in chosen for run in part) == sorted(run.id for run in runs)
    sizes = [len(part) for part in chosen]
    assert max(sizes) - min(sizes) <= 3  # the runs of an instance
    assert all(set(Counter(run.instance for run in part).values()) == {3} for part in chosen)


@pytest.mark.parametrize(
    ("filters", "backends", "puzzles"),
    [
        ([], ALL, {2, 4, 6}),
        (["backend=brute"], {"brute", "brute:sleep=1.0"}, {2, 4, 6}),
        (["backend=brute:*"], {"brute:sleep=1.0"}, {2, 4, 6}),
        (["backend=d*"], {"deny"}, {2, 4, 6}),
        (["backend=deny", "backend=brute:sleep=1.0"], {"deny", "brute:sleep=1.0"}, {2, 4, 6}),
        (["jsonl#2"], ALL, {2}),
        (["#2", "#6", "backend=deny"], {"deny"}, {2, 6}),
    ],
)
def test_filters_of_one_kind_widen_others_narrow(runs, filters, backends, puzzles):
    chosen = list(Shard.of("", filters).select(runs))
    assert {run.backend for run in chosen} == backends
    assert {run.source.index for run in chosen} == puzzles
    for shard in ("1/2", "2/2"):  # a filter moves no instance to another shard
        whole = {run.id for run in Shard.of(shard).select(runs)}
        found = [run.id for run in Shard.of(shard, filters).select(runs)]
        assert {*found} == whole & {run.id for run in chosen}
        assert [run for run, _ in Shard.of(shard, filters).ids(runs)] == found


@pytest.mark.parametrize(
    ("shard", "filters", "said"),
    [
        ("0/3", [], "'0/3' is not a valid shard; write K/N with K <= N"),
        ("4/3", [], "'4/3' is not a valid shard; write K/N with K <= N"),
        ("1/1000000", [], "write K/N with K <= N, at most 999999"),
        ("2 of 3", [], "'2 of 3' is not a valid shard; write K/N with K <= N"),
        ("13/13", [], "shard 13/13 is empty: the campaign has 12 instances"),
        ("", ["backends=deny"], r"no run matches 'backends=deny'; a filter is part of a puzzle's name \("),
        ("", ["backend=[!\udcff]*"], "the filter .* is not UTF-8, as names of puzzles and backends are"),
        ("", ["backend=sat"], r"or backend=PATTERN \(brute, deny, brute:sleep=1.0\)"),
    ],
)
def test_an_empty_or_invalid_shard_is_an_error(runs, shard, filters, said):
    with pytest.raises(UsageError, match=said):
        list(Shard.of(shard, filters).select(runs))


def run(backend: str, size: int, wall: float | None = 10.0) -> PlannedRun:
    puzzle = Puzzle.from_clues([[1]] * size, [[1]] * size)
    return PlannedRun(NamedPuzzle("p", 1, puzzle), backend, Request(limits=Limits(wall)), 0)


EARLIER = [
    {"backend": backend, "rows": size, "columns": size, "wall_s": wall_s}
    for backend, size, wall_s in (("a", 2, 1.0), ("a", 2, 2.0), ("a", 3, 6.0), ("b", 2, 100.0))
]


def test_without_earlier_runs_the_estimate_is_an_upper_bound_and_without_a_limit_there_is_none():
    assert Times(table_of([EARLIER[0] | {"backend": "x", "spec": "a"}])).likely(run("a", 2)) == 1.0 + AROUND_S
    limited, unlimited = Total(Times(table_of(()))), Total(Times(table_of(())))
    limited.add(run("a", 2))
    limited.add(run("b", 2, wall=5.0))
    unlimited.add(run("a", 2, wall=None))
    longest = pytest.approx((15 + 2 * END_S + 2 * AROUND_S) / 2)
    assert limited.of_jobs(2) == (None, longest)
    assert (limited + unlimited).of_jobs(1) == (None, None)
