"""Pack the data of a report's page: runs as columns, each text once, pictures in a few bits a cell.

Runs stand entrant by entrant (`nonocsp.bench.report.entrants`), so that an entrant's statistics are
columns of its own and what is the same for all its runs costs nothing. Names of columns are ``table.field``,
where the fields of a run are the keys of its row (`nonocsp.bench.rows`), as far as it has them.
``templates/js/data.js`` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.backends.base import Answer, Task, Termination
from nonocsp.bench.report.container import Column, pack, smallest_unsigned
from nonocsp.bench.report.difficulty import open_shares, puzzle_key
from nonocsp.bench.report.entrants import Entrant
from nonocsp.bench.report.pictures import MAX_BYTES, Album
from nonocsp.bench.scoring import is_decided

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

ID_DIGITS = 10
"""Of a run's id on the page: enough to find its row."""
SOLUTIONS_SHOWN = 4
"""The most solutions of one run that the page draws."""

_ANSWERS, _TERMINATIONS = tuple(map(str, Answer)), tuple(map(str, Termination))


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


def page_data(campaigns: Sequence[str], entrants: Sequence[Entrant], max_bytes: int = MAX_BYTES) -> str:
    """Return the block that the page carries (see `nonocsp.bench.report.container`).

    Parameters
    ----------
    campaigns
        Their labels.
    entrants
        With a row at least.
    max_bytes
        Of all pictures together.
    """
    rows = [row for entrant in entrants for row in entrant.rows]
    puzzles, instances = Numbering(), Numbering()
    instance_of = []
    for row in rows:  # as `nonocsp.bench.scoring.Instance` means it
        bound = row["bound"] if row["task"] == Task.COUNT else None
        asked = row["seed"], row["repeat"], row["task"], bound, row["limits"]["wall"]
        instance_of.append(instances.number((puzzles.number(puzzle_key(row)), *asked)))
    messages, requests, settings = Numbering(""), Numbering(), Numbering()
    album = Album(max_bytes)
    instance_puzzles, seeds, repeats, *_ = zip(*instances.values(), strict=True)
    puzzle_of = [instance_puzzles[number] for number in instance_of]
    columns = {
        "run.instance": smallest_unsigned(instance_of),
        **_run_columns(rows, messages, requests, settings),
        **_picture_columns(rows, puzzle_of, album),
        "instance.puzzle": smallest_unsigned(instance_puzzles),
        "instance.seed": np.array(seeds, np.float64),
        "instance.repeat": smallest_unsigned(repeats),
        **_puzzle_columns(rows, puzzle_of),
    }
    document = {
        "campaigns": list(campaigns),
        "entrants": _entrants(entrants, columns),
        "puzzles": [name for name, _, _ in puzzles.values()],
        "answers": _ANSWERS,
        "terminations": _TERMINATIONS,
        "inks": album.inks(),
        "left_out": album.left_out,
        "messages": messages.values(),
        "requests": [dict(request) for request in requests.values()],
        "settings": [
            {**dict(setting), "versions": dict(versions)} for setting, versions in settings.values()
        ],
    }
    return pack(document, columns)


def _run_columns(
    rows: Sequence[RunRow], messages: Numbering, requests: Numbering, settings: Numbering
) -> dict[str, Column]:
    return {
        "run.answer": smallest_unsigned(_ANSWERS.index(row["answer"]) for row in rows),
        "run.termination": smallest_unsigned(_TERMINATIONS.index(row["termination"]) for row in rows),
        "run.decided": smallest_unsigned(map(is_decided, rows)),
        "run.reliable": smallest_unsigned(row["reliable"] for row in rows),
        "run.wall_s": np.array([row["wall_s"] for row in rows], np.float32),
        "run.cpu_s": np.array([row["cpu_s"] for row in rows], np.float32),
        "run.peak_rss_bytes": np.array([_or_nan(row["peak_rss_bytes"]) for row in rows], np.float32),
        "run.solutions": smallest_unsigned(len(row["solutions"]) for row in rows),
        "run.message": smallest_unsigned(messages.number(row.get("message", "")) for row in rows),
        "run.request": smallest_unsigned(
            requests.number((("task", row["task"]), ("bound", row["bound"]), *row["limits"].items()))
            for row in rows
        ),
        "run.setting": smallest_unsigned(
            settings.number(
                ((("executor", row["executor"]), ("machine", row["machine"])), (*row["versions"].items(),))
            )
            for row in rows
        ),
        "run.id": np.frombuffer(
            "".join(row["run"][:ID_DIGITS].ljust(ID_DIGITS) for row in rows).encode("ascii", "replace"),
            np.uint8,
        ),
    }


def _picture_columns(rows: Sequence[RunRow], puzzle_of: Sequence[int], album: Album) -> dict[str, Column]:
    """Return which pictures each run shows; a first solution of every puzzle gets room before all others."""
    for row, puzzle in zip(rows, puzzle_of, strict=True):
        for lines in row["solutions"][:1]:
            album.add(puzzle, lines, _colours(row))
    shown: list[int] = []
    ends, partial = [0], []
    for row, puzzle in zip(rows, puzzle_of, strict=True):
        grids = [*row["solutions"][:SOLUTIONS_SHOWN], *([row["partial"]] if "partial" in row else [])]
        numbers = [album.add(puzzle, lines, _colours(row)) for lines in grids]
        shown += [number for number in numbers if number is not None]
        ends.append(len(shown))
        partial.append("partial" in row and numbers[-1] is not None)
    return {
        "run.pictures": smallest_unsigned(ends),
        "run.partial": smallest_unsigned(partial),
        "shown.picture": smallest_unsigned(shown),
        **album.columns(),
    }


def _colours(row: RunRow) -> dict[str, str]:
    """Return the colour of each character of a row's grids; empty for black and white."""
    return dict(row.get("palette", ()))


def _puzzle_columns(rows: Sequence[RunRow], puzzle_of: Sequence[int]) -> dict[str, Column]:
    """Return the size of each puzzle, and the share of its cells that line solving leaves open (or NaN)."""
    first: dict[int, RunRow] = {}
    for row, puzzle in zip(rows, puzzle_of, strict=True):
        first.setdefault(puzzle, row)
    shares = open_shares(rows)
    return {
        "puzzle.rows": smallest_unsigned(row["rows"] for row in first.values()),
        "puzzle.columns": smallest_unsigned(row["columns"] for row in first.values()),
        "puzzle.open": np.array([shares.get(puzzle_key(row), np.nan) for row in first.values()], np.float32),
    }


def _entrants(entrants: Sequence[Entrant], columns: dict[str, Column]) -> list[dict[str, Any]]:
    """Return what the page says of each entrant; put its statistics and conditions into `columns`."""
    described: list[dict[str, Any]] = []
    first = 0
    for number, entrant in enumerate(entrants):
        last = first + len(entrant.rows)
        described.append(
            {
                "label": entrant.label,
                "backend": entrant.backend,
                "campaign": entrant.campaign,
                "first": first,
                "last": last,
                "stats": _facts(f"stats.{number}", [row["stats"] for row in entrant.rows], columns),
                "conditions": _facts(f"conditions.{number}", [*map(_conditions, entrant.rows)], columns),
            }
        )
        first = last
    return described


def _conditions(row: RunRow) -> dict[str, Any]:
    """Return a row's conditions: lists as texts, the start as seconds since 1970, which take less room."""
    conditions = row.get("conditions")
    if not conditions:
        return {}
    started = conditions.get("started")
    flat = {
        key: ", ".join(map(str, value)) if isinstance(value, list) else value
        for key, value in conditions.items()
    }
    return {**flat, "started": datetime.fromisoformat(str(started)).timestamp() if started else None}


def _facts(
    prefix: str, values: Sequence[Mapping[str, Any]], columns: dict[str, Column]
) -> list[dict[str, Any]]:
    """Store a column for each key that any run has; return the keys with their columns."""
    keys = dict.fromkeys(key for value in values for key in value)
    facts = []
    for number, key in enumerate(keys):
        name = f"{prefix}.{number}"
        own = [value.get(key) for value in values]
        if any(isinstance(value, str) for value in own):
            texts = Numbering(None)
            columns[name] = smallest_unsigned(map(texts.number, own))
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
