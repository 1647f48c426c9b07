"""Describe what measured a run: versions, machine and code, asked in the process whose slots run it.

On a cluster that process is a worker, and its packages are not the driver's. So everything here is text and
travels with the measurements. It is computed once for each backend, in some 50 ms, and again after `forget`.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.metadata import distributions, packages_distributions, version
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from nonocsp.backends import registry
from nonocsp.backends.foreign import described, is_foreign, known
from nonocsp.backends.installed import registered
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, NonocspError, UsageError
from nonocsp.processes.short_run import run_short

CODE_DIGITS = 16
"""Hexadecimal digits of a hash of code."""
VERSION_S = 10.0
"""The longest time that a program may take to say its version."""
MAX_FILES, MAX_BYTES = 10_000, 1 << 30
"""How many files of a folder count for a hash of code, and how much of all files is read."""
_VERSION_BYTES, _VERSION_CHARS, _CHUNK = 1 << 16, 200, 1 << 20
_OWN = "nonocsp"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What measured the runs of a backend.

    Parameters
    ----------
    versions
        By package: nonocsp, Python, the backend and what it needs.
    machine
        A `Machine` as text.
    code
        Hash of the files of nonocsp and of the backend's package: it changes when they do, even if the
        version stays.
    """

    versions: dict[str, str]
    machine: str
    code: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What a process says of a backend before it measures any run of it.

    Parameters
    ----------
    provenance
        What measurements here will say; None if there will be none.
    source
        The hash of the code without compiled files, which differ from system to system.
    platform
        System and processor family.
    problem
        Why it cannot run the backend; empty if it can.
    """

    provenance: Provenance | None
    source: str
    platform: str
    problem: str = ""

    def difference(self, there: Offer) -> str:
        """Return how another process differs from this one; empty if it may measure in its place.

        Versions (of Python, major and minor) and code must be the same; between different systems, compiled
        code is not compared.

        Parameters
        ----------
        there
            What the other process offers.
        """
        if there.problem or self.provenance is None or there.provenance is None:
            return there.problem or self.problem
        own, other = dict(self.provenance.versions), dict(there.provenance.versions)
        for versions in (own, other):
            versions["python"] = ".".join(versions.get("python", "").split(".")[:2])
        differing = [
            f"{package} {other.get(package, 'is missing')} instead of {own.get(package, 'none')}"
            for package in dict.fromkeys([*own, *other])
            if own.get(package) != other.get(package)
        ]
        if differing:
            return ", ".join(differing)
        if self.platform == there.platform:
            ours, theirs = self.provenance.code, there.provenance.code
        else:
            ours, theirs = self.source, there.source
        return "" if ours == theirs else f"other code of the same version ({theirs} instead of {ours})"


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
    """Return the provenance of runs whose processes start now.

    Parameters
    ----------
    backend
        A spec such as ``"sat:solver=cadical195"``.
    """
    name = registry.name_of(backend)
    if not registry.is_program(backend):
        return Provenance(versions(name), str(machine()), code(name))
    program = program_of(backend)
    return Provenance(versions(name) | {name: program.version}, str(machine()), program.code)


def forget() -> None:
    """Find out anew from now on which backends are installed, and all about them.

    A process that lasts for many campaigns, such as a worker of a cluster, calls it before each: meanwhile
    packages may have changed, and the processes that measure load what is there.
    """
    registered.cache_clear()
    known.clear()
    forget_code()


def forget_code() -> None:
    """Read anew from now on the versions and the code of all backends."""
    for found in (provenance, program_of, versions, code):
        found.cache_clear()


def offer(backend: str) -> Offer:
    """Return what this process offers; a plug-in is tried in a process of its own.

    Parameters
    ----------
    backend
        A spec.
    """
    here = f"{platform.system()} {platform.machine()}"
    try:
        (described if is_foreign(registry.name_of(backend)) else registry.create)(backend)
    except NonocspError as error:
        return Offer(None, "", here, str(error))
    return Offer(provenance(backend), code(registry.name_of(backend), compiled=False), here)


class Program(NamedTuple):
    """What is known of a program: what it says of its version, and a hash of its files and of nonocsp."""

    version: str
    code: str


@cache
def program_of(backend: str) -> Program:
    """Return what is known of the program of a backend; its version command has `VERSION_S` to answer.

    The hash counts the program, and the files and folders that its commands name (`Declaration.files`): of a
    folder, at most `MAX_FILES`.

    Parameters
    ----------
    backend
        A spec for which `nonocsp.backends.registry.is_program` holds.
    """
    declared = registry.program(backend)
    named = {f"{number}": path for number, path in enumerate(declared.files)}
    files = {
        f"{name}/{found.relative_to(path).as_posix()}": found
        for name, path in named.items()
        for found in (_files_below(path) if path.is_dir() else [path])
    }
    return Program(version_line(declared.version), hash_files(_own_files(), files))


def version_line(command: Sequence[str]) -> str:
    """Return the first line that a version command prints; ``unknown`` if there is none.

    It has `VERSION_S`, and all that it starts ends with it.
    """
    if not command:
        return "unknown"
    said = run_short(command, wait_s=VERSION_S, most_bytes=_VERSION_BYTES, with_errors=True)
    if said.is_late:
        return "unknown"
    lines = said.output.decode("utf-8", "replace").splitlines()
    text = next((line.strip() for line in lines if line.strip()), "unknown")
    return "".join(char for char in text if char.isprintable())[:_VERSION_CHARS]


@cache
def versions(name: str) -> dict[str, str]:
    """Return the versions of nonocsp, Python and what a backend needs, by distribution."""
    found = {"nonocsp": version("nonocsp"), "python": platform.python_version()}
    if name in registered():
        package = registered()[name].dist
        needed = {name for module in _requires(name) for name in _distributions_of(module)}
        found |= {name: package.version if package else "unknown"}
        found |= {name: version(name) for name in sorted(needed)}
    return found


def _requires(name: str) -> tuple[str, ...]:
    """Return the modules that a backend needs; a plug-in's own code does not run here to tell them."""
    if is_foreign(name):
        with suppress(BackendError, UsageError):
            return described(name).requires
        return ()
    backend = registry.info(name).backend
    return backend.requires if backend else ()


def _distributions_of(module: str) -> list[str]:
    """Return the distributions that install a top-level module.

    Most say so in ``top_level.txt``. `packages_distributions` reads the lists of all files, in 0.3 s.
    """
    told = [one.name for one in distributions() if module in (one.read_text("top_level.txt") or "").split()]
    return told or packages_distributions().get(module, [])


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


@cache
def code(name: str, *, compiled: bool = True) -> str:
    """Return a hash of the code of nonocsp and of the package that brings a backend, as `CODE_DIGITS` digits.

    Of nonocsp, its Python files and its compiled core count. Of another package, the first `MAX_FILES` files
    count, without hidden ones and bytecode that has a source. What it imports from other packages does not.
    The package's code does not run.

    Parameters
    ----------
    name
        The backend.
    compiled
        Whether extension modules count.
    """
    module = registered()[name].module if name in registered() else _OWN
    others = {} if module.partition(".")[0] == _OWN else _package_files(module)
    extensions = tuple(() if compiled else EXTENSION_SUFFIXES)
    own, others = (
        {name: path for name, path in files.items() if not path.name.endswith(extensions)}
        for files in (_own_files(), others)
    )
    return hash_files(own, others)


def _own_files() -> dict[str, Path]:
    return _package_files(_OWN, only=".py") | _module_file(StopFlag.__module__)


def hash_files(own: dict[str, Path], others: dict[str, Path]) -> str:
    """Return a hash of the names, sizes and contents of files, as `CODE_DIGITS` digits.

    At most `MAX_BYTES` are read. A file that is larger than what is left of them counts by name and size.

    Parameters
    ----------
    own
        Files of nonocsp by name; they are read first.
    others
        All others.
    """
    total, left = hashlib.sha256(), MAX_BYTES
    for name, path in (*sorted(own.items()), *sorted(others.items())):
        with suppress(OSError), path.open("rb") as file:  # it was removed, or is not ours to read
            size = os.fstat(file.fileno()).st_size
            total.update(f"{name}\0{size}\0".encode(errors="surrogateescape"))
            unread = size if size <= left else 0
            left -= unread
            while chunk := file.read(min(_CHUNK, unread)):
                total.update(chunk)
                unread -= len(chunk)
    return total.hexdigest()[:CODE_DIGITS]


def _package_files(module: str, *, only: str = "") -> dict[str, Path]:
    """Return the files of the package that holds a module, by name; those with a suffix `only`, if given.

    The package is the outermost one that is no namespace: finding anything inside it would import it.
    """
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        name = ".".join(parts[:count])
        spec = _spec(name)
        if spec is None or not spec.submodule_search_locations:
            break
        if spec.origin is None and count < len(parts):  # a namespace
            continue
        return {
            f"{name}/{path.relative_to(folder).as_posix()}": path
            for folder in map(Path, spec.submodule_search_locations)
            for path in _files_below(folder)
            if path.name.endswith(only)
        }
    return _module_file(name)


def _module_file(module: str) -> dict[str, Path]:
    """Return the file of a module that is no package, by name; nothing for a module without a file."""
    spec = _spec(module)
    return {module: Path(spec.origin)} if spec and spec.origin and Path(spec.origin).is_file() else {}


def _spec(module: str) -> ModuleSpec | None:
    try:
        return find_spec(module)
    except (ImportError, ValueError):  # its package is not there, or it was made by hand
        return None


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the first `MAX_FILES` regular files of a folder, without hidden ones and links to folders."""
    return islice(_walk(folder), MAX_FILES)


def _walk(folder: Path) -> Iterator[Path]:
    """Yield files in a steady order; bytecode only if it has no source: Python imports that, too."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        files = {name for name in names if not name.startswith(".") and not name.endswith(".pyo")}
        for name in sorted(files):
            path = Path(place, name)
            if not (name.endswith(".pyc") and name[:-1] in files) and path.is_file():
                yield path
