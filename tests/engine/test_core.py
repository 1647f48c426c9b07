"""The bindings reject mismatched arguments, and their stub documents them."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from nonocsp import engine
from nonocsp.engine import LineSolver, _core
from nonocsp.model import Clue, FlatClues, Puzzle

SOLVER = LineSolver(Puzzle.from_clues([[1], [1]], [[1], [1]]))
CLUES = SOLVER.compiled
OTHER_SHAPE = np.full((9, 9), 3, np.uint64)
LINE = OTHER_SHAPE[:1]
ONE, TWO = FlatClues.of([Clue.of(1)]), FlatClues.of([Clue.of(1), Clue.of(1)])
NO_SHARD = (99, 99, 1)

CASES: dict[str, Callable[[], object]] = {
    "propagate": lambda: CLUES.propagate(OTHER_SHAPE, _core.Order.QUEUE, None, None),
    "sweep": lambda: CLUES.sweep(OTHER_SHAPE, True, None, None),
    "probe": lambda: _core.probe_fixpoint(CLUES, OTHER_SHAPE, _core.ProbingLevel.FP1, False, None, None),
    "encode": lambda: _core.encode_order(CLUES, OTHER_SHAPE),
    "beliefs": lambda: _core.beliefs(CLUES, OTHER_SHAPE, 1, 0.1, None, None),
    "65 colours of a puzzle": lambda: _core.PuzzleClues(ONE, ONE, 65),
    "65 colours to settle": lambda: _core.settle_lines(ONE, LINE, 65),
    "65 colours of messages": lambda: _core.eliminate_lines(ONE, LINE, 65),
    "65 colours of placements": lambda: _core.Placements(ONE, LINE, 65),
    "no colour but the background": lambda: _core.Placements(ONE, LINE, 1),
    "two clues for a stream": lambda: _core.Placements(TWO, LINE, 2),
    "no clue for a stream": lambda: _core.Placements(FlatClues.of([]), LINE, 2),
    "no clue for starts": lambda: _core.starts(FlatClues.of([]), LINE, 2),
    "images of no cells": lambda: _core.ImageSweeps(3, 0),
    "images of another size": lambda: _core.ImageSweeps(3, 3).grade(np.zeros((1, 3, 4), np.uint8)),
    "images in colour": lambda: _core.ImageSweeps(1, 2).grade(np.full((1, 1, 2), 2, np.uint8)),
    "a shard of sweeps": lambda: _core.SweepCensus(3, 3).count(NO_SHARD, None, None),
    "a shard of solutions": lambda: _core.SolutionCensus(3, 3).count(NO_SHARD, None, None),
}


@pytest.mark.parametrize("call", CASES.values(), ids=CASES)
def test_mismatched_arguments_are_refused(call):
    with pytest.raises(ValueError, match=r"there (is|are|must be)|the candidates|a block's colour|image"):
        call()


@pytest.fixture(scope="module")
def stub() -> ast.Module:
    return ast.parse(Path(engine.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions and methods of a stub."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{f.name}", f) for f in node.body if isinstance(f, ast.FunctionDef))


def test_the_stub_lists_the_names_of_the_core(stub):
    named = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert named == {name for name in dir(_core) if not name.startswith("_")}


def test_every_binding_has_types_and_a_docstring_and_its_arguments_are_described(stub):
    everywhere = ast.get_docstring(stub) or ""
    for name, function in functions(stub):
        arguments = [a.arg for a in [*function.args.posonlyargs, *function.args.args] if a.arg != "self"]
        assert function.returns is not None, name
        assert ast.unparse(function.returns) not in ("object", "tuple", "list"), name
        doc = ast.get_docstring(function) or ""
        if not function.name.startswith("__"):
            assert doc, name
        words = set(re.findall(r"\w+", everywhere + doc))
        assert words >= set(arguments), name
