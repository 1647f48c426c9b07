"""Work on many puzzles in processes; yield the results in the order of the puzzles.

A process that dies costs only the puzzle it was at. Processes and not threads, although the core releases the
interpreter's lock: the easier a puzzle, the more of its time is Python, and a backend may kill its process.
"""

from __future__ import annotations

import atexit
import os
import pickle
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Generic, Protocol, Self, TypeVar

from nonocsp.backends.ending import how_it_ended, is_alive
from nonocsp.model import BackendError, Puzzle
from nonocsp.run.fork_server import ForkServer
from nonocsp.run.processes import die_with_parent

LOOK_S = 0.5
"""How long to wait before looking whether a process has died and left its socket to a child."""
REAP_S = 1.0
"""How long a process that closed its socket may take to end by itself."""
FAST_S, QUEUE, SHORT_BYTES = 0.1, 16, 1 << 13
"""A process that answers within this time may have twice as many puzzles, up to this many; and the longest
that may wait there: the socket holds them all."""

Numbered = tuple[int, Puzzle]
"""A puzzle and its place in the supply, from 0."""
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
    """At most `size` puzzles that were taken from a supply and whose results were not yet handed on."""

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

    def take(self) -> Numbered | None:
        """Return the next puzzle; None if there is none for now, or none any more."""
        if self._again:
            return self._again.pop()
        if self.is_exhausted or self._taken - self._next >= self._size:
            return None
        try:
            numbered = next(self._supply)
        except Exception as error:  # its turn comes later
            self._end = error
            return None
        self._taken += 1
        return numbered

    def give_back(self, *puzzles: Numbered) -> None:
        """Have `take` return puzzles again, before any others."""
        self._again.extend(reversed(puzzles))

    def put(self, number: int, result: Result) -> None:
        """Keep the result of the puzzle with this number."""
        self._results[number] = result

    def ready(self) -> Iterator[Result]:
        """Yield the results whose turn has come."""
        while self.has_ready:
            self._next += 1
            yield self._results.pop(self._next - 1)


class Pool(Generic[Result]):
    """Works on the puzzles of a window in at most `jobs` processes; leaving it ends them."""

    def __init__(self, window: Window[Result], work: Work[Result], jobs: int) -> None:
        self._window, self._work, self._jobs = window, work, jobs
        self._processes: list[_Process] = []
        self._server, self._selector = ForkServer(), DefaultSelector()
        atexit.register(self.__exit__)  # the interpreter closes iterators too late

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        atexit.unregister(self.__exit__)
        with suppress(BackendError):  # the server has ended, and they with it
            for process in self._processes:
                process.link.close()
                self._server.end(process.pid)
        self._server.close()
        self._selector.close()

    def run(self) -> Iterator[Result]:
        """Yield the results of all puzzles in their order."""
        while True:
            self._assign()
            if self._window.has_ended():
                return
            self._listen(0.0 if self._window.has_ready else LOOK_S)
            yield from islice(self._window.ready(), QUEUE)  # then the processes need new puzzles

    def _assign(self) -> None:
        """Give each puzzle to the process with the fewest, while there is room."""
        while task := self._window.take():
            if len(self._processes) < self._jobs and all(one.waiting for one in self._processes):
                self._start()
            if not min(self._processes, key=lambda one: len(one.waiting)).give(*task):
                self._window.give_back(task)
                return

    def _start(self) -> None:
        pid, end = self._server.call(f"{__name__}:be_worker")
        process = _Process(pid, Connection(end.detach()))
        self._processes.append(process)
        self._selector.register(process.link, EVENT_READ, process)
        process.send(pickle.dumps(self._work))

    def _listen(self, seconds: float) -> None:
        """Keep the results that there are; wait at most `seconds` for the first."""
        heard = self._selector.select(seconds)
        for key, _ in heard:
            try:
                answer = key.data.hear()
            except Exception:  # it has ended, or its answer is no pickle
                self._lose(key.data)
            else:
                if answer:
                    self._window.put(*answer)
        if seconds and not heard:
            dead = [one for one in self._processes if not is_alive(one.pid)]
            for process in [one for one in dead if not one.link.poll()]:  # it may have answered just now
                self._lose(process)

    def _lose(self, process: _Process) -> None:
        """Account for a process that has died: it was at the first of its puzzles."""
        until = time.monotonic() + REAP_S
        while is_alive(process.pid) and time.monotonic() < until:
            time.sleep(REAP_S / 500)
        self._processes.remove(process)
        self._selector.unregister(process.link)
        process.link.close()
        status = self._server.end(process.pid)
        how = f"the worker process {how_it_ended(os.waitstatus_to_exitcode(status))}"
        if not process.is_ready:
            raise BackendError(f"cannot start a worker: {how} before it was ready")
        if process.waiting:
            (tried, _), *others = process.waiting.items()
            self._window.put(tried, self._work.lost(how))
            self._window.give_back(*others)


@dataclass(slots=True, eq=False)
class _Process:
    """A process of a pool, as the driver sees it; it works on the first of the puzzles that wait there."""

    pid: int
    link: Connection
    waiting: dict[int, Puzzle] = field(default_factory=dict)
    is_ready: bool = False
    most: int = 2
    heard: float = 0.0

    def give(self, number: int, puzzle: Puzzle) -> bool:
        """Give the process a puzzle, unless it has enough; return whether it took it."""
        if len(self.waiting) >= self.most:
            return False
        message = pickle.dumps((number, puzzle), pickle.HIGHEST_PROTOCOL)
        if self.waiting and len(message) > SHORT_BYTES:  # sending it could take until the process reads on
            return False
        self.waiting[number] = puzzle
        self.send(message)
        return True

    def send(self, message: bytes) -> None:
        """Send; a process that has died says so by its end, not here."""
        with suppress(OSError):
            self.link.send_bytes(message)

    def hear(self) -> tuple[int, Any] | None:
        """Return the next number and result; None if it is only ready; EOFError or OSError if it died."""
        answer: tuple[int, Any] | None = pickle.loads(self.link.recv_bytes())
        self.is_ready = True
        before, self.heard = self.heard, time.perf_counter()
        self.most = min(2 * self.most, QUEUE) if self.heard - before < FAST_S else 1
        if answer and answer[0] in self.waiting:  # else a backend has forked, and both processes answered
            del self.waiting[answer[0]]
            return answer
        return None


def be_worker(end: socket.socket) -> None:
    """Work on puzzles until the driver ends."""
    die_with_parent()
    os.setsid()
    link = Connection(end.detach())
    # pickles come: first the work, which is answered with None, then numbered puzzles
    work = pickle.loads(link.recv_bytes()).start()
    link.send_bytes(pickle.dumps(None))
    os.dup2(0, 2)  # errors until here are for the user; now /dev/null, as for the output
    with suppress(EOFError, OSError):
        while True:
            number, puzzle = pickle.loads(link.recv_bytes())
            link.send_bytes(pickle.dumps((number, work(puzzle)), pickle.HIGHEST_PROTOCOL))
