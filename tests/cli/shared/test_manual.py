"""Help texts: what every command says of itself, examples that work, options that mean the same."""

import gzip
import re
import shlex
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image, ImageDraw

from nonocsp.backends.registry import names
from nonocsp.cli.app import app
from nonocsp.exporting.languages import export as exported
from nonocsp.formats import save
from nonocsp.model import Puzzle

ROOT: Any = typer.main.get_command(app)

CAT = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="Cat")
TAKE_LONG = (
    "bench ", "tune ", "census --rows 6", "census --rows 7", "census --rows 25", "generate photo.jpg",
    "generate parrot.webp --colours 4 --difficulty", "generate --pack", "dataset hardest --rows 6",
    "dataset tcga --seed 2026", "--count 1000", "--limit 10min", "report ", "results ", "fetch ",
    "dataset pack", "certificate ", "check cat.non", "--plot", "studio",
)  # fmt: skip
"""Parts of examples that are only parsed."""
ALIKE = [name for name in names() if name != "sat"]
"""Backends, whose examples differ in nothing else, are only parsed but for one."""


def commands(group: Any = ROOT, *before: str) -> Iterator[tuple[str, Any]]:
    """Yield all commands that do something, by their words; backends are commands of the root too."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, *before, name)
        else:
            yield " ".join([*before, name]), command


COMMANDS = dict(commands())
GROUPS = ["results", "dataset", "certificate"]
BUILT_IN = [name for name in COMMANDS if name not in names()]


def section(text: str, heading: str) -> list[str]:
    """Return the lines below a heading of a help text."""
    below = re.search(rf"^{heading}:\n(.*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return [line.strip() for line in below[1].splitlines()] if below else []


EXAMPLES = [
    example
    for _, command in [("", ROOT), *COMMANDS.items()]
    for example in section(command.epilog, "Examples")
]


@pytest.mark.parametrize("name", [*GROUPS, *COMMANDS])
def test_a_help_fits_a_screen_and_begins_with_usage_and_a_sentence(cli, name):
    result = cli(*name.split(), "--help")
    lines = result.stdout.splitlines()
    assert (result.exit_code, lines[0].startswith(f"Usage: nonocsp {name}")) == (0, True)
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert lines[2].endswith(".") or name in names()
    assert all(char.isprintable() for line in lines for char in line)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_all_has_every_option_and_ending_and_help_says_so_unless_it_has_too(cli, name):
    everything, short = (cli(*name.split(), option).stdout for option in ("--help-all", "--help"))
    assert max(map(len, everything.splitlines())) <= 80
    flags = [max(part.opts, key=len) for part in COMMANDS[name].params if part.param_type_name == "option"]
    assert all(re.search(rf"{re.escape(flag)}\b", everything) for flag in (*flags, "--help"))
    assert section(everything, "Exit codes")
    assert section(everything, "Output") or name == "studio"
    if short != everything:
        assert short.rstrip().endswith(f"More options: nonocsp {name} --help-all")
        assert "Exit codes" not in short
        assert set(section(short, "Options")) - set(section(everything, "Options"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_text_has_examples_exit_codes_and_see_also(name):
    text = COMMANDS[name].epilog
    examples = section(text, "Examples")
    codes = dict(line.split(maxsplit=1) for line in section(text, "Exit codes"))
    assert 2 <= len(examples) <= 6
    assert all(re.match(rf"nonocsp {name}(\s|$)", example) for example in examples)
    ends = {"0"} if name != "studio" else set()  # which serves until Ctrl-C
    assert {*ends, "2", "130"} <= codes.keys() <= {"0", "1", "2", "3", "130"}
    for other in section(text, "See also")[0].split(", "):
        assert other in COMMANDS or other in GROUPS or other == f"backends {name}"


@pytest.fixture(scope="module")
def stage(tmp_path_factory, repository) -> Path:
    """A folder with the files that examples name."""
    folder = tmp_path_factory.mktemp("stage")
    for name in ("cat.non", "set.json"):
        save(CAT, folder / name)
    save([CAT] * 4, folder / "set.txt", format="tournament")
    (folder / "set.txt.gz").write_bytes(gzip.compress((folder / "set.txt").read_bytes()))
    (folder / "puzzles").mkdir()
    shutil.copy(folder / "cat.non", folder / "puzzles")
    shutil.make_archive(str(folder / "set"), "xztar", folder / "puzzles")
    shutil.make_archive(str(folder / "puzzles"), "zip", folder / "puzzles")
    (folder / "mine.txt").write_text("#??\n???\n???\n")
    (folder / "mine.yaml").write_text("{name: mine, command: ['true']}")
    picture = Image.new("RGB", (60, 60), "white")
    ImageDraw.Draw(picture).ellipse((10, 10, 50, 50), fill="black")
    ImageDraw.Draw(picture).rectangle((25, 25, 35, 35), fill="red")
    for name in ("photo.jpg", "cat.png", "parrot.webp"):
        picture.save(folder / name)
    picture.resize((12, 12)).convert("1").save(folder / "drawing.png")
    (folder / "proofs").mkdir()
    (folder / "proofs" / "cat.json").touch()
    shutil.copytree(repository / "configs", folder / "configs")
    (folder / "cat.cnf.map.json").write_text(exported(CAT, "dimacs").map.text())
    (folder / "cat.out").write_text("s SATISFIABLE\nv 0\n")
    return folder


@pytest.fixture
def on_stage(stage, tmp_path, monkeypatch):
    """Work in a copy of the stage."""
    shutil.copytree(stage, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")


def words_of(example: str) -> list[str]:
    """Return the arguments of a command line up to where the shell takes over."""
    words = shlex.split(re.split(r" [|>] ", example)[0])[1:]
    return [
        path for word in words for path in (sorted(map(str, Path().glob(word))) if "*." in word else [word])
    ]


@pytest.mark.parametrize(
    "example",
    [
        example
        for example in EXAMPLES
        if not any(part in example for part in TAKE_LONG) and example.split()[1] not in ALIKE
    ],
)
@pytest.mark.usefixtures("on_stage")
def test_every_example_runs_without_a_usage_error(cli, example):
    words = words_of(example)
    source = Path("set.json").read_bytes() if "-" in words else None
    result = cli(*words, input=source)
    if "pip install 'nonocsp[" in result.stderr or "needs the program" in result.stderr:
        pytest.skip(result.stderr.strip())
    if result.exit_code == 2:  # the set is too small, or the picture too plain, for some
        pytest.fail(result.stderr)
    assert result.exit_code in (0, 1, 3), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.usefixtures("on_stage")
def test_every_example_has_options_and_values_that_exist(example):
    words = words_of(example)
    with ROOT.make_context("nonocsp", list(words)) as context:
        command, rest = ROOT, words
        while hasattr(command, "list_commands"):
            name, command, rest = command.resolve_command(context, rest)
            inner = command.make_context(name, list(rest), parent=context)  # a wrong word raises here
        assert inner.params


DIFFER = {
    "--backend",
    "--to",
    "--bound",
    "--class",
    "--count",
    "--family",
    "--output",
    "--limit",
    "--sample",
    "--size",
    "--format",
    "--task",
    "--colours",
    "--paper",
}
"""Options that say in their help what this command makes of them."""


def options() -> Iterator[tuple[str, str, Any]]:
    for name in BUILT_IN:
        for part in COMMANDS[name].params:
            if part.param_type_name == "option":
                yield max(part.opts, key=len), name, part


def test_an_option_has_the_same_name_metavar_and_help_in_all_commands():
    said: dict[str, set[tuple[Any, ...]]] = defaultdict(set)
    for flag, _, part in options():
        help = re.sub(r"\s+\[default: .*?\]", "", part.help)
        said[flag].add((tuple(part.opts), *(() if flag in DIFFER else (part.metavar, help))))
    assert {flag: found for flag, found in said.items() if len(found) > 1} == {}


def test_a_short_option_always_means_the_same_long_option():
    long: dict[str, set[str]] = defaultdict(set)
    for flag, _, part in options():
        for short in part.opts:
            if not short.startswith("--"):
                long[short].add(flag.removesuffix("s"))  # --backends is a list of --backend
    assert {short: flags for short, flags in long.items() if len(flags) > 1} == {}


def test_commands_that_report_have_json_and_commands_that_read_puzzles_have_index():
    silent = {"convert", "fetch", "play", "print", "results export", "studio"}
    silent |= {"export", "dataset tcga", "dataset random", "dataset hardest", "dataset pack"}
    for name in BUILT_IN:
        flags = {flag for part in COMMANDS[name].params for flag in part.opts}
        assert ("--json" in flags) == (name not in silent), name
        reads = any(
            part.param_type_name == "argument" and "Puzzles" in part.help for part in COMMANDS[name].params
        )
        assert not reads or {"--from", "--size"} <= flags, name
        assert not reads or name == "convert" or "--index" in flags, name


def test_the_help_of_every_option_is_a_sentence():
    for flag, name, part in options():
        assert re.match(r"[A-Z].*[.\]]$", part.help), f"{name} {flag}"
