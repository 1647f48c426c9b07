"""What the system says of its cores, and which of them runs get; trees of files stand for machines."""

import os
from collections.abc import Callable, Sequence

import pytest

from nonocsp.model import UsageError
from nonocsp.run.cores import Core, choose, physical_cores, topology, usable_cores

Machine = Callable[..., list[Core]]


@pytest.fixture
def machine(tmp_path) -> Machine:
    """Write what a system says of its cores, and read it back."""

    def make(
        siblings: Sequence[Sequence[int]],
        *,
        nodes: Sequence[str] = (),
        speeds: Sequence[int] = (),
        online: str = "",
        isolated: str = "",
        efficient: str = "",
        allowed: Sequence[int] | None = None,
    ) -> list[Core]:
        threads = sorted(thread for core in siblings for thread in core)
        files = {
            f"cpu{thread}/topology/thread_siblings_list": ",".join(map(str, core))
            for core in siblings
            for thread in core
        }
        files |= {"online": online or f"{threads[0]}-{threads[-1]}", "isolated": isolated}
        files |= {f"cpu{thread}/cpu_capacity": str(speed) for thread, speed in enumerate(speeds)}
        files |= {f"../node/node{node}/cpulist": text for node, text in enumerate(nodes)}
        files |= {"../../cpu_atom/cpus": efficient} if efficient else {}
        for name, text in files.items():
            path = tmp_path / "system" / "cpu" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        return topology(tmp_path / "system", threads if allowed is None else allowed)

    return make


@pytest.fixture
def two_sockets(machine) -> list[Core]:
    """2 sockets of 8 cores of 2 threads, as Linux mostly numbers them: thread n + 16 is the second of n."""
    return machine([(core, core + 16) for core in range(16)], nodes=["0-7,16-23", "8-15,24-31"])


def nodes_of(cores: Sequence[Core], slot: Sequence[int]) -> set[int]:
    return {core.node for core in cores if not {*slot}.isdisjoint(core.threads)}


def test_threads_nodes_and_what_is_online_or_allowed_are_read(machine, tmp_path):
    cores = machine([(0, 4), (1, 5), (2, 6), (3, 7)], nodes=["0-1,4-5", "2-3,6-7"], online="0-2,4,6")
    assert [(core.threads, core.node) for core in cores] == [((0, 4), 0), ((1,), 0), ((2, 6), 1)]
    cores = machine([(0, 4), (1, 5), (2, 6), (3, 7)], allowed=[1, 6, 7])
    assert [core.usable for core in cores] == [(1,), (6,), (7,)]
    assert sorted(choose(cores, 3).slots) == [(1,), (6,), (7,)]


@pytest.mark.parametrize(
    ("runs", "each"), [(1, 1), (15, 1), (16, 1), (4, 4), (2, 8), (5, 3), (7, 2), (1, 12)]
)
def test_runs_get_whole_cores_of_their_own_of_one_node_if_all_fit(two_sockets, runs, each):
    choice = choose(two_sockets, runs, each)
    assert [len(slot) for slot in choice.slots] == [each] * runs
    cores = [thread % 16 for slot in choice.slots for thread in slot]
    assert len({*cores}) == len(cores)
    assert {core.number for core in choice.cores} == {*cores}
    assert not choice.problem
    split = [slot for slot in choice.slots if len(nodes_of(two_sockets, slot)) > 1]
    assert len(split) == (1 if (runs, each) in [(5, 3), (1, 12)] else 0)
    assert (0 in cores) == (runs * each == 16)  # it serves the interrupts


@pytest.mark.parametrize(
    ("sizes", "held", "runs", "each", "nodes"),
    [
        ((8, 8), [], 6, 2, [0, 0, 0, 1, 1, 1]),
        ((8, 8), [15], 1, 8, [0]),  # with core 0
        ((4, 6), [], 2, 4, [0, 1]),  # with core 0
        ((8, 8), [], 1, 7, [1]),
        ((2, 2, 2), [], 3, 2, [0, 1, 2]),  # with core 0
    ],
)
def test_runs_are_spread_over_the_nodes(sizes, held, runs, each, nodes):
    node_of = [node for node, size in enumerate(sizes) for _ in range(size)]
    cores = [Core((n,), (n,), node) for n, node in enumerate(node_of) if n not in held]
    found = [sorted(nodes_of(cores, slot)) for slot in choose(cores, runs, each).slots]
    assert sorted(found) == [[node] for node in nodes]


def test_the_fast_cores_come_first_and_a_mixture_is_named(machine):
    big_and_little = machine([(core,) for core in range(8)], speeds=[446] * 4 + [1024] * 3 + [1000])
    assert choose(big_and_little, 4).slots == [(4,), (5,), (6,), (7,)]
    mixed = choose(big_and_little, 5)
    assert mixed.slots == [(4,), (5,), (6,), (7,), (1,)]
    assert "different speeds" in mixed.problem
    hybrid = machine([(core,) for core in range(6)], speeds=[46] * 3 + [52] * 3 + [0, 0], efficient="0-2")
    assert choose(hybrid, 3).slots == [(3,), (4,), (5,)]
    assert "different speeds" in choose(hybrid, 4).problem
    assert not choose(hybrid[:3], 3).problem  # this process may use no others


def test_runs_share_cores_only_if_there_is_no_other_way(machine):
    cores = machine([(0, 2), (1, 3)])
    assert not choose(cores, 2).problem
    choice = choose(cores, 3)
    assert len({*choice.slots}) == 3
    assert "two threads of one core" in choice.problem
    assert {core.number for core in choice.cores} == {0, 1}
    with pytest.raises(UsageError, match="5 runs of 1 core each do not fit on 4 cores: use fewer jobs"):
        choose(cores, 5)


def test_this_machine_has_cores_even_if_it_cannot_confine(monkeypatch):
    assert 1 <= physical_cores() <= usable_cores() == len(os.sched_getaffinity(0))
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert usable_cores() == 6
