"""Pack the data of a report's page: JSON with a list for each column, compressed by gzip, in base64.

The tables are ``runs``, entrant by entrant, ``instances`` and ``puzzles``. Columns of runs bear the names of
a row's keys. Numbers that grow evenly are stored as steps. ``web/src/report/data.ts`` reads all.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from io import BytesIO
from itertools import count, pairwise
from math import isnan
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.report.digest import Digest, Entrant
from nonocsp.bench.report.figures import seconds, shortened
from nonocsp.bench.report.growth import Chart
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
"""The most runs that the page carries: about 4 MB."""
_LEVEL = 6
"""Of gzip: 9 takes three times as long for a hundredth less."""
_POWERS = np.array([float(f"1e{digits}") for digits in range(23)])
"""Of ten, exactly: then a rounded figure divided by one is the number with so few digits."""

Columns = dict[str, list[Any]]
"""A table of the page; None where nothing is known."""


def _numbering(*first: Any) -> defaultdict[Any, int]:
    """Return a mapping that gives each new value (hashable) the next number, from 0."""
    numbers = defaultdict[Any, int](count().__next__)
    for value in first:
        numbers[value]
    return numbers


def shown_runs(digest: Digest, most: int = MAX_RUNS) -> list[IntArray]:
    """Return for each entrant the numbers of its runs that the page shows, in the digest's table."""
    shown = np.flatnonzero(_is_shown(digest, most))
    codes = {label: code for code, label in enumerate(digest.table.backends)}
    backend_of = digest.table["backend"][shown]
    return [shown[backend_of == codes[entrant.label]] for entrant in digest.entrants]


def _is_shown(digest: Digest, most: int) -> BoolArray:
    """Return which runs are shown: of too many, those on some instances, and those the report speaks of."""
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
    """Return the JSON that the page carries, packed: base64 of gzip."""
    runs = np.concatenate(shown)
    table = digest.table.take(runs)
    instances, instance_of = instances_of(table)
    puzzles, puzzle_of_instance = by_first(instances.puzzle)
    puzzle_of = puzzle_of_instance[instance_of]
    album, details = Album(max_bytes), _Details(digest.entrants, [len(own) for own in shown])
    solved = np.flatnonzero(table["found"])
    # a first solution of each puzzle gets room before all other pictures
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
    document = {
        "total": len(digest.table),
        "campaigns": [part.label for part in digest.parts],
        "entrants": details.entrants(),
        "answers": ANSWERS,
        "terminations": TERMINATIONS,
        "inks": album.inks(),
        "left_out": album.left_out,
        "growth": [chart.record() for chart in growth],
        "messages": [*details.messages],
        "requests": requests,
        "settings": settings,
        "runs": {
            "id": details.ids(),
            "instance": _steps(instance_of),
            "request": request_of[table["request"]].tolist(),
            "setting": setting_of[table["setting"]].tolist(),
            **_run_columns(table),
            **details.columns,
            "pictures": list(map(len, details.pictures)),
        },
        "shown": [number for own in details.pictures for number in own],
        "instances": {
            "puzzle": _steps(puzzle_of_instance),
            "seed": [seed for *_, seed, _ in asked],
            "repeat": [repeat for *_, repeat in asked],
        },
        "puzzles": {**_puzzle_columns(table, instances.puzzle[puzzles]), **album.columns(len(puzzles))},
    }
    return _packed(document)


def _rows(digest: Digest, runs: IntArray, places: IntArray) -> Iterator[tuple[int, RunRow]]:
    """Yield the rows at some places of the page, with their places."""
    order = places[np.argsort(runs[places], kind="stable")]
    return zip(order.tolist(), digest.rows_at(runs[order]), strict=True)


def _run_columns(table: RunTable) -> Columns:
    """Return the columns of runs that come from the table; a claimed time only if it reads differently."""
    return {
        "decided": table.is_decided.astype(np.uint8).tolist(),
        **{name: table[name].astype(np.uint8).tolist() for name in ("answer", "termination", "reliable")},
        **{name: _figures(table[name]) for name in ("wall_s", "cpu_s", "peak_rss_bytes")},
        "claimed_wall_s": [
            None if claimed == measured or seconds(claimed) == seconds(measured) else claimed
            for claimed, measured in zip(
                _figures(table["claimed_wall_s"], 4), _figures(table["wall_s"], 4), strict=True
            )
        ],
    }


def _puzzle_columns(table: RunTable, puzzles: IntArray) -> Columns:
    """Return name and size of each puzzle, and the share of its cells that line solving leaves open."""
    return {
        "name": [shortened(name, LETTERS) for name in table.puzzles.names[puzzles]],
        "rows": table.puzzles.rows[puzzles].tolist(),
        "columns": table.puzzles.columns[puzzles].tolist(),
        "open": _figures(table.open_shares[puzzles]),
    }


class _Details:
    """Collects what only rows have: messages, pictures, statistics, conditions; entrant by entrant."""

    def __init__(self, entrants: Sequence[Entrant], counts: Sequence[int]) -> None:
        self._entrants, self._counts = entrants, counts
        self._starts = np.cumsum([0, *counts]).tolist()
        runs = self._starts[-1]
        self._entrant_of = np.repeat(np.arange(len(entrants)), np.diff(self._starts)).tolist()
        self._ids = [""] * runs
        names = ("solutions", "message", "left", "partial")
        self.columns: Columns = {name: [None] * runs for name in names}
        """Of runs, once all rows are added."""
        self._facts: list[dict[str, Columns]] = [{"stats": {}, "conditions": {}} for _ in entrants]
        self.messages = _numbering("")
        self.pictures: list[list[int]] = [[]] * runs

    def add(self, place: int, row: RunRow, puzzle: int, album: Album) -> None:
        """Take what the page shows of a row."""
        grids = [*row["solutions"][:SOLUTIONS_SHOWN], *([row["partial"]] if "partial" in row else [])]
        numbers = [album.add(puzzle, lines, _colours(row)) for lines in grids]
        found = {
            "solutions": row.get("solution_count", len(row["solutions"])),
            "message": self.messages[shortened(row.get("message", ""), LETTERS)],
            "left": self.messages[shortened("; ".join(row.get("left", ())), LETTERS)],
            "partial": int("partial" in row and numbers[-1] is not None),
        }
        self.pictures[place] = [number for number in numbers if number is not None]
        self._ids[place] = row["run"][:ID_DIGITS].ljust(ID_DIGITS)
        for name, number in found.items():
            self.columns[name][place] = number
        entrant = self._entrant_of[place]
        start, runs = self._starts[entrant], self._counts[entrant]
        for group, facts in (("stats", row["stats"]), ("conditions", _conditions(row))):
            own = self._facts[entrant][group]
            for key, value in facts.items():
                if key not in own:
                    if len(own) == MAX_FACTS:
                        continue
                    own[key] = [None] * runs
                own[key][place - start] = shortened(value, LETTERS) if isinstance(value, str) else value

    def ids(self) -> str:
        """Return the first digits of all ids, one after the other."""
        return "".join(self._ids)

    def entrants(self) -> list[dict[str, Any]]:
        """Return what the page says of each entrant, with a column for each statistic and condition."""
        return [
            {
                "label": shortened(entrant.label),
                "backend": shortened(entrant.backend),
                "campaign": entrant.part,
                "first": first,
                "last": last,
                **{
                    group: [_fact(key, values) for key, values in columns.items()]
                    for group, columns in facts.items()
                },
            }
            for entrant, facts, first, last in zip(
                self._entrants, self._facts, self._starts[:-1], self._starts[1:], strict=True
            )
        ]


def _colours(row: RunRow) -> dict[str, str]:
    """Return the colour of each character of a row's grids; empty for black and white."""
    return dict(row.get("palette", ()))


def _conditions(row: RunRow) -> dict[str, Any]:
    """Return a row's conditions, the start as milliseconds since 1970: numbers take less room."""
    conditions = row.get("conditions")
    if not conditions:
        return {}
    started = conditions.get("started")
    lists = {key: ", ".join(map(str, value)) for key, value in conditions.items() if isinstance(value, list)}
    at = round(1000 * datetime.fromisoformat(str(started)).timestamp()) if started else None
    return {**conditions, **lists, "started": at}


def _distinct(records: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], IntArray]:
    """Return the distinct records, and the number of each record among them."""
    records, numbers = [*records], _numbering()
    places = [numbers[repr(record)] for record in records]
    distinct = dict(zip(places, records, strict=True))
    return [*distinct.values()], np.array(places, np.intp)


def _steps(values: IntArray) -> list[int]:
    """Return the first value and how much each other one differs from the one before."""
    return [int(step) for step in np.diff(values, prepend=0)]


def _figures(values: NDArray[Any], digits: int = 7) -> list[float | None]:
    """Return measured figures; None for what is not known."""
    wide = np.where(np.isfinite(values), values, np.nan).astype(np.float64)
    with np.errstate(divide="ignore"):
        after_point = digits - 1 - np.floor(np.log10(np.abs(np.nan_to_num(wide))))
    scale = _POWERS[np.clip(after_point, 0, len(_POWERS) - 1).astype(np.intp)]
    return [None if isnan(figure) else figure for figure in (np.round(wide * scale) / scale).tolist()]


def _fact(key: str, values: list[Any]) -> dict[str, Any]:
    """Return a column of an entrant: whole numbers as steps, others to seven digits, one value only once."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and values.count(values[0]) == len(values):
        only = values[0]
        return {"key": key, "same": _figures(np.array([only]))[0] if isinstance(only, float) else only}
    if kinds == {int} and max(map(abs, values)) < 2**53:
        return {"key": key, "steps": [values[0], *(b - a for a, b in pairwise(values))]}
    if kinds <= {int, float, NoneType}:
        return {"key": key, "values": _figures(np.array(values, np.float64))}
    return {"key": key, "values": [str(value) if isinstance(value, float) else value for value in values]}


def _packed(document: dict[str, Any]) -> str:
    """Return base64 of gzip of JSON, made a column at a time: all at once takes 60 MiB more."""
    content = BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb", compresslevel=_LEVEL, mtime=0) as file:
        for chunk in _chunks(document):
            file.write(chunk.encode())
    return base64.b64encode(content.getbuffer()).decode()


def _chunks(value: Any) -> Iterator[str]:
    """Yield the JSON of a value in pieces."""
    if isinstance(value, dict):
        for place, (key, own) in enumerate(value.items()):
            yield f"{',' if place else '{'}{json.dumps(key)}:"
            yield from _chunks(own)
        yield "}" if value else "{}"
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for place, own in enumerate(value):
            yield "," if place else "["
            yield from _chunks(own)
        yield "]"
    else:
        yield json.dumps(value, separators=(",", ":"), allow_nan=False)
