"""Backends that speak where only nonocsp should: on descriptors, and in the words of its protocol."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import struct
import sys
import threading
import time
from typing import Any

from hostile.base import BRIEF, CRASHED, KILLED, OK, WALL, Hostile

from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

EVERY = range(512)
"""All descriptors of a process: a server that has many backends has some hundred."""
DESCRIPTORS = EVERY[3:]
WORDS = (b"r", b"b", b"p", b"e", b"y", b"x")


def say(message: bytes, descriptors: range = DESCRIPTORS) -> None:
    """Write to all descriptors."""
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.write(descriptor, message)


def frame(nonce: bytes, word: bytes, payload: bytes = b"") -> bytes:
    """Return what a worker would say."""
    return struct.pack(">16scI", nonce, word, len(payload)) + payload


def overheard() -> tuple[Any, bytes]:
    """Return the channel and the nonce that a caller of this backend holds."""
    caller: Any = sys._getframe()
    while not {"channel", "frame"} <= {*caller.f_locals}:
        caller = caller.f_back
    return caller.f_locals["channel"], caller.f_locals["frame"].nonce


class WritesGone(Hostile):
    """Writes `gone 0 0`, the end of a run in former versions, to all descriptors but the standard streams."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        say(b"\ngone 0 0\n")


class ForgesFrames(Hostile):
    """Writes well-formed frames with guessed nonces to all descriptors."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for nonce in (bytes(16), b"0" * 16, os.urandom(16)):
            for word in WORDS:
                say(frame(nonce, word))


class Floods(Hostile):
    """Writes up to 1 GB of garbage to all descriptors."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(16):
            say(b"garbage\n" * (1 << 17))


class DeclaresLongFrames(Hostile):
    """Announces a frame of 4 GiB with its own nonce, and sends a part of it."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        channel, nonce = overheard()
        os.write(channel.fileno(), struct.pack(">16scI", nonce, b"e", (1 << 32) - 1) + bytes(1000))


class WritesHalfAFrame(Hostile):
    """Begins a frame with its own nonce, and sleeps."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        channel, nonce = overheard()
        os.write(channel.fileno(), frame(nonce, b"e")[:9])
        time.sleep(60)


class SaysEndedEarly(Hostile):
    """Says that it has finished before it begins, then works for .2 s."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        channel, nonce = overheard()
        send = channel.send
        send(nonce, b"e")
        channel.send = lambda nonce, word, payload=b"": word == b"e" or send(nonce, word, payload)
        time.sleep(0.2)


class RepliesTwice(Hostile):
    """Sends its reply and two more, for the next jobs."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        channel, _ = overheard()
        send = channel.send

        def thrice(nonce: bytes, word: bytes, payload: bytes = b"") -> None:
            for _ in range(3 if word == b"y" else 1):
                send(nonce, word, payload)

        channel.send = thrice


class ForgesAnEmptyReply(Hostile):
    """Replies that there is no solution, with negative times."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        header = (
            b'{"answer":"unsat","termination":"ok","message":"","wrong":false,"stats":{},"wall_s":-5,"cpu_s":-5,'
            b'"solutions":0,"partial":false,"count":null,"count_at_least":0}\n'
        )
        channel, nonce = overheard()
        channel.send(nonce, b"e")
        channel.send(nonce, b"y", header)
        os._exit(0)


class RepliesNonsense(Hostile):
    """Replies in JSON that is nested 100 000 deep."""

    becomes = (CRASHED,)
    says = "cannot be used"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        channel, nonce = overheard()
        channel.send(nonce, b"e")
        channel.send(nonce, b"y", b"[" * 100_000 + b"\n")
        os._exit(0)


class ClosesEverything(Hostile):
    """Closes all descriptors."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.closerange(0, 4096)


class CoversEverything(Hostile):
    """Puts /dev/null in the place of all descriptors."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in EVERY:
            os.dup2(null, descriptor)
        time.sleep(60)


class ReadsEverything(Hostile):
    """Reads what others should get from all descriptors."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for descriptor in EVERY:
            with contextlib.suppress(OSError):
                before = fcntl.fcntl(descriptor, fcntl.F_GETFL)
                fcntl.fcntl(descriptor, fcntl.F_SETFL, before | os.O_NONBLOCK)
                with contextlib.suppress(BlockingIOError):
                    os.read(descriptor, 1 << 16)
                fcntl.fcntl(descriptor, fcntl.F_SETFL, before)


class Shouts(Hostile):
    """Writes 10 MB to its standard streams, and reads its standard input."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for stream in (1, 2):
            os.write(stream, b"noise\n" * (10 << 20))
        print("more noise", flush=True)
        sys.stdin.read()
        sys.stdin.close()


class SpeaksInRehearsals(Hostile):
    """Writes forged frames to all descriptors before its first run."""

    becomes = (CRASHED,)

    def rehearse(self) -> None:
        say(frame(os.urandom(16), b"y"))


class SpeaksLater(Hostile):
    """Keeps a thread in the process that forks its runs, which writes to all descriptors every 5 ms."""

    becomes = (CRASHED,)

    def rehearse(self) -> None:
        def speak() -> None:
            while True:
                time.sleep(0.005)
                say(b"\ngone 0 0\n")

        threading.Thread(target=speak, daemon=True).start()

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        time.sleep(0.1)


class StealsNonces(Hostile):
    """Looks through all objects for nonces, and speaks with each."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        nonces = {
            value
            for thing in gc.get_objects()
            if isinstance(thing, tuple)
            for value in thing
            if _is_nonce(value)
        }
        for nonce in nonces:
            for word in WORDS:
                say(frame(nonce, word))


def _is_nonce(value: object) -> bool:
    return type(value) is bytes and len(value) == 16


class KillsItself(Hostile):
    """Sends itself SIGKILL."""

    becomes = (KILLED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        os.kill(os.getpid(), 9)
