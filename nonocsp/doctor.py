"""Find which tools nonocsp needs or can use are on this machine, and say how to get the rest."""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import psutil

from nonocsp.backends import registry
from nonocsp.extras import EXTRAS, missing
from nonocsp.model import UsageError
from nonocsp.run.conditions import frequency_warning, governor
from nonocsp.run.cores import fastest, topology, usable_cores
from nonocsp.run.locks import describe, held_cores

_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at, and what to do about it; no fix if it is as it should be."""

    name: str
    value: str
    fix: str = ""
    required: bool = False  # whether nonocsp does not work without it

    @property
    def state(self) -> str:
        """``ok``, ``missing`` (it would help) or ``problem`` (it is needed)."""
        if not self.fix:
            return "ok"
        return "problem" if self.required else "missing"


def diagnoses() -> Iterator[Diagnosis]:
    """Look at everything, what matters most first."""
    yield Diagnosis("nonocsp", version("nonocsp"))
    yield Diagnosis("python", f"{platform.python_version()}, {sys.executable}")
    yield Diagnosis("platform", platform.platform())
    try:
        core, fix = Path(importlib.import_module("nonocsp.engine").CORE).name, ""
    except ImportError as error:
        core, fix = f"cannot be loaded: {error}", "build it: pip install . in a checkout, with g++"
    yield Diagnosis("C++ core", core, fix, required=True)
    for name in registry.names():
        found = registry.info(name)
        mine = found.backend is not None and found.backend.__module__.startswith("nonocsp.")
        fix = "pip install --force-reinstall nonocsp" if mine else "reinstall the package that brings it"
        if found.extra:
            reason = found.unavailable.partition(": ")[2]  # what the backend itself says
            fix = reason.removesuffix(" installs it")
        value = found.unavailable.partition(": pip install")[0] or f"{found.version}, available"
        if found.missing_choices:
            value += f", but not {', '.join(found.missing_choices)}"
        is_required = mine and not found.extra
        yield Diagnosis(f"backend {name}", value, fix if found.unavailable else "", required=is_required)
    yield from _cores()
    memory = psutil.virtual_memory()
    yield Diagnosis("memory", f"{memory.available / 2**30:.1f} GiB free of {memory.total / 2**30:.1f} GiB")
    for name, extra in EXTRAS.items():
        problem, _, fix = missing(name).partition(": ")
        installed = [module for module in extra.modules if find_spec(module)]
        value = ", ".join(f"{module} {_version_of(module)}" for module in installed)
        yield Diagnosis(f"extra {name}", problem or value, fix)
    yield _cgroup()
    if not missing("benchexec"):
        from nonocsp.run.benchexec import benchexec_problem

        problem = benchexec_problem()
        yield Diagnosis("executor benchexec", "unusable" if problem else "usable", problem)
    compiler = shutil.which("g++")
    fix = "only to build from source: apt install g++ or xcode-select --install"
    yield Diagnosis("g++", compiler or "not found", "" if compiler else fix)
    width, encoding = shutil.get_terminal_size().columns, sys.stdout.encoding
    fix = "" if encoding.lower().startswith("utf") else "export PYTHONUTF8=1"
    colour = "no colours (NO_COLOR)" if os.environ.get("NO_COLOR") else "colours on a terminal"
    yield Diagnosis("terminal", f"{width} columns, {encoding}, {colour}", fix)


def _version_of(module: str) -> str:
    """Return the version of the distribution that a module comes from, if it has the module's name."""
    try:
        return version(module)
    except PackageNotFoundError:
        return "installed"


def _cores() -> Iterator[Diagnosis]:
    """Look at the cores that runs can get, who holds them, and whether their speed varies."""
    cores = topology()
    nodes = {core.node for core in cores}
    parts = [
        f"{usable_cores()} usable of {os.cpu_count()} threads, {len(cores)} cores",
        f"{len(nodes)} memory nodes" if len(nodes) > 1 else "",
        "of different speeds" if len(fastest(cores)) < len(cores) else "",
        f"{isolated} isolated" if (isolated := sum(core.is_isolated for core in cores)) else "",
    ]
    yield Diagnosis("cores", ", ".join(filter(None, parts)))
    try:
        yield Diagnosis("cores held", describe(held_cores()) or "none by pinned campaigns")
    except UsageError as error:
        yield Diagnosis("cores held", "cannot be read", str(error))
    governors = sorted({name for core in cores if (name := governor(core.number))})
    fix = frequency_warning()
    yield Diagnosis(
        "frequency", f"governor {', '.join(governors)}" if governors else "no frequency scaling", fix
    )


def _cgroup() -> Diagnosis:
    """Look at control groups, version 2, and at the limits that they put on this process."""
    if not (_CGROUPS / "cgroup.controllers").exists():
        fix = "optional; boot with systemd.unified_cgroup_hierarchy=1"
        return Diagnosis("cgroup v2", "not mounted", fix)
    try:
        own = _CGROUPS / Path("/proc/self/cgroup").read_text().rpartition("::")[2].strip().lstrip("/")
    except OSError:
        own = _CGROUPS
    limits = []
    for name in ("memory.max", "cpu.max"):
        for folder in (own, _CGROUPS):  # this process's own group, or else the whole container
            with suppress(OSError):
                if value := (folder / name).read_text().strip():
                    limits.append(f"{name} {value}")
                break
    return Diagnosis("cgroup v2", ", ".join(limits) or "there, no limits visible")
