"""Describe what measured a run: versions, machine and code, asked in the process whose slots run it.

A row belongs to the code that made it (`code`). On a cluster that process is a worker, whose packages are not
the driver's. So everything here is text and travels with the measurements.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import distributions, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Self

from nonocsp.backends import registry
from nonocsp.backends.base import Request, Run
from nonocsp.backends.installed import registered
from nonocsp.engine import CORE, StopFlag
from nonocsp.model import BackendError, NonocspError

CODE_DIGITS = 16
"""Hexadecimal digits of a hash of code."""
VERSION_S = 10.0
"""The longest time that a program may take to say its version."""
MAX_BYTES = 1 << 28
"""How much of all files is read for a hash of code: a file for which that is not enough counts by its size
and the time of its last change, which copies for a cluster's workers must keep (``rsync --times``)."""
_VERSION_CHARS = 200


@dataclass(frozen=True, slots=True)
class Provenance:
    """What measured the runs of a backend."""

    versions: dict[str, str]  # of nonocsp, Python, the backend and what it needs
    machine: str  # a `Machine` as text
    code: str  # as `code` returns it: it changes with the code, even if the version stays


@dataclass(frozen=True, slots=True)
class Offer:
    """What a process says of a backend before it measures any run of it."""

    provenance: Provenance | None  # what measurements here will say, if there will be any
    source: str  # the hash of the code without compiled files, which differ from system to system
    platform: str  # system and processor family
    problem: str = ""  # why it cannot run the backend; empty if it can

    @classmethod
    def of(cls, found: dict[str, Any]) -> Self:
        """Return what `dataclasses.asdict` made of an offer; TypeError if another version did."""
        where = found["provenance"]
        return cls(**{**found, "provenance": where and Provenance(**where)})

    def difference(self, there: Offer) -> str:
        """Return how another process differs from this one; empty if it may measure in its place."""
        if there.problem or self.provenance is None or there.provenance is None:
            return there.problem or self.problem
        own, other = (  # of Python, major and minor
            found | {"python": ".".join(found.get("python", "").split(".")[:2])}
            for found in (self.provenance.versions, there.provenance.versions)
        )
        differing = [
            f"{package} {other.get(package, 'is missing')} instead of {own.get(package, 'none')}"
            for package in own | other
            if own.get(package) != other.get(package)
        ]
        ours, theirs = self.provenance.code, there.provenance.code
        if self.platform != there.platform:
            ours, theirs = self.source, there.source
        if not differing and ours != theirs:
            return f"other code of the same version ({theirs} instead of {ours})"
        return ", ".join(differing)


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


@cache
def provenance(backend: str) -> Provenance:
    """Return the provenance of runs of a backend, given by its spec, whose processes start now."""
    known = versions(registry.name_of(backend))
    if registry.is_program(backend):
        known |= {registry.name_of(backend): version_line(registry.program(backend).version)}
    return Provenance(known, str(machine()), code(backend))


def forget() -> None:
    """Find out anew from now on which backends are installed, and their code, which may have changed."""
    registered.cache_clear()
    forget_code()


def forget_code() -> None:
    """Read anew from now on the versions and the code of all backends."""
    provenance.cache_clear()
    code.cache_clear()


def offer(backend: str) -> Offer:
    """Return what this process offers of a backend."""
    here = f"{platform.system()} {platform.machine()}"
    try:
        registry.create(backend)
    except NonocspError as error:
        return Offer(None, "", here, str(error))
    return Offer(provenance(backend), code(backend, compiled=False), here)


def version_line(command: Sequence[str]) -> str:
    """Return the first line that a version command prints; ``unknown`` if there is none in time."""
    from nonocsp.backends.command.program import execute  # only Unix has what it needs

    text = ""
    if command:
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder, suppress(BackendError):
            said = execute(command, Path(folder), Run(Request(), StopFlag(), perf_counter() + VERSION_S))
            text = said.output.decode("utf-8", "replace") + said.errors
    line = (text.strip() or "unknown").splitlines()[0].strip()
    return "".join(filter(str.isprintable, line))[:_VERSION_CHARS]


def versions(name: str) -> dict[str, str]:
    """Return the versions of nonocsp, Python and what a backend needs, by distribution."""
    found = {"nonocsp": version("nonocsp"), "python": platform.python_version()}
    if name in registered():
        package, backend = registered()[name].dist, registry.info(name).backend
        found |= {name: package.version if package else "unknown"}
        modules = backend.requires if backend else ()
        needed = {each for module in modules for each in _distributions_of(module)}
        found |= {each: version(each) for each in sorted(needed)}
    return found


def _distributions_of(module: str) -> list[str]:
    """Return the distributions that install a top-level module."""
    # Most say so in top_level.txt; `packages_distributions` reads the lists of all files, in 0.3 s.
    told = [one.name for one in distributions() if module in (one.read_text("top_level.txt") or "").split()]
    return told or packages_distributions().get(module, [])


@cache
def machine() -> Machine:
    """Return the machine that this process runs on."""
    import psutil

    known = Path("/proc/cpuinfo")
    named = re.search(r"^model name\s*: (.*)", known.read_text() if known.exists() else "", re.MULTILINE)
    return Machine(
        processor=named[1].strip() if named else platform.processor() or platform.machine(),
        cores=os.cpu_count() or 1,
        memory_bytes=psutil.virtual_memory().total,
        os=f"{platform.system()} {platform.release()}",
        host=platform.node(),
    )


@cache
def code(backend: str, *, compiled: bool = True) -> str:
    """Return a hash of the code that runs a backend, given by its spec, with or without compiled files.

    Of nonocsp, its version and its compiled core count; of a plug-in, the files of its package, not what they
    import from others; of a program, the files and folders that its declaration names.
    """
    entry, files = registered().get(registry.name_of(backend)), {"": Path(CORE)}
    if registry.is_program(backend):
        files |= _files_below(*registry.program(backend).code_files) if compiled else {}
    elif entry and not entry.module.startswith("nonocsp."):
        files |= _package_files(entry.module)
    left_out = () if compiled else tuple(EXTENSION_SUFFIXES)
    total, left_bytes = hashlib.sha256(version("nonocsp").encode()), MAX_BYTES
    for name, path in sorted(files.items()):
        if path.name.endswith(left_out):
            continue
        with suppress(OSError), path.open("rb") as file:  # it was removed, or is not ours to read
            about = os.fstat(file.fileno())
            total.update(f"{name}\0{about.st_size}\0".encode(errors="surrogateescape"))
            if about.st_size <= left_bytes:
                left_bytes -= about.st_size
                total.update(hashlib.file_digest(file, "sha256").digest())
            else:
                total.update(str(about.st_mtime_ns).encode())
    return total.hexdigest()[:CODE_DIGITS]


def _package_files(module: str) -> dict[str, Path]:
    """Return the files of the outermost package that holds a module and is no namespace; or its own file."""
    parts = module.split(".")
    with suppress(ImportError, ValueError):  # it is not there, or was made by hand
        for depth in range(1, len(parts) + 1):
            spec = find_spec(".".join(parts[:depth]))
            if spec and spec.origin:  # no namespace
                return _files_below(*map(Path, spec.submodule_search_locations or [spec.origin]))
    return {}


def _files_below(*places: Path) -> dict[str, Path]:
    """Return some files, and those in folders, by names that hold on other machines; nothing hidden."""
    found: dict[str, Path] = {}
    for number, place in enumerate(places):
        for path in place.rglob("*") if place.is_dir() else [place]:
            parts = path.relative_to(place).parts
            is_left_out = any(part == "__pycache__" or part.startswith(".") for part in parts)
            if path.is_file() and not is_left_out:  # no pipe or device
                found[f"{number}/{path.relative_to(place).as_posix()}"] = path
    return found
