"""Measure with executor ``benchexec``: each run in a container of its own, made by BenchExec.

A run sees all files but cannot change them, has an empty ``/tmp``, no network and no process but its own.
Inside, a template (`nonocsp.run.template`) measures and limits its one run as executor ``fork`` does (Beyer,
Löwe, Wendler, Reliable benchmarking: requirements and solutions, STTT 21, 2019).
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from nonocsp.backends import registry
from nonocsp.extras import missing
from nonocsp.model import UsageError
from nonocsp.run import launcher, template
from nonocsp.run.fork_server import PYTHON
from nonocsp.run.jobs import NO_ACCESS, Access
from nonocsp.run.local import LocalExecutor
from nonocsp.run.processes import tree_cpu_s
from nonocsp.run.run_process import TEMPORARY

HIDDEN = "/run", "/tmp"
"""Folders of which a run sees nothing but an empty one, and the code that it runs."""
_CHECK_S, _STOP_S = 60.0, 5.0


class BenchExecExecutor(LocalExecutor):
    """Measures each job in BenchExec's container; UsageError, with what to do, if it can make none here."""

    name: ClassVar[str] = "benchexec"
    keeps_templates: ClassVar[bool] = False  # no run finds anything of another

    def __init__(
        self, jobs: int = 1, *, pin: bool = False, cores: int = 1, access: Access = NO_ACCESS
    ) -> None:
        if problem := benchexec_problem():
            raise UsageError(f"executor benchexec cannot be used here: {problem}")
        access.check()
        super().__init__(jobs, pin=pin, cores=cores, server=Containers(access))


class Containers:
    """Starts templates in containers, each by a process of its own (`nonocsp.run.launcher`)."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._launchers: dict[int, subprocess.Popen[bytes]] = {}
        # Its end is the driver's, even by kill -9, and ends what has not heard of that otherwise.
        self._lifeline, self._driver = os.pipe()

    def cpu_s(self) -> float:
        """Return the CPU seconds of all that measures."""
        return sum(map(tree_cpu_s, self._launchers))

    def start(self, spec: str, mode: str, cores: Sequence[int] | None) -> tuple[int, socket.socket]:
        """Start a template; return its launcher's process, and the socket to the template."""
        del mode  # each run is a fork
        command = [*PYTHON, "-m", template.__name__, spec, ",".join(map(str, cores or ())), "/tmp"]
        paths = [str(Path(path).absolute()) for path in os.environ.get("PYTHONPATH", "").split(":") if path]
        environment = {"PYTHONPATH": ":".join(paths), "OPENBLAS_NUM_THREADS": "1"}
        config: dict[str, Any] = {
            "command": command,
            "environment": environment | dict.fromkeys(TEMPORARY, "/tmp"),
            "container": {
                "use_namespaces": True,
                "container_system_config": False,
                "network_access": self._access.network,
                "dir_modes": _dir_modes(spec, self._access),
            },
        }
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [*PYTHON, launcher.__file__, json.dumps(config), str(self._lifeline)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                pass_fds=[self._lifeline],
                start_new_session=True,
            )
        self._launchers[process.pid] = process
        return process.pid, ours

    def end(self, pid: int) -> int:
        """End a template with its container; return its launcher's exit status."""
        process = self._launchers.pop(pid)
        process.terminate()  # unless the template has ended by itself, and so the container
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return 0

    def close(self) -> None:
        """End everything."""
        for pid in [*self._launchers]:
            self.end(pid)
        os.close(self._lifeline)
        os.close(self._driver)


def _dir_modes(spec: str, access: Access) -> dict[str, str]:
    """Return how a run sees folders: it can read the code that it runs even where other files are hidden."""
    files: list[Path] = [*map(Path, (*sys.path, sys.prefix, sys.base_prefix))]
    if registry.is_program(spec):
        files += map(Path, registry.program(spec).code_files)
    folders = {str((path if path.is_dir() else path.parent).absolute()) for path in files if path.exists()}
    code = [folder for folder in folders if folder.startswith(tuple(f"{place}/" for place in HIDDEN))]
    return {
        "/": "read-only",
        **dict.fromkeys(HIDDEN, "hidden"),
        **dict.fromkeys(code, "read-only"),
        **dict.fromkeys(access.writable, "full-access"),
    }


_CHECK = [
    *(*PYTHON, "-m", "benchexec.runexecutor", "--read-only-dir", "/", "--dir", "/"),
    *(word for folder in HIDDEN for word in ("--hidden-dir", folder)),
    *("--output", os.devnull, "--", "true"),
]
"""Makes such a container and says why if it cannot."""


@cache
def benchexec_problem() -> str:
    """Return why BenchExec makes no containers here and what to do; empty if it does."""
    if problem := missing("benchexec"):
        return problem
    try:
        done = subprocess.run(_CHECK, capture_output=True, text=True, timeout=_CHECK_S, check=False)
    except subprocess.TimeoutExpired:
        return f"{' '.join(_CHECK)} did not end within {_CHECK_S:g} s"
    if done.returncode == 0 and "walltime=" in done.stdout:
        return ""
    said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    why = (said[-1].rpartition(" - ")[2] if said else "it made no container").rstrip(".")
    return f"{why}; allow user namespaces, or use executor fork. To try: {' '.join(_CHECK)}"
