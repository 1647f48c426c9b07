"""Find small faults that no test notices: ``python -m tools.benchmarks mutants [WHERE...]``.

WHERE is a package or a module below nonocsp (``grading``, ``run/slot.py``, ``bench/scoring``). Each mutant
changes one operator, constant, condition or statement of one function. The tests that mirror the module then
run in a forked child, in a copy of the checkout: the working tree is only read. A mutant that survives shows
a missing test, or a change without effect (a default seed, what only matters when the power fails).

The tests that judge a module: those in ``OVERRIDES``; else ``test_NAME.py`` in the mirrored folder and the
tests there that import the module; else all tests of that folder.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import psutil
import typer
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[3]
DEFAULT = ("model", "bench/scoring", "bench/store.py", "json_lines.py", "certificates", "grading")
OVERRIDES: dict[str, list[str]] = {
    "model": ["tests/model"],
    "bench/store.py": ["tests/bench/test_store.py", "tests/bench/test_merging.py"],
    "bench/solutions.py": ["tests/bench/test_store.py"],
    "json_lines.py": ["tests/bench/test_store.py"],
    "certificates/document.py": [
        "tests/certificates",
        "-k",
        "(damage or maker) and not random and not false_claims",
    ],
    "certificates/verifier.py": ["tests/certificates/test_damage.py", "-k", "not false_claims"],
}
"""Tests of a module, or of every module of a package, that the mirrored folder does not give."""

MEMORY = 4 << 30
"""Bytes that the tests of a mutant may use; a mutant that needs more counts as killed."""

_PAIRS = [
    (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot),
    (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.BitAnd, ast.BitOr), (ast.LShift, ast.RShift),
    (ast.And, ast.Or),
]  # fmt: skip
_OTHER: dict[type, Any] = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
WITHOUT_EDITABLE = """import sys
sys.meta_path[:] = [
    finder for finder in sys.meta_path if type(finder).__name__ != "ScikitBuildRedirectingFinder"
]
"""
"""The ``sitecustomize.py`` of a copy, for it and every process that its tests start.

An editable installation maps the package's modules to the working tree: its finder must go."""


@dataclass(frozen=True)
class Mutant:
    """One changed place of a module."""

    line: int
    before: str
    after: str
    source: str
    """The whole module with the change."""


@dataclass
class Trial:
    """Tests that run in a child, in one copy of the checkout."""

    mutant: Mutant | None
    copy: Path
    pid: int
    deadline: float


def main(
    where: Annotated[list[str] | None, typer.Argument(help="Packages or modules below nonocsp.")] = None,
    most: Annotated[int, typer.Option(help="Mutants of each WHERE, chosen at random; 0: all.")] = 0,
    seed: Annotated[int, typer.Option(help="For the choice.")] = 0,
    jobs: Annotated[int, typer.Option(help="Mutants tried at the same time.")] = 1,
    tests: Annotated[list[str] | None, typer.Option(help="Judge by these tests; repeatable.")] = None,
) -> None:
    """Try the mutants of every module, print those that survive, and end with a table."""
    chosen = {}
    for package in where or DEFAULT:
        chosen |= choose(package, most, seed)
    for library in ("pytest", "hypothesis", "numpy", "pydantic", "yaml", "PIL.Image"):
        import_module(library)  # loaded once for all children
    table = Table("module", "mutants", "killed", "timeout", "survived")
    totals = [0] * 4
    broken = False
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [copy_checkout(Path(folder) / str(number)) for number in range(jobs)]
        for module, mutants in chosen.items():
            judges = tests or judges_of(module)
            outcomes = survey(module, judges, mutants, copies)
            if outcomes is None:
                broken = True
                print(f"{module}: skipped, {' '.join(judges)} fail without any change", flush=True)
                continue
            figures = [len(outcomes), *(outcomes.count(kind) for kind in ("killed", "timeout", "survived"))]
            table.add_row(str(module), *map(str, figures))
            totals = [a + b for a, b in zip(totals, figures, strict=True)]
    table.add_section()
    table.add_row("all", *map(str, totals))
    Console().print(table)
    sys.exit(int(broken))


def modules_in(where: Iterable[str]) -> Iterator[Path]:
    """Yield the modules of packages, or those named, relative to nonocsp."""
    package = ROOT / "nonocsp"
    for name in where:
        path = package / name.removeprefix("nonocsp/")
        if not path.is_dir():
            path = path.with_suffix(".py")
        if not path.exists():
            raise typer.BadParameter(f"{name!r}: expected a package or module below nonocsp/")
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if module.name != "__init__.py" or len(module.read_text()) > 1000:
                yield module.relative_to(package)


def choose(package: str, most: int, seed: int) -> dict[Path, list[Mutant]]:
    """Return the mutants to try, by module: `most` of a package, chosen with a seed; 0 means all."""
    pairs = [
        (module, mutant)
        for module in modules_in([package])
        for mutant in mutants_of((ROOT / "nonocsp" / module).read_text())
    ]
    if most and len(pairs) > most:
        pairs = [pairs[place] for place in sorted(random.Random(seed).sample(range(len(pairs)), most))]
    chosen: dict[Path, list[Mutant]] = {}
    for module, mutant in pairs:
        chosen.setdefault(module, []).append(mutant)
    return chosen


def judges_of(module: Path) -> list[str]:
    """Return the arguments for pytest that select the tests of a module."""
    for name in (str(module), *map(str, module.parents)):
        if name in OVERRIDES:
            return OVERRIDES[name]
    folder = Path("tests") / module.parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    files = sorted((ROOT / folder).glob("test_*.py"))
    dotted = ".".join(("nonocsp", *module.with_suffix("").parts))
    own = [file for file in files if file.stem == f"test_{module.stem}"]
    others = [file for file in files if file not in own and dotted in _imports(file)]
    return [str(file.relative_to(ROOT)) for file in (own + others or files)]


@cache
def _imports(file: Path) -> set[str]:
    """Return the modules from which a file imports, and what it imports from them, with dots."""
    text = file.read_text()
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    return names | {*re.findall(r"([\w.]+) import\b", text)}  # also in programs that it contains


def copy_checkout(folder: Path) -> Path:
    """Copy the checkout, with the built core, into a new folder, and return the folder."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    # Another process answers: this one must not load the core that the forked children load themselves.
    ask = [sys.executable, "-c", "from nonocsp.engine import CORE; print(CORE)"]
    core = subprocess.run(ask, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    shutil.copy2(core, folder / "nonocsp" / "engine")
    shared, link = ROOT.parent / "shared", folder.parent / "shared"
    if shared.is_dir() and not link.exists():
        link.symlink_to(shared)
    (folder / "sitecustomize.py").write_text(WITHOUT_EDITABLE)
    return folder


def survey(module: Path, tests: list[str], mutants: list[Mutant], copies: list[Path]) -> list[str] | None:
    """Try the mutants of a module and print what survives."""
    started = time.monotonic()
    if next(outcomes_of(module, [None], tests, copies, 900.0))[1] != "survived":
        return None
    limit = 30 + 5 * (time.monotonic() - started)  # generous, since other work may share the machine
    print(f"{module}: {len(mutants)} mutants, judged by {' '.join(tests)}", flush=True)
    outcomes = []
    for mutant, outcome in outcomes_of(module, mutants, tests, copies, limit):
        outcomes.append(outcome)
        if outcome != "killed" and mutant:
            place = f"nonocsp/{module}:{mutant.line}"
            print(f"  {outcome}  {place}  {mutant.before}  ->  {mutant.after}", flush=True)
    return outcomes


def outcomes_of(
    module: Path, mutants: Iterable[Mutant | None], tests: list[str], copies: list[Path], limit: float
) -> Iterator[tuple[Mutant | None, str]]:
    """Yield each mutant (None: the module as it is) with its outcome, as the tests of each end.

    The copies hold the module as it is before and afterwards. Tests that take longer than `limit` seconds
    are killed.
    """
    waiting, free, running = iter(mutants), list(copies), list[Trial]()
    source = (copies[0] / "nonocsp" / module).read_text()
    try:
        while True:
            while free and (mutant := next(waiting, ...)) is not ...:
                running.append(start_trial(module, mutant, tests, free.pop(), limit))
            if not running:
                return
            time.sleep(0.02)
            for trial in list(running):
                if (outcome := outcome_of(trial)) is not None:
                    running.remove(trial)
                    kill_processes_in(trial.copy)
                    (trial.copy / "nonocsp" / module).write_text(source)
                    free.append(trial.copy)
                    yield trial.mutant, outcome
    finally:
        for trial in running:
            kill_processes_in(trial.copy)


def start_trial(module: Path, mutant: Mutant | None, tests: list[str], copy: Path, limit: float) -> Trial:
    """Write a mutant into a copy of the checkout and start its tests in a forked child."""
    if mutant:
        (copy / "nonocsp" / module).write_text(mutant.source)
    sys.stdout.flush()
    if pid := os.fork():
        return Trial(mutant, copy, pid, time.monotonic() + limit)
    code = 1
    try:
        os.setsid()
        os.chdir(copy)
        os.environ |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.dont_write_bytecode = True
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        sys.path[:] = [str(copy), *(path for path in sys.path if path not in ("", str(ROOT)))]
        exec((copy / "sitecustomize.py").read_text())
        for loaded in [name for name in sys.modules if name.partition(".")[0] in ("nonocsp", "tools")]:
            del sys.modules[loaded]
        sys.path_importer_cache.clear()
        import pytest

        unwanted = ("-p", "no:cacheprovider", "-p", "no:faulthandler")  # whose thread a fork does not copy
        options = ["-x", "-n0", *unwanted, "-o", "filterwarnings=", "--hypothesis-seed=0"]
        code = int(pytest.main([f"--rootdir={copy}", *options, *tests]))
    finally:
        os._exit(code)


def outcome_of(trial: Trial) -> str | None:
    """Return how the tests of a mutant ended, or None while they run."""
    pid, status = os.waitpid(trial.pid, os.WNOHANG)
    if pid:
        return "survived" if os.waitstatus_to_exitcode(status) == 0 else "killed"
    late = time.monotonic() > trial.deadline
    if late or psutil.Process(trial.pid).memory_info().rss > MEMORY:
        os.killpg(trial.pid, signal.SIGKILL)
        os.waitpid(trial.pid, 0)
        return "timeout" if late else "killed"
    return None


def kill_processes_in(folder: Path) -> None:
    """Kill every process whose working directory lies in a folder: the leftovers of a trial."""
    for process in psutil.process_iter(["cwd"]):
        if Path(process.info["cwd"] or "/").is_relative_to(folder):
            process.kill()


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield the mutants of a module, from top to bottom."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for node in sorted(_sites(ast.parse(source)), key=lambda site: (site.lineno, site.col_offset)):
        place: Any = node.test if isinstance(node, ast.If | ast.IfExp | ast.While) else node
        start = starts[place.lineno - 1] + place.col_offset
        end = starts[place.end_lineno - 1] + place.end_col_offset
        after = _replacement(deepcopy(node))
        text = source.encode()
        before = " ".join(text[start:end].decode().split())
        yield Mutant(node.lineno, before, after, (text[:start] + after.encode() + text[end:]).decode())


def _sites(tree: ast.Module) -> list[Any]:
    """Return the nodes in functions that can be changed, those of annotations and messages left out."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = dict.fromkeys(
        node for function in functions for part in function.body for node in ast.walk(part)
    )
    texts = [node for node in inside if isinstance(node, ast.Raise | ast.JoinedStr | ast.AnnAssign)]
    # `strict` of a zip is itself a check.
    strict = [node for node in inside if isinstance(node, ast.keyword) and node.arg == "strict"]
    hidden = {inner for node in (*texts, *strict) for inner in ast.walk(node) if inner is not node}
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


def _replacement(node: Any) -> str:
    """Return the text that replaces a node, or the test of a condition."""
    match node:
        case ast.Compare():
            node.ops = [_OTHER[type(node.ops[0])]()]
        case ast.BoolOp() | ast.BinOp():
            node.op = _OTHER[type(node.op)]()
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int() | float() as value):
            node.value = value + 1
        case ast.Name():
            node.id = _NAMES[node.id]
        case ast.If() | ast.IfExp() | ast.While():
            return f"(not ({ast.unparse(node.test)}))"
        case _:  # a statement that is left out
            return "pass"
    text = ast.unparse(node)
    return text if isinstance(node, ast.Constant | ast.Name) else f"({text})"
