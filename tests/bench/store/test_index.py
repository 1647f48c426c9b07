"""Segments and their index: the same rows come back, and nobody believes an index that does not fit."""

from __future__ import annotations

import gc
import gzip
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import NO_ROW, Store, index, read_campaign, set_aside
from nonocsp.bench.store.segments import MEMBER_BYTES, Segment, Unpacked, closed_segments, compress
from nonocsp.bench.table import TYPES, RunTable
from nonocsp.json_lines import JsonLines
from nonocsp.model import UsageError
from tools.benchmarks.harness import synthetic

ROWS = list(synthetic.rows(backends=4, puzzles=150))
SIZE = 100_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign in some segments."""
    write(tmp_path / "out", ROWS)
    return tmp_path / "out"


def write(folder: Path, rows: list[RunRow]) -> None:
    with Store(folder, segment_bytes=SIZE) as store:
        for row in rows:
            store.append(row)


def same(one: RunTable, other: RunTable) -> bool:
    """Return whether two tables say the same, however they number their values."""
    return len(one) == len(other) and all(
        decoded(one, name) == decoded(other, name) for name in TYPES if name != "puzzle"
    )


def decoded(table: RunTable, name: str) -> list[Any]:
    values = {"backend": table.backends, "request": table.requests, "setting": table.settings}
    values |= {"session": table.sessions}
    column = table[name]
    if name in values:
        return [values[name][code] for code in column]
    return [repr(value) for value in column.tolist()]


def test_rows_and_columns_of_segments_come_back(folder: Path) -> None:
    assert len(closed_segments(folder)) > 3
    assert {segment.path.suffix for segment in closed_segments(folder)} == {".gz"}
    campaign = read_campaign(folder)
    assert list(campaign.rows) == ROWS
    assert same(campaign.table, RunTable.of(ROWS))
    assert list(campaign.rows_at([0, 7, 399, 599])) == [ROWS[0], ROWS[7], ROWS[399], ROWS[599]]


def test_segments_are_ordinary_gzip_files(folder: Path) -> None:
    packed = [gzip.decompress(segment.path.read_bytes()) for segment in closed_segments(folder)]
    lines = b"".join([*packed, (folder / "runs.jsonl").read_bytes()]).splitlines()
    assert [json.loads(line) for line in lines] == ROWS


def test_runs_are_found_wherever_their_rows_are(folder: Path) -> None:
    class Run:
        def __init__(self, run: str) -> None:
            self.id = run

    again = ROWS[5] | {"answer": "unknown", "solutions": []}
    write(folder, [again])
    rows = read_campaign(folder).rows
    assert len(rows) == len(ROWS)
    numbers = dict(rows.numbered(Run(row["run"]) for row in [ROWS[5], ROWS[6], ROWS[-1]]))
    assert list(numbers.values()) == [len(ROWS) - 1, 5, len(ROWS) - 2]
    assert [number for _, number in rows.numbered([Run("unheard-of")])] == [None]
    assert list(rows)[-1] == again


def test_many_runs_are_found_as_single_ones_are_whatever_their_ids(tmp_path: Path) -> None:
    odd = ["é" * 20, "x" * 19, "x" * 20, "y" * 60, "0" * 20]
    renamed = [row | {"run": run} for row, run in zip(ROWS[:300], odd, strict=False)]
    write(tmp_path, [*renamed, *ROWS[5:300], *renamed[:2], *ROWS[100:120]])
    rows = read_campaign(tmp_path).rows
    ids = [*odd, *(row["run"] for row in ROWS[5:300]), "unheard-of", "f" * 20, "é" * 10]
    expected = {row["run"]: number for number, row in enumerate(rows)}
    for asked in (ids, ids[::-1], ids[-1:], []):
        assert rows.numbers(asked).tolist() == [expected.get(run, NO_ROW) for run in asked]
    some = np.arange(len(rows)) % 3 == 0
    chosen = rows.select(some)
    expected = {row["run"]: number for number, row in enumerate(chosen)}
    assert chosen.numbers(ids).tolist() == [expected.get(run, NO_ROW) for run in ids]


def test_digests_of_rows_are_those_of_the_table(folder: Path) -> None:
    write(folder, [row | {"answer": "multiple"} for row in ROWS[::7]])
    rows = read_campaign(folder).rows.select(np.arange(len(ROWS)) % 5 != 0)
    digests = zip(rows.table["found"].tolist(), rows.table["claim"].tolist(), strict=True)
    assert [rows.said(number) for number in range(len(rows))] == list(digests)


def test_a_run_repeated_over_segments_has_one_row(tmp_path: Path) -> None:
    for answer in ("unknown", "unique", "multiple"):
        write(tmp_path, [row | {"answer": answer} for row in ROWS[:300]])
    (tmp_path / "index.sqlite").unlink()
    for _ in range(2):
        rows = read_campaign(tmp_path).rows
        assert {row["answer"] for row in rows} == {"multiple"}
        assert sorted(row["run"] for row in rows) == sorted(row["run"] for row in ROWS[:300])
        assert len(rows.table) == 300


def _garbage(path: Path) -> None:
    path.write_bytes(os.urandom(10_000))


def _torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def _other_tables(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE segments (number INTEGER)")
        database.execute("CREATE VIEW runs AS SELECT 1 AS run, 1 AS segment, 1 AS row")
    database.close()


def _other_code(path: Path) -> None:
    _execute(path, "UPDATE about SET code = code + 1")


def _no_rows(path: Path) -> None:
    _execute(path, "UPDATE segments SET columns = x'00' WHERE number = 2")


def _trigger(path: Path) -> None:
    _execute(path, "CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM runs; END")


def _execute(path: Path, statement: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(statement)
    database.close()


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _interrupted(path: Path) -> None:
    """Leave what a driver leaves that is killed while it writes the index."""
    code = (
        "import os, sqlite3, sys; database = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "database.execute('PRAGMA cache_size = 1'); database.execute('BEGIN');"
        "database.execute('DELETE FROM runs'); database.execute('DELETE FROM segments'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert path.with_name("index.sqlite-journal").stat().st_size


def _folders_beside(path: Path) -> None:
    for ending in ("-journal", "-wal", "-shm"):
        path.with_name(path.name + ending).mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


@pytest.mark.parametrize(
    "spoil",
    [
        *(Path.unlink, _garbage, _torn, _other_tables, _other_code, _no_rows, _trigger, _directory, _pipe),
        *(_link, _interrupted, _folders_beside),
    ],
)
@pytest.mark.parametrize("writer_first", [True, False])
def test_an_index_that_does_not_fit_is_made_anew(folder: Path, spoil: Any, writer_first: bool) -> None:
    spoil(folder / "index.sqlite")
    if writer_first and spoil in (_pipe, _link):
        with pytest.raises(UsageError, match=r"index\.sqlite is "), Store(folder):
            pass
    elif writer_first:
        with Store(folder) as store:
            assert list(store.campaign().rows) == ROWS
    campaign = read_campaign(folder)
    assert list(campaign.rows) == ROWS
    assert same(campaign.table, RunTable.of(ROWS))


def test_a_planted_index_of_a_copied_folder_is_not_believed(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    _execute(tmp_path / "copy" / "index.sqlite", "DELETE FROM runs")
    campaign = read_campaign(tmp_path / "copy")
    assert list(campaign.rows) == ROWS
    assert len(dict(campaign.rows.numbered(map(_Run, ROWS)))) == len(ROWS)
    assert all(number is not None for _, number in campaign.rows.numbered(map(_Run, ROWS)))


class _Run:
    def __init__(self, row: RunRow) -> None:
        self.id = row["run"]


def _plant_journal(index: Path, victim: Path) -> None:
    """Write a journal that makes SQLite delete a file: it names that one as its super-journal."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    head = (magic + struct.pack(">IIIII", 0, 0, 2, 512, 4096)).ljust(512, b"\0")
    tail = struct.pack(">I", 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    index.with_name("index.sqlite-journal").write_bytes(head + tail)


def _write(folder: Path) -> None:
    with Store(folder):
        pass


def _read_beside_a_writer(folder: Path) -> None:
    with JsonLines(folder / "runs.jsonl", folder / ".lock"):
        assert list(read_campaign(folder).rows) == ROWS


@pytest.mark.parametrize("use", [_write, read_campaign, _read_beside_a_writer])
def test_a_planted_journal_makes_nobody_delete_a_file(folder: Path, tmp_path: Path, use: Any) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious" * 100)
    _plant_journal(folder / "index.sqlite", victim)
    use(folder)
    assert victim.exists()
    assert list(read_campaign(folder).rows) == ROWS
    assert not list(folder.glob("index.sqlite-*"))


def test_nothing_is_written_or_awaited_through_what_a_stranger_left_in_a_folder(
    folder: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (folder / "segments" / ".000001.jsonl.gz.new").symlink_to(victim)
    packed = folder / "segments" / "000001.jsonl.gz"
    packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    with Store(folder):
        assert packed.exists()
    assert victim.read_text() == "precious"
    (folder / "index.sqlite").unlink()
    for plant in (os.mkfifo, lambda path: path.symlink_to("made")):
        (folder / ".lock").unlink()
        plant(folder / ".lock")
        assert list(read_campaign(folder).rows) == ROWS
        with pytest.raises(UsageError, match=r"\.lock is "):
            set_aside(folder)
    assert not (folder / "made").exists()
    (folder / ".lock").unlink()
    (folder / "segments").rename(tmp_path / "elsewhere")
    (folder / "segments").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="segments is a link"), Store(folder):
        pass


def test_a_segments_folder_that_cannot_be_made_is_the_error_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "segments").write_text("a file")
    with pytest.raises(FileExistsError):
        write(tmp_path, ROWS)


def test_without_room_for_an_index_an_error_says_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / index.FILE).unlink()
    connect = index._connect

    def connect_to_little(path: str) -> sqlite3.Connection:
        database = connect(path)
        database.execute("PRAGMA max_page_count = 6")
        return database

    monkeypatch.setattr(index, "_connect", connect_to_little)
    with pytest.raises(UsageError, match=r"takes no more \(database or disk is full\); set TMPDIR"):
        read_campaign(folder)


@pytest.mark.parametrize("seconds", [60.0, 0.0])
def test_segments_are_indexed_in_as_few_transactions_as_time_allows(
    folder: Path, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, connect = [], index._connect

    def traced(path: str) -> sqlite3.Connection:
        database = connect(path)
        database.set_trace_callback(lambda text: stored.append(text) if text == "COMMIT" else None)
        return database

    monkeypatch.setattr(index, "_connect", traced)
    monkeypatch.setattr(index, "_TRANSACTION_S", seconds)
    (folder / "index.sqlite").unlink()
    assert list(read_campaign(folder).rows) == ROWS
    assert len(stored) == (1 if seconds else len(closed_segments(folder)))


def test_an_edited_segment_is_read_again(folder: Path) -> None:
    read_campaign(folder)
    path = closed_segments(folder)[1].path
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join([lines[0], b"{}\n", *lines[2:]])))
    campaign = read_campaign(folder)
    assert len(campaign.rows) == len(ROWS) - 1
    assert f"{path}:2: the keys 'run'" in campaign.faults[0]
    assert read_campaign(folder).faults == campaign.faults


def test_a_damaged_segment_costs_only_what_follows(folder: Path) -> None:
    path = closed_segments(folder)[0].path
    path.write_bytes(path.read_bytes()[:-100])
    campaign = read_campaign(folder)
    kept = [row["run"] for row in campaign.rows]
    assert len(ROWS) > len(kept) > len(ROWS) / 2
    assert "end too early; what follows is lost" in campaign.faults[0]


def test_half_done_work_of_a_killed_writer_is_completed(folder: Path) -> None:
    (last,) = closed_segments(folder)[-1:]
    plain = last.path.with_suffix("")
    plain.write_bytes(gzip.decompress(last.path.read_bytes()))
    assert list(read_campaign(folder).rows) == ROWS  # both files: killed before the plain one was removed
    last.path.unlink()
    assert list(read_campaign(folder).rows) == ROWS  # killed before it was compressed
    (folder / "runs.jsonl").rename(folder / "segments" / f"{last.number + 1:06}.jsonl")
    assert list(read_campaign(folder).rows) == ROWS  # killed before the new file was made
    with Store(folder) as store:
        assert list(store.campaign().rows) == ROWS
    assert {segment.path.suffix for segment in closed_segments(folder)} == {".gz"}
    assert list(read_campaign(folder).rows) == ROWS


def test_a_folder_that_nobody_can_write_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "index.sqlite").unlink()

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("nonocsp.bench.store.campaign.locked", refuse)
    assert list(read_campaign(folder).rows) == ROWS
    assert not (folder / "index.sqlite").exists()


def test_a_reader_beside_a_writer_sees_all_rows(folder: Path) -> None:
    (folder / "index.sqlite").unlink()
    with Store(folder, segment_bytes=SIZE) as store:
        (folder / "index.sqlite").unlink()
        assert list(read_campaign(folder).rows) == ROWS
        store.append(ROWS[0])
        assert len(read_campaign(folder).rows) == len(ROWS)


@pytest.mark.parametrize("size", [1, 1000, MEMBER_BYTES - 1, MEMBER_BYTES, 3 * MEMBER_BYTES + 17])
def test_a_compressed_segment_is_read_from_any_place(tmp_path: Path, size: int) -> None:
    text = b"".join(b"%d\n" % number for number in range(size // 6 + 1))
    plain = tmp_path / "000001.jsonl"
    plain.write_bytes(text)
    segment, members = compress(Segment(1, plain))
    rng = np.random.default_rng(size)
    for offset in [0, len(text), *rng.integers(0, len(text), 20).tolist()]:
        for known in (members, ()):
            with segment.open(known, offset) as file:
                assert file.read() == text[offset:]
    with segment.open() as file:
        file.read()
        assert isinstance(file.raw, Unpacked)  # type: ignore[attr-defined]
        assert set(file.raw.members) <= set(members)  # type: ignore[attr-defined]


def test_a_file_of_empty_members_is_refused_quickly(tmp_path: Path) -> None:
    path = tmp_path / "000001.jsonl.gz"
    path.write_bytes(gzip.compress(b"") * 100_000)
    with Segment(1, path).open() as file, pytest.raises(OSError, match="empty members"):
        file.read()


def test_a_compressed_file_with_too_much_text_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.bench.store.segments.MOST_BYTES", 1 << 20)
    path = tmp_path / "000001.jsonl.gz"
    path.write_bytes(gzip.compress(b" " * (1 << 20)))
    with Segment(1, path).open() as file:
        assert len(file.read()) == 1 << 20
    path.write_bytes(gzip.compress(b" " * ((1 << 20) + 1)))
    with Segment(1, path).open() as file, pytest.raises(OSError, match="more than 1 MiB of text"):
        file.read()


def test_a_segment_without_rows_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, ROWS[:3])
    (tmp_path / "segments").mkdir()
    (tmp_path / "segments" / "000001.jsonl").write_bytes(b"\n" * 100)
    campaign = read_campaign(tmp_path)
    monkeypatch.setattr(Segment, "open", None)
    assert list(campaign.rows) == ROWS[:3]


def test_another_thread_may_drop_a_campaign(folder: Path) -> None:
    """A warning of an exception that nobody could raise would be an error."""
    campaigns = [read_campaign(folder)]
    assert len(campaigns[0].table) == len(ROWS)
    thread = threading.Thread(target=lambda: (campaigns.clear(), gc.collect()))
    thread.start()
    thread.join()
