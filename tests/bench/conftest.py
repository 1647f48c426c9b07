"""Configs and puzzles of small campaigns, and rows that a test holds in memory."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from nonocsp.bench.table import RunTable, table_of

Write = Callable[[str], Path]


class Held(list[Any]):
    """A list with what `nonocsp.bench.store.Rows` has."""

    @cached_property
    def table(self) -> RunTable:
        """The columns of the rows."""
        return table_of(self)

    def at(self, numbers: Iterable[int]) -> Iterator[Any]:
        """Yield some rows."""
        return (self[number] for number in numbers)


@pytest.fixture(autouse=True)
def _machine_at_rest(monkeypatch):
    """Campaigns do not check for other processes, which takes a moment, and do not warn of them."""
    monkeypatch.setattr("nonocsp.bench.campaign.disturbances", lambda jobs, cores, pin: [])


@pytest.fixture
def write_config(tmp_path) -> Write:
    """Write a config beside a `puzzles.jsonl` with the six puzzles below, and return its path."""

    def write(text: str) -> Path:
        (tmp_path / "puzzles.jsonl").write_text("\n".join(PUZZLES) + "\n")
        path = tmp_path / "campaign.yaml"
        path.write_text(text)
        return path

    return write


PUZZLES = (
    '{"title": "cross", "rows": [[1], [3], [1]], "columns": [[1], [3], [1]]}',
    '{"title": "three dots", "rows": [[1], [1], [1]], "columns": [[1], [1], [1]]}',
    '{"title": "full", "rows": [[3], [3], [3]], "columns": [[3], [3], [3]]}',
    '{"title": "empty", "rows": [[], [], []], "columns": [[], [], []]}',
    '{"title": "two dots", "rows": [[1], [], [1]], "columns": [[1], [], [1]]}',
    '{"title": "none", "rows": [[1, 1], [], [1, 1]], "columns": [[2], [], [2]]}',
)
"""Unique, six solutions, unique, unique, two solutions, unsatisfiable."""
