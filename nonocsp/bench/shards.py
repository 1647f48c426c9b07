"""A part of a campaign: one piece of several that are run on different machines, or what a filter leaves.

A campaign is cut by instance (puzzle, seed, repeat), not by run: so all backends meet an instance on the same
machine, and comparisons stay fair after the pieces are merged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Self

from nonocsp.bench.planning import PlannedRun
from nonocsp.model import UsageError

_BACKEND = "backend="


@dataclass(frozen=True, slots=True)
class Part:
    """Which runs of a plan are wanted; without arguments all.

    Parameters
    ----------
    piece, pieces
        The piece, counted from 1, of how many.
    filters
        A run has to match one filter of each kind that there is: ``backend=PATTERN`` is matched with a
        backend's spec and name as file names are (``backend=sat*``), any other text has to be part of the
        puzzle's name.
    """

    piece: int = 1
    pieces: int = 1
    filters: tuple[str, ...] = ()

    @classmethod
    def of(cls, shard: str = "", filters: Iterable[str] = ()) -> Self:
        """Return the part that a piece such as ``"2/5"`` and some filters describe.

        Raises
        ------
        UsageError
            If the piece is not of this form.
        """
        match = re.fullmatch(r"(\d+)/(\d+)", shard or "1/1")
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"{shard!r} is no piece such as 2/5 (the second of five)")
        return cls(int(match[1]), int(match[2]), tuple(filters))

    @property
    def shard(self) -> str:
        """The piece as text such as ``"2/5"``; empty if it is all there is."""
        return f"{self.piece}/{self.pieces}" if self.pieces > 1 else ""

    @property
    def suffix(self) -> str:
        """What a folder's name gets, so that the pieces of a campaign go to folders of their own."""
        return f"-{self.piece}of{self.pieces}" if self.pieces > 1 else ""

    def __str__(self) -> str:
        """Return the part for people; empty if it is all there is."""
        piece = [f"piece {self.shard}"] if self.shard else []
        return ", ".join([*piece, *(f"only {text!r}" for text in self.filters)])

    def select(self, runs: Sequence[PlannedRun]) -> list[PlannedRun]:
        """Return the runs of this part, in their order; an instance's piece does not depend on filters.

        Raises
        ------
        UsageError
            If there are none, with what there is to choose from.
        """
        numbers: dict[tuple[object, ...], int] = {}
        wanted = [
            run
            for run in runs
            if numbers.setdefault(run.instance, len(numbers)) % self.pieces == self.piece - 1
            and self._matches(run)
        ]
        if not wanted:
            raise UsageError(self._nothing(runs, len(numbers)))
        return wanted

    def _matches(self, run: PlannedRun) -> bool:
        patterns = [text.removeprefix(_BACKEND) for text in self.filters if text.startswith(_BACKEND)]
        texts = [text for text in self.filters if not text.startswith(_BACKEND)]
        names = (run.backend, run.backend.partition(":")[0])
        return (
            not patterns or any(fnmatchcase(name, pattern) for name in names for pattern in patterns)
        ) and (not texts or any(text in run.source.name for text in texts))

    def _nothing(self, runs: Sequence[PlannedRun], instances: int) -> str:
        if self.filters:
            backends = ", ".join(dict.fromkeys(run.backend for run in runs))
            puzzles = [*dict.fromkeys(run.source.name for run in runs)]
            return (
                f"no run matches {' and '.join(map(repr, self.filters))}; a filter is part of a puzzle's name"
                f" ({puzzles[0]} … {puzzles[-1]}) or backend=PATTERN ({backends})"
            )
        return f"piece {self.shard} is empty: the campaign has {instances} instances"


WHOLE = Part()
