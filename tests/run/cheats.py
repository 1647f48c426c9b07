"""A test backend that cheats: it lies about its figures, or says to its server what nobody asked for."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_doc import Doc
from nonocsp.run.worker import host
from nonocsp.run.worker.channel import (
    ENDED,
    GONE,
    JOB,
    MAX_BYTES,
    NONCE_BYTES,
    PREPARED,
    READY,
    REPLY,
)
from unruly import wait_for_looks

from nonocsp.backends.base import Capabilities, Run
from nonocsp.model import Grid, Puzzle

WORK_S = 0.3
_perf_counter = time.perf_counter


@dataclass(frozen=True, slots=True)
class CheatOptions:
    how: Annotated[
        Literal[
            *("patch", "negative", "nan", "before", "after", "children", "ignored"),
            *("forge", "impersonate", "late", "long", "half"),
            *("list", "surrogate", "shout"),
        ],
        Doc("how it cheats"),
    ] = "patch"


class Cheat:
    """Prepares its cheat on 2x2 puzzles, cheats on all others, and then solves them."""

    summary: ClassVar[str] = "for tests"
    paper: ClassVar[str] = ""
    capabilities: ClassVar[Capabilities] = Capabilities()
    requires: ClassVar[tuple[str, ...]] = ()
    Options: ClassVar[type[Any]] = CheatOptions

    def __init__(self, options: Any) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        step = "prepare" if puzzle.shape == (2, 2) else "do"
        getattr(self, f"_{step}_{self.options.how}", lambda run: None)(run)
        yield Grid.from_cells(np.eye(puzzle.shape[0], dtype=int))

    def _do_patch(self, run: Run) -> None:
        started = time.perf_counter()
        work()
        time.perf_counter = lambda: started + 39e-6
        time.process_time = lambda: 39e-6

    def _do_negative(self, run: Run) -> None:
        time.perf_counter = lambda: -794.0

    def _do_nan(self, run: Run) -> None:
        time.perf_counter = lambda: float("nan")

    def _prepare_before(self, run: Run) -> None:
        code, decode = host_code(), host.decode_job
        code.decode_job = lambda line: (work(), decode(line))[1]

    def _prepare_after(self, run: Run) -> None:
        code, encode = host_code(), host.encode_reply
        code.encode_reply = lambda *found: (work(), encode(*found))[1]

    def _do_children(self, run: Run) -> None:
        for child in [fork_worker() for _ in range(2)]:
            os.waitpid(child, 0)

    def _do_ignored(self, run: Run) -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets the children when they end
        (done, has_done), (may_end, let_end) = os.pipe(), os.pipe()
        for _ in range(2):
            if os.fork() == 0:
                os.close(let_end)
                work()
                os.write(has_done, b".")
                os.read(may_end, 1)
                os._exit(0)
        for _ in range(2):
            os.read(done, 1)
        wait_for_looks()
        os.close(let_end)
        with suppress(ChildProcessError):
            os.waitpid(-1, 0)

    def _do_forge(self, run: Run) -> None:
        """Write to all descriptors what hosts, and servers of former days, say."""
        words = (READY, PREPARED, ENDED, REPLY, GONE, JOB)
        frames = b"".join(bytes(NONCE_BYTES) + word + bytes(4) for word in words)
        for descriptor in range(3, 512):
            for said in (b"\ngone 0 0\n", b'\nready\n{"outcome": {}}\n', frames):
                with suppress(OSError):
                    os.write(descriptor, said)

    def _do_impersonate(self, run: Run) -> None:
        """Reply, with the right nonce, before the end."""
        speak(nonce())

    def _do_late(self, run: Run) -> None:
        threading.Thread(target=self._speak_later, daemon=True).start()

    def _speak_later(self) -> None:
        time.sleep(0.2)
        speak(bytes(NONCE_BYTES))

    def _do_long(self, run: Run) -> None:
        self._write_header(MAX_BYTES + 1)

    def _do_half(self, run: Run) -> None:
        self._write_header(MAX_BYTES)
        os._exit(5)

    def _write_header(self, length: int) -> None:
        for descriptor in range(3, 512):
            with suppress(OSError):
                os.write(descriptor, nonce() + ENDED + length.to_bytes(4, "big"))

    def _do_list(self, run: Run) -> None:
        run.stats["trace"] = [1, 2]  # type: ignore[assignment]

    def _do_surrogate(self, run: Run) -> None:
        run.stats["\ud800"] = 1

    def _do_shout(self, run: Run) -> None:
        raise RuntimeError("\ud800" + "x" * 10_000_000)


def host_code() -> Any:
    """Return the module whose functions the host of this process calls."""
    main = sys.modules["__main__"]
    return main if hasattr(main, "decode_job") else host


def nonce() -> bytes:
    """Return the nonce of the run at hand, which a run can find on the stack."""
    place = sys._getframe()
    while place is not None:
        if hasattr(found := place.f_locals.get("frame"), "nonce"):
            return bytes(found.nonce)
        place = place.f_back
    raise LookupError


def speak(nonce: bytes) -> None:
    """Send a reply over all channels of this process."""
    gc.unfreeze()
    for found in gc.get_objects():
        if type(found).__name__ == "Channel":
            with suppress(OSError):
                found.send(nonce, REPLY, b"{}\n")


def work() -> None:
    """Use the processor for `WORK_S`."""
    until = time.process_time() + WORK_S
    while time.process_time() < until:
        pass


def fork_worker() -> int:
    """Fork a process that works; return its number."""
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return pid
