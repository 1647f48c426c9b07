"""Files of a process that stay open say the same as files that are opened anew."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from nonocsp.run.worker.process_files import ProcessFiles

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such files")

MIB = 1 << 20
BUSY = """
import subprocess, sys, threading, time
def say(word):
    print(word, flush=True)
    sys.stdin.readline()
say("alone")
children = [subprocess.Popen(["sleep", "600"]) for _ in range(500)]
say("parent")
threads = [threading.Thread(target=time.sleep, args=(600,), daemon=True) for _ in range(3)]
[thread.start() for thread in threads]
say("threads")
block = bytearray(64 << 20)
del block
say("memory")
for child in children:
    child.kill()
    child.wait()
"""


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[bytes]]:
    """A process that says a word before each step, and waits for a line."""
    command = [sys.executable, "-c", BUSY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        for child in psutil.Process(process.pid).children():
            child.kill()
        process.kill()


def step(process: subprocess.Popen[bytes], word: str) -> None:
    """Wait until a process says a word."""
    assert process.stdout
    assert process.stdout.readline().decode().strip() == word


def go_on(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.write(b"\n")
    process.stdin.flush()


def test_files_that_stay_open_follow_a_process(busy: subprocess.Popen[bytes]) -> None:
    kept, opened = ProcessFiles(busy.pid), ProcessFiles(busy.pid, is_kept=False)
    step(busy, "alone")
    assert kept.children() == opened.children() == []
    before = kept.resident().now
    assert kept.forget_peak()
    go_on(busy)
    step(busy, "parent")
    expected = sorted(child.pid for child in psutil.Process(busy.pid).children())
    assert len(expected) == 500  # more than one part of the file
    assert sorted(kept.children()) == sorted(opened.children()) == expected
    go_on(busy)
    step(busy, "threads")
    assert sorted(kept.children()) == expected
    assert kept.queued_s() == opened.queued_s() > 0
    assert kept.cpu().own_s == opened.cpu().own_s == kept.clock_s() > 0
    go_on(busy)
    step(busy, "memory")
    resident = kept.resident()
    assert resident == opened.resident()
    assert before + 60 * MIB < resident.peak < before + 90 * MIB
    assert resident.now < before + 30 * MIB
    kept.close()


def test_a_process_that_has_ended_is_known_by_its_open_files() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        kept = ProcessFiles(process.pid)
        assert kept.resident().now > 0
        assert kept.cpu().parent > 0
        process.kill()
        process.wait()
        for look in (kept.resident, kept.cpu, kept.clock_s, kept.queued_s):
            with pytest.raises(OSError):
                look()
        assert kept.children() == []
        assert not kept.forget_peak()
    kept.close()
