"""Ask a plug-in about itself in a process of its own, so that its code does not run in this one.

Importing a plug-in runs its code, which could then do as it likes with the clock, the rows and the other
backends of a campaign. So whoever drives a campaign asks here. What comes back is data, and nothing of it is
believed but what it says of the plug-in itself: its spec in canonical form, and the modules that it needs.

``python -P -m nonocsp.backends.foreign SPEC`` answers in JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from tempfile import TemporaryFile

from nonocsp.backends import registry
from nonocsp.backends.installed import declared_file, registered
from nonocsp.backends.interruption import end_session
from nonocsp.model import BackendError, UsageError

WAIT_S = 60.0
"""The longest time that a plug-in may take to import."""
MAX_BYTES = 1 << 20
"""The longest answer."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a plug-in says of a spec: its canonical form, and the top-level modules that it needs."""

    spec: str
    requires: tuple[str, ...]


def is_foreign(name: str) -> bool:
    """Return whether a backend is code of another package than nonocsp; a declared program is no code."""
    entry = registered().get(name)
    if entry is None or entry.module.partition(".")[0] == "nonocsp":
        return False
    with suppress(FileNotFoundError):
        return declared_file(entry) is None
    return True


@cache
def described(spec: str) -> Description:
    """Return what a plug-in says of a spec; it has `WAIT_S` to do so.

    Raises
    ------
    UsageError
        For an unknown key or value, with what exists.
    BackendError
        If the plug-in cannot run here, takes too long, or answers nonsense.
    """
    name = spec.partition(":")[0].strip()
    answer = _ask(name, spec)
    try:
        match json.loads(answer):
            case {"usage": str(message)}:
                raise UsageError(message)
            case {"problem": str(message)}:
                raise BackendError(message)
            case {"spec": str(canonical), "requires": [*modules]} if all(
                isinstance(module, str) for module in modules
            ):
                if canonical.partition(":")[0] == name:
                    return Description(canonical, tuple(modules))
    except (ValueError, RecursionError):
        pass
    raise BackendError(f"backend {name!r} ended without saying what it is: its import breaks its process")


def _ask(name: str, spec: str) -> bytes:
    """Return what the process says; what it leaves in its session ends with it."""
    with TemporaryFile() as told:
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "nonocsp.backends.foreign", spec],
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        ) as process:
            try:
                process.wait(WAIT_S)
            except subprocess.TimeoutExpired:
                late = f"backend {name!r} is not available: its import took more than {WAIT_S:g} s"
                raise BackendError(late) from None
            finally:
                end_session(process)
        told.seek(0)
        return told.read(MAX_BYTES)


def main(spec: str) -> None:
    """Print what is known of a spec, whatever its plug-in prints itself."""
    told = os.dup(1)
    os.dup2(2, 1)
    answer: dict[str, object]
    try:
        backend = registry.create(spec)
        canonical = registry.spec_of(spec.partition(":")[0].strip(), backend.options)
        answer = asdict(Description(canonical, tuple(backend.requires)))
    except UsageError as error:
        answer = {"usage": str(error)}
    except Exception as error:  # a plug-in may fail in any way
        answer = {"problem": str(error)}
    with os.fdopen(told, "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main(sys.argv[1])
