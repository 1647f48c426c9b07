"""Rows: every row has all keys with their types, and every fault is reported with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from nonocsp.bench import load_config, run_campaign
from nonocsp.bench.rows import KEYS, SECTIONS, RunRow, check_row, storable
from nonocsp.model import FormatError

CORPUS = Path(__file__).parents[1] / "corpus" / "campaign"
ROW: dict[str, Any] = json.loads((CORPUS / "rows").read_text())


def fault(row: dict[str, Any]) -> str:
    with pytest.raises(FormatError) as caught:
        check_row(row, file="runs.jsonl", line=7)
    assert (caught.value.file, caught.value.line) == ("runs.jsonl", 7)
    return caught.value.message


def test_a_row_keeps_unknown_keys() -> None:
    row = ROW | {"more": [1]}
    assert check_row(row, file="", line=1) is row


@pytest.mark.parametrize("key", ["palette", "partial", "message", "wrong", "conditions"])
def test_a_row_may_lack_optional_keys(key: str) -> None:
    check_row({name: value for name, value in ROW.items() if name != key}, file="", line=1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"run": 7}, "run: expected text, not 7"),
        (
            {"run": "../up"},
            "run: expected letters, digits, '.', '_' and '-', with a letter",
        ),
        ({"wall_s": -1.0}, "wall_s: expected a number of at least 0, not -1.0"),
        ({"wall_s": "3"}, "wall_s: expected a number, not '3'"),
        ({"wall_s": float("nan")}, "wall_s: expected a finite number, not nan"),
        ({"seed": 1 << 63}, f"seed: expected a number below {1 << 63}, not {1 << 63}"),
        ({"index": True}, "index: expected a whole number, not true"),
        ({"rows": 0}, "rows: expected a number of at least 1, not 0"),
        (
            {"answer": "perhaps"},
            "answer: expected one of unsat, unique, multiple, solved, partial, unknown, n",
        ),
        (
            {"termination": "bored"},
            "termination: expected one of ok, wall, cpu, memory, crashed, killed",
        ),
        ({"task": "guess"}, "task: expected one of solve, decide, count, not 'guess'"),
        ({"limits": None}, "limits: expected a mapping, such as {wall: 10, memory: 2 GiB}, not nothing"),
        ({"limits": {"wall": None, "cpu": None}}, "the key 'limits.memory' is missing"),
        ({"limits": {"wall": None, "cpu": "1", "memory": None}}, "limits.cpu: expected a number, not '1'"),
        ({"solutions": [[".#"]]}, "solutions: expected grids of 2x2 cells, as rows and columns say"),
        ({"count": "7"}, "count: expected a whole number, not '7'"),
        ({"count": -1}, "count: expected a number of at least 0, not -1"),
        ({"count": 10**4000}, "count, count_at_least: expected numbers of at most 4000 digits"),
        ({"count_at_least": 10**4000}, "count, count_at_least: expected numbers of at most 4000 digits"),
        (
            {"count": 0, "solutions": [[".#", "#."]]},
            "count, count_at_least: expected at least as many as there are",
        ),
        ({"partial": [".#", "#"]}, "partial: expected grids of 2x2 cells"),
        ({"stats": {"nodes": [1]}}, "stats.nodes: expected a number, text, true, false or null, not a list"),
        ({"palette": [["a"]]}, "palette.0: expected at least 2 entries, not a list"),
        ({"reliable": None}, "reliable: expected true or false, not nothing"),
        ({"conditions": {"started": "soon"}}, "conditions.started: expected a time in ISO 8601, not 'soon'"),
        (
            {"message": "x" * ((1 << 20) + 1)},
            "message: expected text of at most 1048576 characters, not",
        ),
        ({"machine": "\ud800"}, "machine: expected text without half characters, not "),
    ],
)
def test_a_faulty_row_is_reported_with_key_and_expected_type(change: dict[str, Any], message: str) -> None:
    found = fault(ROW | change)
    assert found.startswith(message)
    assert len(found) < 200


def test_all_missing_keys_are_named() -> None:
    assert fault({"run": "x"}).startswith("the keys 'campaign', 'puzzle', 'index', ")
    assert fault({key: value for key, value in ROW.items() if key != "stats"}) == "the key 'stats' is missing"


@pytest.mark.usefixtures("unruly")
def test_a_campaign_writes_exactly_the_keys_of_a_row(
    write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    config = "name: all\npuzzles: [{file: puzzles.jsonl}]\n"
    config += "backends: [brute, {spec: settle, name: lines}, 'unruly:how=lie']\n"
    rows = run_campaign(load_config(write_config(config)), tmp_path / "out").rows
    elsewhere = {"palette", "solution_count", "solutions_file", "left", "code", "count", "count_at_least"}
    claimed = {"claimed_wall_s", "claimed_cpu_s"}
    assert {key for row in rows for key in row} | elsewhere | claimed == set(KEYS)
    for row in rows:
        assert list(row) == [key for key in KEYS if key in row]
        check_row(dict(row), file="", line=1)


def test_every_key_has_a_meaning_and_a_section() -> None:
    assert sorted(key for section in SECTIONS.values() for key in section.__annotations__) == sorted(KEYS)


def test_run_columns_of_the_page_are_row_keys_or_derived_from_them(repository: Path) -> None:
    source = (repository / "web" / "src" / "report" / "data.ts").read_text()
    (columns,) = re.findall(r"^  runs: \{\n(.*?)^  \};", source, re.DOTALL | re.MULTILINE)
    used = set(re.findall(r"^    (\w+):", columns, re.MULTILINE))
    derived = {"instance", "request", "setting", "decided", "pictures", "id", "left"}
    assert used > derived
    assert used - derived < set(KEYS)


def test_a_count_of_4000_digits_is_stored_and_read_with_all_of_them() -> None:
    row = ROW | {"task": "count", "bound": None, "count": 10**3999 + 7}
    read = json.loads(json.dumps(storable(cast("RunRow", row))))
    assert check_row(read, file="", line=1)["count"] == 10**3999 + 7
