"""`tools.differential.interruption`: calls that are cut off leave nothing; one that does is found."""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from nonocsp.engine import StopFlag
from tools.differential.__main__ import app
from tools.differential.interruption import cut_off
from tools.differential.interruption_calls import CALLS, Call

QUICK = "probe fp2"
CALLS_BEFORE = dict(CALLS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["propagate sweeps", "trials", "census", "gac", "hybrid"])
def test_an_interrupted_call_leaves_nothing_behind(name: str) -> None:
    record = cut_off(name, moments=5)
    assert record.faults == []
    assert record.moments == 5


def with_side_effect(effect: Callable[[], object]) -> Call:
    original = CALLS[QUICK]

    def call(stop: StopFlag | None, seconds: float | None) -> bytes:
        effect()
        return original(stop, seconds)

    return call


def wrong_from_the_third_on() -> Call:
    calls = 0

    def call(stop: StopFlag | None, seconds: float | None) -> bytes:
        nonlocal calls
        calls += 1
        return b"" if calls > 2 else CALLS_BEFORE[QUICK](stop, seconds)

    return call


KEPT: list[mmap.mmap] = []
OVER = threading.Event()


def keep_memory() -> None:
    """Keep pages of their own: the allocator may have a megabyte left from an earlier test."""
    pages = mmap.mmap(-1, 2**20)
    pages.write(bytes(2**20))
    KEPT.append(pages)


def keep_a_file() -> None:
    os.close(tempfile.mkstemp()[0])


def keep_a_thread() -> None:
    threading.Thread(target=OVER.wait).start()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "left"),
    [
        (with_side_effect(keep_memory), " MiB"),
        (with_side_effect(keep_a_file), "left: file tmp"),
        (with_side_effect(keep_a_thread), "left: thread "),
        (wrong_from_the_third_on(), "another result"),
    ],
)
def test_leftovers_of_an_interrupted_call_are_detected(
    monkeypatch: pytest.MonkeyPatch, call: Call, left: str
) -> None:
    monkeypatch.setitem(CALLS, QUICK, call)
    OVER.clear()
    try:
        result = CliRunner().invoke(app, ["interruption", "--calls", QUICK, "--moments", "41"])
    finally:
        OVER.set()
        KEPT.clear()
    assert result.exit_code == 1
    assert left in result.stdout
