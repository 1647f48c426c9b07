"""What a run leaves in its folder, in shared memory and in System V's lists is removed and named."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.processes.starting import PYTHON, can_isolate, isolating
from nonocsp.run.leftovers import MOST_CHARACTERS, MOST_TEXTS, Premises
from tests.waiting import AMPLE_S, wait_until

SHARED = """
import ctypes, json, os, sys
from multiprocessing.shared_memory import SharedMemory
from nonocsp.run.leftovers import Premises
libc = ctypes.CDLL(None)
SharedMemory("psm_mine", create=True, size=3 << 20)
open("/dev/shm/sem.mine", "w").close()
libc.shmget(0, 4096, 0o1600), libc.semget(0, 2, 0o1600), libc.semget(0, 2, 0o1600), libc.msgget(0, 0o1600)
if os.geteuid() == 0:
    os.seteuid(65534)
libc.msgget(0, 0o1600)
os.seteuid(os.getuid())
if os.path.isdir("/dev/mqueue"):
    open("/dev/mqueue/mine", "w").close()
premises = Premises(sys.argv[1], is_isolated=True)
print(json.dumps([premises.clear(), premises.clear(), os.listdir("/dev/shm")]))
os._exit(0)
"""

HOST = """
import ctypes, json, os, time
from nonocsp.processes.namespace import fork_first
from nonocsp.run.leftovers import Shared
libc = ctypes.CDLL(None)
(ready, told), (go, may) = os.pipe(), os.pipe()
ctypes.CDLL(None).prctl(36, 1)  # adopts orphans

def act():
    held = os.open("/dev/shm/held", os.O_RDWR | os.O_CREAT)
    os.unlink("/dev/shm/held")
    os.write(held, bytes(3 << 20))
    open("/dev/shm/file", "w").close()
    os.chmod("/dev/shm", 0)
    os.write(told, b".")
    os.read(go, 1)
    queue = libc.msgget(0, 0o1600)
    libc.msgsnd(queue, ctypes.create_string_buffer(b"m", 4096), 4000, 0)
    os.mkdir("/dev/shm/folder")
    os.write(told, b".")
    time.sleep(600)

pid, files = fork_first(act)
shared = Shared(files)
os.read(ready, 1)
print(json.dumps([shared.clear(), shared.clear(), shared.held_bytes()]))
os.write(may, b".")
os.read(ready, 1)
print(json.dumps([shared.clear(), shared.clear(), shared.held_bytes()]))
open("/dev/shm/mine", "w").close()
print(json.dumps([os.listdir("/dev/shm"), len(open("/proc/sysvipc/msg").readlines())]))
"""

DRIVER = """
import time
from nonocsp.backends.base import Request
from nonocsp.model import Puzzle
from nonocsp.run import create
from nonocsp.run.jobs import Job
with create("fork", 1) as executor:
    print(len(list(executor.run([Job(Puzzle.from_clues([[1]], [[1]]), "settle", Request())]))), flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious").write_text("stays")
    return folder


def _deep(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(2000):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def _locked(folder: Path) -> None:
    (folder / "locked" / "inside").mkdir(parents=True)
    (folder / "locked" / "inside" / "file").touch()
    (folder / "locked" / "inside").chmod(0)
    (folder / "locked").chmod(0)


def _socket(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(folder / "s"))


def _replaced(folder: Path) -> None:
    folder.rmdir()
    folder.symlink_to(folder.parent / "outside")


@pytest.mark.parametrize(
    ("leave", "named"),
    [
        (lambda folder: None, []),
        (lambda folder: (folder / "x.tmp").write_bytes(bytes(3000)), ["file x.tmp (3 KiB)"]),
        (lambda folder: (folder / "big").write_bytes(bytes(20 << 20)), ["file big (20 MiB)"]),
        (lambda folder: (folder / "link").symlink_to("../outside"), ["link link (1 KiB)"]),
        (lambda folder: (folder / "-rf").mkdir(), ["folder -rf (0 KiB)"]),
        (lambda folder: os.mkfifo(folder / "fifo"), ["pipe or device fifo (0 KiB)"]),
        (lambda folder: (folder / "\x1b[2J\n").touch(), ["file ?[2J? (0 KiB)"]),
        (lambda folder: os.close(os.open(os.fsencode(folder) + b"/\xff", os.O_CREAT)), ["file ? (0 KiB)"]),
        (_socket, ["socket s (0 KiB)"]),
        (_deep, ["folder deeper (0 KiB)"]),
        (_locked, ["folder locked (0 KiB)"]),
        (Path.rmdir, ["the temporary folder itself, removed or replaced"]),
        (_replaced, ["the temporary folder itself, removed or replaced"]),
        (lambda folder: ((folder / "x").touch(), folder.chmod(0o500)), ["file x (0 KiB)"]),
    ],
)
def test_a_run_leaves_nothing_in_its_folder_and_what_it_left_is_named(
    folder: Path, leave: Callable[[Path], object], named: list[str]
) -> None:
    leave(folder)
    premises = Premises(str(folder), is_isolated=False)
    assert premises.clear() == named
    assert premises.clear() == []
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert list(folder.iterdir()) == []
    assert (folder.parent / "outside" / "precious").read_text() == "stays"


def test_a_folder_that_was_empty_for_long_is_looked_at_again_when_its_entries_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    premises = Premises(str(folder), is_isolated=False)
    monkeypatch.setattr("nonocsp.run.leftovers._Folder._TICK_NS", 20_000_000)
    folder.chmod(0o700)
    time.sleep(0.05)
    assert premises.clear() == []
    monkeypatch.setattr("os.scandir", None)  # nobody looks
    assert premises.clear() == []
    monkeypatch.undo()
    (folder / "x").touch()
    os.utime(folder, (0, 0))
    assert premises.clear() == ["file x (0 KiB)"]
    folder.chmod(0o500)
    assert premises.clear() == []
    assert folder.stat().st_mode & 0o777 == 0o700


def test_few_short_texts_name_many_files_with_long_names(folder: Path) -> None:
    for number in range(300):
        (folder / f"{number:03}{'x' * 200}").touch()
    left = Premises(str(folder), is_isolated=False).clear()
    assert len(left) == MOST_TEXTS
    assert left[-1] == f"and {301 - MOST_TEXTS} more"
    assert max(map(len, left)) <= MOST_CHARACTERS + 20
    assert list(folder.iterdir()) == []


def test_shared_memory_semaphores_and_queues_of_an_isolated_run_are_removed_and_named(folder: Path) -> None:
    if not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    command = [*isolating(), f"--writable={folder.parent}", *PYTHON, "-c", SHARED, str(folder / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=AMPLE_S)
    assert done.returncode == 0, done.stderr
    left, again, found = json.loads(done.stdout)
    posix = {"shared memory psm_mine (3 MiB)", "semaphore mine (0 KiB)"}
    system_v = [
        "shared memory of System V",
        *["semaphores of System V"] * 2,
        *["message queue of System V"] * 2,
    ]
    assert posix <= {*left}
    assert left[-5:] == system_v
    assert again == found == []


def test_what_a_host_shares_is_its_own_and_is_removed_or_named_from_outside() -> None:
    if not can_isolate():
        pytest.skip("this system lets this user have no namespaces")
    command = [*isolating(is_server=True), *PYTHON, "-c", HOST]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=AMPLE_S)
    assert done.returncode == 0, done.stderr
    first, second, server = map(json.loads, done.stdout.splitlines())
    assert first == [[["shared memory file (0 KiB)"], True], [[], True], 3 << 20]
    left = [["shared memory folder (0 KiB)", "message queue of System V"], False]  # the host has to end
    assert second == [left, left, (3 << 20) + 4000]
    assert server == [["mine"], 1]


def test_the_folder_of_a_slot_is_removed_even_if_its_driver_is_killed(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([*PYTHON, "-c", DRIVER], stdout=subprocess.PIPE, env=environment) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"1\n"
        assert [path.name[:8] for path in tmp_path.iterdir()] == ["nonocsp-"]
        driver.kill()
    wait_until(lambda: not list(tmp_path.iterdir()))
