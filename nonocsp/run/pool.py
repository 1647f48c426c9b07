"""Work on many puzzles in worker processes, in adaptive batches.

A puzzle that takes a third of a millisecond is not worth a message of its own. So a worker gets batches, and
the next is twice as large if one was done within half of `BATCH_S`. When one puzzle of a batch takes long,
the pool gives the puzzles behind it to other workers. A worker that dies costs only the puzzle it was at.

Processes and not threads, although the core releases the interpreter's lock: the easier a puzzle, the more of
its time is Python; other backends hold the lock for longer; and a backend may kill its process.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, Puzzle
from nonocsp.processes.guard import Guard
from nonocsp.run.pool_thread import ThreadWorker
from nonocsp.run.pool_worker import receive, send
from nonocsp.run.process import GuardedProcess
from nonocsp.run.window import Numbered, Result, Window

BATCH_S = 0.02
"""How long a worker should be busy with a batch."""
LATE_S = 0.05
"""How long a puzzle may take before others get those behind it; also how often that is checked."""
MAX_BATCH = 64
"""Puzzles in a batch."""
PATIENCE_S = 0.15
"""How long a thread of this process works alone, before processes start."""
SERVE_S = 0.002
"""How long results are handed on before the workers are looked after again."""

Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """What a pool does with each puzzle; it travels to the workers as a pickle."""

    def start(self) -> Callable[[Puzzle], Result_co]:
        """Return the function that is called for each puzzle; called once in every worker."""
        ...

    def lost(self, how: str) -> Result_co:
        """Return the result of a puzzle whose worker died while working on it."""
        ...


@runtime_checkable
class LocalWork(Work[Result_co], Protocol[Result_co]):
    """Work that a thread of this process may do, too."""

    @property
    def is_safe(self) -> bool:
        """Whether it cannot bring this process down."""
        ...

    def start_here(self, stop: StopFlag) -> Callable[[Puzzle], Result_co]:
        """Return the function that is called for each puzzle; it ends early when the flag is set."""
        ...


class Pool(Generic[Result]):
    """Works on the puzzles of a window. A context manager: leaving it ends every process.

    Parameters
    ----------
    work
        What is done with each puzzle.
    jobs
        Processes at a time, started as puzzles come.
    begins_here
        Whether a thread of this process works until processes have started, if the work may be done so. They
        start only after `PATIENCE_S`.
    """

    def __init__(self, work: Work[Result], jobs: int, *, begins_here: bool = False) -> None:
        self._work = work
        self._here: ThreadWorker[Result] | None = None
        self._alone_until = 0.0
        self._jobs = jobs
        self._workers: list[_Worker[Result]] = []
        self._selector = selectors.DefaultSelector()
        self._guard: Guard | None = None  # until there is a process
        self._looked = 0.0
        if begins_here and isinstance(work, LocalWork) and work.is_safe:
            self._here = ThreadWorker(work.start_here)
            self._alone_until = time.perf_counter() + PATIENCE_S
            self._selector.register(self._here, selectors.EVENT_READ)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in [*self._workers]:
            self._discard(worker)
        self._selector.close()
        if self._here:
            self._here.close()
        if self._guard:
            self._guard.close()

    def run(self, window: Window[Result]) -> Iterator[Result]:
        """Yield the results of all puzzles in their order."""
        while not window.is_done:
            self._feed(window)
            self._listen(window, 0.0 if window.has_ready else LATE_S)
            self._look_after(window)
            served = time.perf_counter()
            for result in window.ready():
                yield result
                if time.perf_counter() - served > SERVE_S:
                    break

    def _feed(self, window: Window[Result]) -> None:
        """Give every free worker a batch, and start workers while there are puzzles for them."""
        here = None if any(worker.has_started for worker in self._workers) else self._here
        if here and not here.todo and (numbered := _take(window, here.batch_size)):
            here.assign(numbered)
        if time.perf_counter() < self._alone_until:
            return
        for worker in self._workers:
            may_take = worker.has_started or not self._here  # the thread may be done before a process starts
            if may_take and worker.is_free and (numbered := _take(window, worker.batch_size)):
                worker.assign(numbered)
        while len(self._workers) < self._jobs and (numbered := _take(window, 1)):
            self._guard = self._guard or Guard()
            worker = _Worker(self._guard, self._work)
            self._workers.append(worker)
            self._selector.register(worker, selectors.EVENT_READ, worker)
            if self._here:
                window.give_back([number for number, _ in numbered])
            else:
                worker.assign(numbered)

    def _listen(self, window: Window[Result], seconds: float) -> None:
        """Keep the workers' results; wait at most `seconds` for the first."""
        if not self._workers and not (self._here and self._here.todo):
            return
        for key, _ in self._selector.select(seconds):
            if key.data is None:
                for answer in self._here.hear() if self._here else ():
                    window.put(*answer)
                continue
            try:
                if answer := key.data.hear():
                    window.put(*answer)
            except (EOFError, OSError):
                self._lose(key.data, window)

    def _look_after(self, window: Window[Result]) -> None:
        """Every `LATE_S`, take puzzles back from workers that were silent for as long."""
        if time.perf_counter() - self._looked < LATE_S:
            return
        self._looked = time.perf_counter()
        if self._here and self._here.is_late:
            window.give_back(self._here.recall())
            self._alone_until = 0.0
        for worker in [worker for worker in self._workers if worker.is_late]:
            window.give_back(worker.recall())
            if not worker.is_alive:  # a process that it left behind holds its output open
                self._lose(worker, window)

    def _lose(self, worker: _Worker[Result], window: Window[Result]) -> None:
        """Account for a worker that has died."""
        how = worker.ended_how()
        if not worker.has_started:
            raise BackendError(f"cannot start a worker: {how} before it was ready")
        if worker.todo:
            first, *rest = worker.todo
            window.put(first, self._work.lost(how))
            window.give_back(rest)
        self._discard(worker)

    def _discard(self, worker: _Worker[Result]) -> None:
        self._workers.remove(worker)
        self._selector.unregister(worker)
        worker.kill()
        worker.close()


def _take(window: Window[Result], most: int) -> list[Numbered]:
    taken: list[Numbered] = []
    while len(taken) < most and (numbered := window.take()):
        taken.append(numbered)
    return taken


class _Worker(GuardedProcess, Generic[Result]):
    """The driver's end of a worker: which puzzles it has, and since when it works on the first of them.

    A worker that was told to forget puzzles is not free until it confirms that: meanwhile it may work on one
    of them, whose result then comes twice.
    """

    def __init__(self, guard: Guard, work: Work[Result]) -> None:
        super().__init__("nonocsp.run.pool_worker", guard)
        self._outbox = Connection(os.dup(self.input.fileno()), readable=False)
        self._inbox = Connection(os.dup(self._output.fileno()), writable=False)
        self.todo: deque[int] = deque()
        self.batch_size = 1
        self.has_started = False
        self._forgetting = False
        self._given = self._since = time.perf_counter()
        self._send(work)

    @property
    def is_free(self) -> bool:
        """Whether the worker waits for a batch."""
        return not self.todo and not self._forgetting

    @property
    def is_late(self) -> bool:
        """Whether the worker has spent long on one puzzle, or has died at it."""
        return self.has_started and bool(self.todo) and time.perf_counter() - self._since > LATE_S

    def assign(self, numbered: Sequence[Numbered]) -> None:
        """Send a free worker a batch."""
        self.todo.extend(number for number, _ in numbered)
        self._given = self._since = time.perf_counter()
        self._send(numbered)

    def hear(self) -> tuple[int, Result] | None:
        """Return the next number and result; None if the worker has only started or forgotten."""
        answer: tuple[int, Result] | None = receive(self._inbox)
        self._since = time.perf_counter()
        if answer is None:
            self._forgetting = False
            self.has_started = True
        elif self.todo and answer[0] == self.todo[0]:
            self.todo.popleft()
            seconds = self._since - self._given
            if not self.todo and seconds < BATCH_S / 2:
                self.batch_size = min(2 * self.batch_size, MAX_BATCH)
            elif not self.todo and seconds > BATCH_S:
                self.batch_size = max(self.batch_size // 2, 1)
        return answer

    def recall(self) -> list[int]:
        """Have the worker forget all puzzles but the first; return the others."""
        first, *rest = self.todo
        if rest:
            self.todo = deque([first])
            self._forgetting = True
            self._send(first)
        return rest

    def close(self) -> None:
        """Close the connections of a worker that was killed."""
        self._outbox.close()
        self._inbox.close()
        super().close()

    def _send(self, message: object) -> None:
        """Send; a worker that has died says so by its end, not here."""
        with contextlib.suppress(OSError):
            send(self._outbox, message)
