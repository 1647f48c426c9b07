"""Which small faults the tests would notice: ``python -m tools.benchmarks mutants [GROUP...] [--sample N]``.

One operator, constant, condition or statement of a function is changed at a time, and the quick tests of its
module are run in a process that was forked with pytest loaded. A change that no test notices is printed: a
test is missing, or the change has no effect (another default seed, the strictness of a zip whose parts always
have one length, what only matters when the power fails).
"""

from __future__ import annotations

import ast
import os
import random
import sys
from collections.abc import Iterator
from copy import deepcopy
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

_SCORING = "tests/bench/scoring/test_{}.py"
_DAMAGE = ["tests/certificates/test_damage.py", "-k", "not false_claims"]
GROUPS: dict[str, dict[str, list[str]]] = {
    "verify": {"nonocsp.model.puzzle": ["tests/model"], "nonocsp.model.clue": ["tests/model"]},
    "scoring": {
        f"nonocsp.bench.scoring.{name}": [_SCORING.format(name)]
        for name in ("scores", "runs", "pairs", "portfolio", "borda", "changes")
    },
    "resume": {
        "nonocsp.bench.planning": ["tests/bench/test_planning.py"],
        "nonocsp.bench.store": ["tests/bench/test_store.py"],
        "nonocsp.bench.sessions": ["tests/bench/test_sessions.py"],
        "nonocsp.bench.shards": ["tests/bench/test_shards.py"],
        "nonocsp.json_lines": ["tests/bench/test_store.py"],
    },
    "certificate": {
        "nonocsp.certificates.drup": ["tests/certificates/test_drup.py"],
        "nonocsp.certificates.formula": ["tests/certificates/test_formula.py"],
        "nonocsp.certificates.document": _DAMAGE,
        "nonocsp.certificates.verifier": _DAMAGE,
    },
}
"""Modules with the tests that judge their mutants."""

_PAIRS = [
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot),
    (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.BitAnd, ast.BitOr), (ast.LShift, ast.RShift),
    (ast.And, ast.Or),
]  # fmt: skip
_OTHER: dict[type[ast.AST], type[ast.AST]] = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


def main(
    groups: Annotated[list[str] | None, typer.Argument(help=f"Which: {', '.join(GROUPS)}.")] = None,
    sample: Annotated[int, typer.Option(help="At most so many of a module, chosen at random.")] = 0,
) -> None:
    """Change one thing at a time, and print what no test notices."""
    import pytest  # noqa: F401  (here once, so that no child has to load it)

    for group in groups or GROUPS:
        counts = [_survey(module, tests, sample) for module, tests in GROUPS[group].items()]
        made, killed = map(sum, zip(*counts, strict=True))
        print(f"{group}: {killed} of {made} noticed", flush=True)


def _survey(module: str, tests: list[str], sample: int) -> tuple[int, int]:
    """Try the mutants of a module; return how many there are, and how many are noticed."""
    path = Path(str(find_spec(module).origin))  # type: ignore[union-attr]
    mutants = list(_mutants(ast.parse(path.read_text())))
    if sample and len(mutants) > sample:
        mutants = random.Random(0).sample(mutants, sample)
    if not _passes(module, path, ast.parse(path.read_text()), tests):
        sys.exit(f"the tests of {module} fail without any change")
    survivors = [line for line, tree in mutants if _passes(module, path, tree, tests)]
    for line in survivors:
        print(f"{path.name}:{line}: {path.read_text().splitlines()[line - 1].strip()}", flush=True)
    return len(mutants), len(mutants) - len(survivors)


def _mutants(tree: ast.Module) -> Iterator[tuple[int, ast.Module]]:
    """Yield the line of each change that can be made in a function, and the module with it."""
    for number in range(len(_sites(tree))):
        changed = deepcopy(tree)
        site = _sites(changed)[number]
        _change(site)
        yield site.lineno, ast.fix_missing_locations(changed)


def _sites(tree: ast.Module) -> list[Any]:
    """Return the nodes in functions that can be changed, those of annotations and messages left out."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = dict.fromkeys(
        node for function in functions for part in function.body for node in ast.walk(part)
    )
    texts = [node for node in inside if isinstance(node, ast.Raise | ast.JoinedStr | ast.AnnAssign)]
    hidden = {inner for node in texts for inner in ast.walk(node) if inner is not node}
    return [node for node in inside if node not in hidden and _can_change(node)]


def _can_change(node: ast.AST) -> bool:
    match node:
        case ast.Compare(ops=[operator]) | ast.BoolOp(op=operator) | ast.BinOp(op=operator):
            return type(operator) in _OTHER
        case ast.Constant(value=bool() | int() | float()):
            return True
        case ast.Name(id=name):
            return name in _NAMES
        case ast.Expr(value=ast.Call()) | ast.If() | ast.IfExp() | ast.While():
            return True
    return isinstance(node, ast.Raise | ast.Break | ast.Continue)


def _change(node: Any) -> None:
    """Change a node in place."""
    match node:
        case ast.Compare():
            node.ops = [_OTHER[type(node.ops[0])]()]
        case ast.BoolOp() | ast.BinOp():
            node.op = _OTHER[type(node.op)]()
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant():
            node.value += 1
        case ast.Name():
            node.id = _NAMES[node.id]
        case ast.If() | ast.IfExp() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case _:  # a statement that is left out
            node.__class__, node._fields = ast.Pass, ()


class _Changed(MetaPathFinder, Loader):
    """Imports one module from a syntax tree."""

    def __init__(self, module: str, path: Path, tree: ast.Module) -> None:
        self._module, self._path, self._tree = module, path, tree

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return spec_from_file_location(name, self._path, loader=self) if name == self._module else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._tree, self._path, "exec"), vars(module))


def _passes(module: str, path: Path, tree: ast.Module, tests: list[str]) -> bool:
    """Run tests in a child with the changed module; a change that makes them endless counts as noticed."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    import signal

    import pytest

    signal.alarm(300)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    sys.meta_path.insert(0, _Changed(module, path, tree))
    for loaded in [name for name in sys.modules if name.startswith("nonocsp")]:
        del sys.modules[loaded]
    code = 1
    try:
        code = int(pytest.main(["-x", "-n0", "-p", "no:cacheprovider", "-o", "filterwarnings=", *tests]))
    finally:
        os._exit(code)
