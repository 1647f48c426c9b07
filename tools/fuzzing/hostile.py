"""Measure hostile inputs: ``python -m tools.fuzzing.hostile [WORD...]``.

Each case, or those with a word in their names, gets its own process; exit code, CPU seconds and peak memory
are printed. The bar is a readable answer within 1 s and 300 MiB, including the start of the program.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.fuzzing import hostile_files
from tools.fuzzing.hostile_campaigns import Scene, scenes
from tools.fuzzing.hostile_files import Case

MOST_S, MOST_MIB = 1.0, 300
ENDLESS_S = 30
"""Seconds after which a process is killed."""

_FOLDERS = {"campaign": "runs.jsonl", "census": "shards.jsonl"}
_COMMANDS = {
    "recognised": ("convert", "{}", "-", "--to", "jsonl"),
    "grid": ("explain", "{puzzle}", "--hint", "{}"),
    "picture": ("generate", "{}", "--output", "-", "--to", "json"),
    "certificate": ("certificate", "verify", "{}"),
    "config": ("bench", "{}", "--dry-run"),
    "campaign": ("report", "{}", "--format", "terminal"),
    "census": ("census", "-r", "2", "-c", "2", "--output", "{}", "--dry-run"),
}
_PUZZLE = '{"rows": [[1], [1]], "columns": [[1], [1]]}'

_LAUNCHER = """
import json, os, signal, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
signal.signal(signal.SIGALRM, lambda *_: process.kill())
signal.alarm(int(sys.argv[1]))
_, status, used = os.wait4(process.pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""
"""The peak memory of a process includes that of the parent it was forked from: here 12 MiB."""


_NURSE = """
import json, os, signal, sys
from nonocsp.cli import main
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import nonocsp.bench, nonocsp.bench.report, nonocsp.cli.app
for line in sys.stdin:
    arguments, folder, errors = json.loads(line)
    child = os.fork()
    if child:
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.alarm(int(sys.argv[1]))
        _, status, used = os.wait4(child, 0)
        signal.alarm(0)
        figures = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        print(json.dumps(figures), flush=True)
        continue
    os.chdir(folder)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor, target in ((null, 0), (null, 1), (os.open(errors, os.O_WRONLY), 2)):
        os.dup2(descriptor, target)
    sys.stdin, sys.argv[1:] = open(0), arguments
    main()
"""


@dataclass(frozen=True, slots=True)
class Reaction:
    """The end of a process: exit code, CPU seconds, peak memory, and last message."""

    code: int
    cpu_s: float
    mib: float
    said: str

    def is_fine(self, factor: float = 1.0) -> bool:
        """Whether it ended with a readable answer within the bar; for time, `factor` times the bar."""
        return self.code in (0, 2) and self.cpu_s <= factor * MOST_S and self.mib <= MOST_MIB


def react(arguments: list[str], stdin: int = subprocess.DEVNULL, folder: Path | None = None) -> Reaction:
    """Run the command line in a folder."""
    launcher = (sys.executable, "-S", "-c", _LAUNCHER, str(ENDLESS_S))
    program = (sys.executable, "-c", "from nonocsp.cli import main; main()")
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [*launcher, *program, *arguments],
        stdin=stdin,
        capture_output=True,
        check=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": root},
    )
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return Reaction(*json.loads(done.stdout), lines[-1] if lines else "")


class Nursery:
    """Runs command lines in forks of a process that has imported what they need, so they start at once."""

    def __init__(self) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-P", "-c", _NURSE, str(ENDLESS_S)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        )

    def react(self, arguments: Sequence[str], folder: Path) -> Reaction:
        """Run a command line in a folder, without standard input."""
        assert self._parent.stdin
        assert self._parent.stdout
        with tempfile.NamedTemporaryFile() as errors:
            line = json.dumps([list(arguments), str(folder), errors.name])
            self._parent.stdin.write(f"{line}\n".encode())
            self._parent.stdin.flush()
            figures = json.loads(self._parent.stdout.readline())
            lines = errors.read().decode(errors="replace").strip().splitlines()
        return Reaction(*figures, lines[-1] if lines else "")

    def close(self) -> None:
        """End the process."""
        self._parent.communicate()


@contextmanager
def _made(case: Case | Scene) -> Iterator[tuple[list[str], Path]]:
    """Write the files of a case; yield arguments and current folder of the command."""
    if isinstance(case, Scene):
        with tempfile.TemporaryDirectory() as name:
            case.make(Path(name))
            yield [*case.command], Path(name)
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        puzzle, whole = folder / "puzzle.json", folder / "case"
        puzzle.write_text(_PUZZLE)
        path = whole / _FOLDERS[case.target] if case.target in _FOLDERS else whole
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(case.content())
        given = _COMMANDS.get(case.target, ("convert", "{}", "-", "--to", "jsonl", "--from", case.target))
        yield [argument.format(whole, puzzle=puzzle) for argument in given], folder


def main(words: list[str]) -> int:
    """Measure the cases whose name has one of the words; all without words."""
    failed = 0
    print(f"{'case':44} {'exit':>4} {'CPU s':>6} {'MiB':>5}  said")
    for case in (*hostile_files.cases(), *scenes()):
        if words and not any(word in case.name for word in words):
            continue
        with _made(case) as (arguments, folder):
            found = react(arguments, folder=folder)
        fine = found.is_fine()
        failed += not fine
        said = found.said.replace(str(folder), "…")[:160]
        mark = "" if fine else "  <<<"
        print(f"{case.name:44} {found.code:4} {found.cpu_s:6.2f} {found.mib:5.0f}{mark}  {said}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
