"""No command that drives a campaign or reads its rows runs code of a plug-in in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nonocsp.backends import installed
from nonocsp.bench.report.provenance import options_of
from tests.waiting import AMPLE_S

GUEST = """
import os
from contextlib import suppress
from dataclasses import dataclass
from nonocsp.backends.settle import Settle

with suppress(OSError), open(os.environ["GUEST_LOG"], "a") as log:  # isolated processes write no files
    print(os.readlink("/proc/self/ns/pid"), os.getpid(), file=log)

@dataclass(frozen=True, slots=True)
class Options(Settle.Options):
    depth: int = 3

class Guest(Settle):
    Options = Options
"""
CONFIG = """\
name: guests
puzzles: [{file: puzzle.json}]
backends: [guest, "guest:depth=7", {spec: guest, name: swept, sweep: {depth: [5, 6]}}, settle]
"""
MANY = """\
name: many
puzzles: [{random: {rows: 5, columns: 5, count: 14, seed: 1}}]
backends: [settle]
limits: {wall: 5}
"""
NONOCSP = (sys.executable, "-P", "-c", "from nonocsp.cli import main; main()")
COMMANDS = (
    ("bench", "campaign.yaml", "-o", "out"),
    ("bench", "campaign.yaml", "-o", "out"),
    ("report", "out", "-o", "page.html"),
    ("results", "export", "out", "-o", "rows.csv"),
    ("results", "merge", "out", "-o", "merged"),
    ("check", "-b", "guest,settle", "puzzle.json"),
    ("check", "puzzle.json"),
    ("tune", "guest", "many.yaml", "--option", "depth=3|4|5", "--dry-run"),
    ("tune", "guest", "many.yaml", "--dry-run"),
)


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a plug-in whose import leaves a line in the file that is returned."""
    folder = tmp_path / "installed"
    info = folder / "guest-1.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[nonocsp.backends]\nguest = guest_module:Guest\n")
    (folder / "guest_module.py").write_text(GUEST)
    monkeypatch.setenv("GUEST_LOG", str(tmp_path / "imports.txt"))
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    monkeypatch.syspath_prepend(folder)
    installed.registered.cache_clear()
    yield tmp_path / "imports.txt"
    monkeypatch.undo()
    installed.registered.cache_clear()


@pytest.mark.slow
def test_no_command_about_a_campaign_imports_its_plug_ins(guest: Path, tmp_path: Path) -> None:
    (tmp_path / "puzzle.json").write_text('{"rows": [[1], [3], [1]], "columns": [[1], [3], [1]]}')
    (tmp_path / "campaign.yaml").write_text(CONFIG)
    (tmp_path / "many.yaml").write_text(MANY)
    namespace = Path("/proc/self/ns/pid").readlink()
    subprocess.run([sys.executable, "-P", "-c", "import guest_module"], check=True)
    assert len(guest.read_text().splitlines()) == 1
    drivers = set()
    for command in COMMANDS:
        driver = subprocess.Popen(
            [*NONOCSP, *command],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said, _ = driver.communicate(timeout=AMPLE_S)
        assert driver.returncode == 0, f"{command}: {said}"
        drivers.add(f"{namespace} {driver.pid}")
    assert not drivers & {*guest.read_text().splitlines()}


def test_the_options_of_a_plug_in_are_those_that_its_spec_has(guest: Path) -> None:
    assert options_of("guest") == {}
    assert options_of("guest:depth=7") == {"depth": "7"}
    assert not guest.exists()
    assert options_of("sat")["solver"] == "glucose4"
