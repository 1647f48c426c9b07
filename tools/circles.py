"""Find modules that import each other, directly or through others, in Python and in TypeScript.

Imports inside functions count, and so does ``import_module`` with a constant name; imports for type checkers
alone do not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

Graph = dict[str, set[str]]
"""The modules that each module imports."""

_TYPESCRIPT_IMPORT = re.compile(
    r"""^\s*(?:import|export)\s+(?!type\b)(?:[^"';]*?\bfrom\s+)?["'](\.[^"']+)["']"""  # import … from "./x"
    r"""|\bimport\(\s*["'](\.[^"']+)["']\s*\)""",
    re.MULTILINE,
)


def python_graph(package: Path) -> Graph:
    """Return the imports within a package; a compiled module is one, too."""
    files = {path for path in package.rglob("*") if path.suffix in (".py", ".so")}
    names = {path: _module_name(path, package.parent) for path in sorted(files)}
    known = set(names.values())
    return {
        name: set(_python_imports(ast.parse(path.read_text(encoding="utf-8")), path, name, known)) - {name}
        for path, name in names.items()
        if path.suffix == ".py"
    }


def typescript_graph(folder: Path) -> Graph:
    """Return the relative imports among the sources below a folder, without ``import type``."""
    files = [
        path
        for path in folder.rglob("*.ts*")
        if path.suffix in (".ts", ".tsx") and "node_modules" not in path.parts
    ]
    known = {path.resolve(): str(path.relative_to(folder)) for path in sorted(files)}
    graph: Graph = {}
    for path, name in known.items():
        matches = _TYPESCRIPT_IMPORT.finditer(path.read_text(encoding="utf-8"))
        found = {_typescript_file(path.parent / (match[1] or match[2]), known) for match in matches}
        graph[name] = {file for file in found if file}
    return graph


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that reach each other, sorted."""
    reached = {name: _reachable(graph, name) for name in graph}
    groups = {
        tuple(sorted(other for other in reached[name] if name in reached.get(other, ())))
        for name in graph
        if name in reached[name]
    }
    return [list(group) for group in sorted(groups)]


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    pending = [*graph[start]]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += graph.get(name, ())
    return found


def _module_name(path: Path, root: Path) -> str:
    parts = [*path.relative_to(root).parts[:-1], path.name.partition(".")[0]]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _python_imports(tree: ast.Module, path: Path, name: str, known: set[str]) -> Iterator[str]:
    """Yield the modules of `known` that a module imports at any time when it runs."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            pending += node.orelse
            continue
        pending += ast.iter_child_nodes(node)
        match node:
            case ast.Import(names=names):
                yield from known.intersection(alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                source = ".".join([*base, *filter(None, [module])])
                for alias in names:
                    inner = f"{source}.{alias.name}"
                    # A private name that is no file is a compiled module, which imports nothing.
                    if inner in known or not alias.name.startswith("_"):
                        yield from known.intersection([inner if inner in known else source])
            case ast.Call(args=[ast.Constant(value=str(target)), *_]) if _is_import_module(node):
                yield from known.intersection([target])


def _is_import_module(call: ast.Call) -> bool:
    return ast.unparse(call.func).rpartition(".")[2] in ("import_module", "__import__")


def _typescript_file(target: Path, known: Mapping[Path, str]) -> str | None:
    """Return the source that an import names, with or without its suffix."""
    places = (target, *(Path(f"{target}{end}") for end in (".ts", ".tsx", "/index.ts", "/index.tsx")))
    return next((known[place.resolve()] for place in places if place.resolve() in known), None)
