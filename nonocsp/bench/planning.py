"""From a config to the list of runs that it means.

A run is known by a hash of what is measured (puzzle, backend, task, limits, seed, repeat), not of when or
with which versions: so what a campaign still has to do is a set difference. Backends alternate puzzle by
puzzle, each starting in turn, so that a machine that slows down slows all alike.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice

from nonocsp.backends.base import Request
from nonocsp.bench.config import CampaignConfig, PuzzleSource
from nonocsp.bench.executors.base import Job
from nonocsp.formats import NamedPuzzle, load_named

RUN_ID_DIGITS = 20


@dataclass(frozen=True)
class PlannedRun:
    """One run that a campaign consists of; `backend` is a canonical spec."""

    source: NamedPuzzle
    backend: str
    request: Request
    repeat: int

    @cached_property
    def id(self) -> str:
        """Hash (hexadecimal) of everything that the measurement depends on by intention."""
        request = asdict(self.request) | {"bound": self.request.wanted}  # it counts for task `count` only
        puzzle = (self.source.name, self.source.index, self.source.puzzle.canonical_hash)
        document = json.dumps([puzzle, self.backend, request, self.repeat], sort_keys=True)
        return hashlib.sha256(document.encode()).hexdigest()[:RUN_ID_DIGITS]

    @property
    def job(self) -> Job:
        """The run as an executor takes it."""
        return Job(self.source.puzzle, self.backend, self.request, self.id)


def plan(config: CampaignConfig) -> list[PlannedRun]:
    """Return the runs of a campaign in the order in which they are to be measured.

    A puzzle or backend that is listed twice is run once.

    Raises
    ------
    NonocspError
        From the readers of `nonocsp.formats`, for files that hold no puzzles.
    """
    sources = [named for source in config.puzzles for named in named_puzzles(source)]
    return list({run.id: run for run in _product(config, sources)}.values())


def named_puzzles(source: PuzzleSource) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of a source, read as they are asked for."""
    wanted = source.slice
    for name, path in source.paths().items():
        puzzles = load_named(path, name=name, format=source.format, size=source.size)
        yield from islice(puzzles, wanted.start, wanted.stop, wanted.step)


def _product(config: CampaignConfig, sources: list[NamedPuzzle]) -> Iterator[PlannedRun]:
    for repeat in range(config.repeats):
        for seed in config.seeds:
            request = config.request(seed)
            for position, source in enumerate(sources):
                first = position % len(config.backends)
                for backend in (*config.backends[first:], *config.backends[:first]):
                    yield PlannedRun(source, backend, request, repeat)
