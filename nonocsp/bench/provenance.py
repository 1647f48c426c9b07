"""What a row's figures were measured with: versions and machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

from nonocsp.backends import registry


@cache
def versions(spec: str) -> dict[str, str]:
    """Return the versions of nonocsp, Python and what the backend of a spec needs, by distribution."""
    info = registry.info(spec.partition(":")[0])
    modules = info.backend.requires if info.backend else ()
    distributions = {name for module in modules for name in _distributions_of(module)}
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
def machine() -> str:
    """Return the processor and its number of cores, as people would say it."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}"


@cache
def _distributions_of(module: str) -> list[str]:
    try:
        return packages_distributions().get(module, [])
    except PackageNotFoundError:
        return []


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
