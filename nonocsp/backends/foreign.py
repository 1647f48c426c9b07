"""Ask a plug-in about itself in a process of its own, so that its code does not run in this one.

Importing a plug-in runs its code, which could then do as it likes with the clock, the rows and the other
backends of a campaign. So whoever drives a campaign asks here. What comes back is data, and nothing of it is
believed but what it says of the plug-in itself: its spec in canonical form, and the modules that it needs.

``python -P -m nonocsp.backends.foreign`` reads a list of specs and answers with a list, both in JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from tempfile import TemporaryFile

from nonocsp.backends import registry
from nonocsp.backends.installed import declared_file, registered
from nonocsp.backends.interruption import end_session
from nonocsp.model import BackendError, UsageError

WAIT_S = 60.0
"""The longest time that a plug-in may take to import."""
MAX_BYTES = 4 << 20
"""The longest answer."""
known: dict[str, Description] = {}
"""What plug-ins have said of their specs."""


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


def described(spec: str) -> Description:
    """Return what a plug-in says of a spec; it has `WAIT_S` to do so.

    Raises
    ------
    UsageError
        For an unknown key or value, with what exists.
    BackendError
        If the plug-in cannot run here, takes too long, or answers nonsense.
    """
    if spec not in known:
        (answer,) = _ask(_name(spec), [spec]) or [None]
        known[spec] = _understood(spec, answer)
    return known[spec]


def learn(specs: Iterable[str]) -> None:
    """Ask each plug-in about all its specs in one process, so that `described` knows the valid ones."""
    unknown: dict[str, list[str]] = {}
    for spec in dict.fromkeys(specs):
        if spec not in known and is_foreign(_name(spec)):
            unknown.setdefault(_name(spec), []).append(spec)
    for name, group in unknown.items():
        with suppress(BackendError):
            for spec, answer in zip(group, _ask(name, group), strict=False):
                with suppress(UsageError, BackendError):
                    known[spec] = _understood(spec, answer)


def _name(spec: str) -> str:
    return spec.partition(":")[0].strip()


def _understood(spec: str, answer: object) -> Description:
    """Return the description in an answer, or raise the error in it."""
    match answer:
        case {"usage": str(message)}:
            raise UsageError(message)
        case {"problem": str(message)}:
            raise BackendError(message)
        case {"spec": str(canonical), "requires": [*modules]} if all(
            isinstance(module, str) for module in modules
        ):
            if _name(canonical) == _name(spec):
                return Description(canonical, tuple(modules))
    broken = f"backend {_name(spec)!r} ended without saying what it is: its import breaks its process"
    raise BackendError(broken)


def _ask(name: str, specs: Sequence[str]) -> list[object]:
    """Return what a process says of each spec, or nothing; what it leaves in its session ends with it."""
    with TemporaryFile() as asked, TemporaryFile() as told:
        asked.write(json.dumps(specs).encode())
        asked.seek(0)
        with subprocess.Popen(
            [sys.executable, "-P", "-m", "nonocsp.backends.foreign"],
            stdin=asked,
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
        try:
            answers = json.loads(told.read(MAX_BYTES))
        except (ValueError, RecursionError):
            return []
    return answers if isinstance(answers, list) and len(answers) == len(specs) else []


def main() -> None:
    """Print what is known of the specs on the standard input, whatever their plug-in prints itself."""
    specs = json.load(sys.stdin)
    told = os.dup(1)
    os.dup2(2, 1)
    answers = [_description(spec) for spec in specs]
    with os.fdopen(told, "w", encoding="utf-8") as file:
        json.dump(answers, file)


def _description(spec: str) -> dict[str, object]:
    try:
        backend = registry.create(spec)
        canonical = registry.spec_of(_name(spec), backend.options)
        return asdict(Description(canonical, tuple(backend.requires)))
    except UsageError as error:
        return {"usage": str(error)}
    except Exception as error:  # a plug-in may fail in any way
        return {"problem": str(error)}


if __name__ == "__main__":
    main()
