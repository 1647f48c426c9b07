"""Rows: every value is checked, every fault has its place, and the columns say what the rows say."""

import json
import math
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nonocsp.bench.rows import KEYS, SECTIONS, RunRow, crashed_row, decode_line, decode_row, encode_row
from nonocsp.bench.scoring import is_decided
from nonocsp.bench.table import ANSWERS, TERMINATIONS, TYPES, Columns, table_of
from nonocsp.model import FormatError
from tools.benchmarks.harness import synthetic

CORPUS = Path(__file__).parents[1] / "corpus" / "campaign"
ROW: dict[str, Any] = json.loads((CORPUS / "rows").read_text())


def read(row: dict[str, Any]) -> Columns:
    columns = Columns()
    columns.add(decode_line(json.dumps(row).encode()))
    return columns


def test_a_row_may_lack_optional_keys_and_have_unknown_ones():
    optional = ("palette", "partial", "message", "wrong", "conditions")
    read({name: value for name, value in ROW.items() if name not in optional} | {"more": [[1]]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"run": 7}, "run: expected str, got int"),
        ({"run": "../up"}, "run: expected str matching regex"),
        ({"run": "r" * 61}, "run: expected str of length <= 60"),
        ({"wall_s": -1.0}, "wall_s: expected float >= 0"),
        ({"wall_s": float("nan")}, "JSON is malformed"),
        ({"seed": 1 << 63}, "seed: expected int <= 9223372036854775807"),
        ({"index": True}, "index: expected int, got bool"),
        ({"rows": 0}, "rows: expected int >= 1"),
        ({"answer": "perhaps"}, "answer: invalid enum value 'perhaps'"),
        ({"limits": None}, "limits: expected object, got null"),
        ({"limits": {"wall": None, "cpu": None}}, "limits: object missing required field memory"),
        (
            {"limits": {"wall": None, "cpu": "1", "memory": None}},
            "limits.cpu: expected float | null, got str",
        ),
        ({"versions": {"a": 1}}, "versions[...]: expected str, got int"),
        ({"solutions": [[".#"]]}, "solutions: expected grids of 2x2 cells, as rows and columns say"),
        ({"solutions": "many"}, "solutions: expected array, got str"),
        ({"partial": [".#", "#"]}, "partial: expected grids of 2x2 cells"),
        ({"count": 10**4000}, "count, count_at_least: expected numbers of at most 4000 digits"),
        (
            {"count": 0, "solutions": [[".#", "#."]]},
            "count, count_at_least: expected at least as many as there",
        ),
        ({"solution_count": 7}, "solution_count, solutions_file: expected both or none"),
        (
            {"solution_count": 9, "solutions_file": "solutions/other.json.gz"},
            f"solutions_file: expected 'solutions/{ROW['run']}.json.gz', the file of this run",
        ),
        ({"stats": {"nodes": [1]}}, "stats[...]: expected bool | int | float | str | null, got array"),
        ({"conditions": {"started": "soon"}}, "conditions.started: expected a time in ISO 8601, not 'soon'"),
        ({"conditions": {"started": "0001-01-01T00:00:00+14:00"}}, "conditions.started: expected a time"),
        ({"message": "x" * ((1 << 20) + 1)}, "message: expected str of length <= 1048576"),
        ({"machine": "\ud800"}, ""),
        (
            {"stats": {str(number): 0 for number in range(10_001)}},
            "stats: expected object of length <= 10000",
        ),
    ],
)
def test_a_faulty_row_is_reported_with_key_and_expected_type(change, message):
    with pytest.raises(FormatError) as caught:
        read(ROW | change)
    assert caught.value.message.startswith(message)
    assert len(caught.value.message) <= 200


def test_a_row_that_cannot_be_stored_becomes_that_of_a_crash_with_what_was_asked():
    row: Any = ROW | {"stats": {"x": {1}}, "solutions": [["x"]]}
    crashed = crashed_row(row, "why")
    assert read(crashed).table()["termination"] == TERMINATIONS.index("crashed")  # type: ignore[arg-type]
    kept = ("run", "puzzle", "backend", "limits", "repeat")
    assert [crashed[key] for key in kept] == [row[key] for key in kept]  # type: ignore[literal-required]
    assert (crashed["message"], crashed["solutions"], crashed["stats"]) == ("why", [], {})


def test_every_key_has_a_meaning_and_a_section_and_the_page_uses_no_other(repository):
    assert sorted(key for section in SECTIONS.values() for key in section.__annotations__) == sorted(KEYS)
    source = (repository / "web" / "src" / "report" / "data.ts").read_text()
    (columns,) = re.findall(r"^  runs: \{\n(.*?)^  \};", source, re.DOTALL | re.MULTILINE)
    used = set(re.findall(r"^    (\w+):", columns, re.MULTILINE))
    derived = {"instance", "request", "setting", "decided", "pictures", "id", "left"}
    assert used > derived
    assert used - derived < set(KEYS)


def test_a_count_of_4000_digits_is_stored_and_read_with_all_of_them():
    row = ROW | {"task": "count", "bound": None, "count": 10**3999 + 7}
    assert decode_row(encode_row(row)) == row


@pytest.fixture(scope="module")
def rows() -> list[RunRow]:
    made = list(synthetic.rows(backends=3, puzzles=200, repeats=2))
    made[5] |= {"claimed_wall_s": 0.25, "session": "2026-01-01T00:00:00Z", "left": ["a file"], "wrong": True}
    made[6] |= {"peak_rss_bytes": None, "conditions": None, "reliable": False, "code": "0123456789abcdef"}
    made[7] |= {"spec": "sat:solver=glucose4", "solutions": [], "stats": {"painted_by_settle": 3}}
    return made


def test_every_entry_of_a_table_is_what_the_row_of_its_number_says(rows):
    columns = Columns()
    for row in rows:
        columns.add(decode_line(encode_row(row)))
    table, of_rows = columns.table(), table_of(rows)
    puzzles = table.puzzles
    for run, row in enumerate(rows):
        puzzle, request, setting = (table[name][run] for name in ("puzzle", "request", "setting"))
        assert table.backends[table["backend"][run]] == row["backend"]
        assert (puzzles.names[puzzle], puzzles.index[puzzle]) == (row["puzzle"], row["index"])
        assert f"{puzzles.hash[puzzle]:016x}" == row["puzzle_hash"][:16]
        assert (puzzles.rows[puzzle], puzzles.columns[puzzle]) == (row["rows"], row["columns"])
        asked = table.requests[request]
        assert asked[:2] == (row["task"], row["bound"])
        assert asked[2:5] == tuple(row["limits"].values())
        assert asked[5:] == (row["seed"], row["repeat"])
        how = table.settings[setting]
        assert how.spec == row.get("spec", row["backend"])
        assert (how.executor, how.machine, dict(how.versions), how.code) == (
            row["executor"], row["machine"], row["versions"], row.get("code", ""))  # fmt: skip
        assert table.sessions[table["session"][run]] == row.get("session", "")
        assert ANSWERS[table["answer"][run]] == row["answer"]
        assert TERMINATIONS[table["termination"][run]] == row["termination"]
        assert (table["reliable"][run], table["wrong"][run]) == (row["reliable"], row.get("wrong", False))
        assert table["left"][run] == ("left" in row)
        for name in ("wall_s", "cpu_s", "claimed_wall_s", "peak_rss_bytes"):
            value = row.get(name)
            np.testing.assert_equal(table[name][run], math.nan if value is None else value)
        started = (row.get("conditions") or {}).get("started")
        expected = datetime.fromisoformat(str(started)).timestamp() if started else math.nan
        np.testing.assert_equal(table["started_s"][run], expected)
        assert table.is_decided[run] == is_decided(row)
    assert table["open_share"][7] == np.float32(1 - 3 / (rows[7]["rows"] * rows[7]["columns"]))
    for name, kind in TYPES.items():
        assert table[name].dtype == np.dtype(kind)
        np.testing.assert_array_equal(table[name], of_rows[name])
    assert (table.requests, table.settings) == (of_rows.requests, of_rows.settings)
    np.testing.assert_array_equal(puzzles.key, of_rows.puzzles.key)
