"""Files in the browser: page and package read what the other one writes to the same puzzle."""

import base64
import json
import random
import subprocess
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nonocsp.formats import Format, formats, load_all, save
from nonocsp.formats.codecs.data.json_files import encode
from nonocsp.model import Grid, Palette, Puzzle
from tests.formats import json_samples
from tests.formats.test_drawings import DRAWINGS, UNCLEAR
from tools.fuzzing import hostile_files

Ask = Callable[[Iterable[dict[str, Any]]], list[dict[str, Any]]]
FOR_AUTHORS = (
    *("json", "jsonl", "json-hints", "webpbn", "non", "gnonograms", "freenono", "csv", "web-page", "text"),
    *(
        "tournament",
        "nin",
        "mk",
        "picross",
        "bosch",
        "cwd",
        "keen",
        "olsak",
        "counted",
        "height-first",
        "typed",
    ),
)
"""The formats that the page reads."""
READ_ONLY = ("bosch", "olsak")
"""Those that the package writes and the page does not."""
BINARY = ("png", "gif", "pbm", "pgm", "ppm", "bmp", "tiff", "webp", "xlsx")
TEXTS = [known for known in formats() if known.name not in BINARY]
WRITTEN = [known for known in TEXTS if known.can_write]


@pytest.fixture(scope="module")
def ask(node, packages, core_module, repository) -> Ask:
    """Ask the page's code, all questions in one process."""

    def run(requests: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        command = [node, str(repository / "tests" / "web" / "formats.ts"), str(core_module)]
        given = "\n".join(map(json.dumps, requests))
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def grid(*rows: str, **texts: str) -> Puzzle:
    cells = np.array([[int(char) for char in row] for row in rows], np.uint8)
    return Puzzle.from_grid(Grid.from_cells(cells), **texts)


def _puzzles() -> Iterator[Puzzle]:
    yield grid(
        "0110", "1111", "0000", "1001", "0110", title='A "cat" & <co>', author="Ärzte", licence="CC0-1.0"
    )
    yield grid("11111", "10101", "00000", "00000", title="Ü", source="shelf 3", licence="ask me")
    yield grid("000", "010", "000")
    yield grid("1" * 23, "01" * 11 + "0")
    yield grid("01122", "22110", "00000", "10203", "33300", title="three")
    yield grid("0121", "0000", "1001", "2222")
    palette = Palette.of(9)
    rng = np.random.default_rng(5)
    yield Puzzle.from_grid(Grid.from_cells(rng.integers(0, 10, (12, 9)).astype(np.uint8)), palette=palette)
    yield Puzzle.from_grid(Grid.from_cells((rng.random((25, 25)) < 0.5).astype(np.uint8)), title="25")


PUZZLES = list(_puzzles())


def able(known: Format) -> list[Puzzle]:
    fits = [p for p in PUZZLES if known.holds_colours or p.palette.is_one_colour]
    return [p for p in fits if known.name != "tournament" or len(p.rows) == len(p.columns)]


def written(known: Format, folder: Path) -> list[tuple[Puzzle, Path]]:
    files = []
    for i, puzzle in enumerate(able(known)):
        path = folder / f"{known.name}-{i}{known.suffixes[0] if known.suffixes else '.txt'}"
        save(puzzle, path, format=known.name)
        files.append((puzzle, path))
    return files


def read_request(path: Path, **more: str) -> dict[str, Any]:
    return {"name": path.name, "bytes": base64.b64encode(path.read_bytes()).decode(), **more}


def documents(path: Path, known: Format | None) -> list[dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [encode(puzzle) for puzzle in load_all(path, format=known and known.name)]


@pytest.fixture(scope="module")
def page_formats(ask) -> list[Format]:
    """The formats that the page reads, as the package knows them."""
    found = {known["name"]: known for known in ask([{}])[0]["formats"]}
    read = [known for known in TEXTS if known.name in found]
    assert [known.name for known in read if known.name not in FOR_AUTHORS] == []
    assert len(read) == len(found) == len(FOR_AUTHORS)
    for known in read:
        mine = found[known.name]
        assert mine["writes"] == (known.can_write and known.name not in READ_ONLY), known.name
        assert (mine["colours"], mine["suffixes"]) == (known.holds_colours, list(known.suffixes)), known.name
    return [known for known in read if found[known.name]["writes"]]


def test_page_and_package_read_the_same_puzzles_and_write_what_the_other_reads(ask, page_formats, tmp_path):
    files = [(known, puzzle, path) for known in page_formats for puzzle, path in written(known, tmp_path)]
    answers = iter(ask(read_request(path) for _, _, path in files))
    texts = iter(ask({"puzzle": encode(puzzle), "format": known.name} for known, puzzle, _ in files))
    for (known, _, path), answer, told in zip(files, answers, texts, strict=True):
        expected = documents(path, known)
        assert answer.get("puzzles") == expected, (path.name, path.read_text(), answer)
        assert answer["format"] in ({"json", "jsonl"} if known.name == "jsonl" else {known.name})
        path.write_text(told["text"], newline="")
        assert documents(path, known) == expected, (path.name, told["text"])


def test_the_page_reads_sets_as_the_package_does(ask, page_formats, tmp_path):
    files = []
    for known in page_formats:
        if known.holds_many:
            path = tmp_path / f"set-{known.name}{known.suffixes[0]}"
            same = [puzzle for puzzle in able(known) if puzzle.shape == able(known)[0].shape]
            save([*same, *same], path, format=known.name)
            files.append((known, path))
    for (known, path), answer in zip(files, ask(read_request(path) for _, path in files), strict=True):
        assert answer.get("puzzles") == documents(path, known), (path.name, answer)


def test_formats_of_solvers_are_recognised_and_lead_to_the_command_that_reads_them(ask, tmp_path):
    solvers = [known for known in WRITTEN if known.name not in FOR_AUTHORS]
    files = [(known, path) for known in solvers for _, path in written(known, tmp_path)]
    assert len(solvers) > 6
    for (known, path), answer in zip(files, ask(read_request(path) for _, path in files), strict=True):
        name = "dzn" if known.name.startswith("dzn") else known.name
        assert answer == {
            "error": f"{path.name}: the format is {name}, which this page does not read; "
            f"open it with `nonocsp convert {path.name} {path.stem}.json`"
        }, path.read_text()
    hostile = request("my 'own'.txt", b"Pattern: 2x2:2/1/2/1\n")
    puzzlekit = request("text", b'{"name": "Nonogram", "data": {"7": {"problem": "1 1\\n1\\n1"}}}')
    quoted, pasted = (answer["error"] for answer in ask([hostile, puzzlekit]))
    assert "game-id" in quoted
    assert r"convert 'my '\''own'\''.txt' 'my '\''own'\''.json'`" in quoted
    assert "puzzlekit" in pasted
    assert "convert FILE puzzle.json`" in pasted


ODD_FILES = {
    "json-hints.txt": '{"nonograms": [{"rowHints": [[1, 1], "3", 0], "col_clues": ["1 1", 1, [2]]}]}',
    "goal.json": '{"title": "L", "goal": ["#.", "##"]}',
    "goals.jsonl": '{"goal": ["#"]}\n{"goal": ["b."], "palette": '
    '[{"name": "white", "rgb": "#ffffff", "char": "."}, {"name": "blue", "rgb": "#2c7bb6", "char": "b"}]}\n',
    "simpson.non": "width 3\nheight 2\nrows\n2\n\n1 1\n\ncolumns\n\n1\n\n1 \n\n2\n",
    "nonny.non": "color background FFFFFF .\ncolor red FF0000 #\nwidth 2\nheight 1\n"
    "rows\nred: 2\ncolumns\n1red\nred 1\n",
    "latin.non": 'title "caf\u00e9"\nwidth 1\nheight 1\nrows\n1\ncolumns\n1\n',
    "page.html": "<html><script>var d=[[1,1,1,9],[2,0,0,9],[2,0,0,9],[1,0,0,9],[1,2,3,4],"
    "[10,20,40,1],[1,0,0,9],[0,0,0,0],[1,2,1,1]];</script>",
    "webpbn.xml": '<?xml version="1.0"?><!DOCTYPE pbn SYSTEM "https://webpbn.com/pbn-0.3.dtd">'
    '<puzzleset><source>w</source><puzzle defaultcolor="black"><title>A &amp; B</title>'
    '<color name="black" char="X">000</color><clues type="rows"><line><count>1</count></line></clues>'
    '<clues type="columns"><line><count>1</count></line></clues></puzzle></puzzleset>',
    "tabs.tsv": "Two\t1\t1\n1\t#\t\n1\t\t#\n",
    "drawn.txt": " ## \n#  #\n ##\n",
    "dotted.txt": ".a.b\naab.\n",
    "colours.txt": "⬜🟧⬜🟪\n🟪🟧🟧🟧\n",
    **{f"drawing-{i}.txt": text for i, text in enumerate(DRAWINGS.values())},
}


def test_the_page_reads_odd_files_as_the_package_does(ask, tmp_path):
    for name, text in ODD_FILES.items():
        coding = "latin-1" if name.startswith("latin") else "utf-8"
        (tmp_path / name).write_bytes(text.encode(coding))
    for name, answer in zip(ODD_FILES, ask(read_request(tmp_path / name) for name in ODD_FILES), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = [encode(puzzle) for puzzle in load_all(tmp_path / name)]
        assert answer.get("puzzles") == expected, (name, answer, expected)
    for text, answer in zip(UNCLEAR, ask(request("x.txt", text.encode()) for text in UNCLEAR), strict=True):
        assert UNCLEAR[text] in answer["error"]


def test_page_and_package_read_the_json_of_other_programs_alike(ask: Ask, tmp_path: Path) -> None:
    given = [document for _, document, _ in json_samples.read()]
    given += [document for _, document in json_samples.coloured()]
    answers = ask(request("cat.json", json.dumps(document).encode()) for document in given)
    for document, answer in zip(given, answers, strict=True):
        (tmp_path / "cat.json").write_text(json.dumps(document))
        assert answer.get("puzzles") == documents(tmp_path / "cat.json", None), (document, answer)
    refused = ask(request("cat.json", json.dumps(document).encode()) for document, _ in json_samples.REFUSED)
    for (document, message), answer in zip(json_samples.REFUSED, refused, strict=True):
        assert message in answer.get("error", "") + "".join(answer.get("notes", [])), (document, answer)


SPOILS = (
    b"\0",
    b"\x1b",
    b"-1",
    b"999999999999",
    b'"',
    b"<",
    b"\xff",
    b"{",
    b"[" * 50,
    b"\n",
    b"\xf0\x9f\x98\x80",
)


def damaged(folder: Path) -> Iterator[bytes]:
    """Yield files that are cut, and files with a few other bytes."""
    rng = random.Random(3)
    for known in WRITTEN:
        for _, path in written(known, folder)[:2]:
            content = path.read_bytes()
            for _ in range(8):
                yield content[: rng.randrange(len(content))]
                spoilt = bytearray(content)
                for _ in range(rng.choice((1, 1, 3, 10))):
                    at = rng.randrange(len(spoilt))
                    spoilt[at : at + rng.randrange(3)] = rng.choice(SPOILS)
                yield bytes(spoilt)


def request(name: str, content: bytes, format: str = "") -> dict[str, Any]:
    return {"name": name, "bytes": base64.b64encode(content).decode(), "format": format}


def test_hostile_files_get_a_message(ask):
    names = FOR_AUTHORS
    requests = [request("too-large.txt", b"1" * ((4 << 20) + 1))]
    for case in hostile_files.cases():
        is_packed = any(word in case.name for word in ("gzip", "xz", "bzip2"))
        if (case.target in names or case.target == "recognised") and not is_packed:
            format = "" if case.target == "recognised" else case.target
            requests.append(request(case.name, case.content()[: 1 << 18], format))
    assert len(requests) > 200
    answers = ask(requests)
    assert "expected at most 4 MiB" in answers[0]["error"]
    for asked, answer in zip(requests, answers, strict=True):
        assert "crash" not in answer, (asked["name"], answer)
        assert "error" in answer or answer["puzzles"], asked["name"]


def test_damaged_files_never_crash_a_reader(ask, tmp_path):
    readers = [name for name in FOR_AUTHORS if name != "web-page"]  # which needs a browser
    requests = []
    for i, content in enumerate(damaged(tmp_path)):
        requests += [request("x", content, name) for name in ("", readers[i % len(readers)])]
    for asked, answer in zip(requests, ask(requests), strict=True):
        assert "crash" not in answer, (answer, base64.b64decode(asked["bytes"]))


def test_hostile_links_get_a_message(ask):
    def link(text: bytes) -> str:
        return "#p=" + base64.urlsafe_b64encode(text).decode().rstrip("=")

    goal = b'{"goal": ["##", "#."]}'
    bad = [
        "#p=-",
        "#p=AAAA",
        link(b"\xff\xfe"),
        link(goal[:9]),
        link(b"[" * 100_000),
        link(b'{"goal": [1]}'),
        link(b'{"goal": ["' + b"#" * 5000 + b'"]}'),
        link(b'{"rows": [[1]], "columns": [[1]]}'),
        link(b'{"palette": [], "goal": ["."]}'),
        link(b'{"palette": {"__proto__": 1}, "goal": ["."]}'),
    ]
    answers = ask({"link": text} for text in [link(goal), "#about", *bad])
    assert answers[:2] == [{"isPuzzle": True}, {"isPuzzle": False}]
    assert all(list(answer) == ["error"] for answer in answers[2:]), answers
