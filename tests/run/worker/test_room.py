"""Which run is to blame for a full disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from nonocsp.run.worker import room as module
from nonocsp.run.worker.room import Room

MIB = 1 << 20
WHOLE, FILES = 1000, 100_000
Disk = SimpleNamespace


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk of 1000 MiB and 100 000 files; a test says what is free."""
    disk = SimpleNamespace(f_frsize=MIB, f_blocks=WHOLE, f_files=FILES, f_bavail=800, f_favail=FILES)
    monkeypatch.setattr(os, "statvfs", lambda _: disk)
    return disk


@pytest.fixture
def room(disk: Disk, tmp_path: Path) -> Room:
    return Room(str(tmp_path))


def none() -> list[int]:
    return []


def write(path: Path, mib: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(mib * MIB))


@pytest.mark.parametrize(("taken", "free"), [(3, 2), (3, 0), (2, 3), (0, 0), (3, 800)])
def test_a_run_is_overdrawn_if_it_has_more_than_it_leaves_free(
    taken: int, free: int, disk: Disk, room: Room, tmp_path: Path
) -> None:
    write(tmp_path / "run" / "deep" / "file", taken)
    disk.f_bavail = free
    assert room.is_overdrawn(none) == (taken > free)


def test_a_run_that_began_on_a_full_disk_is_ended_too(disk: Disk, room: Room, tmp_path: Path) -> None:
    disk.f_bavail = 0
    room.begin()
    write(tmp_path / "file", 2)
    assert room.is_overdrawn(none)


def test_nothing_is_counted_while_there_is_room(
    room: Room, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.f_bavail = 401
    monkeypatch.setattr(os, "scandir", None)
    assert not room.is_overdrawn(none)


def test_counting_does_not_take_all_the_time(disk: Disk, room: Room, tmp_path: Path) -> None:
    disk.f_bavail = 1
    assert not room.is_overdrawn(none)
    room._next_look += 1000.0
    write(tmp_path / "file", 2)
    assert not room.is_overdrawn(none)
    room.begin()
    assert room.is_overdrawn(none)


def test_the_files_of_a_disk_can_run_out_too(disk: Disk, room: Room, tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / str(number)).touch()
    disk.f_favail = 300
    assert not room.is_overdrawn(none)
    disk.f_favail = 150
    room.begin()
    assert room.is_overdrawn(none)
    disk.f_files = 0  # a system that does not count them
    room.begin()
    assert not room.is_overdrawn(none)


def test_what_cannot_be_counted_is_too_much(
    disk: Disk, room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "b").touch()
    disk.f_bavail = 1
    monkeypatch.setattr(module, "MOST_FILES", 1)
    assert room.is_overdrawn(none)

    def refuse(_: str) -> Iterator[object]:
        raise PermissionError

    monkeypatch.setattr(os, "scandir", refuse)
    monkeypatch.setattr(module, "MOST_FILES", 9)
    room.begin()
    assert room.is_overdrawn(none)


def test_deleted_files_that_are_open_count(disk: Disk, room: Room, tmp_path: Path) -> None:
    mine = [os.getpid()]
    with (tmp_path / "file").open("wb") as file:
        file.write(bytes(20 * MIB))
        (tmp_path / "file").unlink()
        disk.f_bavail = 790
        assert not room.is_kept(mine)  # the disk has nearly as much as before
        disk.f_bavail = 780
        assert room.is_kept(mine)
        disk.f_bavail = 10
        assert room.is_overdrawn(lambda: mine)
    room.begin()
    assert not room.is_overdrawn(lambda: mine)
    assert not room.is_kept(mine)


def test_a_folder_that_is_gone_ends_no_run(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(os, "statvfs", missing)
    assert not room.is_overdrawn(none)
    assert not room.is_kept([])
