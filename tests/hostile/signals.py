"""Backends that signal, trace or read other processes."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import threading
import time
from pathlib import Path
from typing import ClassVar

from hostile.base import BRIEF, CRASHED, KILLED, OK, WALL, Hostile
from hostile.clocks import burn

from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

_PTRACE_ATTACH = 16


def others() -> list[int]:
    """Return all processes that can be seen, but this one."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def signal_all(number: int, pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


class IgnoresSignals(Hostile):
    """Blocks all signals, and hangs."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True:
            time.sleep(1)


class StopsItself(Hostile):
    """Stops itself with SIGSTOP."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


class StopsItsParent(Hostile):
    """Stops its parent and everything above it."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        signal_all(signal.SIGSTOP, [os.getppid(), 1])


class KillsItsParent(Hostile):
    """Kills its parent."""

    becomes = (KILLED, CRASHED, WALL)
    limits = BRIEF
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)


class KillsItsSiblings(Hostile):
    """Kills every process that it sees."""

    becomes = (KILLED, CRASHED, WALL)
    limits = BRIEF
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        signal_all(signal.SIGKILL, others())
        time.sleep(60)


class KillsEverything(Hostile):
    """Sends SIGKILL to all processes that it may signal."""

    becomes = (KILLED, CRASHED, WALL)
    limits = BRIEF
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.kill(-1, signal.SIGKILL)
        time.sleep(60)


class KillsItsGroup(Hostile):
    """Kills its process group."""

    becomes = (KILLED, CRASHED)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.killpg(0, signal.SIGKILL)


class InterruptsEverything(Hostile):
    """Sends SIGINT, SIGTERM and SIGHUP to its server again and again."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(20):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
                with contextlib.suppress(OSError):
                    os.kill(1, number)
            time.sleep(0.002)


class KillsLater(Hostile):
    """Leaves a process that kills what it sees after the answer."""

    becomes = (OK,)
    needs_namespaces = True
    leaves = "process"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            os.setsid()
            time.sleep(0.5)
            signal_all(signal.SIGKILL, others())
            os._exit(0)


class TracesItsServer(Hostile):
    """Attaches to its server as a debugger does."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.ptrace(_PTRACE_ATTACH, 1, None, None) == 0:
            time.sleep(60)


class ReadsMemoryOfOthers(Hostile):
    """Reads and writes the memory of its server through /proc."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        with contextlib.suppress(OSError):
            maps = Path("/proc/1/maps").read_text().splitlines()
            start, end = (int(each, 16) for each in maps[-2].split()[0].split("-"))
            with open("/proc/1/mem", "r+b") as memory:
                memory.seek(start)
                memory.write(bytes(end - start))
            raise RuntimeError("it can be written")


class WritesMemoryOfHosts(Hostile):
    """Overwrites the memory of every other process that it sees with zeros."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for pid in {*others()} - {os.getppid()}:  # with `fork`, its parent is its own host
            with contextlib.suppress(OSError), open(f"/proc/{pid}/mem", "r+b", buffering=0) as memory:
                for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
                    if "[heap]" in line:
                        start, end = (int(each, 16) for each in line.split()[0].split("-"))
                        memory.seek(start)
                        memory.write(bytes(end - start))


class SignalsHosts(Hostile):
    """Sends every other process signals that wait until it goes on."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGALRM):
            signal_all(number, [pid for pid in others() if pid not in (1, os.getppid())])


class WorksInItsHost(Hostile):
    """Keeps a thread in the process that loaded it, which computes for ever."""

    becomes = (OK,)

    def rehearse(self) -> None:
        if not self._threads:
            self._threads.append(threading.Thread(target=burn, args=(600,), daemon=True))
            self._threads[0].start()

    _threads: ClassVar[list[threading.Thread]] = []


class WakesHosts(Hostile):
    """Wakes every process that it sees again and again for .3 s: one of another backend could work for it."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        run.stats["seen"] = len(others())
        for _ in range(30):
            signal_all(signal.SIGCONT, others())
            time.sleep(0.01)


class SlowsAllProcesses(Hostile):
    """Gives every process that it sees the lowest priority, one core and one second of CPU time."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for pid in others():
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, pid, 19)
                os.sched_setaffinity(pid, [max(os.sched_getaffinity(pid))])
                resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))


class AlarmsItself(Hostile):
    """Sets timers that end it with a signal, in a thread that goes on."""

    becomes = (CRASHED,)
    says = "SIGALRM"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        threading.Event().wait(60)
