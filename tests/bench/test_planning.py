"""Plans: which runs a config means, in which order, and under which ids."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.bench import PlannedRun, Shard, load_config, plan
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle, UsageError

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: plan
puzzles:
  - {file: puzzles.jsonl, slice: "1::2"}
backends: [brute, deny, "brute:sleep=1"]
seeds: [3, 4]
repeats: 2
"""
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
RUN = PlannedRun(NamedPuzzle("dots.non", 1, DOTS), "sat", Request(Task.COUNT), repeat=0)


def test_a_plan_combines_all_puzzles_backends_and_repeats(write_config: Callable[[str], Path]) -> None:
    runs = list(plan(load_config(write_config(CONFIG))))
    assert len({run.id for run in runs}) == len(runs) == 3 * 3 * 2 * 2
    assert {run.source.name for run in runs} == {f"puzzles.jsonl#{index}" for index in (2, 4, 6)}
    assert {run.source.puzzle.title for run in runs} == {"three dots", "empty", "none"}


@pytest.mark.parametrize(
    "shard", [Shard(), Shard.of("2/3"), Shard.of("", ["backend=brute*"]), Shard.of("1/2", ["#4"])]
)
def test_ids_alone_are_those_of_the_runs(write_config: Callable[[str], Path], shard: Shard) -> None:
    config = CONFIG.replace("[brute, deny,", "[{spec: brute, name: a}, deny,")
    planned = plan(load_config(write_config(config)))
    runs = [(run.id, (run.backend, run.spec)) for run in shard.select(planned)]
    assert list(shard.ids(planned)) == runs


def test_backends_alternate_and_take_turns_to_start(write_config: Callable[[str], Path]) -> None:
    runs = list(plan(load_config(write_config(CONFIG))))[:9]
    groups = [runs[i : i + 3] for i in (0, 3, 6)]
    assert all(len({run.source.index for run in group}) == 1 for group in groups)
    assert [group[0].backend for group in groups] == ["brute", "deny", "brute:sleep=1.0"]
    assert all(len({run.backend for run in group}) == 3 for group in groups)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_plan_without_room_for_its_puzzles_names_the_folder(
    write_config: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = load_config(write_config(CONFIG))
    monkeypatch.setattr("tempfile.TemporaryFile", lambda: open("/dev/full", "wb", buffering=0))  # noqa: SIM115, PTH123
    with pytest.raises(UsageError, match=f"kept in {tempfile.gettempdir()}: No space left .* set TMPDIR to"):
        plan(config)


def test_a_backend_or_puzzle_listed_twice_is_run_once(write_config: Callable[[str], Path]) -> None:
    config = CONFIG.replace("[brute, deny,", "[brute, brute, 'brute:sleep=0',").replace(
        "puzzles:\n", "puzzles:\n  - {file: '*.jsonl', slice: ':4'}\n"
    )
    runs = list(plan(load_config(write_config(config))))
    assert len(runs) == 5 * 2 * 2 * 2


def test_one_spec_under_two_names_is_run_twice(write_config: Callable[[str], Path]) -> None:
    config = CONFIG.replace("[brute, deny,", "[brute, {spec: brute, name: a}, {spec: brute, name: b},")
    runs = list(plan(load_config(write_config(config))))
    assert len({run.id for run in runs}) == len(runs) == 3 * 4 * 2 * 2
    assert Counter(run.backend for run in runs) == dict.fromkeys(("brute", "a", "b", "brute:sleep=1.0"), 12)
    assert {run.job.backend for run in runs} == {"brute", "brute:sleep=1.0"}


def test_a_name_makes_another_run_and_no_name_keeps_the_identity_of_the_spec() -> None:
    named = replace(RUN, backend="glucose", spec="sat")
    assert len({RUN.id, named.id, replace(named, backend="minisat").id, replace(named, spec="cpsat").id}) == 4
    assert RUN.spec == "sat"
    assert replace(RUN, spec="sat").id == RUN.id


def test_the_only_puzzle_of_a_file_is_named_after_the_file(write_config: Callable[[str], Path]) -> None:
    path = write_config(CONFIG.replace('puzzles.jsonl, slice: "1::2"', "one.json"))
    (path.parent / "one.json").write_text('{"rows": [[1]], "columns": [[1]]}')
    assert {run.source.name for run in plan(load_config(path))} == {"one.json"}


@pytest.mark.parametrize(
    "other",
    [
        replace(RUN, backend="settle"),
        replace(RUN, repeat=1),
        replace(RUN, request=Request(Task.SOLVE)),
        replace(RUN, request=Request(Task.COUNT, bound=2)),
        replace(RUN, request=Request(Task.COUNT, seed=1)),
        replace(RUN, request=Request(Task.COUNT, Limits(wall=1.0))),
        replace(RUN, request=Request(Task.COUNT, Limits(cpu=1.0))),
        replace(RUN, request=Request(Task.COUNT, Limits(memory=1))),
        replace(RUN, source=replace(RUN.source, index=2)),
        replace(RUN, source=replace(RUN.source, name="other.non")),
        replace(RUN, source=replace(RUN.source, puzzle=Puzzle.from_clues([[1]], [[1]]))),
    ],
)
def test_a_change_to_the_measurement_changes_the_id(other: PlannedRun) -> None:
    assert other.id != RUN.id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RUN, replace(RUN, source=replace(RUN.source, puzzle=replace(DOTS, title="Dots")))),
        (replace(RUN, request=Request(bound=5)), replace(RUN, request=Request(bound=6))),
    ],
)
def test_a_change_that_does_not_affect_the_measurement_keeps_the_id(
    one: PlannedRun, other: PlannedRun
) -> None:
    assert one.id == other.id


@pytest.mark.parametrize("shards", [1, 2, 3])
def test_over_any_stretch_every_backend_starts_equally_often(
    write_config: Callable[[str], Path], shards: int
) -> None:
    puzzles = "puzzles:\n  - random: {rows: 2, columns: 3, count: 36}\n"
    config = CONFIG.replace('puzzles:\n  - {file: puzzles.jsonl, slice: "1::2"}\n', puzzles)
    for backends in ("[brute, deny]", '[brute, deny, "brute:sleep=1"]'):
        specs = config.replace('[brute, deny, "brute:sleep=1"]', backends)
        runs = list(Shard.of(f"1/{shards}").select(plan(load_config(write_config(specs)))))
        count = len({run.backend for run in runs})
        starts = [run.backend for run in runs[::count]]
        for first in range(0, len(starts) - 12, 12):
            shares = Counter(starts[first : first + 12])
            assert max(shares.values()) - min(shares.values()) <= 2, (shards, backends, shares)


def test_the_repeats_of_a_run_lie_far_apart_and_start_with_other_backends(
    write_config: Callable[[str], Path],
) -> None:
    runs = list(plan(load_config(write_config(CONFIG))))
    assert [run.repeat for run in runs] == sorted(run.repeat for run in runs)
    halves = runs[: len(runs) // 2], runs[len(runs) // 2 :]
    assert [run.instance[:3] for run in halves[0]] == [run.instance[:3] for run in halves[1]]
    assert all(one.backend != other.backend for one, other in zip(*halves, strict=True))
