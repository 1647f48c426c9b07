"""Locks on cores: held across processes and users, and released by the kernel."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nonocsp.model import UsageError
from nonocsp.run.cores import Core
from nonocsp.run.locks import VARIABLE, held_cores, reserve

HOLD = """
import sys
from nonocsp.run.cores import Core
from nonocsp.run.locks import reserve

reservation = reserve(int(sys.argv[1]), find=lambda: [Core((n, n + 8), (n, n + 8)) for n in range(4)])
print([slot for slot, in reservation.slots], flush=True)
sys.stdin.read()
"""


def four_cores() -> list[Core]:
    return [Core((number, number + 8), (number, number + 8)) for number in range(4)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """Return the folder of the locks, which does not exist yet."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "locks"))
    return tmp_path / "locks"


@contextmanager
def holding(cores: int) -> Iterator[tuple[subprocess.Popen[str], set[int]]]:
    command = [sys.executable, "-P", "-c", HOLD, str(cores)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, set(json.loads(process.stdout.readline()))
        finally:
            process.kill()


def test_two_reservations_never_share_a_core_who_holds_others_is_said_and_kill_9_releases_them():
    with holding(2) as (process, theirs):
        first = reserve(1, find=four_cores)
        second = reserve(1, find=four_cores)
        assert len({*first.slots, *second.slots, *((core,) for core in theirs)}) == 4
        second.release()
        with pytest.raises(UsageError) as error:
            reserve(2, find=four_cores)
        told = str(error.value)
        assert "need 2 cores of their own, and 1 are free" in told
        assert f"cores {', '.join(map(str, sorted(theirs)))} by process {process.pid} of " in told
        assert "-c 2" in told
        assert "fewer jobs" in told
        first.release()
        assert list(held_cores(four_cores)) == sorted(theirs)
        process.kill()
        process.wait()
        assert held_cores(four_cores) == {}


def test_processes_that_the_holder_starts_or_forks_do_not_keep_its_cores():
    reservation = reserve(4, find=four_cores)
    waits = [sys.executable, "-P", "-c", "print('here', flush=True); input()"]
    ready, go = os.pipe()
    if (forked := os.fork()) == 0:
        os.close(go)
        os.read(ready, 1)
        os._exit(0)
    with subprocess.Popen(waits, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False) as child:
        assert child.stdout
        assert child.stdout.readline() == b"here\n"
        reservation.release()
        assert held_cores(four_cores) == {}
    os.close(go)
    os.close(ready)
    os.waitpid(forked, 0)


def test_all_users_can_lock_what_one_has_made(monkeypatch):
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        Path(place).chmod(0o755)
        monkeypatch.setenv(VARIABLE, f"{place}/locks")
        before = os.umask(0o077)
        reserve(2, find=four_cores).release()
        os.umask(before)
        assert stat.S_IMODE(Path(place, "locks").stat().st_mode) == 0o1777
        assert {stat.S_IMODE(path.stat().st_mode) for path in Path(place, "locks").iterdir()} == {0o666}
        if os.geteuid() != 0:
            return  # only root can become another user
        if (pid := os.fork()) == 0:
            code = 2
            try:
                os.setuid(65534)
                code = len(reserve(4, find=four_cores).slots)
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 4


@pytest.mark.parametrize("link", ["locks", "locks/1"])
def test_a_link_to_elsewhere_is_refused_and_left_alone(folder, link):
    victim = folder.parent / "it"
    if link == "locks":
        victim.mkdir()
    else:
        victim.write_text("precious")
        folder.mkdir()
    (folder.parent / link).symlink_to(victim)
    with pytest.raises(UsageError, match=rf"cannot be locked in .*locks: .*{VARIABLE}"):
        reserve(4, find=four_cores)
    assert not [*victim.iterdir()] if victim.is_dir() else victim.read_text() == "precious"
