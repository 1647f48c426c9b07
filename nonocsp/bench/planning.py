"""Turn a config into the list of its runs.

A run is known by a hash of what is measured (puzzle, backend, task, limits, seed, repeat), not of when or
with which versions: so what a campaign still has to do is a set difference.

The order makes drift harmless: a machine that gets warm or busy must not do so at the cost of one backend.
Repeats come outermost, so that those of one run lie far apart; then seeds; and the backends follow each other
on one instance before the next one begins, each starting in turn, so that over any stretch of time they have
had the same instances and the same places in the round. Pieces of a campaign keep this order.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product

from nonocsp.backends.base import Request
from nonocsp.bench.config import CampaignConfig
from nonocsp.formats import NamedPuzzle
from nonocsp.model import UsageError
from nonocsp.runner.jobs import Job

RUN_ID_DIGITS = 20


@dataclass(frozen=True)
class PlannedRun:
    """One run that a campaign consists of.

    Parameters
    ----------
    source, request, repeat
        What is asked.
    backend
        What the backend is called: the name that the config gives it, else its canonical spec.
    spec
        The canonical spec; by default `backend`.
    """

    source: NamedPuzzle
    backend: str
    request: Request
    repeat: int
    spec: str = ""

    def __post_init__(self) -> None:
        """Take the backend for its spec if there is no other."""
        object.__setattr__(self, "spec", self.spec or self.backend)

    @cached_property
    def id(self) -> str:
        """Hash (hexadecimal) of everything that the measurement depends on by intention."""
        request = asdict(self.request) | {"bound": self.request.wanted}  # it counts for task `count` only
        puzzle = (self.source.name, self.source.index, self.source.puzzle.canonical_hash)
        backend = self.backend if self.backend == self.spec else [self.spec, self.backend]
        document = json.dumps([puzzle, backend, request, self.repeat], sort_keys=True)
        return hashlib.sha256(document.encode()).hexdigest()[:RUN_ID_DIGITS]

    @property
    def instance(self) -> tuple[object, ...]:
        """What every backend is given alike: puzzle, seed and repeat."""
        return self.source.name, self.source.index, self.request.seed, self.repeat

    @property
    def job(self) -> Job:
        """The run as an executor takes it."""
        return Job(self.source.puzzle, self.spec, self.request, self.id)


def plan(config: CampaignConfig) -> list[PlannedRun]:
    """Return the runs of a campaign in the order in which they are to be measured.

    A puzzle or backend that is listed twice is run once.

    Raises
    ------
    NonocspError
        From the readers of `nonocsp.formats`, for files that hold no puzzles.
    UsageError
        If no puzzle is there at all.
    """
    sources = [named for source in config.puzzles for named in source.puzzles()]
    if not sources:
        raise UsageError(f"{config.name} has no puzzles: {'; '.join(config.absences) or 'slices leave none'}")
    backends, count = config.backends, len(config.backends)
    requests = [config.request(seed) for seed in config.seeds]
    runs: dict[str, PlannedRun] = {}
    for repeat, (number, request), (position, source) in product(
        range(config.repeats), enumerate(requests), enumerate(sources)
    ):
        # a step more in each round of starts, or every other puzzle would always start with the same
        first = (position + position // count + number + repeat) % count
        for entry in (*backends[first:], *backends[:first]):
            run = PlannedRun(source, entry.label, request, repeat, entry.spec)
            runs[run.id] = run
    return list(runs.values())
