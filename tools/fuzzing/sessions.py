"""Keep corpus, findings and a line per session for each target, in a folder that git ignores.

A session continues where the last one ended, so hours of fuzzing can be split, and Ctrl-C loses nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[2]
FOLDER = _ROOT / ".fuzzing"
_MOST_DEATHS = 20
"""Inputs that kill the process of a target in a session; one that does is found again and again."""


@dataclass(frozen=True, slots=True)
class Session:
    """The figures of a target: calls of its reader, inputs with new coverage, findings."""

    runs: int = 0
    cpu_s: float = 0.0
    new: int = 0
    findings: int = 0

    def __add__(self, other: Session) -> Session:
        return Session(
            self.runs + other.runs,
            self.cpu_s + other.cpu_s,
            self.new + other.new,
            max(self.findings, other.findings),
        )


def fuzz(target: str, seconds: float) -> Session:
    """Fuzz a target for some seconds of CPU."""
    folder = FOLDER / target
    for name in ("corpus", "findings"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    known = len(list((folder / "corpus").iterdir()))
    done, deaths = Session(), 0
    try:
        while done.cpu_s < seconds and deaths < _MOST_DEATHS:
            record = folder / "child.json"
            record.unlink(missing_ok=True)
            try:
                deaths += not _run_child(target, folder, seconds - done.cpu_s)
            finally:
                done += Session(**json.loads(record.read_text())) if record.exists() else Session()
        _drop_what_is_fine_alone(target)
    finally:
        new = len(list((folder / "corpus").iterdir())) - known
        session = Session(done.runs, round(done.cpu_s, 2), new, len(findings(target)))
        with (folder / "sessions.jsonl").open("a") as file:
            file.write(f"{json.dumps(asdict(session))}\n")
    return session


def findings(target: str) -> list[Path]:
    """Return the inputs at which a target fails."""
    return sorted((FOLDER / target / "findings").glob("*"))


def total(target: str) -> Session:
    """Return the totals of all sessions, with the current findings."""
    path = FOLDER / target / "sessions.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    kept = sum((Session(**json.loads(line)) for line in lines), Session())
    return Session(kept.runs, kept.cpu_s, kept.new, len(findings(target)))


def _run_child(target: str, folder: Path, seconds: float) -> bool:
    """Run the process that fuzzes; return whether it ended by itself, and no input killed it."""
    known, log = findings(target), folder / "log.txt"
    code = _python("tools.fuzzing.child", target, str(folder), str(seconds), log=log)
    if code and findings(target) == known:
        raise RuntimeError(f"fuzzing {target} does not work:\n{log.read_text()[-2000:]}")
    return not code


def _drop_what_is_fine_alone(target: str) -> None:
    """Forget inputs that were slow or large only where every line of code is counted."""
    for path in findings(target):
        if _python("tools.fuzzing", target, "--replay", str(path)) == 0:
            path.unlink()


def _python(module: str, *arguments: str, log: Path | None = None) -> int:
    command: Sequence[str] = (sys.executable, "-m", module, *arguments)
    with (log or Path("/dev/null")).open("w") as file:
        return subprocess.run(command, stdout=file, stderr=file, check=False, cwd=_ROOT).returncode
