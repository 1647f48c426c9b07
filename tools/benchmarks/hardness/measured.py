"""Join the runs of a campaign with the features of its puzzles: one row a puzzle, in a table of pandas.

A time is the CPU time that the process of the run tells, without starting it; it is infinite where the
backend did not decide the puzzle within the limits. A puzzle that is there twice counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nonocsp.bench import read_campaign
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import is_decided
from nonocsp.formats import NamedPuzzle
from tools.benchmarks.hardness.extraction import FEATURES, GROUPS, extract

SETS = {
    r"random-.*colours": "random, colours",
    r"random-": "random",
    r"\d+-Dom|shared/.*/minizinc/": "n-Dom, MiniZinc",
    r"results/|.*drawn\.jsonl": "drawn",
    r"datasets/tcga/|shared/.*/tournament/": "tournaments",
    r"datasets/": "our pictures",
    r"": "pictures of others",
}
"""The set of a puzzle, by the beginning of its name; the first that matches."""
LEAST_S = 1e-5
"""Shorter times count as this long: some backends read a coarse clock."""


@dataclass(frozen=True)
class Measured:
    """Features and times of puzzles.

    Parameters
    ----------
    table
        One row a puzzle, by its name: its ``set``, its `FEATURES`, and ``cost`` and a group for the CPU
        seconds that a group of them takes.
    times
        CPU seconds, one column a backend; infinite where it did not decide.
    limit_s
        The CPU limit of a run.
    """

    table: pd.DataFrame
    times: pd.DataFrame
    limit_s: float

    @classmethod
    def of(cls, folder: Path, config: CampaignConfig) -> Self:
        """Read a campaign, and compute the features of the puzzles that every backend has run.

        Parameters
        ----------
        folder
            Of the results.
        config
            What was run.
        """
        runs = pd.DataFrame(map(_run, read_campaign(folder).rows))
        order = [entry.label for entry in config.present_backends]
        times = runs.pivot_table("seconds", "puzzle", "backend", aggfunc="last")[order].dropna()
        sources = (source for part in config.puzzles for source in part.puzzles())
        table = described(source for source in sources if source.name in times.index)
        limit_s = config.limits.cpu or config.limits.wall or np.inf
        return cls(table, times.loc[table.index].rename(columns=_short), limit_s)

    @property
    def features(self) -> NDArray[np.float64]:
        """Shape (puzzles, features)."""
        return self.table[list(FEATURES)].to_numpy(float)

    @property
    def costs(self) -> pd.DataFrame:
        """Times in which an undecided run counts twice the limit (PAR-2)."""
        return self.times.replace(np.inf, 2 * self.limit_s)

    def select(self, wanted: NDArray[np.bool_]) -> Measured:
        """Return some of the puzzles."""
        return Measured(self.table[wanted], self.times[wanted], self.limit_s)


def described(sources: Iterable[NamedPuzzle]) -> pd.DataFrame:
    """Return the `Measured.table` of puzzles."""
    rows, known = list[dict[str, object]](), set[str]()
    for source in sources:
        if (digest := source.puzzle.canonical_hash) in known:
            continue
        known.add(digest)
        extraction = extract(source.puzzle)
        of = next(name for start, name in SETS.items() if re.match(start, source.name))
        costs = {f"cost {group}": extraction.cpu_s[group] for group in GROUPS}
        rows.append({"puzzle": source.name, "set": of, **extraction.values, **costs})
    return pd.DataFrame(rows).set_index("puzzle")


def _run(row: RunRow) -> dict[str, object]:
    seconds = max(LEAST_S, row.get("claimed_cpu_s", row["cpu_s"])) if is_decided(row) else np.inf
    return {key: row[key] for key in ("puzzle", "backend")} | {"seconds": seconds}


def _short(backend: str) -> str:
    """Return the name of a backend without its options."""
    return backend.partition(":")[0]
