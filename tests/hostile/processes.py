"""Backends that start processes and threads, or leave them."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import subprocess
import sys
import threading
import time

import numpy as np
from hostile.base import BRIEF, CRASHED, MEMORY, OK, WALL, Hostile
from hostile.clocks import burn

from nonocsp.backends.base import Limits, Run
from nonocsp.model import Puzzle

_PR_SET_DUMPABLE = 4
_SYS_EXIT = {"x86_64": 60, "aarch64": 93}.get(platform.machine(), 60)
"""The number of the system call that ends one thread."""


class ExitsInAThread(Hostile):
    """Has a thread end its process with exit code 0."""

    becomes = (CRASHED,)
    says = "exit code 0"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        threading.Thread(target=os._exit, args=(0,)).start()
        time.sleep(60)


class ExitsAtTheEnd(Hostile):
    """Has its process do something at its end."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        import atexit

        atexit.register(os.kill, os.getpid(), signal.SIGSEGV)
        atexit.register(time.sleep, 60)


class ThreadsGoOn(Hostile):
    """Leaves a thread that computes after the answer."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        threading.Thread(target=burn, args=(60,), daemon=True).start()


class Bombs(Hostile):
    """Forks, and has its children fork, until there are 128 processes."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(7):
            os.fork()
        time.sleep(60)


class Breeds(Hostile):
    """Forks from process to process, each in a session of its own and abandoned by its parent."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            while True:
                os.setsid()
                time.sleep(0.01)
                if os.fork():
                    os._exit(0)
        time.sleep(60)


class LeavesADaemon(Hostile):
    """Leaves a process that forked twice, in another session."""

    becomes = (OK,)
    leaves = "process"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        os.wait()


class LeavesAProgram(Hostile):
    """Leaves another program that runs in its group."""

    becomes = (OK,)
    leaves = "process sleep"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        subprocess.Popen(["sleep", "600"])
        time.sleep(0.05)


class LeavesANamelessProcess(Hostile):
    """Leaves a process whose name is a control character and half a character."""

    becomes = (OK,)
    leaves = "process ?"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        ready, mine = os.pipe()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(15, b"\x1b\xff\n")
            os.write(mine, b".")
            time.sleep(600)
        os.read(ready, 1)


class BecomesAnotherProgram(Hostile):
    """Replaces itself with another program."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", "print('unique')"])


class BecomesASleeper(Hostile):
    """Replaces itself with a program that never ends."""

    becomes = (WALL, CRASHED)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.execvp("sleep", ["sleep", "600"])


class AllocatesAtOnce(Hostile):
    """Asks for 10 GB at once, and fills it."""

    becomes = (MEMORY,)
    limits = Limits(wall=20.0, memory=400 << 20)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        hoard = np.empty(10 << 27)
        for start in range(0, len(hoard), 1 << 20):
            hoard[start : start + (1 << 20)] = 1


class HidesItsMemory(Hostile):
    """Hides its mappings and those of a child, then fills 600 MB."""

    becomes = (MEMORY,)
    limits = Limits(wall=20.0, memory=400 << 20)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)
        if os.fork() == 0:
            time.sleep(600)
        hoard = np.ones(600 << 17)
        time.sleep(60)
        del hoard


class EndsItsFirstThread(Hostile):
    """Ends its first thread, so that it looks like a zombie, and fills 600 MB in another."""

    becomes = (MEMORY,)
    limits = Limits(wall=20.0, memory=400 << 20)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        def hoard() -> None:
            time.sleep(0.05)
            filled = np.ones(600 << 17)
            time.sleep(60)
            del filled

        threading.Thread(target=hoard).start()
        ctypes.CDLL(None).syscall(_SYS_EXIT, 0)


class LeavesAHeadlessProcess(Hostile):
    """Leaves a process whose first thread has ended."""

    becomes = (OK,)
    leaves = "process"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        ready, mine = os.pipe()
        if os.fork() == 0:
            threading.Thread(target=lambda: (time.sleep(0.05), os.write(mine, b"."), time.sleep(600))).start()
            ctypes.CDLL(None).syscall(_SYS_EXIT, 0)
        os.read(ready, 1)


class HoldsTheLock(Hostile):
    """Sleeps without letting go of the interpreter."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        ctypes.PyDLL(None).sleep(600)


class Crashes(Hostile):
    """Reads from address 0."""

    becomes = (CRASHED,)
    says = "SIGSEGV"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        ctypes.string_at(0)


class ChangesItsProcess(Hostile):
    """Changes niceness, affinity, limits, locale, umask and folder of its process."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        import contextlib
        import locale
        import resource

        os.nice(5)
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, "C.UTF-8")
        os.umask(0o777)
        os.chdir("/")


class ChangesTheEnvironment(Hostile):
    """Empties the environment, and puts traps into it."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.environ.clear()
        os.environ.update(LD_PRELOAD="/nowhere.so", PYTHONPATH="/nowhere", PATH="/nowhere")
