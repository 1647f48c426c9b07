"""Measure the size of the repository, as Markdown: ``python -m tools.benchmarks house --commit 87ba4e8b``.

Each commit gets a column before that of this checkout; git's archive has its files. Everything is read from
the sources: nothing is imported or built. *Lines of code* are those without comments, docstrings and blanks.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tarfile
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from tools.circles import circles, python_graph, typescript_graph

ROOT = Path(__file__).parents[3]
PARTS = {
    "product Python": ("nonocsp", "*.py"),
    "C++": ("nonocsp/cpp", "*.?pp"),
    "TypeScript": ("web/src", "*.ts*"),
    "tests": ("tests", "*.py"),
    "tools": ("tools", "*.py"),
    "manual, generated text left out": ("docs", "*.md"),
}
"""Folder and names of the files of each part."""
_GENERATED = re.compile(r"^<!-- generated: [^\n]+ -->\n.*?^<!-- end -->\n", re.MULTILINE | re.DOTALL)
"""Text of the manual that is made from the code."""
SMALL = 40
"""Lines of code of a module below which it may belong to a neighbour."""


def main(
    commit: Annotated[list[str] | None, typer.Option(help="Measure this commit too; repeatable.")] = None,
) -> None:
    """Print a table with a column for each commit and one for this checkout."""
    columns = {}
    for name in commit or ():
        with tempfile.TemporaryDirectory() as folder:
            archive = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True)
            with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
                files.extractall(folder, filter="data")
            columns[name] = dict(figures(Path(folder)))
    columns["now"] = dict(figures(ROOT))
    print(f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}", sep="\n")
    for row in columns["now"]:
        print(f"| {row} | {' | '.join(column[row] for column in columns.values())} |")


def figures(checkout: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each figure of a checkout."""
    for part, (folder, names) in PARTS.items():
        texts = [
            _GENERATED.sub("", path.read_text(encoding="utf-8")) for path in (checkout / folder).rglob(names)
        ]
        yield f"{part}: lines", _number(sum(text.count("\n") for text in texts))
        yield f"{part}: files", _number(len(texts))
    package = checkout / "nonocsp"
    sources = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    small = sum(0 < lines_of_code(source) < SMALL for source in sources)
    yield f"modules of Python with fewer than {SMALL} lines of code", _number(small)
    uses = [count for source in sources for count in helper_uses(ast.parse(source)).values()]
    once = uses.count(1)
    yield (
        "private helpers with one use",
        f"{once} of {len(uses)}" + (f" ({100 * once / len(uses):.0f} %)" if uses else ""),
    )
    for language, graph in (
        ("Python", python_graph(package)),
        ("TypeScript", typescript_graph(checkout / "web")),
    ):
        sizes = sorted(map(len, circles(graph)), reverse=True)
        yield f"circles of imports in {language}", ", ".join(f"one of {size}" for size in sizes) or "none"


def _number(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def lines_of_code(source: str) -> int:
    """Return how many lines of a Python module hold more than comments, docstrings and blanks."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in skipped and token.string
        for line in range(token.start[0], token.end[0] + 1)
    }
    documentation = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.end_lineno
        for line in range(node.lineno, node.end_lineno + 1)
    }
    return len(lines - documentation)


def helper_uses(tree: ast.Module) -> dict[str, int]:
    """Return how often a module uses each private function or method that it defines."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    helpers = {
        node.name for node in functions if node.name.startswith("_") and not node.name.startswith("__")
    }
    used = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    return {name: used[name] for name in helpers}
