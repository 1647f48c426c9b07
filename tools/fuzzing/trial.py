"""Give an input to a target under limits of CPU time and memory, and return what went wrong.

Time and memory count from the start of the trial, because a fuzzing process has seen millions of inputs.
`MOST_MIB` is the memory that a command may use, less what it needs to start.
"""

from __future__ import annotations

import resource
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path

import nonocsp
from nonocsp.model import FormatWarning, NonocspError
from tools.fuzzing import documents, puzzle_files
from tools.fuzzing.base import Target

MOST_S = 1.0
MOST_MIB = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong: `kind` is the same for two inputs that fail in the same place."""

    kind: str
    story: str


def targets() -> dict[str, Target]:
    """Return all targets by name."""
    return {target.name: target for target in (*puzzle_files.targets(), *documents.targets())}


def attempt(target: Target, data: bytes, most_s: float = MOST_S) -> Fault | None:
    """Give an input to a target; return the fault, or None. A warning about a format is no fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return _attempt(target, data, most_s)


def _attempt(target: Target, data: bytes, most_s: float) -> Fault | None:
    memory, peak, started = _now_mib(), _peak_mib(), time.process_time()
    try:
        found = target.read(data)
    except NonocspError:
        found = None
    except Exception as error:  # any exception beside the reader's own errors is a finding
        return Fault(_place(error), "".join(traceback.format_exception(error)))
    spent = time.process_time() - started
    if spent > most_s:
        return Fault("slow", f"{spent:.1f} s of CPU")
    if _peak_mib() > peak and (taken := _peak_mib() - memory) > MOST_MIB:
        return Fault("large", f"{taken:.0f} MiB more than before")
    try:
        target.check(found) if found is not None else None
    except Exception as error:
        return Fault(_place(error), "".join(traceback.format_exception(error)))
    return None


def _place(error: Exception) -> str:
    """Return the kind of an exception and the last line of the project that it went through."""
    tree = Path(nonocsp.__file__).parent
    frames = [f for f in traceback.extract_tb(error.__traceback__) if tree in Path(f.filename).parents]
    where = f"{Path(frames[-1].filename).stem}-{frames[-1].lineno}" if frames else "nowhere"
    return f"{type(error).__name__}-{where}"


def _now_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
