"""Pack the data of a report's page: runs as columns, each text once, pictures in a few bits a cell.

Runs stand entrant by entrant, so that an entrant's statistics are
columns of its own and what is the same for all its runs costs nothing. Names of columns are ``table.field``,
where the fields of a run are the keys of its row (`nonocsp.bench.rows`), as far as it has them.
``templates/js/data.js`` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.bench.report.container import Column, pack, smallest_unsigned
from nonocsp.bench.report.digest import Digest, Entrant
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.report.growth.chart import Chart
from nonocsp.bench.report.pictures import MAX_BYTES, Album
from nonocsp.bench.scoring.runs import BoolArray, IntArray, instances_of
from nonocsp.bench.table import ANSWERS, TERMINATIONS, RunTable, by_first

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

ID_DIGITS = 10
"""Of a run's id on the page: enough to find its row."""
SOLUTIONS_SHOWN = 4
"""The most solutions of one run that the page draws."""
LETTERS = 2000
"""The longest message or other text of a run on the page."""
MAX_FACTS = 100
"""The most statistics, and the most conditions, of one backend that the page shows."""


MAX_RUNS = 100_000
"""The most runs that the page carries: 3.5 MB."""


class Numbering:
    """Gives each distinct value (hashable) a number, from 0, in the order of first appearance."""

    def __init__(self, *first: Any) -> None:
        self._numbers: dict[Any, int] = {}
        for value in first:
            self.number(value)

    def number(self, value: Any) -> int:
        """Return the number of a value."""
        return self._numbers.setdefault(value, len(self._numbers))

    def values(self) -> list[Any]:
        """Return all values by their numbers."""
        return list(self._numbers)


def shown_runs(digest: Digest, most: int = MAX_RUNS) -> list[IntArray]:
    """Return for each entrant the numbers of its runs that the page shows, in the digest's table, ascending.

    If there are more than `most` runs, they are those on some instances, chosen by chance but the same each
    time, and those that the report speaks of.

    Parameters
    ----------
    digest
        What the report says.
    most
        How many runs may be chosen.
    """
    shown = np.flatnonzero(_is_shown(digest, most))
    codes = {label: code for code, label in enumerate(digest.table.backends)}
    backend_of = digest.table["backend"][shown]
    return [shown[backend_of == codes[entrant.label]] for entrant in digest.entrants]


def _is_shown(digest: Digest, most: int) -> BoolArray:
    """Return which runs of the table of the digest are shown."""
    table = digest.table
    if len(table) <= most:
        return np.ones(len(table), bool)
    instances, instance_of = instances_of(table)
    order = np.random.default_rng(0).permutation(len(instances))
    runs = np.bincount(instance_of, minlength=len(instances))
    chosen = np.zeros(len(instances), bool)
    chosen[order[np.cumsum(runs[order]) <= most]] = True
    spoken_of = [run for runs in digest.contradictions.runs for run in runs]
    chosen[instance_of[spoken_of]] = True
    chosen[instance_of[digest.wrong_runs[: len(digest.wrong)]]] = True
    return np.asarray(chosen[instance_of])


def page_data(
    digest: Digest, shown: Sequence[IntArray], growth: Sequence[Chart] = (), max_bytes: int = MAX_BYTES
) -> str:
    """Return the block that the page carries (see `nonocsp.bench.report.container`).

    Most columns come from the table of the digest. The rows of the runs are read once for the rest; before
    that, one row for each puzzle is read for a first solution, which gets room before all other pictures.

    Parameters
    ----------
    digest
        What the report says.
    shown
        The runs of each entrant that are shown.
    growth
        Charts that the page draws.
    max_bytes
        Of all pictures together.
    """
    runs = np.concatenate(shown)
    table = digest.table.take(runs)
    instances, instance_of = instances_of(table)
    puzzles, puzzle_of_instance = by_first(instances.puzzle)
    puzzle_of = puzzle_of_instance[instance_of]
    album, details = Album(max_bytes), _Details(digest.entrants, [len(own) for own in shown])
    solved = np.flatnonzero(table["found"])
    for place, row in _rows(digest, runs, solved[by_first(puzzle_of[solved])[0]]):
        album.add(int(puzzle_of[place]), row["solutions"][0], _colours(row))
    for place, row in _rows(digest, runs, np.arange(len(runs))):
        details.add(place, row, int(puzzle_of[place]), album)
    requests, request_of = _distinct(
        {"task": it.task, "bound": it.bound, "wall": it.wall, "cpu": it.cpu, "memory": it.memory}
        for it in table.requests
    )
    settings, setting_of = _distinct(
        {"executor": it.executor, "machine": it.machine, "code": it.code, "versions": dict(it.versions)}
        for it in table.settings
    )
    asked = [instances.asked[code] for code in table["request"][instances.first]]
    columns = {
        "run.instance": smallest_unsigned(instance_of),
        "run.request": smallest_unsigned(request_of[table["request"]]),
        "run.setting": smallest_unsigned(setting_of[table["setting"]]),
        **_run_columns(table),
        **details.columns(),
        **album.columns(),
        "instance.puzzle": smallest_unsigned(puzzle_of_instance),
        "instance.seed": np.array([seed for *_, seed, _ in asked], np.float64),
        "instance.repeat": smallest_unsigned(repeat for *_, repeat in asked),
        **_puzzle_columns(table, puzzle_of, instances.puzzle[puzzles]),
    }
    document = {
        "campaigns": [part.label for part in digest.parts],
        "entrants": details.entrants(columns),
        "puzzles": [shortened(name, LETTERS) for name in table.puzzles.names[instances.puzzle[puzzles]]],
        "answers": ANSWERS,
        "terminations": TERMINATIONS,
        "inks": album.inks(),
        "left_out": album.left_out,
        "growth": [chart.record() for chart in growth],
        "messages": details.messages.values(),
        "requests": requests,
        "settings": settings,
    }
    return pack(document, columns)


def _rows(digest: Digest, runs: IntArray, places: IntArray) -> Iterator[tuple[int, RunRow]]:
    """Yield the rows at some places of the page, with their places.

    Parameters
    ----------
    digest
        What the report says.
    runs
        The numbers of all runs of the page, in their order there.
    places
        Those that are wanted.
    """
    order = places[np.argsort(runs[places], kind="stable")]
    return zip(order.tolist(), digest.rows_at(runs[order]), strict=True)


def _run_columns(table: RunTable) -> dict[str, Column]:
    """Return the columns of runs that come from the table."""
    counts = ("answer", "termination", "reliable")
    figures = ("wall_s", "cpu_s", "claimed_wall_s", "peak_rss_bytes")
    return {
        "run.decided": smallest_unsigned(table.is_decided),
        **{f"run.{name}": smallest_unsigned(table[name]) for name in counts},
        **{f"run.{name}": table[name].astype(np.float32) for name in figures},
    }


def _puzzle_columns(table: RunTable, puzzle_of: IntArray, puzzles: IntArray) -> dict[str, Column]:
    """Return the size of each puzzle, and the share of its cells that line solving leaves open (or NaN).

    Parameters
    ----------
    table
        The runs of the page.
    puzzle_of
        The puzzle of each run.
    puzzles
        The puzzles of the page as places in the table's.
    """
    shares, is_known = np.full(len(puzzles), np.nan, np.float32), ~np.isnan(table["open_share"])
    shares[puzzle_of[is_known]] = table["open_share"][is_known]
    return {
        "puzzle.rows": smallest_unsigned(table.puzzles.rows[puzzles]),
        "puzzle.columns": smallest_unsigned(table.puzzles.columns[puzzles]),
        "puzzle.open": shares,
    }


class _Details:
    """Collects what only rows have: messages, pictures, statistics, conditions.

    Parameters
    ----------
    entrants
        Whose runs stand on the page, one entrant after the other.
    counts
        How many runs each of them has there.
    """

    def __init__(self, entrants: Sequence[Entrant], counts: Sequence[int]) -> None:
        self._entrants, self._counts = entrants, counts
        self._starts = np.cumsum([0, *counts]).tolist()
        runs = self._starts[-1]
        self._entrant_of = np.repeat(np.arange(len(entrants)), np.diff(self._starts)).tolist()
        names = ("solutions", "message", "left", "partial")
        self._numbers = {name: np.zeros(runs, np.uint32) for name in names}
        self._ids = np.full((runs, ID_DIGITS), ord(" "), np.uint8)
        self._pictures: list[tuple[int, ...]] = [()] * runs
        self._facts: list[dict[str, dict[str, list[Any]]]] = [
            {"stats": {}, "conditions": {}} for _ in entrants
        ]
        self.messages = Numbering("")

    def add(self, place: int, row: RunRow, puzzle: int, album: Album) -> None:
        """Take what the page shows of a row.

        Parameters
        ----------
        place
            Of the run on the page.
        row
            The run's.
        puzzle
            The number of its puzzle on the page.
        album
            Gets its pictures.
        """
        grids = [*row["solutions"][:SOLUTIONS_SHOWN], *([row["partial"]] if "partial" in row else [])]
        numbers = [album.add(puzzle, lines, _colours(row)) for lines in grids]
        self._pictures[place] = tuple(number for number in numbers if number is not None)
        found = {
            "solutions": row.get("solution_count", len(row["solutions"])),
            "message": self.messages.number(shortened(row.get("message", ""), LETTERS)),
            "left": self.messages.number(shortened("; ".join(row.get("left", ())), LETTERS)),
            "partial": "partial" in row and numbers[-1] is not None,
        }
        for name, number in found.items():
            self._numbers[name][place] = min(number, 2**32 - 1)
        digits = row["run"][:ID_DIGITS].encode("ascii", "replace")
        self._ids[place, : len(digits)] = np.frombuffer(digits, np.uint8)
        entrant = self._entrant_of[place]
        start, runs = self._starts[entrant], self._counts[entrant]
        for group, facts in (("stats", row["stats"]), ("conditions", _conditions(row))):
            own = self._facts[entrant][group]
            for key, value in facts.items():
                if key not in own:
                    if len(own) == MAX_FACTS:
                        continue
                    own[key] = [None] * runs
                own[key][place - start] = value

    def columns(self) -> dict[str, Column]:
        """Return the columns of runs."""
        shown = [number for numbers in self._pictures for number in numbers]
        return {
            **{f"run.{name}": smallest_unsigned(numbers) for name, numbers in self._numbers.items()},
            "run.id": self._ids.ravel(),
            "run.pictures": smallest_unsigned(np.cumsum([0, *map(len, self._pictures)])),
            "shown.picture": smallest_unsigned(shown),
        }

    def entrants(self, columns: dict[str, Column]) -> list[dict[str, Any]]:
        """Return what the page says of each entrant; put its statistics and conditions into `columns`."""
        return [
            {
                "label": shortened(entrant.label),
                "backend": shortened(entrant.backend),
                "campaign": entrant.part,
                "first": first,
                "last": last,
                **{group: _facts(f"{group}.{number}", facts[group], columns) for group in facts},
            }
            for number, (entrant, facts, first, last) in enumerate(
                zip(self._entrants, self._facts, self._starts[:-1], self._starts[1:], strict=True)
            )
        ]


def _colours(row: RunRow) -> dict[str, str]:
    """Return the colour of each character of a row's grids; empty for black and white."""
    return dict(row.get("palette", ()))


def _conditions(row: RunRow) -> dict[str, Any]:
    """Return a row's conditions with the start as seconds since 1970: numbers take less room than texts."""
    conditions = row.get("conditions")
    if not conditions:
        return {}
    started = conditions.get("started")
    lists = {key: ", ".join(map(str, value)) for key, value in conditions.items() if isinstance(value, list)}
    seconds = datetime.fromisoformat(str(started)).timestamp() if started else None
    return {**conditions, **lists, "started": seconds}


def _distinct(records: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], IntArray]:
    """Return the distinct records, and the number of each record among them."""
    numbering, distinct, numbers = Numbering(), list[dict[str, Any]](), list[int]()
    for record in records:
        number = numbering.number(repr(record))
        if number == len(distinct):
            distinct.append(record)
        numbers.append(number)
    return distinct, np.array(numbers, np.intp)


def _facts(prefix: str, values: Mapping[str, list[Any]], columns: dict[str, Column]) -> list[dict[str, Any]]:
    """Store a column for each key that any run has; return the keys with their columns."""
    facts = []
    for number, (key, own) in enumerate(values.items()):
        name = f"{prefix}.{number}"
        if any(isinstance(value, str) for value in own):
            texts = Numbering(None)
            columns[name] = smallest_unsigned(
                texts.number(shortened(value, LETTERS) if isinstance(value, str) else value) for value in own
            )
            facts.append({"key": key, "column": name, "texts": texts.values()})
        else:
            columns[name] = _numbers(own)
            facts.append({"key": key, "column": name})
    return facts


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _numbers(values: Sequence[float | None]) -> Column:
    """Return numbers, NaN for None, in a type that shows them as they are to seven digits."""
    if all(isinstance(value, int) and 0 <= value < 2**32 for value in values):
        return smallest_unsigned(int(value or 0) for value in values)
    wide = np.array([_or_nan(value) for value in values], np.float64)
    is_fraction = bool(np.any(wide % 1 > 0))
    return wide.astype(np.float32) if is_fraction and float(np.nanmax(wide)) < 2**24 else wide
