"""The store: nothing that was written gets lost, whatever happens to the writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from nonocsp.bench.store import Row, Store, read_rows
from nonocsp.model import FormatError, UsageError

ROWS: list[Row] = [{"run": f"{number:04}", "message": "ä\n" * number} for number in range(5)]


def fill(folder: Path) -> Path:
    with Store(folder) as store:
        for row in ROWS:
            store.append(row)
    return folder / "runs.jsonl"


def test_rows_come_back_in_order(tmp_path: Path) -> None:
    assert list(read_rows(fill(tmp_path / "new" / "folder"))) == ROWS


def test_a_row_is_readable_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.append(ROWS[0])
        assert list(store.rows()) == ROWS[:1]


def test_a_file_cut_anywhere_loses_only_the_torn_row(tmp_path: Path) -> None:
    path = fill(tmp_path)
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with Store(tmp_path) as store:
            kept = list(store.rows())
            store.append({"run": "next"})
        assert kept == ROWS[: whole[:length].count(b"\n")]
        assert list(read_rows(path)) == [*kept, {"run": "next"}]


def test_two_writers_cannot_open_one_folder(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(UsageError, match="another campaign is writing"), Store(tmp_path):
        pass
    with Store(tmp_path):
        pass


@pytest.mark.parametrize("line", [b"nonsense\n", b"[1]\n", b"\x00\x00\n"])
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: bytes) -> None:
    path = fill(tmp_path)
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(FormatError, match=r"runs\.jsonl:6: not a row"):
        list(read_rows(path))
