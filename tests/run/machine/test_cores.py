"""What the system says of its cores, and which of them runs get; trees of files stand for machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from nonocsp.model import UsageError
from nonocsp.run.machine import cores as cores_module
from nonocsp.run.machine.cores import (
    Core,
    choose,
    memory_nodes,
    physical_cores,
    topology,
    usable_cores,
)

Machine = Callable[..., list[Core]]


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Return the folder that describes the machine, which does not exist yet."""
    return tmp_path / "system"


@pytest.fixture
def machine(system: Path) -> Machine:
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
            path = system / "cpu" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        return topology(system, threads if allowed is None else allowed)

    return make


@pytest.fixture
def two_sockets(machine: Machine) -> list[Core]:
    """2 sockets of 8 cores of 2 threads, as Linux mostly numbers them: thread n + 16 is the second of n."""
    return machine([(core, core + 16) for core in range(16)], nodes=["0-7,16-23", "8-15,24-31"])


def node_of(cores: Sequence[Core], thread: int) -> int:
    return next(core.node for core in cores if thread in core.threads)


def test_two_sockets_with_two_threads_a_core_are_read(two_sockets: list[Core]) -> None:
    assert [core.threads for core in two_sockets] == [(core, core + 16) for core in range(16)]
    assert [core.node for core in two_sockets] == [0] * 8 + [1] * 8


@pytest.mark.parametrize(("runs", "each"), [(1, 1), (2, 1), (15, 1), (16, 1), (4, 4), (2, 8), (5, 3), (7, 2)])
def test_runs_get_whole_cores_that_no_other_run_has(two_sockets: list[Core], runs: int, each: int) -> None:
    choice = choose(two_sockets, runs, each)
    threads = [thread for slot in choice.slots for thread in slot]
    assert [len(slot) for slot in choice.slots] == [each] * runs
    assert len({thread % 16 for thread in threads}) == len(threads) == len(choice.cores)
    assert {core.number for core in choice.cores} == {thread % 16 for thread in threads}
    assert not choice.problem


@pytest.mark.parametrize(("runs", "each"), [(2, 8), (4, 4), (4, 3), (5, 2)])
def test_the_cores_of_a_run_are_on_one_node(two_sockets: list[Core], runs: int, each: int) -> None:
    for slot in choose(two_sockets, runs, each).slots:
        assert len({node_of(two_sockets, thread) for thread in slot}) == 1


@pytest.mark.parametrize(
    ("nodes", "threads", "found"),
    [(["0-1", "2-3"], [0, 1], [0]), (["0-1", "2-3"], [3, 1], [0, 1]), (["0-3"], [1], []), ([], [1], [])],
)
def test_memory_nodes_are_named_if_there_are_several(
    machine: Machine, system: Path, nodes: list[str], threads: list[int], found: list[int]
) -> None:
    machine([(thread,) for thread in range(4)], nodes=nodes)
    assert memory_nodes(threads, system) == found


def test_runs_are_spread_over_the_nodes(two_sockets: list[Core]) -> None:
    nodes = [node_of(two_sockets, thread) for slot in choose(two_sockets, 6, 2).slots for thread in slot]
    assert sorted(nodes) == [0] * 6 + [1] * 6


def test_a_run_that_is_larger_than_a_node_takes_cores_of_several(two_sockets: list[Core]) -> None:
    (slot,) = choose(two_sockets, 1, 12).slots
    assert len(set(slot)) == 12
    assert {node_of(two_sockets, thread) for thread in slot} == {0, 1}


@pytest.mark.parametrize(
    ("sizes", "held", "runs", "each", "nodes"),
    [
        ((8, 8), [], 2, 8, [0, 1]),
        ((8, 8), [15], 1, 8, [0]),  # with core 0
        ((4, 6), [], 2, 4, [0, 1]),  # with core 0
        ((8, 8), [], 1, 7, [1]),
        ((2, 2, 2), [], 3, 2, [0, 1, 2]),  # with core 0
    ],
)
def test_runs_get_cores_of_one_node_each_if_all_fit(
    sizes: tuple[int, ...], held: list[int], runs: int, each: int, nodes: list[int]
) -> None:
    node_of = [node for node, size in enumerate(sizes) for _ in range(size)]
    cores = [Core((n,), (n,), node) for n, node in enumerate(node_of) if n not in held]
    found = [{node_of[thread] for thread in slot} for slot in choose(cores, runs, each).slots]
    assert sorted(map(sorted, found)) == [[node] for node in nodes]


@pytest.mark.parametrize("runs", [1, 3, 15])
def test_core_0_is_left_to_the_interrupts_while_others_are_free(two_sockets: list[Core], runs: int) -> None:
    assert (0,) not in choose(two_sockets, runs).slots
    assert (0,) in choose(two_sockets, 16).slots


@pytest.mark.parametrize(
    ("siblings", "chosen"),
    [([(0, 2), (1, 3)], [0, 1, 2]), ([(0, 1), (2, 3)], [0, 2, 1])],
)
def test_second_threads_are_used_only_if_there_is_no_other_way(
    machine: Machine, siblings: list[tuple[int, int]], chosen: list[int]
) -> None:
    choice = choose(machine(siblings), 3)
    assert choice.slots == [(thread,) for thread in chosen]
    assert "two threads of one core" in choice.problem
    assert not choose(machine(siblings), 2).problem


def test_two_threads_of_a_core_go_to_one_run_rather_than_to_two(machine: Machine) -> None:
    choice = choose(machine([(0, 2), (1, 3)]), 2, 2)
    assert choice.slots == [(0, 2), (1, 3)]
    assert choice.problem


def test_the_fast_cores_come_first_and_a_mixture_is_named(machine: Machine) -> None:
    big_and_little = machine([(core,) for core in range(8)], speeds=[446] * 4 + [1024] * 3 + [1000])
    assert choose(big_and_little, 4).slots == [(4,), (5,), (6,), (7,)]
    assert not choose(big_and_little, 2, 2).problem
    mixed = choose(big_and_little, 5)
    assert mixed.slots == [(4,), (5,), (6,), (7,), (1,)]
    assert "different speeds" in mixed.problem


def test_efficiency_cores_come_last_though_their_frequency_is_nearly_that_of_the_others(
    machine: Machine,
) -> None:
    hybrid = machine([(core,) for core in range(6)], speeds=[46] * 3 + [52] * 3, efficient="0-2")
    assert choose(hybrid, 3).slots == [(3,), (4,), (5,)]
    mixed = choose(hybrid, 4)
    assert mixed.slots == [(3,), (4,), (5,), (1,)]
    assert "different speeds" in mixed.problem
    assert not choose(hybrid[:3], 3).problem  # this process may use no others


def test_offline_cores_are_not_chosen_and_are_nobodys_sibling(machine: Machine) -> None:
    cores = machine([(0, 4), (1, 5), (2, 6), (3, 7)], online="0-2,4,6")
    assert [core.threads for core in cores] == [(0, 4), (1,), (2, 6)]


def test_only_allowed_threads_are_chosen_but_all_siblings_are_known(machine: Machine) -> None:
    cores = machine([(0, 4), (1, 5), (2, 6), (3, 7)], allowed=[1, 6, 7])
    assert [(core.threads, core.usable) for core in cores] == [
        ((1, 5), (1,)),
        ((2, 6), (6,)),
        ((3, 7), (7,)),
    ]
    assert sorted(choose(cores, 3).slots) == [(1,), (6,), (7,)]


def test_isolated_cores_suit_runs_of_one_core_but_not_runs_of_several(machine: Machine) -> None:
    cores = machine([(core,) for core in range(8)], isolated="4-5")
    assert choose(cores, 2).slots == [(4,), (5,)]
    for runs in (2, 3):  # three need core 0
        assert not {4, 5} & {thread for slot in choose(cores, runs, 2).slots for thread in slot}


@pytest.mark.parametrize("text", ["", "what", "0-", "-3", "1,,x"])
def test_a_system_that_says_nothing_useful_has_cores_of_one_thread(
    machine: Machine, system: Path, text: str
) -> None:
    machine([(0, 1), (2, 3)], nodes=[text])
    for path in (system / "cpu").rglob("thread_siblings_list"):
        path.write_text(text)
    (system / "cpu" / "online").write_text(text)
    assert [core.threads for core in topology(system, [0, 1, 2, 3])] == [(0,), (1,), (2,), (3,)]


def test_without_a_tree_every_allowed_thread_is_a_core(system: Path) -> None:
    cores = topology(system, [2, 3, 5])
    assert cores == [Core((thread,), (thread,)) for thread in (2, 3, 5)]


def test_a_system_without_affinity_counts_all_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    monkeypatch.setattr(cores_module, "SYSTEM", Path("/nothing"))
    assert usable_cores() == 6
    assert len(topology(Path("/nothing"))) == 6


@pytest.mark.parametrize(
    ("runs", "each", "message"),
    [
        (33, 1, "33 runs of a core each do not fit on 32 cores: use fewer jobs$"),
        (9, 4, "9 runs of 4 cores each do not fit on 32 cores: use fewer jobs, or fewer cores for each"),
    ],
)
def test_too_many_runs_are_refused(two_sockets: list[Core], runs: int, each: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        choose(two_sockets, runs, each)


def test_this_machine_has_cores() -> None:
    assert 1 <= physical_cores() <= usable_cores() == len(os.sched_getaffinity(0))
