"""Locks on cores: held across processes, released by the kernel, and safe in a folder open to everybody."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nonocsp.model import UsageError
from nonocsp.run.machine import locks
from nonocsp.run.machine.cores import Core
from nonocsp.run.machine.locks import VARIABLE, describe, held_cores, reserve

HOLD = """
import sys
from nonocsp.run.machine.cores import Core
from nonocsp.run.machine.locks import reserve

reservation = reserve(int(sys.argv[1]), find=lambda: [Core((n, n + 8), (n, n + 8)) for n in range(4)])
print([slot for slot, in reservation.slots], flush=True)
sys.stdin.read()
"""


def four_cores() -> list[Core]:
    return [Core((number, number + 8), (number, number + 8)) for number in range(4)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the locks, which does not exist yet."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "locks"))
    return tmp_path / "locks"


@contextmanager
def holding(cores: int) -> Iterator[tuple[subprocess.Popen[str], set[int]]]:
    """Have another process hold cores; yield it and the numbers of its cores."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD, str(cores)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdin
    try:
        yield process, set(json.loads(process.stdout.readline()))
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def test_two_processes_never_get_the_same_core() -> None:
    with holding(2) as (_, theirs):
        reservation = reserve(2, find=four_cores)
        mine = {slot for (slot,) in reservation.slots}
        assert len(theirs) == len(mine) == 2
        assert not theirs & mine
        reservation.release()


def test_two_reservations_of_one_process_exclude_each_other() -> None:
    first, second = reserve(2, find=four_cores), reserve(2, find=four_cores)
    assert not {*first.slots} & {*second.slots}
    first.release()
    third = reserve(2, find=four_cores)
    assert {*third.slots} == {*first.slots}
    second.release()
    third.release()


def test_who_holds_the_cores_is_said_where_too_few_are_free() -> None:
    with holding(3) as (process, theirs):
        with pytest.raises(UsageError) as error:
            reserve(2, find=four_cores)
        told = str(error.value)
        assert "need 2 cores of their own, and 1 are free" in told
        assert f"cores {', '.join(map(str, sorted(theirs)))} by process {process.pid} of " in told
        assert "-c 3" in told
        assert "fewer jobs" in told
        assert list(held_cores(four_cores)) == sorted(theirs)
        reserve(1, find=four_cores).release()  # what was refused has left nothing locked


def test_kill_9_releases_the_cores() -> None:
    with holding(4) as (process, _):
        with pytest.raises(UsageError):
            reserve(1, find=four_cores)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert held_cores(four_cores) == {}
        reserve(4, find=four_cores).release()


def test_a_program_that_the_holder_starts_does_not_keep_its_cores() -> None:
    reservation = reserve(4, find=four_cores)
    program = [sys.executable, "-P", "-c", "print('here', flush=True); input()"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False) as child:
        assert child.stdout
        assert child.stdout.readline() == b"here\n"
        reservation.release()
        assert held_cores(four_cores) == {}


def test_threads_of_one_core_have_one_lock() -> None:
    reservation = reserve(8, find=four_cores)
    assert reservation.problem
    assert list(held_cores(four_cores)) == [0, 1, 2, 3]
    reservation.release()


def test_many_processes_at_once_share_the_cores_out(tmp_path: Path) -> None:
    program = textwrap.dedent(HOLD)
    workers = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", program, "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    try:
        got = [json.loads(worker.stdout.readline()) for worker in workers if worker.stdout]
        assert sorted(number for (number,) in got) == [0, 1, 2, 3]
    finally:
        for worker in workers:
            worker.communicate()


def test_all_users_can_lock_what_one_has_made(folder: Path) -> None:
    before = os.umask(0o077)
    try:
        reserve(1, find=four_cores).release()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o1777
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o666}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_can_lock_the_same_files(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        Path(place).chmod(0o755)
        monkeypatch.setenv(VARIABLE, f"{place}/locks")
        reserve(2, find=four_cores).release()
        pid = os.fork()
        if pid == 0:
            code = 2
            try:
                os.setuid(65534)
                code = len(reserve(4, find=four_cores).slots)
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 4


def _link(path: Path) -> None:
    path.symlink_to(path.parents[1] / "victim")


def _hard_link(path: Path) -> None:
    path.hardlink_to(path.parents[1] / "victim")


@pytest.mark.parametrize("make", [_link, _hard_link, os.mkfifo, Path.mkdir])
def test_what_is_no_plain_file_is_refused_and_left_alone(folder: Path, make: object) -> None:
    victim = folder.parent / "victim"
    victim.write_text("precious")
    folder.mkdir()
    assert callable(make)
    make(folder / "1")
    with pytest.raises(UsageError, match=rf"cannot be locked in .*locks: 1.*{VARIABLE}"):
        reserve(4, find=four_cores)
    assert victim.read_text() == "precious"


def test_a_linked_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="cannot be locked"):
        reserve(1, find=four_cores)
    assert not [*(tmp_path / "elsewhere").iterdir()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"pid": 1e400}',
        '{"pid": true, "user": "", "since": "", "command": ""}',
        '{"pid": 1, "user": 3, "since": "", "command": ""}',
        "[" * 4000,
        '{"pid": -1, "user": "", "since": "", "command": ""}',
    ],
)
def test_a_holder_that_writes_nonsense_is_somebody(folder: Path, text: str) -> None:
    reservation = reserve(1, find=four_cores)
    (held,) = held_cores(four_cores)
    (folder / str(held)).write_text(text)
    assert describe(held_cores(four_cores)) == f"core {held} by an unknown process"
    reservation.release()


def test_a_holder_cannot_write_control_characters_to_our_terminal(folder: Path) -> None:
    reservation = reserve(1, find=four_cores)
    (held,) = held_cores(four_cores)
    about = {"pid": 7, "user": "\x1b[2Jeve", "since": "now\n", "command": "x" * 3000}
    (folder / str(held)).write_text(json.dumps(about))
    told = describe(held_cores(four_cores))
    assert told.isprintable()
    assert len(told) < 300
    reservation.release()


def test_a_process_that_never_ends_choosing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "_WAIT_S", 0.05)
    with locks._Folder() as folder, folder.choosing(), pytest.raises(UsageError, match="has been choosing"):
        reserve(1, find=four_cores)


def test_a_folder_that_cannot_be_made_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "missing" / "locks"))
    with pytest.raises(UsageError, match="No such file or directory"):
        reserve(1, find=four_cores)


def test_a_system_that_cannot_confine_processes_pins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_setaffinity")
    with pytest.raises(UsageError, match="only Linux"):
        reserve(1, find=four_cores)
    assert held_cores(four_cores) == {}
