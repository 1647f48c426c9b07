"""Campaigns with careless backends: whatever ends one, no row is lost or repeated, and nothing is left."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.run.contract import marked, shared_memory
from tests.waiting import AMPLE_S, wait_until

pytestmark = pytest.mark.usefixtures("unruly")

CONFIG = """\
name: ends
puzzles: [{{random: {{rows: 3, columns: 3, density: 0.5, count: 8, seed: 1}}}}]
backends: [{backends}]
executor: {executor}
limits: {{wall: {wall}}}
repeats: {repeats}
jobs: 2
"""
CARELESS = (
    *("leaves-a-daemon", "seg-faults", "closes-descriptors", "patches-modules", "yields-a-wrong-grid"),
)
NONOCSP = [sys.executable, "-c", "from nonocsp.cli import main; main()"]
ON_A_SMALL_DISK = """
mount -t tmpfs -o size=32m,nr_inodes=16k none "$1" && mkdir "$1/temporary" || exit 77
export TMPDIR="$1/temporary"
"$2" -c 'from nonocsp.cli import main; main()' bench "$3" --output "$1/out" ||
    "$2" -c 'from nonocsp.cli import main; main()' bench "$3" --output "$1/out"
code=$?
cp "$1/out/runs.jsonl" "$4" && exit $code
"""

Start = Callable[..., "subprocess.Popen[str]"]


WARM = pytest.mark.parametrize("executor", ["warm"], indirect=True)


@pytest.fixture
def executor(request) -> str:
    return str(request.param)


@pytest.fixture
def mark(tmp_path, monkeypatch) -> str:
    """The mark of all processes that the test starts."""
    mark = uuid4().hex
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("CARELESS_MARK", mark)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    return mark


@pytest.fixture
def start(executor, mark, tmp_path) -> Start:
    """Start a campaign in ``out``, or go on with it."""

    def start(*backends: str, wall: float = AMPLE_S, repeats: int = 1) -> subprocess.Popen[str]:
        config = tmp_path / "campaign.yaml"
        names = ", ".join(backends)
        config.write_text(CONFIG.format(backends=names, executor=executor, wall=wall, repeats=repeats))
        command = [*NONOCSP, "bench", str(config), "--output", str(tmp_path / "out")]
        return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return start


def rows(folder: Path) -> list[dict[str, Any]]:
    """Return the rows that are stored so far; the last line may be on its way."""
    path = folder / "out" / "runs.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [row for line in lines if "run" in (row := json.loads(line))]


def wait_for_rest(mark: str, folder: Path) -> None:
    """Wait until nothing of a campaign is left."""
    wait_until(lambda: not [*marked(mark), *shared_memory(mark), *(folder / "temporary").glob("nonocsp*")])


@WARM
def test_careless_backends_change_no_row_of_others(start, mark, tmp_path):
    seen = {}
    for name, backends in (("alone", ("hybrid",)), ("among", ("hybrid", *CARELESS))):
        with start(*backends) as process:
            messages = process.communicate(timeout=AMPLE_S)[1]
        found = rows(tmp_path)
        assert len(found) == 8 * len(backends), messages
        keys = ("run", "answer", "termination", "solutions", "message", "left")
        seen[name] = [[row.get(key) for key in keys] for row in found if row["backend"] == "hybrid"]
        shutil.rmtree(tmp_path / "out")
    assert sorted(seen["alone"]) == sorted(seen["among"])
    wait_for_rest(mark, tmp_path)


@pytest.mark.parametrize(
    ("executor", "end"), [("fork", signal.SIGKILL), ("warm", signal.SIGINT)], indirect=["executor"]
)
def test_a_campaign_that_ended_early_goes_on_where_it_was(start, mark, tmp_path, end):
    process = start("calm", "hybrid", "leaves-a-daemon", repeats=2)
    wait_until(lambda: process.poll() is not None or len(rows(tmp_path)) >= 10)
    process.send_signal(end)
    messages = process.communicate(timeout=AMPLE_S)[1]
    assert process.returncode in (-signal.SIGKILL, 130), messages
    assert end == signal.SIGKILL or "resume with" in messages
    wait_for_rest(mark, tmp_path)
    kept = [row["run"] for row in rows(tmp_path)]
    assert len(kept) < 3 * 8 * 2
    with start("calm", "hybrid", "leaves-a-daemon", repeats=2) as process:
        messages = process.communicate(timeout=AMPLE_S)[1]
    assert process.returncode == 0, messages
    stored = [row["run"] for row in rows(tmp_path)]
    assert stored[: len(kept)] == kept
    assert len(stored) == len({*stored}) == 3 * 8 * 2


@WARM
def test_a_full_disk_costs_only_the_runs_that_fill_it(executor, mark, tmp_path):
    if not shutil.which("unshare"):
        pytest.skip("needs unshare")
    disk, kept, config = tmp_path / "disk", tmp_path / "out" / "runs.jsonl", tmp_path / "campaign.yaml"
    disk.mkdir()
    kept.parent.mkdir()
    names = "fills-the-disk, hybrid"
    config.write_text(CONFIG.format(backends=names, executor=executor, wall=0.5, repeats=1))
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c"]
    given = [str(disk), sys.executable, str(config), str(kept)]
    command = [*alone, ON_A_SMALL_DISK, "sh", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=AMPLE_S)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("this system lets this user mount nothing")
    assert done.returncode == 0, done.stderr
    ends = {(row["backend"], row["termination"]) for row in rows(tmp_path)}
    assert len(rows(tmp_path)) == 16
    assert ends <= {("hybrid", "ok"), ("fills-the-disk", "wall"), ("fills-the-disk", "crashed")}
