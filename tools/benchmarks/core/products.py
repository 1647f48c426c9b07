"""Run what decides the same puzzles: the products of several commits, other backends, the C++ sketch.

Each is a process of its own. An earlier product is built from history.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from nonocsp import Puzzle
from nonocsp.backends import DEFAULT
from tools.benchmarks.core.deciding_worker import CUT_OFF
from tools.benchmarks.puzzles import ROOT
from tools.benchmarks.sketch import puzzles_text, sketch_command

WORKER = ROOT / "tools" / "benchmarks" / "core" / "deciding_worker.py"
UNREAD = "unread"
"""Stands for the answer of a program that cannot read a puzzle."""


class Product:
    """The process of one product, which decides what it is asked to."""

    def __init__(self, name: str, python: Path, backend: str = DEFAULT) -> None:
        self.name, self._backend = name, backend
        command = [python, "-P" if python == Path(sys.executable) else "-PE", WORKER]
        self._process = subprocess.Popen(
            command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        print(f"{name}: {self._answer()}", file=sys.stderr)

    def __enter__(self) -> Product:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def decide(self, puzzles: Sequence[Puzzle], seed: int, limit: float) -> list[list[Any]]:
        """Return answer, CPU seconds of the call and inside the backend, and conflicts of each puzzle."""
        asked = [[_pairs(puzzle.rows), _pairs(puzzle.columns), len(puzzle.palette) - 1] for puzzle in puzzles]
        assert self._process.stdin is not None
        request = {"puzzles": asked, "backend": self._backend, "seed": seed, "limit": limit}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answers: list[list[Any]] = self._answer()
        return answers

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"the process of the product {self.name!r} ended; its message is above")
        return json.loads(line)


class Sketch:
    """The C++ sketch of the reference data, which reads one colour and at most 64x64."""

    name = "sketch"
    _ANSWERS: Mapping[str, str] = {"-1": CUT_OFF, "0": "unsat", "1": "unique", "2": "multiple"}

    def __enter__(self) -> Sketch:
        self._folder = tempfile.TemporaryDirectory()
        command = sketch_command(Path(self._folder.name))
        if command is None:
            raise typer.BadParameter("the sketch of the reference data, or a g++, is not there")
        self._command = command
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def decide(self, puzzles: Sequence[Puzzle], seed: int, limit: float) -> list[list[Any]]:
        """Return answers and CPU seconds as `Product.decide` does; ``unread`` for what it cannot read."""
        return [self._decide(puzzle, seed, limit) for puzzle in puzzles]

    def _decide(self, puzzle: Puzzle, seed: int, limit: float) -> list[Any]:
        if max(puzzle.shape) > 64 or len(puzzle.palette) > 2:
            return [UNREAD, 0.0, 0.0, None]
        Path(self._folder.name, "puzzles").write_text(puzzles_text([puzzle]) + "\n")
        command = [*self._command, f"seed={seed}", f"limit={limit}", "v=1"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = re.search(r"^0 r=(-?\d) t=(\S+) confl=(\d+)", said, re.MULTILINE)
        if found is None:
            raise RuntimeError(f"the sketch says: {said}")
        seconds = float(found[2])
        return [self._ANSWERS[found[1]], seconds, seconds, int(found[3])]


def _pairs(clues: Iterable[Iterable[Any]]) -> list[list[list[int]]]:
    return [[[block.length, block.colour] for block in clue] for clue in clues]


def interpreter(commit: str) -> Path:
    """Return the interpreter of an environment with the wheel of a commit; build it unless it is there.

    The environment takes everything but nonocsp from that of this process: both products run with the same
    Python and the same libraries. It stays in ``build/before``.
    """
    found = subprocess.run(
        ["git", "rev-parse", "--verify", "--short=12", f"{commit}^{{commit}}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        raise typer.BadParameter(
            f"this clone has no commit {commit}; fetch the whole history (git fetch --unshallow), "
            "or name a commit with --commit"
        )
    tag = (
        f"{found.stdout.strip()}-{sysconfig.get_platform()}-{sys.version_info.major}.{sys.version_info.minor}"
    )
    folder = ROOT / "build" / "before" / tag
    python = folder / "venv" / "bin" / "python"
    if not (folder / "complete").is_file():
        print(f"Building the product of {commit} in {folder}: some minutes, once.", file=sys.stderr)
        _install(found.stdout.strip(), folder, python)
        (folder / "complete").touch()
    return python


def _install(commit: str, folder: Path, python: Path) -> None:
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder / "source", filter="data")
    pip = [sys.executable, "-m", "pip", "--quiet"]
    wheels = folder / "wheels"
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, folder / "source"], check=True)
    venv.create(folder / "venv", clear=True)
    install = ["--python", python, "install", "--no-deps", "--force-reinstall", *wheels.glob("*.whl")]
    subprocess.run([*pip, *install], check=True)
    packages = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    # The libraries of this environment come behind the wheel; its .pth files, and so this product, do not.
    Path(packages, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
