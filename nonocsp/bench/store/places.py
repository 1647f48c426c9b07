"""Find the last rows of runs in the files of a campaign, few or many of them: `Places`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.store.index import ID_BYTES, Index

NO_ROW = -1
Column = NDArray[np.int64]
Found = tuple[Column, Column]
"""For each run the segment, 0 for ``runs.jsonl``, and the number of its row there, or `NO_ROW`."""


class Places:
    """The places of the last rows of all runs.

    Parameters
    ----------
    index
        Of the closed segments.
    live
        The last row of each run in ``runs.jsonl``.
    """

    def __init__(self, index: Index, live: Mapping[str, int]) -> None:
        self._index, self._live = index, live

    def of(self, runs: Sequence[str]) -> Found:
        """Return the places of some runs, given by their ids; 4 µs each."""
        segments, rows = self._in_live(runs)
        self._ask_index(runs, np.flatnonzero(rows == NO_ROW), segments, rows)
        return segments, rows

    def of_many(self, runs: Sequence[str]) -> Found:
        """Return the places of some runs; in a fifth of that, once a sorted copy of all ids is in memory."""
        segments, rows = self._in_live(runs)
        rest = np.flatnonzero(rows == NO_ROW)
        is_usual = np.array([len(run) == ID_BYTES and run.isascii() for run in runs], bool)[rest]
        self._ask_index(runs, rest[~is_usual], segments, rows)
        usual, (ids, of_segment, of_row) = rest[is_usual], self._sorted
        if len(ids) and len(usual):
            asked = np.array([runs[place] for place in usual.tolist()], ids.dtype)
            order = np.argsort(asked)  # ids that are near each other are found sooner
            at = np.minimum(np.searchsorted(ids, asked[order]), len(ids) - 1)
            is_there = ids[at] == asked[order]
            places = usual[order[is_there]]
            segments[places], rows[places] = of_segment[at[is_there]], of_row[at[is_there]]
        return segments, rows

    def _in_live(self, runs: Sequence[str]) -> Found:
        rows = np.fromiter((self._live.get(run, NO_ROW) for run in runs), np.int64, len(runs))
        return np.zeros(len(runs), np.int64), rows

    def _ask_index(
        self, runs: Sequence[str], places: NDArray[np.intp], segments: Column, rows: Column
    ) -> None:
        """Enter where the index has some of the runs, given by their places in the list."""
        asked = [runs[place] for place in places.tolist()]
        found = self._index.find(asked)
        for place, run in zip(places.tolist(), asked, strict=True):
            if run in found:
                segments[place], rows[place] = found[run]

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.bytes_], NDArray[np.int32], NDArray[np.int32]]:
        """The ids of the runs in closed segments that have the usual length, and their places."""
        return self._index.every()
