"""Campaigns written as tables: backends down, puzzles across.

A cell is the seconds after which a run decided, or ``T`` (cut off at its wall limit), ``M`` (out of memory
after a quarter of a second), ``P`` (a partial grid after a quarter of a second) or ``.`` (no such run). A
puzzle that stands in several columns has several repeats.
"""

from collections import Counter
from typing import Any

from hypothesis import strategies as st

from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import Runs

LIMIT_S = 10.0

_UNDECIDED = {"T": ("unknown", "wall"), "M": ("unknown", "memory"), "P": ("partial", "ok")}


def row(answer: str = "unique", wall_s: float = 1.0, termination: str = "ok", **rest: Any) -> RunRow:
    return {
        "puzzle": "cat",
        "puzzle_hash": "hash of cat",
        "index": 1,
        "rows": 5,
        "columns": 5,
        "backend": "sat",
        "task": "decide",
        "bound": 1000,
        "seed": 0,
        "repeat": 0,
        "limits": {"wall": LIMIT_S, "cpu": None, "memory": None},
        "answer": answer,
        "termination": termination,
        "wall_s": wall_s,
        **rest,
    }


def rows_of(table: str, limit_s: float | None = LIMIT_S) -> list[RunRow]:
    head, *body = [line.split() for line in table.strip().splitlines()]
    return [
        entry
        for backend, *cells in body
        for entry in _rows(backend, dict(enumerate(zip(head, cells, strict=True))), limit_s)
    ]


def runs_of(table: str, limit_s: float | None = LIMIT_S) -> Runs:
    return Runs.of(rows_of(table, limit_s))


def threaded_runs_of(table: str, threads: int) -> Runs:
    """Return the runs by CPU time, which backend `n` spends on `n` of `threads` threads, in turns."""
    rows = rows_of(table)
    backends = list(dict.fromkeys(entry["backend"] for entry in rows))
    for entry in rows:
        entry["cpu_s"] = entry["wall_s"] * (1 + backends.index(entry["backend"]) % threads)
    return Runs.of(rows).compared_by("cpu")


def _rows(backend: str, cells: dict[int, tuple[str, str]], limit_s: float | None) -> list[RunRow]:
    limits, repeats, made = {"wall": limit_s, "cpu": None, "memory": None}, Counter[str](), []
    for puzzle, cell in cells.values():
        asked = {"backend": backend, "puzzle": puzzle, "puzzle_hash": f"hash of {puzzle}", "limits": limits}
        if cell != ".":
            wall_s = LIMIT_S + 0.01 if cell == "T" else 0.25 if cell in _UNDECIDED else float(cell)
            answer, termination = _UNDECIDED.get(cell, ("unique", "ok"))
            made.append(row(answer, wall_s, termination, repeat=repeats[puzzle], **asked))
        repeats[puzzle] += 1
    return made


_CELLS = st.sampled_from("TMP.") | st.integers(0, 9).map(str) | st.floats(0.001, 9.999).map(repr)


@st.composite
def tables(draw: st.DrawFn, *, backends: int = 4, columns: int = 8) -> str:
    """Draw a table whose every backend and column has a run; some puzzles may have several repeats."""
    width = draw(st.integers(1, columns))
    names = [f"b{b}" for b in range(draw(st.integers(1, backends)))]
    lines = [draw(st.lists(_CELLS, min_size=width, max_size=width)) for _ in names]
    for line in lines:
        line[0] = "1" if set(line) == {"."} else line[0]
    head = draw(st.lists(st.sampled_from("pqrstuvw"), min_size=width, max_size=width))
    return "\n".join(
        [" ".join(head), *(" ".join([name, *line]) for name, line in zip(names, lines, strict=True))]
    )
