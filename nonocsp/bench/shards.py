"""Select the runs of a shard: those of one machine of several, or those that filters leave.

A campaign is cut by instance (puzzle, seed, repeat), not by run. So all backends meet an instance on the same
machine, and comparisons stay fair after the shards are merged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Self

from nonocsp.backends.registry import name_of
from nonocsp.bench.planning import Plan, PlannedRun
from nonocsp.formats.json_text import is_unicode
from nonocsp.model import UsageError

_BACKEND = "backend="


@dataclass(frozen=True, slots=True)
class Shard:
    """Which runs of a plan are wanted; without arguments all.

    Parameters
    ----------
    number, count
        The shard, counted from 1, and how many there are.
    filters
        A run has to match a filter of each kind that is given. ``backend=PATTERN`` matches a backend's name,
        its spec, or the spec without options, as file names are matched (``backend=sat*``); any other text
        has to be part of the puzzle's name.
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
        """Yield the runs of this shard, in their order; which shard an instance is in depends on no filter."""
        is_empty = True
        for runs in plan.by_instance(self.number, self.count):
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
