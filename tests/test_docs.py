"""Every code block of the documentation does what the page shows.

The blocks of a page run in order, in one folder and with one set of Python names. The folder contains the
`configs`, `datasets` and `examples` of the checkout.

- ``python`` is executed. A ``text`` block right after it must equal its output.
- ``console`` runs every line after ``$`` in bash and compares the output. ``...`` stands for anything; times,
  decimals and line breaks may differ. A command may fail only before ``echo $?``.
- ``sh`` runs every line. None may end with exit code 2 or more, except 3 for a limit.
- ``yaml`` is parsed, and a campaign is loaded. ``json``, ``jsonl`` and ``toml`` are parsed.
- A block with a ``title`` is saved as a file of this name.

After a comment ``<!-- not run: why -->`` a block does not run. Its commands and their options must still
exist, like those of commands in the text. ``<!-- first: command -->`` runs a command that the page does not
show.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
import yaml
from markdown_it import MarkdownIt
from typer.core import TyperGroup

from tools.benchmarks.__main__ import measurement

REPOSITORY = Path(__file__).parents[1]
PAGES = [
    *(REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md")),
    *(
        page
        for folder in ("docs", "examples", "datasets")
        for page in sorted(REPOSITORY.glob(f"{folder}/**/*.md"))
    ),
]
VARYING = re.compile(r"<?(?<![\w.])(\d*\.)?\d+ ?(µs|ms|s|min|h)\b|(?<![\w.])\d*\.\d+(?![\w.])")
CLOSED = re.compile(r"<!-- (not run|first): (.*?) *-->", re.DOTALL)
LANGUAGES = {"python", "console", "sh", "yaml", "json", "jsonl", "toml", "text", "bibtex", "cpp", "js"}


@dataclass(frozen=True)
class Block:
    """A fenced code block, or the command of a ``first`` comment (language ``first``)."""

    language: str
    text: str
    title: str
    line: int
    spared: bool


@dataclass
class Reader:
    """A reader who follows a page: a folder, the Python names so far, and the last output of Python."""

    folder: Path
    module: ModuleType
    printed: str | None = None
    status: int = 0


def blocks(page: Path) -> Iterator[Block]:
    spared = False
    for token in MarkdownIt().parse(page.read_text()):
        line = token.map[0] + 1 if token.map else 0
        comment = CLOSED.search(token.content) if token.type == "html_block" else None
        if comment and comment[1] == "first":
            yield Block("first", comment[2], "", line, spared=False)
        elif token.type == "fence":
            language, rest = re.fullmatch(r"[{ .]*(\w*)(.*)", token.info).groups()  # type: ignore[union-attr]
            assert language in LANGUAGES, f"{page}:{line}: a block in {language or 'no language'}"
            title = re.search(r'title="(.*?)"', rest)
            yield Block(language, token.content, title[1] if title else "", line, spared)
        spared = bool(comment and comment[1] == "not run")


def follow(block: Block, reader: Reader, where: str) -> None:
    printed, reader.printed = reader.printed, None
    if block.title:
        (reader.folder / block.title).parent.mkdir(parents=True, exist_ok=True)
        (reader.folder / block.title).write_text(block.text)
    if block.spared:
        check_commands(block.text, where)
    elif block.language == "text":
        assert printed is None or same(block.text, printed), f"{where}: printed was\n{printed}"
    elif run := RUN.get(block.language):
        run(block, reader, where)


def run_python(block: Block, reader: Reader, where: str) -> None:
    """Run the code in a thread of its own: in this one, a browser of other tests may have an event loop."""
    code = compile(block.text, where, "exec", dont_inherit=True)
    with redirect_stdout(StringIO()) as written, ThreadPoolExecutor(1) as thread:
        thread.submit(exec, code, vars(reader.module)).result()
    reader.printed = written.getvalue()


def run_console(block: Block, reader: Reader, where: str) -> None:
    commands = list(commands_of(block.text))
    assert commands, f"{where}: no command after $"
    following = [command for command, _ in commands[1:]] + [""]
    for (command, shown), after in zip(commands, following, strict=True):
        written = run_command(command, reader)
        assert same(shown, written), f"{where}: $ {command}\n{written}"
        assert reader.status == 0 or after == "echo $?", f"{where}: $ {command}\nfailed: {reader.status}"


def commands_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command with its continuation lines, and the output shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, shown = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        yield command, shown


def run_command(command: str, reader: Reader) -> str:
    done = subprocess.run(
        ["bash", "-c", f"(exit {reader.status})\n{command}"],
        cwd=reader.folder,
        check=False,
        env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    reader.status = done.returncode
    if extra := re.search(r"\S+ need \S+, which is not installed: .*", done.stdout):
        pytest.skip(extra[0])
    return done.stdout


def run_script(block: Block, reader: Reader, where: str) -> None:
    for line in re.sub(r"\\\n", " ", block.text).splitlines():
        written = run_command(line, reader)
        assert reader.status in (0, 1, 3), f"{where}: {line}\n{written}"


def check_yaml(block: Block, reader: Reader, where: str) -> None:
    from nonocsp.bench import load_config

    if "puzzles" in yaml.safe_load(block.text):
        path = reader.folder / (block.title or "shown.yaml")
        path.write_text(block.text)
        load_config(path)


def check_json_lines(block: Block, reader: Reader, where: str) -> None:
    for line in block.text.splitlines():
        json.loads(line)


RUN: dict[str, Callable[[Block, Reader, str], object]] = {
    "python": run_python,
    "console": run_console,
    "sh": run_script,
    "first": run_script,
    "yaml": check_yaml,
    "json": lambda block, *_: json.loads(block.text),
    "jsonl": check_json_lines,
    "toml": lambda block, *_: tomllib.loads(block.text),
}


def same(shown: str, written: str) -> bool:
    return OutputChecker().check_output(normal(shown), normal(written), ELLIPSIS | NORMALIZE_WHITESPACE)


def normal(text: str) -> str:
    """Return a text without what depends on the machine: times, rules, warnings, the order of backends."""
    lines = [
        re.sub("─+", "─", VARYING.sub("~", line))
        for line in text.splitlines()
        if not re.match(
            r"warning: (other programs keep|starting and stopping a run|.* shared a core"
            r"|the backend's own timer disagrees)"
            r"|[^:]+: \d+/\d+ runs, |The times are unreliable",
            line,
        )
    ]
    heads = [number for number, line in enumerate(lines) if line.startswith("backend ")]
    for head in heads:
        end = next((n for n in range(head, len(lines)) if lines[n].startswith("virtual best")), head)
        lines[head + 2 : end] = sorted(lines[head + 2 : end])
    return "\n".join(lines)


def check_commands(text: str, where: str) -> None:
    """Check that the commands in a shell text exist, with their options, except after a ``pip install``."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.startswith("pip install "):
            return
        for command in re.split(r" *(?:[|;&]+|[<>]) *", line.removeprefix("$ ").partition(" #")[0]):
            words = shlex.split(command)
            for known, check in CHECKS.items():
                if words[: len(known)] == list(known):
                    check(words[len(known) :], f"{where}: {command}")


def check_nonocsp(words: list[str], where: str) -> None:
    acts = re.search("--(install|show)-completion", where)  # while it is parsed
    if not acts and words[:1] != ["COMMAND"]:
        parse(nonocsp_command(), words, where)


@cache
def nonocsp_command() -> Any:
    from nonocsp.cli.app import app

    return typer.main.get_command(app)


def check_benchmarks(words: list[str], where: str) -> None:
    """Check that a measurement exists and takes these options."""
    if words and words[0] not in ("--help", "NAME"):
        command = typer.Typer()
        command.command()(measurement(words[0]))
        parse(typer.main.get_command(command), words[1:], where)


def check_make(words: list[str], where: str) -> None:
    targets = re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    assert {word for word in words if "=" not in word} <= set(targets), where


def parse(command: Any, words: list[str], where: str, parent: Any = None) -> None:
    """Parse a command line as the command would, without running it."""
    try:
        context = command.make_context(command.name, list(words), parent=parent)
        if isinstance(command, TyperGroup):
            _, found, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            parse(found, rest, where, context)
    except typer.Exit:
        pass  # asked for its help
    except Exception as error:
        if type(error).__name__ in ("BadOptionUsage", "MissingParameter", "NoArgsIsHelpError"):
            return  # named without what belongs to it
        raise AssertionError(f"{where}: {getattr(error, 'format_message', error.__str__)()}") from None


CHECKS: dict[tuple[str, ...], Callable[[list[str], str], None]] = {
    ("nonocsp",): check_nonocsp,
    ("make",): check_make,
    ("python", "-m", "tools.benchmarks"): check_benchmarks,
    (".venv/bin/python", "-m", "tools.benchmarks"): check_benchmarks,
}


@pytest.fixture
def reader(tmp_path, monkeypatch) -> Reader:
    """A reader with an empty home and a folder with the checkout's campaigns, puzzles and examples."""
    folder = tmp_path / "here"
    folder.mkdir()
    for name in ("configs", "datasets", "examples"):
        (folder / name).symlink_to(REPOSITORY / name)
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, code in {"nonocsp": "-c 'from nonocsp.cli import main; main()'", "python": ""}.items():
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {code} "$@"\n')
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(commands), prepend=os.pathsep)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(folder)
    module = ModuleType("documentation")
    monkeypatch.setitem(sys.modules, "documentation", module)  # dataclasses look for theirs
    return Reader(folder, module)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_a_page_shows_the_real_output_of_its_code(page, reader):
    for block in blocks(page):
        follow(block, reader, f"{page.relative_to(REPOSITORY)}:{block.line}")


def test_commands_named_in_the_text_exist():
    for page in PAGES:
        for code in inline_code(page):
            if not re.search(r"…|\.\.\.", code):
                check_commands(code, str(page.relative_to(REPOSITORY)))


def test_tests_that_a_page_names_exist():
    for page in PAGES:
        for code in inline_code(page):
            if re.fullmatch(r"([\w-]+/)+test_\w+\.py", code):
                roots = (page.parent, REPOSITORY, REPOSITORY / "tests")
                assert any((root / code).exists() for root in roots), f"{page}: {code}"


def inline_code(page: Path) -> Iterator[str]:
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text()):
        yield from (child.content for child in token.children or () if child.type == "code_inline")


def test_the_script_reproduces_the_picture_of_the_home_page(monkeypatch):
    monkeypatch.syspath_prepend(str(REPOSITORY / "docs" / "from_code"))
    for path, text in import_module("home_picture").pictures().items():
        assert path.read_text() == text, f"{path.name} is out of date: run docs/from_code/home_picture.py"


def test_generated_text_is_that_of_the_code(monkeypatch):
    pytest.importorskip("griffe")
    monkeypatch.syspath_prepend(str(REPOSITORY / "docs" / "from_code"))
    hook = import_module("hook")
    for page in REPOSITORY.glob("docs/**/*.md"):
        text = page.read_text()
        assert hook.filled(text) == text, f"{page.name} is out of date: run docs/from_code/hook.py"


def test_links_between_pages_have_a_target():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
