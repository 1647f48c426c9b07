"""Work on many puzzles in processes, in adaptive batches.

A puzzle that takes a third of a millisecond is not worth a message of its own. So a process gets batches that
should take it `BATCH_S`, and hands back the puzzles for which there was no time. A process that dies costs
only the puzzle it was at.

Processes and not threads, although the core releases the interpreter's lock: the easier a puzzle, the more of
its time is Python; other backends hold the lock for longer; and a backend may kill its process.
"""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable, Iterator
from selectors import EVENT_READ, DefaultSelector
from typing import Generic, Protocol, Self, TypeVar

from nonocsp.model import BackendError, Puzzle
from nonocsp.run.pool_process import PoolProcess
from nonocsp.run.window import Numbered, Result, Window

LATE_S = 0.05
"""How long a batch may take before others get what lies behind its current puzzle; also the time between two
looks at that."""
PATIENCE_S = 0.15
"""How long a pool that may begin in this thread waits before it starts processes."""
SERVE_S = 0.002
"""How long results are handed on before the processes are looked after again."""

Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """What a pool does with each puzzle; it travels to the processes as a pickle."""

    def start(self) -> Callable[[Puzzle], Result_co]:
        """Return the function that is called for each puzzle; called once in every process."""
        ...

    def lost(self, how: str) -> Result_co:
        """Return the result of a puzzle whose process died while working on it."""
        ...


class Pool(Generic[Result]):
    """Works on the puzzles of a window in `jobs` processes, started as puzzles come; leaving it ends them."""

    def __init__(self, window: Window[Result], work: Work[Result], jobs: int) -> None:
        self._window, self._work, self._jobs = window, work, jobs
        self._processes: list[PoolProcess] = []
        self._selector = DefaultSelector()
        self._looked = 0.0
        atexit.register(self.__exit__)  # the interpreter closes iterators too late

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        atexit.unregister(self.__exit__)
        for process in [*self._processes]:
            self._discard(process)
        self._selector.close()

    def begin(self) -> Iterator[Result]:
        """Work in this thread until a process has started; start processes only after `PATIENCE_S`."""
        work, alone_until = self._work.start(), time.perf_counter() + PATIENCE_S
        while not any(process.has_started for process in self._processes):
            if not (numbered := self._window.take()):
                return
            self._window.put(numbered[0], work(numbered[1]))
            yield from self._window.ready()
            if time.perf_counter() > alone_until:
                self._start_processes()
                self._listen(0.0)

    def run(self) -> Iterator[Result]:
        """Yield the results of all puzzles in their order."""
        while True:
            self._start_processes()
            for process in self._processes:
                if process.is_free and (batch := self._take(process.size)):
                    process.assign(batch)
            if self._window.is_done:
                return
            self._listen(0.0 if self._window.has_ready else LATE_S)
            served = time.perf_counter()
            for result in self._window.ready():
                yield result
                if time.perf_counter() - served > SERVE_S:
                    break

    def _start_processes(self) -> None:
        """Start processes for the puzzles that wait."""
        if len(self._processes) == self._jobs:
            return
        waiting = self._take(self._jobs)
        self._window.give_back(waiting)
        busy = sum(process.has_started and not process.is_free for process in self._processes)
        for _ in range(min(self._jobs, busy + len(waiting)) - len(self._processes)):
            process = PoolProcess(self._work)
            self._processes.append(process)
            self._selector.register(process, EVENT_READ, process)

    def _take(self, most: int) -> list[Numbered]:
        taken: list[Numbered] = []
        while len(taken) < most and (numbered := self._window.take()):
            taken.append(numbered)
        return taken

    def _listen(self, seconds: float) -> None:
        """Keep the results that there are; wait at most `seconds` for the first."""
        for key, _ in self._selector.select(seconds):
            process: PoolProcess = key.data
            try:
                if answer := process.hear():
                    self._window.put(*answer)
                else:
                    self._window.give_back(process.finish())
            except Exception:  # it has ended, or its answer is no pickle
                self._lose(process)
        if time.perf_counter() - self._looked > LATE_S:
            self._looked = time.perf_counter()
            heard = {key.fd for key, _ in self._selector.select(0.0)}
            for process in [*self._processes]:
                if process.busy_s > LATE_S and process.fileno() not in heard:
                    self._window.give_back(process.recall())
                    if not process.is_alive:  # one that it left behind holds its socket
                        self._lose(process)

    def _lose(self, process: PoolProcess) -> None:
        """Account for a process that has died."""
        how = process.ended_how()
        self._discard(process)
        if not process.has_started:
            raise BackendError(f"cannot start a worker: {how} before it was ready")
        if rest := process.rest:
            self._window.put(rest[0][0], self._work.lost(how))
            self._window.give_back(rest[1:])

    def _discard(self, process: PoolProcess) -> None:
        self._processes.remove(process)
        self._selector.unregister(process)
        process.kill()
