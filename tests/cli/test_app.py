"""What all commands share: loading, the list of commands, suggestions, the version."""

import subprocess
import sys
from pathlib import Path
from pkgutil import iter_modules

import pytest
import typer

import nonocsp
from nonocsp import Puzzle, save
from nonocsp.backends.registry import names
from nonocsp.cli.app import app
from nonocsp.cli.commands import SUMMARIES

COMMANDS = Path(__file__).parents[2] / "nonocsp" / "cli" / "commands"


LIBRARIES = {"typer", "annotated_doc", "shellingham"}
"""What a short command may load beside the standard library; typer brings the other two."""
SLOW = {"email", "hashlib", "html", "http", "importlib.metadata", "random", "tempfile", "zipfile"}
"""Of the standard library, what takes long to load; modules that typer needs are not here."""


def loaded_by(*words: str) -> set[str]:
    """Return the modules that a command line imports."""
    script = (
        "import sys; before = set(sys.modules)\n"
        "import os; os._exit = sys.exit\n"
        f"sys.argv = ['nonocsp', *{words!r}]\n"
        "from nonocsp.cli import main\n"
        "try: main()\n"
        "finally: print(*sys.modules.keys() - before, sep='\\n', file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(found.stderr.split())


@pytest.mark.parametrize(
    ("words", "libraries", "modules"),
    [
        (["--version"], set(), 3),
        (["solve", "{folder}/cat.non"], LIBRARIES, 56),
        (["solve", "--json", "{folder}/set.jsonl"], LIBRARIES, 60),
    ],
)
def test_a_short_command_loads_no_numpy_nor_anything_else_that_is_slow(tmp_path, words, libraries, modules):
    puzzle = Puzzle.from_clues([[1], [3], [5]], [[1], [2], [3], [2], [1]])
    save(puzzle, tmp_path / "cat.non")
    save([puzzle, puzzle], tmp_path / "set.jsonl")
    loaded = loaded_by(*(word.format(folder=tmp_path) for word in words))
    tops = {name.partition(".")[0] for name in loaded}
    assert tops - sys.stdlib_module_names - {"nonocsp"} == libraries
    assert not loaded & SLOW
    assert sum(name.startswith("nonocsp.") for name in loaded) <= modules


def test_the_table_of_commands_has_every_module_and_the_first_line_of_its_help():
    assert {module.name for module in iter_modules([str(COMMANDS)])} == SUMMARIES.keys()
    root = typer.main.get_command(app)
    said = {name: root.get_command(None, name).get_short_help_str(80) for name in SUMMARIES}
    assert said == SUMMARIES


def test_a_command_loads_no_other_and_its_help_neither_numpy_nor_rich():
    loaded = loaded_by("bench", "--help")
    assert {name for name in loaded if name.startswith("nonocsp.cli.commands.")} == {
        "nonocsp.cli.commands.bench"
    }
    assert sum(name.partition(".")[0] == "nonocsp" for name in loaded) <= 15
    everything = (f"import nonocsp.cli.commands.{name}" for name in SUMMARIES)
    script = "; ".join(["import sys", *everything, "print(*sys.modules)"])
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numpy", "rich", "pydantic", "nonocsp.backends.installed"} & set(found.stdout.split())


def test_the_help_lists_commands_and_backends_without_loading_them(cli):
    lines = cli("--help").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for name, summary in SUMMARIES.items():
        assert f"  {name:<12} {summary}" in lines
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in names())
    assert all(any(line.startswith(f"  {code} ") for line in lines) for code in (0, 1, 2, 3, 130))
    loaded = loaded_by("--help")
    assert not {name for name in loaded if name.startswith("nonocsp.cli.commands.")}
    assert not {"numpy", "rich", "pydantic"} & loaded


def test_python_can_run_the_package_as_the_command():
    command = [sys.executable, "-m", "nonocsp", "--version"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == f"nonocsp {nonocsp.__version__}\n"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sta", " (did you mean 'sat'?)"),
        ("sovle", " (did you mean 'solve'?)"),
        ("cat.txt", " (did you mean 'nonocsp solve cat.txt'?)"),
        ("settl", " (did you mean 'nonocsp solve settl'?)"),  # a file here
        ("help", " (did you mean 'nonocsp --help'?)"),
        ("xyzzy", ""),
    ],
)
def test_a_wrong_command_gets_a_suggestion(cli, tmp_path, monkeypatch, typed, meant):
    monkeypatch.chdir(tmp_path)
    Path("settl").touch()
    result = cli(typed, "--json")
    assert result.exit_code == 2
    assert result.stderr == f"error: no such command '{typed}'{meant}; nonocsp --help lists them\n"
