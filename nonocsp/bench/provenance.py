"""Describe what measured a row: versions, machine, and the state of the code."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path

from nonocsp.backends import registry

_PACKAGE = Path(__file__).parents[1]
_packages = cache(packages_distributions)


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer; as text, its processor and its number of cores."""

    processor: str
    cores: int
    memory_bytes: int
    os: str
    host: str

    def __str__(self) -> str:
        return f"{self.processor}, {self.cores} cores, {self.os.partition(' ')[0]}"


@dataclass(frozen=True, slots=True)
class GitState:
    """The commit that a checkout is at, and whether tracked files differ from it; as text, both in short."""

    commit: str
    dirty: bool

    def __str__(self) -> str:
        return f"{self.commit[:10]}{' with changes' if self.dirty else ''}"


@cache
def versions(spec: str) -> dict[str, str]:
    """Return the versions of nonocsp, Python and what the backend of a spec needs, by distribution."""
    info = registry.info(spec.partition(":")[0])
    modules = info.backend.requires if info.backend else ()
    distributions = {name for module in modules for name in _packages().get(module, [])}
    needed = {name: version(name) for name in sorted(distributions)}
    return {
        "nonocsp": version("nonocsp"),
        "python": platform.python_version(),
        info.name: info.version,
        **needed,
    }


def versions_seen(rows: Iterable[dict[str, str]]) -> dict[str, list[str]]:
    """Return for every package of some `versions` all its version numbers, sorted."""
    seen: dict[str, set[str]] = {}
    for entry in rows:
        for package, number in entry.items():
            seen.setdefault(package, set()).add(number)
    return {package: sorted(numbers) for package, numbers in sorted(seen.items())}


@cache
def machine() -> Machine:
    """Return the machine that this process runs on."""
    import psutil

    lines: list[str] = []
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return Machine(
        processor=next(names, platform.processor() or platform.machine()),
        cores=os.cpu_count() or 1,
        memory_bytes=psutil.virtual_memory().total,
        os=f"{platform.system()} {platform.release()}",
        host=platform.node(),
    )


def git_state(package: Path = _PACKAGE) -> GitState | None:
    """Return the state of the checkout that the code comes from; None without a checkout or without git.

    Parameters
    ----------
    package
        The folder with the code. That it lies inside somebody's checkout is not enough: git has to track it.
    """
    if _git(package, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None
    commit = _git(package, "rev-parse", "HEAD")
    changed = _git(package, "status", "--porcelain", "--untracked-files=no")
    return None if commit is None else GitState(commit.strip(), bool(changed))


def _git(folder: Path, *arguments: str) -> str | None:
    """Return what git prints; None if it fails."""
    command = ["git", "-C", str(folder), "--no-optional-locks", *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
