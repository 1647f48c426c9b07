"""Measure identical code again and again, on a machine that is disturbed at random, for `aa`.

Every session is a process of its own that adds a repeat to one campaign, as ``nonocsp bench --repeats`` does.
In half of the sessions burners or a process that fills the caches run beside it, with a lower priority. One
backend of the campaign takes 10 % longer than another one and is the same code otherwise.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from nonocsp.bench.scoring import Runs
from nonocsp.bench.store import read_campaign

PLAIN, SLOWED = "baseline", "slower"
CONFIG = f"""\
name: aa
puzzles:
  - random: {{rows: 20, columns: 20, count: 8, seed: 5}}
  - random: {{rows: 25, columns: 25, count: 4, seed: 6}}
backends:
  - segments
  - gac
  - twosat
  - probing
  - sat
  - hybrid
  - {{spec: "slowed:backend=probing", name: {PLAIN}}}
  - {{spec: "slowed:backend=probing,percent=10", name: {SLOWED}}}
limits: {{wall: 5}}
"""
_SESSION = """\
import sys
from pathlib import Path
from nonocsp.bench import load_config, run_campaign
config, folder, repeats = sys.argv[1:]
run_campaign(load_config(config).override(repeats=int(repeats)), Path(folder))
"""
_BURN = "while True: pass"
_FILL = "import numpy as np\na = np.ones(1 << 24)\nwhile True: a += 1"
_LOADS: tuple[tuple[str, int], ...] = (("", 0), ("", 0), ("", 0), (_BURN, 2), (_BURN, 4), (_FILL, 1))
FACTORS = 0.7, 1.0, 1.0, 1.3
"""What the times of a session are multiplied by, as another clock frequency would do."""


def measure(folder: Path, seed: int, sessions: int) -> None:
    """Measure sessions, continuing if the folder has some.

    Parameters
    ----------
    folder
        Gets a folder for the seed.
    seed
        Of the loads.
    sessions
        How many there shall be.
    """
    own = folder / f"seed-{seed}"
    own.mkdir(parents=True, exist_ok=True)
    config, info = own / "aa.yaml", own / "slowed-1.0.dist-info"
    config.write_text(CONFIG)
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slowed\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[nonocsp.backends]\nslowed = slowed:Slowed\n")
    paths = [str(own), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    loads = np.random.default_rng(seed).integers(len(_LOADS), size=sessions).tolist()
    done = len(read_campaign(own / "runs").table.sessions) if (own / "runs").exists() else 0
    for repeats, load in [*enumerate(loads, start=1)][done:]:
        command = [sys.executable, "-c", _SESSION, str(config), str(own / "runs"), str(repeats)]
        with _disturbed(*_LOADS[load]):
            subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)


@contextmanager
def _disturbed(code: str, count: int) -> Iterator[None]:
    """Run some Python code in processes of lower priority."""
    command = ["nice", "-n", "19", sys.executable, "-c", code]
    processes = [subprocess.Popen(command) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Sessions:
    """The sessions of a seed in the order of their start, from which campaigns are taken.

    Parameters
    ----------
    folder, seed
        As those of `measure`.
    by
        ``wall`` or ``cpu``: the time that is compared.
    """

    def __init__(self, folder: Path, seed: int, by: str) -> None:
        runs = Runs.of(read_campaign(folder / f"seed-{seed}" / "runs").table)
        times = runs.cpu_s if by == "cpu" else runs.wall_s
        session = runs.session.max(axis=0)
        order = np.argsort(np.array(runs.sessions))
        self._place = np.argsort(order)[session]
        factors = np.random.default_rng(seed).choice(FACTORS, size=len(order))
        self._runs = replace(runs, wall_s=times * factors[self._place])
        self.count = len(order)

    def campaign(self, sessions: list[int], *, is_slowed: bool = False) -> Runs:
        """Return the campaign of some sessions.

        Parameters
        ----------
        sessions
            Their numbers from 0.
        is_slowed
            Whether the plain backend is replaced by the one that takes longer.
        """
        chosen = np.flatnonzero(np.isin(self._place, sessions))
        chosen = chosen[np.argsort(self._runs.puzzle_of[chosen], kind="stable")]
        runs = self._runs.of_instances(chosen)
        left_out = PLAIN if is_slowed else SLOWED
        kept = [b for b, backend in enumerate(runs.backends) if backend != left_out]
        runs = runs.of_backends(np.array(kept))
        names = tuple(PLAIN if backend == SLOWED else backend for backend in runs.backends)
        return replace(runs, backends=names)
