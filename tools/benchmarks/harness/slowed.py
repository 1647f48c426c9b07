"""Backend ``slowed``: another backend that takes a known percentage longer, to test what comparisons find."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_doc import Doc

from nonocsp.backends.base import Backend, Capabilities, Run
from nonocsp.backends.registry import create
from nonocsp.model import Grid, Puzzle


@dataclass(frozen=True, slots=True)
class SlowedOptions:
    """Options of ``slowed``."""

    backend: Annotated[str, Doc("the backend")] = "probing"
    percent: Annotated[float, Doc("how much longer it takes")] = 0.0


class Slowed:
    """Runs a backend, then waits busily for a share of the time that it took."""

    Options = SlowedOptions
    summary: ClassVar[str] = "another backend, slowed"
    paper: ClassVar[str] = ""
    capabilities: ClassVar[Capabilities] = Capabilities()
    requires: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: SlowedOptions) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions.

        Parameters
        ----------
        puzzle, run
            See `Backend.search`.
        """
        inner: Backend = create(self.options.backend)
        started = time.perf_counter()
        grids = [*inner.search(puzzle, run)]
        ended = time.perf_counter()
        end = ended + (ended - started) * self.options.percent / 100.0
        while time.perf_counter() < end:
            pass
        yield from grids
