"""Measure how the package is built: the figures of docs/explanation/architecture.md.

    python -m tools.benchmarks structure             # of this checkout
    python -m tools.benchmarks structure ../older    # of another one beside it

Everything is read from the sources; nothing is imported or built. A function's length counts its lines from
the first of its signature to the last of its body, with docstring and comments.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

Function = ast.FunctionDef | ast.AsyncFunctionDef
Graph = dict[str, set[str]]

PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"', re.DOTALL)
"""Comments, and the docstrings of bindings."""
CORE = re.compile(r"\b_core\b")
"""The compiled module, which imports nothing."""
SCOPE, INNER = -1, -2
"""Other kinds of blocks in C++: those of declarations, and those within functions or values."""

TYPE = re.compile(r"\b(class|struct|union|enum)\b[^()]*$")
"""The end of a head that declares a type; a requirement in parentheses may come before it."""
NOISE = re.compile(
    "|".join(
        (
            r"//[^\n]*|/\*.*?\*/",
            r'"(?:\\.|[^"\\\n])*"',
            r"(?<!\w)'(?:\\.|[^'\\])+'",
            r"^[ \t]*#(?:\\\n|[^\n])*",
            r"\b(?:public|protected|private):",
        )
    ),
    re.DOTALL | re.MULTILINE,
)
"""Text that is not code: comments, strings, characters, directives and labels."""


def main(
    checkout: Annotated[Path, typer.Argument(help="The repository to measure.")] = Path(__file__).parents[3],
) -> None:
    """Print the figures as a table."""
    table = Table("figure", "value")
    for name, value in figures(checkout / "nonocsp"):
        table.add_row(name, value)
    Console().print(table)


def figures(package: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each figure of a package and its core."""
    modules = {module_name(path, package): ast.parse(path.read_text()) for path in sources(package, ".py")}
    core = {path: path.read_text() for path in sources(package / "cpp", ".cpp", ".hpp")}
    python_lines = sum(len(path.read_text().splitlines()) for path in sources(package, ".py"))
    functions = [node for tree in modules.values() for node in ast.walk(tree) if isinstance(node, Function)]
    helpers = [uses for tree in modules.values() for uses in uses_of_helpers(tree).values()]
    documented = [has_parameters(node) for node in functions if is_public_with_arguments(node)]
    sizes = Counter(path.parent for path in package.rglob("*") if is_source(path))
    folder, most = sizes.most_common(1)[0]
    yield "lines of Python", f"{python_lines}"
    yield "statements of Python, docstrings left out", f"{sum(map(statements, modules.values()))}"
    yield "lines of C++", f"{sum(len(text.splitlines()) for text in core.values())}"
    code = [line.strip() for text in core.values() for line in PROSE.sub("", text).splitlines()]
    yield "lines of C++ without comments, docstrings and empty lines", f"{sum(map(bool, code))}"
    yield "most files in a folder", f"{most} ({folder.relative_to(package.parent)})"
    yield "folders with more than 20 files", f"{sum(size > 20 for size in sizes.values())}"
    yield (
        "function length in Python: median/90 %/max",
        spread(node.end_lineno - node.lineno + 1 for node in functions if node.end_lineno),
    )
    yield "function length in C++: median/90 %/max", spread(n for t in core.values() for n in lengths(t))
    yield "asserts in C++", f"{sum(len(re.findall(r'(?<!_)assert[(]', text)) for text in core.values())}"
    yield (
        "public functions with two or more arguments that document them",
        share(sum(documented), len(documented)),
    )
    yield "private helpers with one use", share(helpers.count(1), len(helpers))
    yield "modules that import _core past the engine", f"{len(list(bypasses(modules)))}"
    yield "import cycles between modules", f"{count_cycles(imports(modules))}"
    yield "include cycles between shelves of the core", f"{count_cycles(includes(package / 'cpp', core))}"


def statements(tree: ast.Module) -> int:
    """Return how many statements a module has, its docstrings left out."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in found)


def sources(folder: Path, *suffixes: str) -> list[Path]:
    """Return the sources below a folder with one of the suffixes."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix in suffixes and is_source(path)]


def is_source(path: Path) -> bool:
    """Return whether a path is a file that people edit, neither built nor cached."""
    return path.is_file() and path.suffix != ".so" and "__pycache__" not in path.parts


def module_name(path: Path, package: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def spread(lengths: Iterable[int]) -> str:
    """Return median, 90 % quantile and maximum."""
    ordered = sorted(lengths)
    return f"{median(ordered):g}/{ordered[len(ordered) * 9 // 10]}/{ordered[-1]}" if ordered else "–"


def share(part: int, whole: int) -> str:
    """Return a share in per cent, with both counts."""
    return f"{100 * part / whole:.0f} % ({part} of {whole})" if whole else "–"


def is_public_with_arguments(node: Function) -> bool:
    """Return whether a function is for other modules and takes two or more arguments besides self."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    named = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    return not node.name.startswith("_") and len(named) >= 2


def has_parameters(node: Function) -> bool:
    """Return whether a docstring has a section on parameters."""
    return bool(re.search(r"^Parameters\n-+$", ast.get_docstring(node) or "", re.MULTILINE))


def uses_of_helpers(tree: ast.Module) -> dict[str, int]:
    """Return how often a module uses each private function or method that it defines."""
    names = [node.name for node in ast.walk(tree) if isinstance(node, Function)]
    helpers = {name for name in names if name.startswith("_") and not name.startswith("__")}
    used = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    return {name: used[name] for name in helpers}


def bypasses(modules: dict[str, ast.Module]) -> Iterator[str]:
    """Yield the modules outside nonocsp.engine that import the compiled core."""
    for name, tree in modules.items():
        if not f"{name}.".startswith("nonocsp.engine."):
            found = {target for node in ast.walk(tree) for target in targets(node)}
            if any(map(CORE.search, found)):
                yield name


def imports(modules: dict[str, ast.Module]) -> Graph:
    """Return which modules each module imports as soon as it is imported itself."""
    graph: Graph = {}
    for name, tree in modules.items():
        found = {target for node in executed(tree) for target in targets(node) if not CORE.search(target)}
        known = {target if target in modules else target.rpartition(".")[0] for target in found}
        graph[name] = {target for target in known if target in modules and target != name}
    return graph


def executed(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes that run when a module is imported: outside functions and type checking."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.orelse
        elif not isinstance(node, Function | ast.Lambda):
            pending += ast.iter_child_nodes(node)


def targets(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names that an import statement may load."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def includes(folder: Path, core: dict[Path, str]) -> Graph:
    """Return which shelves of the core the files of each shelf include."""
    graph: Graph = {}
    for path, text in core.items():
        shelf = path.relative_to(folder).parts[0]
        found = set(re.findall(r'^#include "(\w+)/', text, re.MULTILINE))
        graph.setdefault(shelf, set()).update(found - {shelf})
    return graph


def count_cycles(graph: Graph) -> int:
    """Return how many edges must be cut, one for each cycle found, until no cycle is left."""
    left, count = {name: set(others) for name, others in graph.items()}, 0
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            imported, importer, *_ = error.args[1]
            left[importer].discard(imported)
            count += 1
        else:
            return count


def lengths(text: str) -> Iterator[int]:
    """Yield the length in lines of each function that a C++ file defines, with the lambdas in it."""
    text = NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    blocks: list[int] = []  # that are open: the place of a function's first character, or what else it is
    start = 0  # of the declaration at hand
    for found in re.finditer("[{};]", text):
        in_function = max(blocks, default=SCOPE) >= 0
        if found[0] == "{":
            head = text[start : found.start()]
            is_value = re.search(r"[^\s)]$|=\s*$|\bconcept\b", head)
            if in_function or is_value:
                blocks.append(INNER)
            elif "(" in head and not TYPE.search(head):
                blocks.append(start + len(head) - len(head.lstrip()))
            else:
                blocks.append(SCOPE)
                start = found.end()
        elif found[0] == "}":
            closed = blocks.pop()
            if closed >= 0:
                yield text.count("\n", closed, found.start()) + 1
            if closed != INNER:
                start = found.end()
        elif not in_function:
            start = found.end()
