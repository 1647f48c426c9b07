"""What strangers write in their files steers neither a terminal nor a page, and names no file."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nonocsp.formats import format_to_write, load_all, save
from nonocsp.making.pack import write_folder
from nonocsp.model import Grid, Puzzle

MARKUP = "[red]<script>alert(1)</script></script><img src=x onerror=alert(2)>\"]]>{{7*7}}&'"
STRANGE = f"\x1b]0;x\x07\x1b[31m{MARKUP}\x9b31m\r\u2028../../x"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ROW = Path(__file__).parents[2] / "corpus" / "campaign" / "rows"


def puzzle(**changes: Any) -> dict[str, Any]:
    """Return a puzzle with strange texts wherever it has some."""
    texts = dict.fromkeys(("title", "author", "licence", "source"), STRANGE)
    colours = [(f"white{STRANGE}", "#ffffff", "."), (STRANGE, "#d7191c", "<"), ("b", "#0000ff", "&")]
    palette = [dict(zip(("name", "rgb", "char"), colour, strict=True)) for colour in colours]
    rows, columns = [[[1, STRANGE], [1, "b"]], [[1, "b"]]], [[[1, STRANGE]], [[2, "b"]]]
    return {**texts, "palette": palette, "rows": rows, "columns": columns} | changes


@pytest.fixture
def strange(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    name = "e\x1b[31m[red]<b>.json"
    Path(name).write_text(json.dumps(puzzle()))
    Path("wrong.json").write_text(json.dumps(puzzle(rows=[[[1, f"no{STRANGE}"]], []])))
    return name


@pytest.fixture
def campaign(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = dict.fromkeys(("puzzle", "backend", "machine", "message", "executor", "campaign"), STRANGE)
    row = json.loads(ROW.read_text()) | texts | {"versions": {STRANGE: STRANGE}}
    other = row | {"run": "b", "backend": f"b{STRANGE}", "answer": "unsat", "solutions": [], "wrong": True}
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "runs.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in (row, other)))
    return tmp_path


@pytest.mark.parametrize(
    "command",
    ["solve", "check -b sat,hybrid", "difficulty", "explain", "explain --summary", "solve --json", "sat"],
)
def test_no_text_of_a_puzzle_controls_the_terminal(cli, strange, command):
    for file in (strange, "wrong.json"):
        found = cli(*command.split(), file)
        assert not STEERS.search(found.output)
        assert "[red]" in found.output


@pytest.mark.parametrize(
    "command",
    [
        "report --format terminal one",
        "report --format markdown one",
        "report --json one",
        "results merge one two -o m",
    ],
)
def test_no_text_of_a_campaign_controls_the_terminal(cli, campaign, command):
    found = cli(*command.split())
    assert found.exit_code in (0, 1)
    assert not STEERS.search(found.output)


@pytest.mark.parametrize("command", ["solve -o out.svg", "explain -o out.svg", "explain -o out.html"])
def test_a_page_shows_markup_in_a_puzzle_as_text(cli, strange, command):
    cli(*command.split(), strange)
    text = next(Path().glob("out.*")).read_text()
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_playable_page_has_the_texts_of_a_puzzle_as_data_alone(cli, strange):
    assert cli("play", "--steps", "--output", "out.html", strange).exit_code == 0
    text = Path("out.html").read_text()
    assert "<script>alert" not in text
    assert "<img" not in text
    assert text.count("</script>") == 2


def test_a_page_shows_markup_in_a_campaign_as_text(cli, campaign):
    cli("report", "one", "--format", "html", "--output", "out.html")
    text = Path("out.html").read_text()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


_watched: list[list[tuple[str, str]]] = []


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _watched and event in ("open", "socket.connect", "os.mkdir", "os.rename", "subprocess.Popen"):
        _watched[-1].append((event, str(arguments[0])))


sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[list[tuple[str, str]]]:
    """Collect what is opened, made, started or connected to."""
    _watched.append([])
    try:
        yield _watched[-1]
    finally:
        _watched.pop()


def secret(folder: Path) -> Path:
    path = folder / "secret.txt"
    path.write_text("content of the secret")
    return path


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE p [<!ENTITY a SYSTEM "file://{0}">]><puzzleset>&a;</puzzleset>',
        '<!DOCTYPE p [<!ENTITY % a SYSTEM "file://{0}"> %a;]><puzzleset><puzzle/></puzzleset>',
        '<!DOCTYPE p SYSTEM "file://{0}"><puzzleset><puzzle/></puzzleset>',
        '<!DOCTYPE p SYSTEM "http://127.0.0.1:9/x.dtd"><puzzleset><puzzle/></puzzleset>',
        '<puzzle xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="{0}" parse="text"/></puzzle>',
        '<?xml-stylesheet href="file://{0}"?><puzzle><source>{0}</source></puzzle>',
    ],
)
def test_xml_reaches_neither_files_nor_the_network(cli, tmp_path, text):
    hidden, path = secret(tmp_path), tmp_path / "puzzle.xml"
    path.write_text(text.format(hidden))
    with watched() as seen:
        found = cli("convert", path, "-", "--to", "jsonl")
    assert "content of the secret" not in found.output
    assert str(hidden) not in [name for _, name in seen]
    assert not [name for event, name in seen if event == "socket.connect"]


@pytest.mark.parametrize("title", ["../../x", "/x", "a\0b", "x" * 300, "CON", "..", ".", "~/x", "a/b\\c", ""])
def test_titles_never_lead_to_files_outside_the_folder(cli, tmp_path, title):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"title": title, "source": title, "rows": [[1]], "columns": [[1]]}))
    with watched() as seen:
        (written,) = write_folder(load_all(path), tmp_path / "out", format_to_write("x.json"))
    assert written.parent == tmp_path / "out"
    assert re.fullmatch(r"01-[A-Za-z0-9-]{1,40}\.json", written.name)
    opened = {Path(name).parent for event, name in seen if event == "open" and "nonocsp" not in name}
    assert opened <= {tmp_path, tmp_path / "out"}


@pytest.mark.parametrize("format", ["webpbn", "json", "non", "png"])
def test_reading_a_puzzle_opens_only_its_file(cli, tmp_path, format):
    hidden = str(secret(tmp_path))
    named = dict.fromkeys(("title", "author", "licence", "source"), hidden)
    path = tmp_path / "puzzle"
    save(Puzzle.from_grid(Grid.from_cells([[1]]), **named), path, format=format)
    with watched() as seen:
        list(load_all(path))
    assert hidden not in [name for _, name in seen]
