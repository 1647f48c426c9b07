"""Measure with executor ``cgroup``: each run in a control group of its own, by BenchExec's ``runexec``.

`nonocsp.run.worker.group` says what is counted.
"""

from __future__ import annotations

import subprocess
from typing import ClassVar

from nonocsp.extras import missing
from nonocsp.model import UsageError
from nonocsp.processes.guard import descendants
from nonocsp.processes.starting import NO_ACCESS, PYTHON, Access
from nonocsp.run.local import LocalExecutor
from nonocsp.run.slot import Slot
from nonocsp.run.worker.control_groups import made_by_benchexec, remove_groups
from nonocsp.run.worker.server import CGROUP

_CHECK_S = 30.0


class CgroupExecutor(LocalExecutor):
    """Measures each job in a process and a control group of its own.

    Raises
    ------
    UsageError
        If BenchExec is not installed or cannot use control groups here, with what to do.
    """

    name: ClassVar[str] = "cgroup"
    mode: ClassVar[str] = CGROUP

    def __init__(
        self, jobs: int = 1, *, pin: bool = False, cores: int = 1, access: Access = NO_ACCESS
    ) -> None:
        if problem := cgroup_problem():
            raise UsageError(f"executor cgroup cannot be used here: {problem}")
        super().__init__(jobs, pin=pin, cores=cores, access=access)

    def _discard(self, slot: Slot) -> None:
        """End a slot, and remove the control group of its run: nobody else does once runexec is killed."""
        groups = made_by_benchexec(descendants(slot.pid))
        super()._discard(slot)
        remove_groups(groups)


def cgroup_problem() -> str:
    """Return why BenchExec cannot measure here and what to do; empty if it can."""
    if problem := missing("cgroup"):
        return problem
    check = [*PYTHON, "-m", "benchexec.check_cgroups"]
    try:
        done = subprocess.run(check, capture_output=True, text=True, timeout=_CHECK_S, check=False)
    except subprocess.TimeoutExpired:
        return f"{' '.join(check)} did not end within {_CHECK_S:g} s"
    if done.returncode == 0:
        return ""
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return f"{said[-1].strip() if said else 'its check failed'}; {' '.join(check)} says how to get there"
