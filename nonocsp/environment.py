"""Find which tools nonocsp needs or can use are on this machine, and say how to get the rest."""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from nonocsp.backends import registry
from nonocsp.extras import EXTRAS, missing
from nonocsp.runner.machine import usable_cores

_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Parameters
    ----------
    value
        What was found.
    fix
        What to do about it; empty if it is as it should be.
    required
        Whether nonocsp does not work without it.
    """

    name: str
    value: str
    fix: str = ""
    required: bool = False

    @property
    def state(self) -> str:
        """``ok``, ``missing`` (it would help) or ``problem`` (it is needed)."""
        if not self.fix:
            return "ok"
        return "problem" if self.required else "missing"


def findings() -> Iterator[Finding]:
    """Look at everything, what matters most first."""
    yield Finding("nonocsp", version("nonocsp"))
    yield Finding("python", f"{platform.python_version()}, {sys.executable}")
    yield Finding("platform", platform.platform())
    yield _core()
    yield from map(_backend, registry.names())
    yield Finding("cores", f"{usable_cores()} usable of {os.cpu_count()}")
    yield Finding("memory", _memory())
    yield from map(_extra, EXTRAS)
    yield _cgroup()
    if not missing("cgroup"):
        yield _runexec()
    yield _tool("g++", "only to build nonocsp from source: apt install g++, or xcode-select --install")
    yield _tool("chromium", "only for tests of the HTML report: apt install chromium")
    yield _terminal()


def _core() -> Finding:
    fix = "build it: pip install . in a checkout, with g++"
    try:
        engine = importlib.import_module("nonocsp.engine")
    except ImportError as error:
        return Finding("C++ core", f"cannot be loaded: {error}", fix, required=True)
    return Finding("C++ core", Path(engine.CORE).name, required=True)


def _backend(name: str) -> Finding:
    found = registry.info(name)
    mine = found.backend is not None and found.backend.__module__.startswith("nonocsp.")
    fix = "pip install --force-reinstall nonocsp" if mine else "reinstall the package that brings it"
    if found.unavailable:
        return Finding(f"backend {name}", found.unavailable, fix, required=mine)
    return Finding(f"backend {name}", f"{found.version}, available", required=mine)


def _memory() -> str:
    import psutil

    memory = psutil.virtual_memory()
    return f"{memory.available / 2**30:.1f} GiB free of {memory.total / 2**30:.1f} GiB"


def _extra(name: str) -> Finding:
    if problem := missing(name):
        return Finding(f"extra {name}", "not installed", problem)
    module = EXTRAS[name].module
    return Finding(f"extra {name}", f"{module} {version(module)}")


def _cgroup() -> Finding:
    """Look at control groups, version 2, and at the limits that they put on this process."""
    if not (_CGROUPS / "cgroup.controllers").exists():
        return Finding(
            "cgroup v2",
            "not there",
            "optional; boot with systemd.unified_cgroup_hierarchy=1",
        )
    limits = {name: value for name in ("memory.max", "cpu.max") if (value := _cgroup_value(name))}
    text = ", ".join(f"{name} {value}" for name, value in limits.items())
    return Finding("cgroup v2", text or "there, no limits visible")


def _runexec() -> Finding:
    """Try whether BenchExec can put runs into control groups, which executor cgroup needs."""
    from nonocsp.runner.cgroup import cgroup_problem

    problem = cgroup_problem()
    return Finding("runexec", "unusable" if problem else "usable", problem)


def _cgroup_value(name: str) -> str:
    """Return a limit of this process's own group, or of the whole container; empty if none is readable."""
    try:
        own = Path("/proc/self/cgroup").read_text().rpartition("::")[2].strip().lstrip("/")
    except OSError:
        own = ""
    for folder in (_CGROUPS / own, _CGROUPS):
        try:
            return (folder / name).read_text().strip()
        except OSError:
            continue
    return ""


def _tool(name: str, fix: str) -> Finding:
    path = shutil.which(name)
    return Finding(name, path) if path else Finding(name, "not found", fix)


def _terminal() -> Finding:
    width = shutil.get_terminal_size().columns
    encoding = sys.stdout.encoding
    fix = "" if encoding.lower().startswith("utf") else "export PYTHONUTF8=1"
    colour = "no colours (NO_COLOR)" if os.environ.get("NO_COLOR") else "colours on a terminal"
    return Finding("terminal", f"{width} columns, {encoding}, {colour}", fix)
