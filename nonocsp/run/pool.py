"""Work on many puzzles in processes, in adaptive batches; yield the results in the order of the puzzles.

A puzzle that takes a third of a millisecond is not worth a message of its own. So a process gets batches that
should take it `BATCH_S`, and hands back the puzzles for which there was no time. A process that dies costs
only the puzzle it was at.

Processes and not threads, although the core releases the interpreter's lock: the easier a puzzle, the more of
its time is Python; other backends hold the lock for longer; and a backend may kill its process.
"""

from __future__ import annotations

import atexit
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from selectors import EVENT_READ, DefaultSelector
from typing import Generic, Protocol, Self, TypeVar

from nonocsp.model import BackendError, Puzzle
from nonocsp.run.pool_process import LATE_S, Numbered, PoolProcess

SERVE_S = 0.002
"""How long results are handed on before the processes are looked after again."""

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """What a pool does with each puzzle; it travels to the processes as a pickle."""

    def start(self) -> Callable[[Puzzle], Result_co]:
        """Return the function that is called for each puzzle; called once in every process."""
        ...

    def lost(self, how: str) -> Result_co:
        """Return the result of a puzzle whose process died while working on it."""
        ...


class Window(Generic[Result]):
    """At most `size` puzzles that were taken from a supply and whose results were not yet handed on.

    So the supply may be endless, and the results behind one slow puzzle do not fill the memory.
    """

    def __init__(self, puzzles: Iterable[Puzzle], size: int) -> None:
        self._supply, self._size = enumerate(puzzles), size
        self._again: list[Numbered] = []
        self._results: dict[int, Result] = {}
        self._next = self._taken = 0
        self._end: Exception | None = None

    @property
    def has_ready(self) -> bool:
        """Whether the next result in order is there."""
        return self._next in self._results

    @property
    def is_exhausted(self) -> bool:
        """Whether the supply has no more puzzles."""
        return self._end is not None

    def has_ended(self) -> bool:
        """Return whether all results were handed on; raise what the supply raised once they were."""
        if self._end is None or self._next < self._taken:
            return False
        if not isinstance(self._end, StopIteration):
            raise self._end
        return True

    def take(self, most: int = 1) -> list[Numbered]:
        """Return the next puzzles; fewer if there are no more for now, or none any more."""
        taken: list[Numbered] = []
        while len(taken) < most:
            if self._again:
                numbered = self._again.pop()
            elif self.is_exhausted or self._taken - self._next >= self._size:
                break
            else:
                try:
                    numbered = next(self._supply)
                except Exception as error:  # its turn comes later
                    self._end = error
                    break
                self._taken += 1
            if not self._has_result(numbered[0]):
                taken.append(numbered)
        return taken

    def give_back(self, puzzles: Sequence[Numbered]) -> None:
        """Have `take` return puzzles again, before any others."""
        self._again.extend(reversed(puzzles))

    def put(self, number: int, result: Result) -> None:
        """Keep the result of the puzzle with this number, unless there is one."""
        if not self._has_result(number):
            self._results[number] = result

    def ready(self) -> Iterator[Result]:
        """Yield the results whose turn has come."""
        while self.has_ready:
            self._next += 1
            yield self._results.pop(self._next - 1)

    def _has_result(self, number: int) -> bool:
        return number < self._next or number in self._results


class Pool(Generic[Result]):
    """Works on the puzzles of a window in at most `jobs` processes; leaving it ends them."""

    def __init__(self, window: Window[Result], work: Work[Result], jobs: int) -> None:
        self._window, self._work, self._jobs = window, work, jobs
        self._processes: list[PoolProcess] = []
        self._selector = DefaultSelector()
        atexit.register(self.__exit__)  # the interpreter closes iterators too late

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        atexit.unregister(self.__exit__)
        for process in [*self._processes]:
            self._end(process)
        self._selector.close()

    def run(self) -> Iterator[Result]:
        """Yield the results of all puzzles in their order."""
        first = self._window.take(self._jobs)
        self._window.give_back(first)
        for _ in first:
            self._start()
        while True:
            for process in self._processes:
                if process.is_free and (batch := self._window.take(process.size)):
                    process.assign(batch)
            if self._window.has_ended():
                return
            self._listen(0.0 if self._window.has_ready else LATE_S)
            served = time.perf_counter()
            for result in self._window.ready():
                yield result
                if time.perf_counter() - served > SERVE_S:
                    break

    def _start(self) -> None:
        process = PoolProcess(self._work)
        self._processes.append(process)
        self._selector.register(process.link, EVENT_READ, process)

    def _listen(self, seconds: float) -> None:
        """Keep the results that there are; wait at most `seconds` for the first."""
        for key, _ in self._selector.select(seconds):
            process: PoolProcess = key.data
            try:
                answer = process.hear()
            except Exception:  # it has ended, or its answer is no pickle
                self._lose(process)
                continue
            if answer:
                self._window.put(*answer)
            else:
                self._window.give_back(process.finish())
        for process in [*self._processes]:
            if process.is_late:
                self._window.give_back(process.recall())
                if not process.is_alive:  # one that it left behind holds its socket
                    self._lose(process)

    def _lose(self, process: PoolProcess) -> None:
        """Account for a process that has died, and replace it."""
        how = process.ended_how()
        self._end(process)
        if not process.is_ready:
            raise BackendError(f"cannot start a worker: {how} before it was ready")
        if process.batch:
            self._window.put(process.batch[0][0], self._work.lost(how))
            self._window.give_back(process.batch[1:])
        self._start()

    def _end(self, process: PoolProcess) -> None:
        self._processes.remove(process)
        self._selector.unregister(process.link)
        process.kill()
