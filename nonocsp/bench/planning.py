"""Turn a config into the stream of its runs.

A run is known by a hash of what is measured, not of when or with which versions: so what a campaign still has
to do is a set difference. The order makes drift harmless. Repeats come outermost, then seeds; all backends
run one instance before the next one begins, and take turns at going first. Shards keep this order.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import Self

from nonocsp.backends.base import Request
from nonocsp.backends.registry import name_of
from nonocsp.bench.config import CampaignConfig
from nonocsp.formats import NamedPuzzle
from nonocsp.formats.json_text import is_unicode
from nonocsp.model import UsageError
from nonocsp.run.jobs import Job

RUN_ID_DIGITS = 20
_BLOCK = 1 << 16
"""Bytes of puzzles to read at a time."""
_BACKEND = "backend="


@dataclass(frozen=True)
class PlannedRun:
    """One run that a campaign consists of."""

    source: NamedPuzzle
    backend: str  # the name that the config gives it, else its canonical `spec`
    request: Request
    repeat: int
    spec: str = ""

    def __post_init__(self) -> None:
        """Take the backend for its spec if there is no other."""
        object.__setattr__(self, "spec", self.spec or self.backend)

    @cached_property
    def id(self) -> str:
        """Hash (hexadecimal) of everything that the measurement depends on by intention."""
        puzzle = _puzzle_text(self.source.name, self.source.index, self.source.puzzle.canonical_hash)
        rest = _rest_of_id(self.backend, self.spec, self.request, self.repeat)
        return hashlib.sha256(puzzle + rest).hexdigest()[:RUN_ID_DIGITS]

    @property
    def instance(self) -> tuple[object, ...]:
        """What every backend is given alike: puzzle, seed and repeat."""
        return self.source.name, self.source.index, self.request.seed, self.repeat

    @property
    def job(self) -> Job:
        """The run as an executor takes it."""
        return Job(self.source.puzzle, self.spec, self.request, self.id)


class Plan:
    """The runs of a campaign in the order in which they are measured: a stream that can be read again."""

    def __init__(self, config: CampaignConfig) -> None:
        self.backends = tuple({entry.label: entry for entry in config.present_backends}.values())
        entries = self.backends
        self._turns = [(*entries[first:], *entries[:first]) for first in range(len(entries))]
        self._requests = [config.request(seed) for seed in dict.fromkeys(config.seeds)]
        self._repeats = config.repeats
        self._puzzles = _PuzzleFile(source for part in config.puzzles for source in part.puzzles())
        if not len(self._puzzles):
            left = "; ".join(config.absences) or "slices leave none"
            raise UsageError(f"{config.name} has no puzzles: {left}")
        if not self.backends:
            raise UsageError(f"{config.name} has no backends: {'; '.join(config.absences)}")

    @property
    def instances(self) -> int:
        """How many instances there are: puzzles x seeds x repeats."""
        return len(self._puzzles) * len(self._requests) * self._repeats

    @property
    def first_and_last(self) -> tuple[str, str]:
        """The names of the first and the last puzzle."""
        count = len(self._puzzles)
        names = [source.name for _, source in self._puzzles.every(0, max(1, count - 1))]
        return names[0], names[-1]

    def __len__(self) -> int:
        return self.instances * len(self.backends)

    def __iter__(self) -> Iterator[PlannedRun]:
        return (run for instance in self.by_instance() for run in instance)

    def by_instance(self, shard: int = 1, shards: int = 1) -> Iterator[list[PlannedRun]]:
        """Yield the runs of one instance after the other; those of other shards cost nothing."""
        for repeat, number, first in self._rounds(shard, shards):
            request = self._requests[number]
            for position, source in self._puzzles.every(first, shards):
                yield [
                    PlannedRun(source, entry.label, request, repeat, entry.spec)
                    for entry in self._turns[self._turn(position, number + repeat)]
                ]

    def ids(self, shard: int = 1, shards: int = 1) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield the ids of `by_instance`, with name and spec of the backend, in a tenth of its time."""
        for repeat, number, first in self._rounds(shard, shards):
            request = self._requests[number]
            turns = [
                [(_rest_of_id(it.label, it.spec, request, repeat), (it.label, it.spec)) for it in turn]
                for turn in self._turns
            ]
            for position, text in self._puzzles.texts(first, shards):
                begun = hashlib.sha256(text)
                for rest, backend in turns[self._turn(position, number + repeat)]:
                    complete = begun.copy()
                    complete.update(rest)
                    yield complete.hexdigest()[:RUN_ID_DIGITS], backend

    def _rounds(self, shard: int, shards: int) -> Iterator[tuple[int, int, int]]:
        """Yield repeat, number of the request, and the shard's first puzzle of each round."""
        before = 0
        for repeat in range(self._repeats):
            for number in range(len(self._requests)):
                yield repeat, number, (shard - 1 - before) % shards
                before += len(self._puzzles)

    def _turn(self, position: int, turn: int) -> int:
        """Return with which backend a puzzle begins."""
        count = len(self.backends)
        # a step more in each round of starts, or every other puzzle would start with the same
        return (position + position // count + turn) % count


def plan(config: CampaignConfig) -> Plan:
    """Return the runs of a campaign (see `Plan`)."""
    return Plan(config)


class _PuzzleFile:
    """Puzzles in a temporary file, each once: in memory there is one at a time."""

    def __init__(self, sources: Iterable[NamedPuzzle]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the plan)
        weakref.finalize(self, self._file.close)
        self._places = array("Q", [0])  # of the text of each puzzle's id, and of the puzzle; and of the end
        known: set[int] = set()
        for source in sources:
            identity = source.name, source.index, source.puzzle.canonical_hash
            text = _puzzle_text(*identity)
            digest = hashlib.blake2b(text, digest_size=8).digest()
            if (number := int.from_bytes(digest, "little")) not in known:
                known.add(number)
                packed = pickle.dumps((*identity, source.puzzle), pickle.HIGHEST_PROTOCOL)
                with _advice():
                    for part in (text, packed):
                        self._places.append(self._places[-1] + self._file.write(part))
        with _advice():
            self._file.flush()

    def __len__(self) -> int:
        return len(self._places) // 2

    def every(self, first: int, step: int) -> Iterator[tuple[int, NamedPuzzle]]:
        """Yield every `step`-th puzzle, each with its position."""
        for position, packed in self._parts(first, step, 1):
            name, index, puzzle_hash, puzzle = pickle.loads(packed)
            vars(puzzle)["canonical_hash"] = puzzle_hash
            yield position, NamedPuzzle(name, index, puzzle)

    def texts(self, first: int, step: int) -> Iterator[tuple[int, memoryview]]:
        """Yield the beginning of the ids of runs (`_puzzle_text`) of every `step`-th puzzle."""
        return self._parts(first, step, 0)

    def _parts(self, first: int, step: int, part: int) -> Iterator[tuple[int, memoryview]]:
        block, begin = memoryview(b""), 0
        for position in range(first, len(self), step):
            start, end = self._places[2 * position + part], self._places[2 * position + part + 1]
            if end > begin + len(block):
                size = end - start if step > 1 else max(end - start, _BLOCK)
                block, begin = memoryview(os.pread(self._file.fileno(), size, start)), start
            yield position, block[start - begin : end - begin]


@contextmanager
def _advice() -> Iterator[None]:
    """Say what to do if there is no room for the temporary file."""
    try:
        yield
    except OSError as error:
        cannot = f"the puzzles of the campaign cannot be kept in {tempfile.gettempdir()}: {error.strerror}"
        raise UsageError(f"{cannot}; free some space, or set TMPDIR to another folder") from None


@lru_cache(maxsize=64)
def _puzzle_text(name: str, index: int, puzzle_hash: str) -> bytes:
    """Return the beginning of the document whose hash is a run's id."""
    return f"[{json.dumps([name, index, puzzle_hash])}".encode()


@lru_cache(maxsize=1024)
def _rest_of_id(backend: str, spec: str, request: Request, repeat: int) -> bytes:
    named = json.dumps(backend if backend == spec else [spec, backend])
    return f", {named}, {_request_text(request)}, {repeat}]".encode()


@lru_cache(maxsize=1024)
def _request_text(request: Request) -> str:
    bound = None if request.counts_all else request.wanted  # it counts for task `count` only
    document = asdict(request) | {"bound": bound}
    if not request.certify:
        del document["certify"]
    return json.dumps(document, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Shard:
    """Which runs of a plan are wanted; without arguments all.

    A run has to match a filter of each kind that is given. ``backend=PATTERN`` matches a backend's name, its
    spec, or the spec without options, as file names are matched; any other text has to be part of the
    puzzle's name.
    """

    number: int = 1
    count: int = 1
    filters: tuple[str, ...] = ()

    @classmethod
    def of(cls, fraction: str = "", filters: Iterable[str] = ()) -> Self:
        """Return the shard that the command line describes."""
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", fraction or "1/1")
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"{fraction!r} is not a valid shard; write K/N with K <= N, at most 999999")
        filters = tuple(filters)
        for text in filters:
            if not is_unicode(text):  # it is stored with the session
                raise UsageError(f"the filter {text!r} is not UTF-8, as names of puzzles and backends are")
        return cls(int(match[1]), int(match[2]), filters)

    @property
    def fraction(self) -> str:
        """The shard as text such as ``"2/5"``; empty if there is only one."""
        return f"{self.number}/{self.count}" if self.count > 1 else ""

    @property
    def suffix(self) -> str:
        """A suffix for a folder's name, so that each shard of a campaign has a folder of its own."""
        return f"-{self.number}of{self.count}" if self.count > 1 else ""

    def __str__(self) -> str:
        """Describe the shard; empty if it is the whole campaign."""
        shard = [f"shard {self.fraction}"] if self.fraction else []
        return ", ".join([*shard, *(f"only {text!r}" for text in self.filters)])

    def select(self, plan: Plan) -> Iterator[PlannedRun]:
        """Yield the runs of this shard, in their order; if there are none, tell which exist."""
        is_empty = True
        for runs in plan.by_instance(self.number, self.count):
            # filters move no instance to another shard
            wanted = [*filter(self._matches, runs)] if self.filters else runs
            is_empty = is_empty and not wanted
            yield from wanted
        if not is_empty:
            return
        if not self.filters:
            raise UsageError(f"shard {self.fraction} is empty: the campaign has {plan.instances} instances")
        backends = ", ".join(entry.label for entry in plan.backends)
        first, last = plan.first_and_last
        raise UsageError(
            f"no run matches {' and '.join(map(repr, self.filters))}; a filter is part of a puzzle's name"
            f" ({first} … {last}) or backend=PATTERN ({backends})"
        )

    def ids(self, plan: Plan) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield the ids of the runs of `select`, in its order, with the names and specs of their backends."""
        if self.filters:
            yield from ((run.id, (run.backend, run.spec)) for run in self.select(plan))
            return
        yield from plan.ids(self.number, self.count)

    def _matches(self, run: PlannedRun) -> bool:
        """Return whether a run matches a filter of each kind that is given."""
        patterns = [text.removeprefix(_BACKEND) for text in self.filters if text.startswith(_BACKEND)]
        texts = [text for text in self.filters if not text.startswith(_BACKEND)]
        names = (run.backend, run.spec, name_of(run.spec))
        return (
            not patterns or any(fnmatchcase(name, pattern) for name in names for pattern in patterns)
        ) and (not texts or any(text in run.source.name for text in texts))


WHOLE = Shard()
