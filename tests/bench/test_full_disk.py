"""Campaigns whose runs fill the disk, on a small one: those runs end, and nothing else is lost."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from nonocsp.run.worker.room import OVERDRAWN

from nonocsp import full_disk
from nonocsp.bench.store import read_campaign
from nonocsp.full_disk import once_there_is_room
from nonocsp.model import UsageError
from tests.waiting import AMPLE_S

CONFIG = """\
name: full
puzzles: [{file: puzzles.jsonl}]
backends: ["fill:how=written", "fill:how=deleted", "fill:how=many", brute]
limits: {wall: 10}
jobs: 2
"""
ON_A_SMALL_DISK = """
mount -t tmpfs -o size=48m,nr_inodes=16k none "$1" && mkdir "$1/temporary" || exit 77
TMPDIR="$1/temporary" "$2" -c 'from nonocsp.cli import main; main()' bench "$3" --output "$1/out"
code=$?
cp -r "$1/out" "$4" && ls "$1/temporary" && exit $code
"""


@pytest.mark.parametrize("executor", ["warm", pytest.param("fork", marks=pytest.mark.slow)])
def test_runs_that_fill_the_disk_are_ended_and_all_others_are_kept(
    executor: str, unruly: None, write_config: Callable[[str], Path], tmp_path: Path
) -> None:
    if not shutil.which("unshare"):
        pytest.skip("needs unshare")
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c"]
    given = [str(disk), sys.executable, str(write_config(f"{CONFIG}executor: {executor}\n")), str(kept)]
    done = subprocess.run(
        [*alone, ON_A_SMALL_DISK, "sh", *given], capture_output=True, text=True, check=False, timeout=AMPLE_S
    )
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("this system lets this user mount nothing")
    assert done.returncode == 0, done.stderr
    ends = Counter(
        (row["backend"].partition(":")[0], row["termination"], row.get("message", ""))
        for row in read_campaign(kept).rows
    )
    assert ends == {("brute", "ok", ""): 6, ("fill", "crashed", OVERDRAWN): 18}
    assert len([*(kept / "failures").iterdir()]) == 18


def test_a_full_disk_is_waited_for_and_then_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    errors = iter([errno.ENOSPC, errno.EDQUOT, 0])

    def write() -> int:
        if number := next(errors):
            raise OSError(number, os.strerror(number))
        return 7

    def save() -> NoReturn:
        try:
            raise OSError(errno.ENOSPC, "full")
        except OSError as error:
            raise UsageError(f"it cannot be written: {error.strerror}") from None

    assert once_there_is_room(write) == 7
    monkeypatch.setattr(full_disk, "WAIT_S", 0.05)
    began = time.monotonic()
    with pytest.raises(UsageError, match="full"):
        once_there_is_room(save)
    assert time.monotonic() - began >= 0.05


@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "no"), UsageError("no")])
def test_other_errors_are_reported_at_once(error: Exception) -> None:
    calls: list[None] = []

    def write() -> NoReturn:
        calls.append(None)
        raise error

    with pytest.raises(type(error), match="no"):
        once_there_is_room(write)
    assert len(calls) == 1
