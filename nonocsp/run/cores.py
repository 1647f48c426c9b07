"""Know the cores of the machine, and choose those that runs get.

A *core* is a physical core with all its hardware threads, which share its units: a run gets whole cores. What
a system does not say below ``/sys/devices`` is assumed to be equal.
"""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nonocsp.model import UsageError

SYSTEM = Path("/sys/devices/system")
SAME_KIND = 0.85
"""A core is of the fastest kind if it has at least this part of the speed of the fastest."""


@dataclass(frozen=True, slots=True)
class Core:
    """A physical core."""

    threads: tuple[int, ...]  # online
    usable: tuple[int, ...]  # the threads that this process may use
    node: int = 0  # NUMA
    speed: int = 0  # highest frequency or relative capacity (big.LITTLE); 0 if the system does not say
    is_isolated: bool = False  # the system keeps others off and balances no load there (``isolcpus``)
    is_efficient: bool = False  # one of Intel's efficiency cores, which do less at the same frequency

    @property
    def number(self) -> int:
        """The number of its first thread, which identifies it."""
        return self.threads[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """The cores for some runs at a time."""

    slots: list[tuple[int, ...]]  # the hardware threads that each run is confined to
    cores: list[Core]
    problem: str = ""  # why the times of these runs cannot be compared; empty if they can


def usable_threads() -> set[int]:
    """Return the hardware threads that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def online_threads(system: Path = SYSTEM) -> set[int]:
    """Return the hardware threads that are switched on; none if the system does not say."""
    return _numbers(system / "cpu" / "online")


def usable_cores() -> int:
    """Return how many hardware threads this process may use."""
    return len(usable_threads())


def physical_cores() -> int:
    """Return how many cores this process may use, counting the threads of one core once."""
    return len(topology())


def topology(system: Path = SYSTEM, allowed: Collection[int] | None = None) -> list[Core]:
    """Return the cores that this process may use, by number; or those with some `allowed` threads."""
    usable = set(usable_threads() if allowed is None else allowed)
    cpu, node_of = system / "cpu", _nodes(system / "node")
    online = online_threads(system) or usable
    isolated, efficient = _numbers(cpu / "isolated"), _numbers(system.parent / "cpu_atom" / "cpus")
    cores: dict[tuple[int, ...], Core] = {}
    for thread in sorted(usable & online):
        folder = cpu / f"cpu{thread}"
        threads = tuple(sorted(_numbers(folder / "topology" / "thread_siblings_list") & online | {thread}))
        cores[threads] = cores.get(threads) or Core(
            threads,
            tuple(sorted(usable.intersection(threads))),
            node_of.get(thread, 0),
            read_number(folder / "cpu_capacity") or read_number(folder / "cpufreq" / "cpuinfo_max_freq"),
            thread in isolated,
            thread in efficient,
        )
    return list(cores.values())


def siblings(threads: Collection[int]) -> set[int]:
    """Return some hardware threads, with all others of the same cores."""
    cores = (core for core in topology() if not set(threads).isdisjoint(core.threads))
    return {thread for core in cores for thread in core.threads}


def fastest(cores: Sequence[Core]) -> list[Core]:
    """Return the cores of the fastest kind among some: no efficiency cores, unless all are."""
    strong = [core for core in cores if not core.is_efficient] or cores
    most = max(core.speed for core in strong)
    return [core for core in strong if core.speed >= SAME_KIND * most]


def choose(cores: Sequence[Core], runs: int, each: int = 1) -> Choice:
    """Choose the cores for some runs at a time, so many for each; UsageError if there are too few.

    Every run gets whole cores, all of one memory node if possible, and one thread of each. The fastest kind
    comes first. The core with number 0 comes last, because it mostly serves the interrupts.
    """
    needed = runs * each
    if needed > len(cores):
        return _choose_threads(cores, runs, each)
    fast = fastest(cores)
    # Threads of one process would stay on the first of several isolated cores.
    suited = [core for core in fast if core.is_isolated == (each == 1)]
    alike = suited if len(suited) >= needed else fast
    problem = "" if len(alike) >= needed else "the runs get cores of different speeds"
    pool = sorted(
        cores if problem else alike, key=lambda core: (core.is_efficient, -core.speed, not core.number)
    )
    taken = _by_node(pool, runs, each)
    slots = [tuple(core.usable[0] for core in run) for run in taken]
    return Choice(slots, [core for run in taken for core in run], problem)


def _choose_threads(cores: Sequence[Core], runs: int, each: int) -> Choice:
    """Choose threads for runs that need more cores than there are, as if every thread were a core."""
    threads = [replace(core, threads=(one,), usable=(one,)) for core in cores for one in core.usable]
    if runs * each > len(threads):
        what = f"{runs} runs of {each} {'cores' if each > 1 else 'core'} each"
        raise UsageError(
            f"{what} do not fit on {len(threads)} cores: use fewer jobs, or fewer cores for each"
        )
    slots = choose(sorted(threads, key=lambda thread: thread.number), runs, each).slots
    shared = [core for core in cores if any(not {*slot}.isdisjoint(core.usable) for slot in slots)]
    return Choice(slots, shared, "the runs share cores: two threads of one core slow each other down")


def _by_node(cores: Sequence[Core], runs: int, each: int) -> list[list[Core]]:
    """Return the cores of each run, in the order given: of the node that has most left, then of others."""
    nodes: defaultdict[int, deque[Core]] = defaultdict(deque)
    for core in cores:
        nodes[core.node].append(core)
    taken = []
    for _ in range(runs):
        run: list[Core] = []
        while len(run) < each:
            most = max(nodes.values(), key=lambda node: (sum(core.number > 0 for core in node), len(node)))
            while most and len(run) < each:
                run.append(most.popleft())
        taken.append(run)
    return taken


def _nodes(folder: Path) -> dict[int, int]:
    return {
        thread: int(node.name.removeprefix("node"))
        for node in sorted(folder.glob("node[0-9]*"))
        for thread in _numbers(node / "cpulist")
    }


def _numbers(path: Path) -> set[int]:
    """Return the numbers of a list such as ``0-3,8``; none if the file is missing or says something else."""
    try:
        pieces = [piece.partition("-") for piece in path.read_text().strip().split(",") if piece]
        return {n for first, _, last in pieces for n in range(int(first), int(last or first) + 1)}
    except (OSError, ValueError):
        return set()


def read_number(path: Path) -> int:
    """Return the number that a file of the system holds; 0 if it is missing or holds none."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0
