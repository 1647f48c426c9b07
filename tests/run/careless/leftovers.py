"""Backends that leave threads, processes, files and shared memory."""

import contextlib
import mmap
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import threading
import time
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import ClassVar

from careless.base import MARK, MIB, Careless, burn, does, is_own, linger
from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

LeavesAThread = does(lambda: threading.Thread(target=burn, args=(600,), daemon=True).start())
LeavesAThreadThatMustEnd = does(lambda: threading.Thread(target=time.sleep, args=(600,)).start())
"""Leaves a thread that Python waits for at its end."""
LeavesAProgram = does(lambda: subprocess.Popen(["sleep", "600"]))


class LeavesADaemon(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        if (child := os.fork()) == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(3, 1024)
                linger()
            os._exit(0)
        os.waitpid(child, 0)


class LeavesAPool(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        process = multiprocessing.get_context("fork").Process(target=linger)
        process.start()


class LeavesAZombie(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        if (child := os.fork()) == 0:
            os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)


class LeavesFiles(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        Path("model.lp").write_text("minimise\n" * 1000)
        tempfile.mkstemp(prefix="clauses")


class LeavesAClosedFolder(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        folder = Path("cache/deep")
        folder.mkdir(parents=True)
        (folder / "file").touch()
        folder.chmod(0)


class RemovesItsFolder(Careless):
    """Removes the folder that it was started in, as one that takes it for its own does."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        if is_own(str(Path.cwd())):
            shutil.rmtree(Path.cwd(), ignore_errors=True)


class LeavesSharedMemory(Careless):
    """Leaves shared memory that it has still mapped, and that no tracker knows."""

    kept: ClassVar[list[mmap.mmap]] = []

    def act(self, puzzle: Puzzle, run: Run) -> None:
        with Path(f"/dev/shm/{os.environ.get(MARK, 'careless')}").open("w+b") as file:
            file.truncate(MIB)
            self.kept.append(mmap.mmap(file.fileno(), MIB))


class LeavesTrackedMemory(Careless):
    """Leaves shared memory that multiprocessing's tracker removes when this process has ended."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        memory = SharedMemory(f"tracked-{os.environ.get(MARK, 'careless')}", create=True, size=MIB)
        memory.buf[:5] = b"hello"


class LeavesDescriptors(Careless):
    kept: ClassVar[list[int]] = []

    def act(self, puzzle: Puzzle, run: Run) -> None:
        self.kept += [os.open(os.devnull, os.O_RDONLY) for _ in range(200)]


class FillsTheDisk(Careless):
    """Fills the disk of its temporary files, if that is a small one, and keeps it full."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        system = os.statvfs(".")
        if system.f_blocks * system.f_frsize > 256 * MIB:
            raise RuntimeError("this disk is too large to fill")
        with contextlib.suppress(OSError), Path("filler").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        time.sleep(600)
