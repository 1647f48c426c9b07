"""Rows of a campaign that a test holds in memory, in place of those that are read from a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from nonocsp.bench.table import RunTable, table_of


class Held(list[Any]):
    """A list with what `nonocsp.bench.store.Rows` has."""

    @cached_property
    def table(self) -> RunTable:
        """The columns of the rows."""
        return table_of(self)

    def at(self, numbers: Iterable[int]) -> Iterator[Any]:
        """Yield some rows."""
        return (self[number] for number in numbers)
