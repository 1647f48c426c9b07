"""Backends that change the program around them."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from hostile.base import CRASHED, Hostile, host_modules

from nonocsp.backends.base import Answer, Outcome, Run, Termination
from nonocsp.model import Grid, Puzzle


class PatchesJson(Hostile):
    """Has JSON written as an empty list, and read as nothing."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        json.dumps = lambda *arguments, **options: "[]"  # type: ignore[assignment]
        json.loads = lambda *arguments, **options: None  # type: ignore[assignment]
        json.JSONEncoder.iterencode = lambda *arguments, **options: iter(["[]"])  # type: ignore[method-assign]


class PatchesWrite(Hostile):
    """Has `os.write` write something else."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        write = os.write
        os.write = lambda descriptor, data: write(descriptor, b"x" * len(data))  # type: ignore[assignment]


class PatchesTheRun(Hostile):
    """Has the next runs of its process end at once, with another answer and no time."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        def forged(*_: Any, **__: Any) -> Outcome:
            return Outcome(Answer.UNSAT, Termination.OK, wall_s=0.0)

        for module in host_modules():
            module.run_backend = forged


class PatchesTheReply(Hostile):
    """Has every reply claim one solution, which does not fit its puzzle."""

    becomes = (CRASHED,)
    says = "wrong answer"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        from nonocsp.run.reply import encode_reply

        grid = Grid.from_cells(np.zeros(puzzle.shape, np.uint8))
        forged = Outcome(Answer.UNIQUE, Termination.OK, solutions=(grid,))
        for module in host_modules():
            module.encode_reply = lambda outcome, puzzle: encode_reply(forged, puzzle)


class PatchesTheRegistry(Hostile):
    """Has every name stand for itself."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        from nonocsp.backends import registry

        registry.create = lambda spec: self


class PatchesNumpy(Hostile):
    """Has NumPy pack bits as zeros, and make arrays of ones, so that it finds no solution."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        np.packbits = lambda cells: np.zeros(1, np.uint8)
        np.array = lambda *_, **__: np.ones(puzzle.shape, np.uint64)


class PatchesVerification(Hostile):
    """Has every grid pass for right, and yields a wrong one."""

    becomes = (CRASHED,)
    says = "wrong answer"

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        from nonocsp.backends import run as module

        module.mismatches = lambda puzzle, grid: []
        if hasattr(module, "check_solution"):
            module.check_solution = lambda puzzle, grid: None
        return [Grid.from_cells(np.zeros(puzzle.shape, np.uint8))]


class ChangesThePuzzle(Hostile):
    """Changes the puzzle so that a blank grid solves it."""

    becomes = (CRASHED,)
    says = "wrong answer"

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        from nonocsp.model import Clue

        for name in ("rows", "columns"):
            object.__setattr__(puzzle, name, tuple(Clue.of() for _ in getattr(puzzle, name)))
        return [Grid.from_cells(np.zeros(puzzle.shape, np.uint8))]


class ChangesTheRequest(Hostile):
    """Changes its request so that one solution is enough and no limit applies."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        from nonocsp.backends.base import Limits

        object.__setattr__(run.request, "limits", Limits())


class EmptiesBuiltins(Hostile):
    """Removes `len`, `open` and `print` from Python."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        import builtins

        del builtins.len, builtins.open, builtins.print
