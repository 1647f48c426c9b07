"""Ask a plug-in about itself in a process of its own, so that its code does not run in this one.

Importing a plug-in runs its code, which could then do as it likes with the clock, the rows and the other
backends of a campaign. So whoever drives a campaign asks here. The process is isolated and bounded
(`nonocsp.processes.short_run`), and all that it starts ends with it. What comes back is data, and
nothing of it is believed but what it says of the plug-in itself.

``python -P -m nonocsp.backends.foreign`` reads a list of specs and answers with a list, both in JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from nonocsp.backends import registry
from nonocsp.backends.installed import declared_file, registered
from nonocsp.formats.json_text import is_unicode
from nonocsp.model import BackendError, UsageError, bounds
from nonocsp.processes.short_run import ShortRun, run_short

WAIT_S = 60.0
"""The longest time that a plug-in may take to import."""
MAX_BYTES = 4 << 20
"""The longest answer."""
MEMORY_BYTES = 2 << 30
"""The most data that a process of it may have meanwhile. CP-SAT, SciPy and pandas need 200 MiB to import."""
_MOST, _NAME_CHARS, _MESSAGE_CHARS = 100, 200, 500
_BY_SIGNAL = 128
known: dict[str, Description] = {}
"""What plug-ins have said of their specs."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a plug-in says of a spec.

    Parameters
    ----------
    spec
        Its canonical form.
    requires
        The top-level modules that the backend needs.
    complete
        Whether it always reaches a verdict, given time.
    extra
        The extra of its package that installs what it needs; empty if the package itself does.
    options
        The everyday options of the backend.
    """

    spec: str
    requires: tuple[str, ...]
    complete: bool
    extra: str
    options: tuple[registry.OptionHelp, ...]


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
        (answer,) = _ask(_name(spec), [spec])
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
            for spec, answer in zip(group, _ask(name, group), strict=True):
                with suppress(UsageError, BackendError):
                    known[spec] = _understood(spec, answer)


def _name(spec: str) -> str:
    return spec.partition(":")[0].strip()


def _understood(spec: str, answer: object) -> Description:
    """Return the description in an answer, or raise the error in it."""
    match answer:
        case {"usage": str(message)}:
            raise UsageError(_line(message))
        case {"problem": str(message)}:
            raise BackendError(_line(message))
        case {
            "spec": str(canonical),
            "requires": [*modules],
            "complete": bool(complete),
            "extra": str(extra),
            "options": [*options],
        } if _name(canonical) == _name(spec) and max(len(modules), len(options)) <= _MOST:
            named = all(_is_text(text, _NAME_CHARS) for text in (*modules, extra))
            helps = tuple(filter(None, map(_option_of, options)))
            if named and len(helps) == len(options) and _is_text(canonical, bounds.SPEC_CHARS):
                return Description(canonical, tuple(modules), complete, extra, helps)
    raise BackendError(f"backend {_name(spec)!r} is not available: what it says of itself makes no sense")


def _option_of(said: object) -> registry.OptionHelp | None:
    """Return an option in an answer; None if it is none."""
    texts = said if isinstance(said, dict) else {}
    if texts.keys() != {"name", "type", "default", "help"}:
        return None
    return (
        registry.OptionHelp(**texts)
        if all(_is_text(it, bounds.SPEC_CHARS) for it in texts.values())
        else None
    )


def _is_text(value: object, most: int) -> bool:
    """Return whether a value is a text of bounded length without lone surrogates, which no file can hold."""
    return isinstance(value, str) and len(value) <= most and is_unicode(value)


def _line(message: str) -> str:
    """Return a message of a plug-in as one line of printable characters."""
    words = "".join(char if char.isprintable() else " " for char in message[: 8 * _MESSAGE_CHARS]).split()
    line = " ".join(words)
    return line if len(line) <= _MESSAGE_CHARS else f"{line[:_MESSAGE_CHARS]}…"


def _ask(name: str, specs: Sequence[str]) -> list[object]:
    """Return what a process says of each spec.

    Raises
    ------
    BackendError
        If it says nothing of the kind, with the reason.
    """
    said = run_short(
        [sys.executable, "-P", "-m", "nonocsp.backends.foreign"],
        wait_s=WAIT_S,
        most_bytes=MAX_BYTES,
        memory_bytes=MEMORY_BYTES,
        asked=json.dumps(specs).encode(),
        environment={
            "OPENBLAS_NUM_THREADS": "1",  # each thread would take some of the memory
            "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path))),
        },
    )
    try:
        answers = json.loads(said.output)
    except (ValueError, RecursionError):
        answers = None
    if isinstance(answers, list) and len(answers) == len(specs):
        return answers
    raise BackendError(f"backend {name!r} is not available: its import {_went_wrong(said)}")


def _went_wrong(said: ShortRun) -> str:
    """Say how a process ended that gave no answer."""
    if said.is_late:
        return f"took more than {WAIT_S:g} s"
    if len(said.output) > MAX_BYTES:
        return f"wrote more than {MAX_BYTES >> 20} MiB in place of an answer"
    code = said.code or 0
    with suppress(ValueError):
        return f"killed its process with {signal.Signals(-code if code < 0 else code - _BY_SIGNAL).name}"
    return f"broke its process, which ended with exit code {code}"


def main() -> None:
    """Print what is known of the specs on the standard input, whatever their plug-in prints itself."""
    specs = json.load(sys.stdin)
    told = os.dup(1)
    os.dup2(2, 1)
    answers = [_description(spec) for spec in specs]
    with os.fdopen(told, "w", encoding="utf-8") as file:
        json.dump(answers, file)
    os._exit(0)  # threads of the plug-in may never end


def _description(spec: str) -> dict[str, object]:
    try:
        backend = registry.create(spec)
        canonical = registry.spec_of(_name(spec), backend.options)
        complete, extra = bool(backend.capabilities.complete), str(getattr(backend, "extra", ""))
        options = tuple(registry.describe_options(backend.Options))
        return asdict(Description(canonical, tuple(backend.requires), complete, extra, options))
    except UsageError as error:
        return {"usage": str(error)}
    except Exception as error:  # a plug-in may fail in any way
        return {"problem": str(error)}


if __name__ == "__main__":
    main()
