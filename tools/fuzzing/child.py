"""The process that fuzzes one target: ``python -m tools.fuzzing.child TARGET FOLDER SECONDS``.

It ends after SECONDS of CPU and writes its figures to ``FOLDER/child.json``. The shortest input of each
kind of fault goes to ``FOLDER/findings``, and the process continues. Two things end it early. If an input
kills it (a fault in native code, an endless loop), libFuzzer saves the input. And it ends when it has grown
by `GROWN_MIB`: atheris 3.0 never frees what a comparison returns, and for arrays of NumPy that is an array.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import atheris
import psutil

if TYPE_CHECKING:
    from tools.fuzzing.base import Target

MODULES = ("yaml", "PIL.BmpImagePlugin", "PIL.GifImagePlugin", "PIL.ImageFile", "PIL.PngImagePlugin")
"""Modules of other packages that parse in Python; their coverage is measured like nonocsp's."""

HANGS_S = 30
"""Wall seconds after which an input counts as an endless loop."""
MEMORY_MIB, GROWN_MIB = 1024, 1024
"""How much memory an input may take, and how much the inputs before it may have left, in MiB."""


def main(name: str, folder: Path, seconds: float) -> None:
    """Fuzz a target."""
    import numpy  # noqa: F401  (before, so that it is not measured)
    import PIL.Image  # noqa: F401
    import pydantic  # noqa: F401

    sys.meta_path.insert(0, _Plain)
    with atheris.instrument_imports(include=["nonocsp", *MODULES]):
        from tools.fuzzing.base import seeds
        from tools.fuzzing.trial import attempt, targets

        target, given = targets()[name], seeds(targets()[name])
        for path in sorted(given.glob("*")):  # so that lazily imported modules are measured, too
            attempt(target, path.read_bytes())
    work = _Work(folder, seconds)

    def once(data: bytes) -> None:
        if fault := attempt(target, data):
            work.keep(fault.kind, data)
        work.count()

    atheris.Setup(_options(target, given, folder), once)
    atheris.Fuzz()


class _Plain:
    """Has source files loaded by Python itself: atheris counts nothing in what other loaders load.

    An editable installation has a loader of its own.
    """

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        others = sys.meta_path[sys.meta_path.index(_Plain) + 1 :]
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in found if spec), None)
        if spec and spec.origin and spec.origin.endswith(".py"):
            spec.loader = SourceFileLoader(name, spec.origin)
        return spec


class _Work:
    """The figures of this process so far, and when it ends."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder, self.seconds, self.runs = folder, seconds, 0
        self.started, self.told_s = time.process_time(), 0.0
        self._memory = psutil.Process().memory_info
        self.grown_bytes = self._memory().rss + (GROWN_MIB << 20)

    def keep(self, kind: str, data: bytes) -> None:
        """Save the input of a finding if it is the shortest of its kind."""
        known = next((self.folder / "findings").glob(f"{kind}.*"), None)
        if known is None or len(data) < known.stat().st_size:
            name = f"{kind}.{hashlib.sha256(data).hexdigest()[:8]}"
            (self.folder / "findings" / name).write_bytes(data)
            if known:
                known.unlink()

    def count(self) -> None:
        """Count a run, say so once a second, and end the process if its time is over or it has grown."""
        self.runs += 1
        spent = time.process_time() - self.started
        if spent < min(self.seconds, self.told_s + 1):
            return
        self.told_s = spent
        record = {"runs": self.runs, "cpu_s": round(spent, 2)}
        (self.folder / "child.json").write_text(json.dumps(record))
        if spent >= self.seconds or self._memory().rss > self.grown_bytes:
            os._exit(0)


def _options(target: Target, given: Path, folder: Path) -> list[str]:
    """Return libFuzzer's command line: the corpus that grows, then the seeds."""
    dictionary = folder / "words.dict"
    dictionary.write_text("".join(f'"{_quoted(word)}"\n' for word in target.words))
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10  # Linux begins with the parent's
    return [
        sys.argv[0],
        f"-max_len={target.longest}",
        f"-timeout={HANGS_S}",
        f"-rss_limit_mb={peak_mib + GROWN_MIB + MEMORY_MIB}",
        f"-artifact_prefix={folder}/findings/killed-",
        *([f"-dict={dictionary}"] if target.words else []),
        "-verbosity=0",
        "-print_final_stats=0",
        str(folder / "corpus"),
        *(str(seeds) for seeds in [given] if given.is_dir()),
    ]


def _quoted(word: str) -> str:
    return "".join(c if c.isalnum() or c in " <>=:." else f"\\x{ord(c):02x}" for c in word)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]))
