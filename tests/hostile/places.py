"""Backends that leave files, sockets and shared memory, or harm the folder that they are in."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import shutil
import socket
import tempfile
import threading
import time
from pathlib import Path
from typing import ClassVar

from hostile.base import CRASHED, MEMORY, OK, Hostile, check_folder, check_isolation

from nonocsp.backends.base import Limits, Run
from nonocsp.model import Puzzle

SYSTEM_V_KEY, NOBODY = 0x6E6F6E6F, 65534
_CLONE_FILES = 0x400


class LeavesFiles(Hostile):
    """Leaves files in its folder and in the one for temporary files."""

    leaves = "file notes.txt"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        Path("notes.txt").write_text("notes\n" * 1000)
        tempfile.mkstemp(prefix="forgotten")


class LeavesFilesAround(Hostile):
    """Leaves a file beside its folder, for its next run or for another backend."""

    needs_namespaces = True
    leaves = "file handed-on"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        note = Path("..", "handed-on")
        if note.exists():
            raise RuntimeError("an earlier run has left something")
        note.write_text("solved")


class WritesAfterItsRun(Hostile):
    """Has a thread of its process write a file again and again, also when its run has ended."""

    leaves = "file gift"
    thread: ClassVar[threading.Thread | None] = None

    def rehearse(self) -> None:
        if WritesAfterItsRun.thread is None:
            folder = tempfile.gettempdir()
            WritesAfterItsRun.thread = threading.Thread(target=self.write, args=(folder,), daemon=True)
            WritesAfterItsRun.thread.start()

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        self.rehearse()

    def write(self, folder: str) -> None:
        while True:
            with contextlib.suppress(OSError):
                Path(folder, "gift").touch()
            time.sleep(2e-4)


class MarksItsFolders(Hostile):
    """Attaches notes to its folder, and to the one around it."""

    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        for folder in (".", ".."):
            with contextlib.suppress(OSError):  # not every file system has them
                os.setxattr(folder, "user.note", b"solved")


class FindsNothing(Hostile):
    """Looks for what another backend has left for it."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        found = [
            *os.listdir("."),
            *(
                f"{folder} {os.listxattr(folder)}"
                for folder in (".", "..")
                if "user.note" in os.listxattr(folder)
            ),
        ]
        if found:
            raise RuntimeError(f"found {found}")


class FillsItsFolder(Hostile):
    """Leaves 60 MB in 300 files, with names of control characters and half characters."""

    leaves = "more"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        for number in range(300):
            name = os.path.join(os.fsencode(tempfile.gettempdir()), b"\x1b[2J\n\xff%d" % number)
            with open(name, "wb") as file:
                file.write(bytes(200_000))


class LeavesDeepFolders(Hostile):
    """Leaves 400 folders, one in the other, without rights to enter them."""

    leaves = "folder down"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        for _ in range(400):
            os.mkdir("down")
            os.chdir("down")
        os.chmod(".", 0)


class LeavesSockets(Hostile):
    """Leaves a socket, a pipe and a link to the root of the file system."""

    leaves = "socket"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        socket.socket(socket.AF_UNIX).bind("a-socket")
        os.mkfifo("pipe")
        os.symlink("/", "root")


class RemovesItsFolder(Hostile):
    """Removes the folder that it is in."""

    leaves = "folder itself"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        shutil.rmtree(os.getcwd())


class ReplacesItsFolder(Hostile):
    """Puts a link to the home folder in place of the folder that it is in."""

    leaves = "folder itself"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        here = os.getcwd()
        os.chdir("/")
        shutil.rmtree(here)
        os.symlink(os.environ.get("HOSTILE_PRECIOUS", "/nowhere"), here)


class ChangesItsRoot(Hostile):
    """Makes its folder the root of the file system for itself."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        with contextlib.suppress(PermissionError):
            os.chroot(".")


class ForgesFiles(Hostile):
    """Writes a file of its user, moves it away, removes it, and makes another."""

    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        folder = Path(os.environ["HOSTILE_PRECIOUS"])
        precious = folder / "precious"
        for name in ("precious", "forged"):
            with contextlib.suppress(OSError):
                (folder / name).write_text("forged")
        for act in (precious.chmod, lambda _: precious.rename(folder / "moved"), lambda _: precious.unlink()):
            with contextlib.suppress(OSError):
                act(0o600)
        with contextlib.suppress(OSError):
            shutil.rmtree(folder)


class SpeaksToOthers(Hostile):
    """Speaks to programs outside that listen on a port and on sockets with names."""

    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        port, *names = os.environ["HOSTILE_LISTENERS"].split()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), 5) as stream:
            stream.send(b"reached")
        for name in names:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as stream:
                stream.connect(name.replace("@", "\0"))
                stream.send(b"reached")


class SpeaksToItself(Hostile):
    """Listens on a port, and speaks to itself there, as solvers in several processes do."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            socket.create_connection(server.getsockname(), 5).close()


class FillsSharedMemory(Hostile):
    """Leaves 20 MiB of shared memory, and a semaphore."""

    limits = Limits(wall=10.0)
    needs_namespaces = True
    leaves = "shared memory"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        mark = os.environ.get("HOSTILE_MARK", "")
        Path(f"/dev/shm/{mark}").write_bytes(bytes(20 << 20))
        Path(f"/dev/shm/sem.{mark}").write_bytes(bytes(32))


class HoardsInSharedMemory(Hostile):
    """Writes 300 MiB to a file in shared memory that has no name and is not mapped."""

    becomes = (MEMORY, CRASHED)
    limits = Limits(wall=20.0, memory=150 << 20)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        path = f"/dev/shm/{os.environ.get('HOSTILE_MARK', '')}-hoard"
        with open(path, "wb", buffering=0) as file:
            os.unlink(path)
            for _ in range(30):
                file.write(bytes(10 << 20))
            time.sleep(60)


class HoardsInANamelessFile(Hostile):
    """Writes 600 MB to a file in memory that has no name, and maps none of it."""

    becomes = (MEMORY,)
    limits = Limits(wall=20.0, memory=150 << 20)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        file = os.memfd_create("hoard")
        for _ in range(60):
            os.write(file, bytes(10 << 20))
        time.sleep(60)


class HoardsInSystemV(Hostile):
    """Fills 600 MB of System V's shared memory, and maps none of it afterwards."""

    becomes = (MEMORY,)
    limits = Limits(wall=20.0, memory=150 << 20)
    needs_namespaces = True
    leaves = "System V"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        libc = ctypes.CDLL(None)
        libc.shmat.restype, libc.shmdt.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        for _ in range(6):
            place = libc.shmat(libc.shmget(0, 100 << 20, 0o1600), None, 0)
            ctypes.memset(place, 1, 100 << 20)
            libc.shmdt(place)
        time.sleep(60)


class HoardsInMessages(Hostile):
    """Fills 300 MB of System V's message queues."""

    becomes = (MEMORY, CRASHED)
    limits = Limits(wall=20.0, memory=150 << 20)
    needs_namespaces = True
    leaves = "System V"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        libc = ctypes.CDLL(None)
        message = ctypes.create_string_buffer(b"m", 8200)
        for _ in range(20_000):
            queue = libc.msgget(0, 0o1600)
            if any(libc.msgsnd(queue, message, 8192, os.O_NONBLOCK) for _ in range(2)):
                raise MemoryError
        time.sleep(60)


class HoardsInAThread(Hostile):
    """Has a thread, whose descriptors are its own, write 600 MB to a file in memory that has no name."""

    becomes = (MEMORY, CRASHED)
    limits = Limits(wall=20.0, memory=150 << 20)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        def hoard() -> None:
            ctypes.CDLL(None).unshare(_CLONE_FILES)
            file = os.memfd_create("hoard")
            for _ in range(60):
                os.write(file, bytes(10 << 20))
            time.sleep(60)

        thread = threading.Thread(target=hoard, daemon=True)
        thread.start()
        thread.join()
        raise MemoryError  # which is how a control group may end the thread


class HoardsBehindAFile(Hostile):
    """Maps 80 MB of a file whose path looks like shared memory, beside 100 MB that are not mapped."""

    becomes = (MEMORY, CRASHED)
    limits = Limits(wall=20.0, memory=60 << 20)
    needs_namespaces = True
    leaves = "folder x"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        check_folder()
        folder = Path("x /dev/shm")
        folder.mkdir(parents=True)
        with (folder / "file").open("wb+") as file:
            file.write(bytes(80 << 20))
            file.flush()
            mapped = mmap.mmap(file.fileno(), 0)
        sum(mapped[:: mmap.PAGESIZE])
        hoard = os.memfd_create("hoard")
        for _ in range(10):
            os.write(hoard, bytes(10 << 20))
        time.sleep(60)


class HoldsSharedMemory(Hostile):
    """Has its host hold shared memory without a name while others run."""

    needs_namespaces = True
    leaves = "System V"

    def rehearse(self) -> None:
        check_isolation()
        libc = ctypes.CDLL(None)
        libc.shmat.restype = ctypes.c_void_p
        segment = libc.shmget(0, 1 << 20, 0o1600)
        libc.shmat(segment, None, 0)
        libc.shmctl(segment, 0, None)  # removes it, once nobody has it


class LeavesSystemV(Hostile):
    """Leaves shared memory, semaphores and message queues of System V."""

    needs_namespaces = True
    leaves = "System V"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        leave_system_v()


class LeavesSystemVOfAnotherUser(Hostile):
    """Leaves the same as another user, if it may become one."""

    needs_namespaces = True
    leaves = "System V"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            with contextlib.suppress(OSError):
                os.setuid(NOBODY)
            leave_system_v()
            os._exit(0)
        os.wait()


def leave_system_v() -> None:
    libc = ctypes.CDLL(None)
    for key in range(SYSTEM_V_KEY, SYSTEM_V_KEY + 3):
        libc.shmget(key, 1 << 20, 0o1600)
        libc.semget(key, 4, 0o1600)
        libc.msgget(key, 0o1600)
