"""Shards of a plan: together they cover the plan; filters narrow them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.bench import Shard, load_config, plan
from nonocsp.bench.planning import Plan
from nonocsp.model import UsageError

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: plan
puzzles: [{file: puzzles.jsonl}]
backends: [brute, deny, "brute:sleep=1"]
seeds: [3, 4]
repeats: 2
"""


@pytest.fixture
def runs(write_config: Callable[[str], Path]) -> Plan:
    return plan(load_config(write_config(CONFIG)))


@pytest.mark.parametrize("shards", [1, 2, 3, 5, 24])
def test_the_shards_cover_the_plan_without_overlap(runs: Plan, shards: int) -> None:
    chosen = [list(Shard.of(f"{shard}/{shards}").select(runs)) for shard in range(1, shards + 1)]
    assert sorted(run.id for part in chosen for run in part) == sorted(run.id for run in runs)
    sizes = [len(part) for part in chosen]
    assert max(sizes) - min(sizes) <= 3  # the runs of an instance


@pytest.mark.parametrize("shards", [2, 3, 5])
def test_all_runs_of_an_instance_are_in_the_same_shard(runs: Plan, shards: int) -> None:
    for shard in range(1, shards + 1):
        backends: dict[object, set[str]] = {}
        for run in Shard.of(f"{shard}/{shards}").select(runs):
            backends.setdefault(run.instance, set()).add(run.backend)
        assert all(len(found) == 3 for found in backends.values())


@pytest.mark.parametrize("pattern", ["quick", "brute", "q*"])
def test_a_filter_finds_a_backend_by_its_name_and_by_its_spec(
    write_config: Callable[[str], Path], pattern: str
) -> None:
    config = CONFIG.replace('[brute, deny, "brute:sleep=1"]', "[deny, {spec: brute, name: quick}]")
    runs = plan(load_config(write_config(config)))
    assert {run.backend for run in Shard.of(filters=[f"backend={pattern}"]).select(runs)} == {"quick"}


def test_a_filter_does_not_move_an_instance_to_another_shard(runs: Plan) -> None:
    for shard in ("1/3", "2/3", "3/3"):
        whole = {run.id for run in Shard.of(shard).select(runs)}
        filtered = {run.id for run in Shard.of(shard, ["backend=deny"]).select(runs)}
        assert filtered == whole & {run.id for run in runs if run.backend == "deny"}


@pytest.mark.parametrize(
    ("filters", "backends", "puzzles"),
    [
        ([], {"brute", "deny", "brute:sleep=1.0"}, {1, 2, 3, 4, 5, 6}),
        (["backend=brute"], {"brute", "brute:sleep=1.0"}, {1, 2, 3, 4, 5, 6}),
        (["backend=brute:*"], {"brute:sleep=1.0"}, {1, 2, 3, 4, 5, 6}),
        (["backend=d*"], {"deny"}, {1, 2, 3, 4, 5, 6}),
        (["backend=deny", "backend=brute:sleep=1.0"], {"deny", "brute:sleep=1.0"}, {1, 2, 3, 4, 5, 6}),
        (["jsonl#2"], {"brute", "deny", "brute:sleep=1.0"}, {2}),
        (["#2", "#5", "backend=deny"], {"deny"}, {2, 5}),
    ],
)
def test_filters_of_one_kind_widen_and_filters_of_another_kind_narrow(
    runs: Plan, filters: list[str], backends: set[str], puzzles: set[int]
) -> None:
    chosen = list(Shard.of("", filters).select(runs))
    assert {run.backend for run in chosen} == backends
    assert {run.source.index for run in chosen} == puzzles


@pytest.mark.parametrize(
    ("shard", "filters", "said"),
    [
        ("0/3", [], "'0/3' is not a valid shard; write K/N with K <= N"),
        ("4/3", [], "'4/3' is not a valid shard; write K/N with K <= N"),
        ("1/1000000", [], "write K/N with K <= N, at most 999999"),
        ("2 of 3", [], "'2 of 3' is not a valid shard; write K/N with K <= N"),
        ("25/25", [], "shard 25/25 is empty: the campaign has 24 instances"),
        (
            "",
            ["backends=deny"],
            r"no run matches 'backends=deny'; a filter is part of a puzzle's name \(puzzles",
        ),
        ("", ["backend=[!\udcff]*"], "the filter .* is not UTF-8, as names of puzzles and backends are"),
        ("", ["backend=sat"], r"or backend=PATTERN \(brute, deny, brute:sleep=1.0\)"),
    ],
)
def test_an_empty_or_invalid_shard_is_an_error(runs: Plan, shard: str, filters: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        list(Shard.of(shard, filters).select(runs))


def test_a_shard_describes_itself() -> None:
    assert (str(Shard()), Shard().suffix) == ("", "")
    shard = Shard.of("2/5", ["cat"])
    assert (str(shard), shard.fraction, shard.suffix) == ("shard 2/5, only 'cat'", "2/5", "-2of5")
