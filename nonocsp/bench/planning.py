"""Turn a config into the stream of its runs.

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
import os
import pickle
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache

from nonocsp.backends.base import Request
from nonocsp.bench.config import CampaignConfig
from nonocsp.formats import NamedPuzzle
from nonocsp.model import UsageError
from nonocsp.runner.jobs import Job

RUN_ID_DIGITS = 20
_BLOCK = 1 << 16
"""Bytes of puzzles to read at a time."""


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
        backend = self.backend if self.backend == self.spec else (self.spec, self.backend)
        puzzle = _puzzle_text(self.source.name, self.source.index, self.source.puzzle.canonical_hash)
        document = f"[{puzzle}, {_json(backend)}, {_request_text(self.request)}, {self.repeat}]"
        return hashlib.sha256(document.encode()).hexdigest()[:RUN_ID_DIGITS]

    @property
    def instance(self) -> tuple[object, ...]:
        """What every backend is given alike: puzzle, seed and repeat."""
        return self.source.name, self.source.index, self.request.seed, self.repeat

    @property
    def job(self) -> Job:
        """The run as an executor takes it."""
        return Job(self.source.puzzle, self.spec, self.request, self.id)


class Plan:
    """The runs of a campaign in the order in which they are measured: a stream that can be read again.

    The puzzles are read or made once, and wait in a temporary file. So memory does not grow with them, except
    for 16 bytes each that find those that are there twice, and their places.

    Parameters
    ----------
    config
        The campaign. A puzzle or backend that is listed twice is run once.

    Raises
    ------
    NonocspError
        From the readers of `nonocsp.formats`, for files that hold no puzzles.
    UsageError
        If there is no puzzle.
    """

    def __init__(self, config: CampaignConfig) -> None:
        self.backends = tuple({entry.label: entry for entry in config.present_backends}.values())
        self._requests = [config.request(seed) for seed in dict.fromkeys(config.seeds)]
        self._repeats = config.repeats
        self._sources = _Spool(source for part in config.puzzles for source in part.puzzles())
        if not len(self._sources):
            left = "; ".join(config.absences) or "slices leave none"
            raise UsageError(f"{config.name} has no puzzles: {left}")
        if not self.backends:
            raise UsageError(f"{config.name} has no backends: {'; '.join(config.absences)}")

    @property
    def instances(self) -> int:
        """How many instances there are: puzzles x seeds x repeats."""
        return len(self._sources) * len(self._requests) * self._repeats

    @property
    def first_and_last(self) -> tuple[str, str]:
        """The names of the first and the last puzzle."""
        count = len(self._sources)
        names = [source.name for _, source in self._sources.every(0, max(1, count - 1))]
        return names[0], names[-1]

    def __len__(self) -> int:
        return self.instances * len(self.backends)

    def __iter__(self) -> Iterator[PlannedRun]:
        return (run for instance in self.by_instance() for run in instance)

    def by_instance(self, shard: int = 1, shards: int = 1) -> Iterator[list[PlannedRun]]:
        """Yield the runs of one instance after the other; those of other shards cost nothing.

        Parameters
        ----------
        shard, shards
            Only instance `shard`, counted from 1, of every `shards`.
        """
        backends, count, before = self.backends, len(self.backends), 0
        for repeat in range(self._repeats):
            for number, request in enumerate(self._requests):
                own = (shard - 1 - before) % shards
                before += len(self._sources)
                for position, source in self._sources.every(own, shards):
                    # a step more in each round of starts, or every other puzzle would start with the same
                    first = (position + position // count + number + repeat) % count
                    yield [
                        PlannedRun(source, entry.label, request, repeat, entry.spec)
                        for entry in (*backends[first:], *backends[:first])
                    ]


def plan(config: CampaignConfig) -> Plan:
    """Return the runs of a campaign (see `Plan`)."""
    return Plan(config)


class _Spool:
    """Puzzles in a temporary file: in memory there is one at a time.

    Parameters
    ----------
    sources
        The puzzles. One that was there before is left out.
    """

    def __init__(self, sources: Iterable[NamedPuzzle]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the plan)
        weakref.finalize(self, self._file.close)
        self._ends = array("Q", [0])
        known: set[int] = set()
        for source in sources:
            identity = source.name, source.index, source.puzzle.canonical_hash
            digest = hashlib.blake2b(repr(identity).encode("utf-8", "surrogatepass"), digest_size=8).digest()
            if (number := int.from_bytes(digest, "little")) not in known:
                known.add(number)
                packed = pickle.dumps((*identity, source.puzzle), pickle.HIGHEST_PROTOCOL)
                self._ends.append(self._ends[-1] + self._file.write(packed))
        self._file.flush()

    def __len__(self) -> int:
        return len(self._ends) - 1

    def every(self, first: int, step: int) -> Iterator[tuple[int, NamedPuzzle]]:
        """Yield every so many puzzles, each with its position.

        Parameters
        ----------
        first, step
            The first position, and the distance from one to the next.
        """
        block, begin = memoryview(b""), 0
        for position in range(first, len(self), step):
            start, end = self._ends[position], self._ends[position + 1]
            if end > begin + len(block):
                size = end - start if step > 1 else max(end - start, _BLOCK)
                block, begin = memoryview(os.pread(self._file.fileno(), size, start)), start
            name, index, puzzle_hash, puzzle = pickle.loads(block[start - begin : end - begin])
            vars(puzzle)["canonical_hash"] = puzzle_hash
            yield position, NamedPuzzle(name, index, puzzle)


@lru_cache(maxsize=1024)
def _json(value: object) -> str:
    return json.dumps(value)


@lru_cache(maxsize=64)
def _puzzle_text(name: str, index: int, puzzle_hash: str) -> str:
    return json.dumps([name, index, puzzle_hash])


@lru_cache(maxsize=1024)
def _request_text(request: Request) -> str:
    document = asdict(request) | {"bound": request.wanted}  # it counts for task `count` only
    return json.dumps(document, sort_keys=True)
