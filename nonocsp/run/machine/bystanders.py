"""Find out whether other processes, or heat, disturbed the runs on some cores.

Linux counts the idle time of each hardware thread. A thread that is neither idle nor used by the runs is used
by others: processes of any user, the system itself, or other guests of a virtual machine's host. It also
counts how often a core was slowed down because it became too hot.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from nonocsp.run.machine.cores import SYSTEM, read_number, usable_threads

SAMPLE_S = 1.0
"""The shortest time over which `Bystanders` averages."""
FIRST_S = 0.25
"""The same for its first look. A server takes about as long to start, so nobody waits for that."""
RESOLUTION_S = 0.05
"""What others may use in any case; Linux counts for each thread in hundredths of a second."""
SLACK = 0.25
"""Cores that others may use beyond their share: a machine is never quite at rest."""
PINNED_SLACK = 0.1
"""The same for the cores of a run that has them for itself."""
DELAY, DELAY_S = 0.03, 0.0005
"""How long a run may wait for a core: part of its wall time, and seconds."""
ESCAPE, ESCAPE_S = 0.1, 0.1
"""How far a run's CPU time may exceed that of its cores: as a share of it, and in seconds."""

_STATISTICS = Path("/proc/stat")


class Bystanders:
    """Measures at intervals what others do where runs take place.

    Places are known by keys. All of them are measured together, because Linux tells of all cores at once.

    Parameters
    ----------
    system
        The folder that describes the machine.
    """

    def __init__(self, system: Path = SYSTEM) -> None:
        self._system = system
        self._places: dict[Hashable, _Place] = {}
        self._time = perf_counter()
        self._has_looked = False
        self.disturbed: set[Hashable] = set()
        """The places where others disturbed when they were last measured."""

    def watch(
        self, key: Hashable, threads: Collection[int], allowed_cores: float, own_cpu_s: Callable[[], float]
    ) -> None:
        """Watch a place from now on; anew if it is known.

        Parameters
        ----------
        key
            Names the place.
        threads
            Its hardware threads, also those that the runs leave unused.
        allowed_cores
            How many cores others may keep busy there without disturbing.
        own_cpu_s
            Returns the CPU seconds used so far by everything that is not a bystander.
        """
        throttle_counts = [
            self._system / "cpu" / f"cpu{thread}" / "thermal_throttle" / f"{part}_throttle_count"
            for thread in threads
            for part in ("core", "package")
        ]
        place = _Place(threads, allowed_cores, own_cpu_s, [path for path in throttle_counts if path.exists()])
        place.look(busy_by_thread())
        self._places[key] = place

    def begin(self) -> None:
        """Take note that runs begin: unless the last look was just now, what was before does not count."""
        if perf_counter() - self._time > 2 * SAMPLE_S:
            self._look()
            self._has_looked, self.disturbed = False, set()

    def look(self) -> set[Hashable]:
        """Return where others disturbed since the last look; nowhere if that was less than `SAMPLE_S` ago.

        The first look waits until it can tell, so that runs that end sooner are judged, too.
        """
        passed_s = perf_counter() - self._time
        if self._has_looked and passed_s < SAMPLE_S:
            return set()
        if passed_s < FIRST_S:
            sleep(FIRST_S - passed_s)
        self._look()
        return self.disturbed

    def _look(self) -> None:
        self._time, busy = perf_counter(), busy_by_thread()
        self.disturbed = {key for key, place in self._places.items() if place.look(busy)}
        self._has_looked = True


@dataclass(slots=True)
class _Place:
    threads: Collection[int]
    allowed_cores: float
    own_cpu_s: Callable[[], float]
    throttle_counts: list[Path]
    time: float = 0.0
    used_s: float = 0.0
    throttled: int = 0

    def look(self, busy: dict[int, float]) -> bool:
        """Return whether others used more than allowed since the last look, or a core was slowed down.

        It counts as more if the system does not tell of a thread, as in some containers.
        """
        before = self.time, self.used_s, self.throttled
        self.time = perf_counter()
        self.used_s = sum(busy.get(thread, 0.0) for thread in self.threads) - self.own_cpu_s()
        self.throttled = sum(map(read_number, self.throttle_counts))
        passed_s, used_s, throttled = (
            self.time - before[0],
            self.used_s - before[1],
            self.throttled - before[2],
        )
        is_seen = all(thread in busy for thread in self.threads)
        return not is_seen or throttled > 0 or used_s > max(self.allowed_cores * passed_s, RESOLUTION_S)


def is_delayed(waited_s: float, wall_s: float, cpu_s: float) -> bool:
    """Return whether a run waited for a core that somebody else used.

    The threads of a run may also wait for each other, if it has more of them than cores. So a run that used
    more CPU time than one core has is not judged, nor is time that it spent on a core.

    Parameters
    ----------
    waited_s
        How long its threads were ready to run without a core (`nonocsp.run.worker.usage.queued_s`).
    wall_s, cpu_s
        Those of the run.
    """
    if cpu_s > wall_s * (1 + DELAY):
        return False
    return min(waited_s, wall_s - cpu_s) > DELAY_S + DELAY * wall_s


def has_escaped(cores: Collection[int] | None, wall_s: float, cpu_s: float) -> bool:
    """Return whether a run used more CPU time than the cores have to which it was confined.

    Parameters
    ----------
    cores
        None if it was not confined.
    wall_s, cpu_s
        Those of the run.
    """
    return cores is not None and cpu_s > len(cores) * wall_s * (1 + ESCAPE) + ESCAPE_S


def cores_in_use(seconds: float) -> float:
    """Return how many of the usable cores others kept busy on average, while waiting for some seconds."""
    began, before = perf_counter(), _busy_s() - own_cpu_s()
    sleep(seconds)
    return max(0.0, _busy_s() - own_cpu_s() - before) / (perf_counter() - began)


def busy_by_thread() -> dict[int, float]:
    """Return the seconds that each hardware thread was not idle, counted from some fixed moment."""
    try:
        lines = _STATISTICS.read_text().splitlines()
    except OSError:
        import psutil  # takes 40 ms, and most callers want the number of cores only

        now = perf_counter()
        return {number: now - times.idle for number, times in enumerate(psutil.cpu_times(percpu=True))}
    now, tick = perf_counter(), os.sysconf("SC_CLK_TCK")
    fields = (line.split(maxsplit=6) for line in lines if line.startswith("cpu") and line[3] != " ")
    return {
        int(name[3:]): now - (int(idle) + int(waiting)) / tick for name, _, _, _, idle, waiting, _ in fields
    }


def own_cpu_s() -> float:
    """Return the CPU seconds that this process has used, with children that have ended."""
    return sum(os.times()[:4])


def _busy_s() -> float:
    busy = busy_by_thread()
    return sum(busy.get(thread, 0.0) for thread in usable_threads())
