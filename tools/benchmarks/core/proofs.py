"""Measure proofs: ``python -m tools.benchmarks proofs``, with puzzle files beside n-Dom.

CPU seconds of this process, the least of some calls: `hybrid`, the same with its proof, SAT solvers without a
proof, and the verifier, which makes the formula anew, reads the files and checks the proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, TypeVar

import typer

from nonocsp.backends.base import Backend, Limits, Outcome, Request
from nonocsp.backends.hybrid import Hybrid, HybridOptions
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.certificates.maker import prove, save
from nonocsp.certificates.verifier import verify
from nonocsp.engine import StopFlag
from nonocsp.formats import load_all
from nonocsp.model import Puzzle
from nonocsp.testing import n_dom

DOMS = (9, 12, 13, 14)
SOLVERS = ("sat:solver=glucose4", "sat:solver=cadical195")

T = TypeVar("T")


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="Puzzles, the first of each file.")] = None,
    *,
    repeats: Annotated[int, typer.Option(min=1, help="Calls; the fastest counts.")] = 3,
    limit: Annotated[float, typer.Option(help="Seconds for a SAT solver.")] = 20.0,
) -> None:
    """Print a line of a table in Markdown for each puzzle."""
    heads = "puzzle", "variables", "clauses", "lemmas", "proof, bytes", "hybrid, s", "with proof, s"
    heads += "verify, s", *(f"{spec.rpartition('=')[2]}, s" for spec in SOLVERS)
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    with TemporaryDirectory() as folder:
        for puzzle in _puzzles(files or []):
            print(f"| {' | '.join(_measured(puzzle, Path(folder), repeats, limit))} |", flush=True)


def _puzzles(files: list[Path]) -> Iterator[Puzzle]:
    yield from map(n_dom, DOMS)
    for file in files:
        puzzle = next(iter(load_all(file)))
        yield replace(puzzle, title=puzzle.title or file.stem)


def _measured(puzzle: Puzzle, folder: Path, repeats: int, limit: float) -> Iterator[str]:
    """Yield the cells of a line."""
    hybrid, request = Hybrid(HybridOptions()), Request()
    (_, certificate), proving_s = _least(lambda: prove(puzzle, request, hybrid), repeats)
    assert certificate
    path = save(certificate, folder, puzzle.title)
    found, verifying_s = _least(lambda: verify(path), 1)
    assert found, found.fault
    rows, columns = puzzle.shape
    yield f"{puzzle.title} {rows}x{columns}, {certificate.claim}"
    yield from (f"{number:,}".replace(",", " ") for number in (found.variables, found.clauses, found.lemmas))
    yield f"{len(certificate.proof):,}".replace(",", " ")
    decided = [_least(lambda: _run(hybrid, puzzle, request), repeats)[1], proving_s, verifying_s]
    yield from (f"{seconds:.4f}" for seconds in decided)
    for spec in SOLVERS:
        asked = replace(request, limits=Limits(wall=limit))
        outcome, seconds = _least(lambda: _run(create(spec), puzzle, asked), 1)  # noqa: B023
        yield f"{seconds:.2f}" if outcome.termination == "ok" else f"over {limit:g}"


def _run(backend: Backend, puzzle: Puzzle, request: Request) -> Outcome:
    return run_backend(backend, puzzle, request, StopFlag())


def _least(call: Callable[[], T], repeats: int) -> tuple[T, float]:
    """Return what a call returns, and the CPU seconds of the fastest one."""
    least = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        value = call()
        least = min(least, time.process_time() - began)
    return value, least
