"""The rules of the page on architecture: imports, circles, includes, late imports, and limits of commands.

pyproject.toml declares the order of the layers, which import-linter reads, and that of the core's shelves.
"""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.circles import circles, python_graph, typescript_graph

HEAVY = {
    "matplotlib",
    "scipy",
    "ortools",
    "pysat",
    "dask",
    "distributed",
    "pyarrow",
    "benchexec",
    "reportlab",
}
"""Packages that cost a tenth of a second or more, and that few commands need."""
LONGEST = 45
"""Statements of a function of the command line, its docstring and arguments apart."""


@pytest.fixture(scope="module")
def rules(repository) -> dict[str, Any]:
    """The settings of import-linter, its contracts by id."""
    settings = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]
    contracts = {contract["id"]: contract for contract in settings["importlinter"]["contracts"]}
    entry_points = tomllib.loads((repository / "pyproject.toml").read_text())["project"]["entry-points"]
    return {**contracts, "installed": entry_points["nonocsp.backends"]}


@pytest.fixture(scope="module")
def shelves(repository) -> list[set[str]]:
    """The shelves of the core, the highest first, as pyproject.toml declares them."""
    settings = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]
    return [set(layer.split(" | ")) for layer in settings["nonocsp"]["shelves"]]


@cache
def modules(folder: Path) -> list[tuple[Path, ast.Module]]:
    """Return every module below a folder with its syntax tree."""
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(folder.rglob("*.py"))]


def test_imports_follow_the_layers_and_backends_do_not_import_each_other(repository):
    pytest.importorskip("importlinter")
    command = [
        sys.executable,
        "-c",
        "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())",
    ]
    result = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("language", ["Python", "TypeScript"])
def test_no_modules_import_each_other(repository, language):
    graph = (
        python_graph(repository / "nonocsp") if language == "Python" else typescript_graph(repository / "web")
    )
    assert sum(map(len, graph.values())) > 300
    assert circles(graph) == []


def test_circles_through_late_imports_are_found(tmp_path):
    sources = {
        "house/__init__.py": "from house.a import run",
        "house/a.py": "def run():\n    from . import b",
        "house/b.py": "from importlib import import_module\nimport_module('house.c')",
        "house/c.py": "if TYPE_CHECKING:\n    import house.d\nfrom house.a import run",
        "house/d.py": "import house.c",
        "web/one.ts": "import {\n  two,\n} from './two';",
        "web/two.tsx": "import type { One } from './one';\nexport { three } from './three/index';",
        "web/three/index.ts": "const one = await import('../one.ts');\nimport '../four';",
        "web/four.ts": "import type { One } from './one';",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert circles(python_graph(tmp_path / "house")) == [["house.a", "house.b", "house.c"]]
    assert circles(typescript_graph(tmp_path / "web")) == [["one.ts", "three/index.ts", "two.tsx"]]


def test_the_rule_lists_every_backend(rules):
    assert set(rules["backends"]["modules"]) == {
        value.partition(":")[0] for value in rules["installed"].values()
    }


def test_a_file_of_the_core_includes_its_own_shelf_and_lower_ones(repository, shelves):
    core = repository / "nonocsp" / "cpp"
    depth = {shelf: number for number, layer in enumerate(shelves) for shelf in layer}
    assert set(depth) == {path.name for path in core.iterdir()}
    for path in core.rglob("*.[ch]pp"):
        for header in re.findall(r'^#include "(.+)"', path.read_text(), flags=re.MULTILINE):
            own, shelf = path.parent.name, Path(header).parts[0]
            assert (core / header).is_file(), f"{path} includes {header}, named without its shelf"
            assert shelf == own or depth[own] < depth[shelf], f"{path} includes {header} of a higher shelf"


def test_the_files_of_a_shelf_have_no_include_cycle(repository):
    core = repository / "nonocsp" / "cpp"
    includes = {
        str(path.relative_to(core)): set(
            re.findall(r'^#include "(.+)"', path.read_text(), flags=re.MULTILINE)
        )
        for path in core.rglob("*.hpp")
    }
    graphlib.TopologicalSorter(includes).prepare()  # raises CycleError, which names the circle


def test_no_shelf_of_the_core_has_more_than_twenty_files(repository):
    for shelf in (repository / "nonocsp" / "cpp").iterdir():
        assert len(list(shelf.iterdir())) <= 20, shelf


def test_the_page_has_a_row_for_every_part_of_the_package(repository):
    page = (repository / "docs" / "explanation" / "architecture.md").read_text()
    for path in (repository / "nonocsp").iterdir():
        if path.suffix == ".py" and path.stem != "__init__":
            assert f"`{path.name}`" in page, path.name
        elif path.is_dir() and (path / "__init__.py").exists():
            assert f"`{path.name}/" in page, path.name


def test_no_module_of_the_package_imports_its_public_interface(repository):
    """The names in `nonocsp` are for users; inside the package, import a name from its module."""
    inside = {path.stem for path in (repository / "nonocsp").iterdir()}
    for path in (repository / "nonocsp").rglob("*.py"):
        if "from nonocsp import" not in (text := path.read_text(encoding="utf-8")):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module == "nonocsp" and not node.level:
                assert {alias.name for alias in node.names} <= inside, path


def imports_of_core(tree: ast.Module) -> Iterator[int]:
    """Yield the lines where a module imports the core, under whatever name, or reaches it by a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [part for alias in node.names for part in alias.name.split(".")]
        elif isinstance(node, ast.ImportFrom):
            names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isprintable():
            names = node.value.split(".") if " " not in node.value else []
        else:
            continue
        if "_core" in names:
            yield node.lineno


def test_only_the_engine_imports_the_core(repository):
    bindings = repository / "tests" / "engine" / "test_core.py"
    for folder in ("nonocsp", "tools", "tests", "examples", "docs"):
        for path in (repository / folder).rglob("*.py"):
            allowed = path.parent == repository / "nonocsp" / "engine" or path in (bindings, Path(__file__))
            if allowed or "_core" not in (text := path.read_text(encoding="utf-8")):
                continue
            lines = list(imports_of_core(ast.parse(text)))
            assert not lines, f"{path}, lines {lines}: use nonocsp.engine instead of its core"


def test_heavy_packages_are_imported_only_when_needed(repository):
    for path, tree in modules(repository / "nonocsp"):
        names = {name.partition(".")[0] for name in imported_with(tree)}
        assert not names & HEAVY, f"{path} imports {names & HEAVY} as soon as it is imported itself"


def imported_with(tree: ast.Module) -> Iterator[str]:
    """Yield the imports that run when a module is imported: outside functions and not only for types."""
    pending: list[ast.AST] = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            pending += ast.iter_child_nodes(node)


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import nonocsp", {"numpy", "nonocsp.model", "pydantic", "rich"}),
        ("from nonocsp.cli.app import app", {"numpy", "nonocsp.model", "pydantic", "rich"}),
        ("import nonocsp; nonocsp.load", {"nonocsp.engine", "nonocsp.backends", "pydantic", "PIL"}),
        ("import nonocsp; nonocsp.solve", {"nonocsp.bench", "nonocsp.grading", "nonocsp.making", "pydantic"}),
    ],
)
def test_an_import_loads_only_its_dependencies(statement, absent):
    script = f"import sys; {statement}; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not (absent | HEAVY) & set(found.stdout.split())


def test_the_command_line_computes_nothing_itself(repository):
    for path, tree in modules(repository / "nonocsp" / "cli"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nonocsp"):
                private = [alias.name for alias in node.names if alias.name.startswith("_")]
                assert not private, f"{path} imports {private} of {node.module}"
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                )
                assert not any(name.partition(".")[0] == "numpy" for name in names), f"{path} computes"
            if isinstance(node, ast.FunctionDef):
                inner = [
                    step for body in node.body[1:] for step in ast.walk(body) if isinstance(step, ast.stmt)
                ]
                assert len(inner) <= LONGEST, f"{path}: {node.name} has {len(inner)} statements"


def test_a_certificate_is_verified_without_a_solver_or_a_backend():
    script = "import sys; from nonocsp.certificates import verifier; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "nonocsp.certificates.formula" in loaded
    for forbidden in ("backends", "certificates.maker", "api", "bench", "testing"):
        assert f"nonocsp.{forbidden}" not in loaded
    assert not {"pysat", "pysolvers", "ortools"} & set(loaded)


def test_the_files_to_change_are_there(repository):
    page = (repository / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Where to change what")[2].partition("\n## ")[0]
    files = re.findall(r"\| `([\w/.]+)` \|$", table, re.MULTILINE)
    assert len(files) > 15
    assert [file for file in files if not (repository / file).is_file()] == []
