"""Make the columns of a campaign from its rows, in one pass: `Columns`.

Decoding a line and entering it takes 9 µs. What a line says is checked here as far as
`nonocsp.bench.rows.decode_line` left it open.
"""

from __future__ import annotations

import math
import re
import struct
from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from nonocsp.backends.base import Answer, Termination
from nonocsp.bench.rows import KEYS, Line, decode_part, refuse_other_sizes, start_of
from nonocsp.bench.table import (
    ANSWERS,
    NO_OTHER,
    NO_RUN,
    TERMINATIONS,
    TYPES,
    Column,
    Puzzles,
    Request,
    RunTable,
    Setting,
    digest,
    is_closed,
)
from nonocsp.json_lines import encode
from nonocsp.model import FormatError

_SHA256 = re.compile(r"[0-9a-f]{64}")
_STRINGS = np.dtypes.StringDType()
_NAMES_AT_ONCE = 1 << 16
_ENTRY = np.dtype([*TYPES.items()])
_pack = struct.Struct("=iiiiibb???dddddfQQ").pack
assert len(_pack(*[0] * len(TYPES))) == _ENTRY.itemsize
_ANSWER_CODES, _TERMINATION_CODES = (
    {value: code for code, value in enumerate(values)} for values in (ANSWERS, TERMINATIONS)
)


class _Numbers(dict[Any, int]):
    """Gives each new key the next number."""

    def __missing__(self, key: Any) -> int:
        number = self[key] = len(self)
        return number


class Columns:
    """Takes rows one by one, as lines, and keeps what a table needs of them.

    What many rows share is known by the hash of its text, and decoded once. A hash has 64 bits and another
    secret in each process, so nobody can make two texts that have the same.
    """

    def __init__(self) -> None:
        self._entries = bytearray()
        self._backends, self._requests, self._settings, self._sessions = (_Numbers() for _ in range(4))
        self._parts: dict[Any, Any] = {}
        self._found: dict[int, tuple[int, int]] = {}
        self._puzzles: dict[int, int] = {}
        self._sizes = array("Q"), array("Q"), array("q"), array("q"), array("q")
        self._names: list[str] = []
        self._packed_names: list[Column] = []

    def __len__(self) -> int:
        return len(self._entries) // _ENTRY.itemsize

    def add(self, line: Any) -> None:
        """Append a `Line`; raise FormatError if a part of it that is still JSON is not valid."""
        found, listed = self._solutions(line)
        started_s = start_of(line.conditions)
        limits = self._part("limits", line.limits, lambda it: (it["wall"], it["cpu"], it["memory"]))
        versions = self._part("versions", line.versions, lambda it: tuple(it.items()))
        spec, claimed_s = _or(line.spec, line.backend), line.claimed_wall_s
        self._entries += _pack(
            self._backends[line.backend],
            self._puzzle(line),
            self._requests[str(line.task), line.bound, *limits, line.seed, line.repeat],
            self._settings[spec, line.executor, line.machine, versions, line.code],
            self._sessions[line.session],
            _ANSWER_CODES.get(line.answer, NO_RUN),
            _TERMINATION_CODES.get(line.termination, NO_RUN),
            line.reliable,
            line.wrong,
            bool(line.left),
            line.wall_s,
            line.cpu_s,
            math.nan if claimed_s is None else claimed_s,
            math.nan if line.peak_rss_bytes is None else line.peak_rss_bytes,
            started_s,
            _open_share(line, spec),
            found,
            _claim(line, listed),
        )

    @property
    def said(self) -> tuple[int, tuple[int, int]]:
        """The key of the puzzle of the last run, and the digests of what the run found and excludes."""
        entry = np.frombuffer(self._entries[-_ENTRY.itemsize :], _ENTRY)[0]
        return self._sizes[0][entry["puzzle"]], (int(entry["found"]), int(entry["claim"]))

    def table(self) -> RunTable:
        """Return the table of the runs so far."""
        entries = np.frombuffer(bytes(self._entries), _ENTRY)
        columns = {name: np.ascontiguousarray(entries[name]) for name in TYPES}
        self._pack_names()
        key, hashes, index, rows, columns_ = (np.array(each) for each in self._sizes)
        names = np.concatenate([np.zeros(0, _STRINGS), *self._packed_names])
        puzzles = Puzzles(names, key, hashes, index, rows.astype("u2"), columns_.astype("u2"))
        requests, settings = map(Request._make, self._requests), map(Setting._make, self._settings)
        named = tuple(self._backends), tuple(requests), tuple(settings), tuple(self._sessions)
        return RunTable(columns, puzzles, *named)

    def _part(self, key: str, text: Any, make: Callable[[Any], Any]) -> Any:
        """Return what is made of a part of a row, which is decoded when it first appears."""
        known = self._parts.get(at := (key, bytes(text)))
        if known is None:
            known = self._parts[at] = make(decode_part(key, text))
        return known

    def _solutions(self, line: Any) -> tuple[int, int]:
        """Return the digest of a row's solutions, and how many there are, also in its file."""
        code = hash((bytes(line.solutions), line.rows, line.columns, line.solutions_file))
        if (known := self._found.get(code)) is None:
            grids = decode_part("solutions", line.solutions)
            refuse_other_sizes(grids, line.rows, line.columns, "solutions")
            # a file has those too long for the row: other ones, even if the first are the same
            text = "\n\n".join([line.solutions_file, *sorted("\n".join(grid) for grid in grids)])
            known = self._found[code] = (digest(text) or 1) if grids else 0, len(grids)
        found, listed = known
        if (total := _or(line.solution_count, listed)) < listed:
            raise FormatError("solution_count: expected at least as many as solutions holds")
        if min(_or(line.count, total), _or(line.count_at_least, total)) < total:
            raise FormatError("count, count_at_least: expected at least as many as there are solutions")
        return found, total

    def _puzzle(self, line: Any) -> int:
        """Return the number of the row's puzzle."""
        puzzle = line.puzzle, line.puzzle_hash, line.index, line.rows, line.columns
        if (known := self._puzzles.get(code := hash(puzzle))) is not None:
            return known
        self._names.append(line.puzzle)
        if len(self._names) == _NAMES_AT_ONCE:
            self._pack_names()
        key = digest(f"{line.puzzle}\0{line.puzzle_hash}\0{puzzle[2:]}")
        values = key, _hash_code(line.puzzle_hash), *puzzle[2:]
        for column, value in zip(self._sizes, values, strict=True):
            column.append(value)
        return self._puzzles.setdefault(code, len(self._puzzles))

    def _pack_names(self) -> None:
        self._packed_names.append(np.array(self._names, _STRINGS))
        self._names.clear()


def table_of(rows: Iterable[Mapping[str, Any]]) -> RunTable:
    """Return the table of some rows; what a row lacks counts as unknown."""
    columns = Columns()
    for row in rows:
        columns.add(_line_of(row))
    return columns.table()


def _claim(row: Any, listed: int) -> int:
    """Return 64 bits that stand for what a row excludes: 0 for nothing, `NO_OTHER`, or a larger number.

    A row can exclude all other solutions (`is_closed`), every grid that differs from its partial one, and
    numbers of solutions: all but its count, or those below its lower bound.
    """
    closed = is_closed(row.answer, row.termination, row.task, bound=row.bound, count=row.count, listed=listed)
    number = _or(row.count, _or(row.count_at_least, listed))
    if row.partial is None and number == listed:
        return NO_OTHER if closed else 0
    kind = "at least" if row.count is None else "exactly"
    said = [str(closed), *(row.partial or ()), *([f"{kind} {number}"] if number != listed else [])]
    return max(digest("\n".join(said)), NO_OTHER + 1)


def _open_share(row: Any, spec: str) -> float:
    """Return the share of cells that line solving leaves open; NaN if the row does not tell it.

    Backend ``settle`` is line propagation and counts the cells that it ``painted``. Other backends that start
    from its fixpoint can say so (``painted_by_settle``).
    """
    if not row.stats or row.answer == Answer.UNSAT:
        return math.nan
    is_settle = spec.partition(":")[0] == "settle" and row.termination == Termination.OK
    painted = row.stats.get("painted" if is_settle else "painted_by_settle")
    return 1.0 - painted / (row.rows * row.columns) if isinstance(painted, int | float) else math.nan


def _hash_code(text: str) -> int:
    """Return the first 16 digits of a SHA-256 as a number; of any other text its digest."""
    return int(text[:16], 16) if _SHA256.fullmatch(text) else digest(text)


def _line_of(row: Mapping[str, Any]) -> Any:
    """Return any row, which may lack keys, as a line."""
    line = {**_ABSENT, **{key: value for key, value in row.items() if key in KEYS}}
    line["limits"] = dict.fromkeys(("wall", "cpu", "memory")) | (line["limits"] or {})
    return Line(**line | {key: msgspec.Raw(encode(line[key])) for key in ("limits", "versions", "solutions")})


_ABSENT: Mapping[str, Any] = {
    **dict.fromkeys(("run", "campaign", "puzzle", "puzzle_hash", "task", "executor", "machine"), ""),
    **dict.fromkeys(("index", "bound", "seed", "repeat", "rows", "columns"), 0),
    **dict.fromkeys(("wall_s", "cpu_s"), math.nan),
    **{"answer": "", "termination": "", "reliable": True, "peak_rss_bytes": None},
    **{"limits": None, "versions": {}, "solutions": [], "stats": {}},
}
"""What a row says that lacks these keys."""


def _or(value: Any, other: Any) -> Any:
    return other if value is None else value
