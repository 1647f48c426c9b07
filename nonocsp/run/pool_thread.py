"""Work in a thread of this process until the processes of a pool have started, or nothing is left to do.

A process takes a third of a second to start. One thread solves a thousand easy puzzles in that time. It
cannot be killed, so it gets only work that is safe in this process and can be stopped.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic

from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.run.window import Numbered, Result

BATCH_S = 0.02
"""How long the thread should be busy with a batch."""
MAX_BATCH = 64
"""Puzzles in a batch."""
LATE_S = 0.05
"""How long a puzzle may take before others get those behind it."""
WAKE_S = 0.002
"""How long results may wait before the pool is woken."""


class ThreadWorker(Generic[Result]):
    """The pool's end of the thread.

    Parameters
    ----------
    start
        Returns the function that is called for each puzzle, given the flag that stops it.
    """

    def __init__(self, start: Callable[[StopFlag], Callable[[Puzzle], Result]]) -> None:
        self.todo: deque[int] = deque()
        self.batch_size = 1
        self._stop = StopFlag()
        self._work = start(self._stop)
        self._puzzles: SimpleQueue[Numbered | None] = SimpleQueue()
        self._results: SimpleQueue[tuple[int, Result] | BaseException] = SimpleQueue()
        self._wake, self._waker = os.pipe()
        self._given = self._since = time.perf_counter()
        Thread(target=self._serve, daemon=True).start()

    def fileno(self) -> int:
        """Return the descriptor that can be read when there are results."""
        return self._wake

    @property
    def is_late(self) -> bool:
        """Whether puzzles have waited long behind one."""
        return len(self.todo) > 1 and time.perf_counter() - self._since > LATE_S

    def assign(self, numbered: Sequence[Numbered]) -> None:
        """Give the thread a batch, once it has nothing to do."""
        self.todo.extend(number for number, _ in numbered)
        self._given = self._since = time.perf_counter()
        for one in numbered:
            self._puzzles.put(one)

    def hear(self) -> list[tuple[int, Result]]:
        """Return the results since the last call; raise what the work raised."""
        os.read(self._wake, 4096)
        heard: list[tuple[int, Result]] = []
        with contextlib.suppress(Empty):
            while True:
                result = self._results.get_nowait()
                if isinstance(result, BaseException):
                    raise result
                heard.append(result)
                self.todo.popleft()
        self._since = time.perf_counter()
        if not self.todo and self._since - self._given < BATCH_S / 2:
            self.batch_size = min(2 * self.batch_size, MAX_BATCH)
        return heard

    def recall(self) -> list[int]:
        """Take back the puzzles that the thread has not begun."""
        numbers = []
        with contextlib.suppress(Empty):
            while one := self._puzzles.get_nowait():
                numbers.append(one[0])
        self.todo = deque(number for number in self.todo if number not in numbers)
        self.batch_size = 1
        return numbers

    def close(self) -> None:
        """Stop the thread."""
        self._stop.set()
        self._puzzles.put(None)

    def _serve(self) -> None:
        woken = 0.0
        while (numbered := self._puzzles.get()) and not self._stop.is_set():
            try:
                self._results.put((numbered[0], self._work(numbered[1])))
            except BaseException as error:  # the pool's thread raises it
                self._results.put(error)
            if self._puzzles.empty() or time.perf_counter() - woken > WAKE_S:
                woken = time.perf_counter()
                os.write(self._waker, b"1")
        os.close(self._waker)
        os.close(self._wake)
