"""``nonocsp generate`` without a look: the sheet, --pick, and what replaces what."""

import signal
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from typer.testing import Result

import nonocsp
import nonocsp.making.renderings
from nonocsp.making.drawings import apple
from nonocsp.making.renderings import COUNT
from tests.pages.data import data_of
from tests.waiting import AMPLE_S

SIZE = ("--size", "14x14")
APPLE = ("generate", "apple.png", *SIZE)
PAGE = Path("apple.html")


@pytest.fixture(autouse=True)
def _pictures(here):
    """A folder of its own, in which pictures are and pages appear."""
    PIL.Image.fromarray(apple()).reduce(4).save("apple.png")
    cells = np.array([[255, 0, 0, 255], [0, 0, 0, 0], [255, 0, 0, 255], [255, 0, 255, 255]], np.uint8)
    PIL.Image.fromarray(cells).save("unique.png")
    noise = np.random.default_rng(1).integers(0, 2, (12, 12), np.uint8)
    PIL.Image.fromarray(255 * noise).save("ambiguous.png")


def table(result: Result) -> list[list[str]]:
    """The rows of the table, split at wide gaps."""
    lines = result.stdout.splitlines()
    return [line.split() for line in lines if line.split() and line.split()[0].isdigit()]


def solution(path: str) -> list[str]:
    """The goal of the puzzle in a file."""
    puzzle = nonocsp.load(path)
    assert puzzle.goal
    return puzzle.goal.strings(puzzle.palette)


def test_without_a_look_there_are_a_page_and_a_table(cli):
    result = cli(*APPLE)
    rows = table(result)
    assert (result.exit_code, 3 <= len(rows) <= COUNT) == (0, True)
    assert [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    heads = ["pick", "size", "colours", "look", "likeness", "changes", "level", "class"]
    assert result.stdout.split()[:8] == heads
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert f"apple.html: {len(rows)} renderings to choose from; --pick N makes one" in result.stderr
    assert len(data_of(PAGE.read_text())["entries"]) == len(rows)
    before = PAGE.read_text()
    assert cli("generate", "apple.png", "--size", "11x11").exit_code == 0
    assert PAGE.read_text() != before  # an earlier sheet is replaced
    piped = cli("generate", "-", *SIZE, input=Path("apple.png").read_bytes())
    assert (piped.exit_code, "picture.html" in piped.stderr) == (0, True)


def test_pick_makes_that_rendering_and_a_file_gets_the_first_for_any_number_of_jobs(cli, records):
    found = records(*APPLE, "--jobs", 4)
    assert found == records(*APPLE, "--jobs", 1)
    result = cli(*APPLE, "--pick", 2, "--output", "second.json")
    assert result.exit_code == 0
    assert f"rendering 2 of {len(found)}: {found[1]['look']}; this makes it again:" in result.stderr
    assert found[1]["command"] in result.stderr
    assert solution("second.json") == found[1]["solutions"][0]
    assert "rendering 1 of " in cli(*APPLE, "-o", "first.json").stderr
    assert solution("first.json") == found[0]["solutions"][0]
    more = cli(*APPLE, "--pick", 1, "--count", 2, "--json")
    assert (len(more.stdout.splitlines()), "--count 2" in more.stderr) == (2, True)
    beyond = cli(*APPLE, "--pick", 13)
    assert (beyond.exit_code, PAGE.exists()) == (2, False)
    assert f"there is no rendering 13; choose --pick 1 to {len(found)}" in beyond.stderr


def test_a_drawing_is_taken_as_it_is_if_unique_and_else_changed_least_first(cli, records):
    (record,) = records("generate", "unique.png")
    assert record["solutions"] == [[".##.", "####", ".##.", ".#.."]]
    assert cli("generate", "unique.png").exit_code == 0
    assert not Path("unique.html").exists()
    found = records("generate", "ambiguous.png")
    assert {(record["rows"], record["columns"]) for record in found} == {(12, 12)}
    drawn = [len(record["changes"]) for record in found if record["look"] == "as drawn"]
    assert (found[0]["look"], drawn[0]) == ("as drawn", min(drawn))


def test_a_page_of_someone_else_is_replaced_only_by_its_name(cli):
    PAGE.write_text("<h1>My apples</h1>")
    assert cli(*APPLE).exit_code == 2
    assert PAGE.read_text() == "<h1>My apples</h1>"
    assert cli(*APPLE, "-o", PAGE).exit_code == 0
    assert data_of(PAGE.read_text())["kind"] == "sheet"


def test_the_exit_code_tells_that_the_time_was_over(cli):
    result = cli("generate", "apple.png", "--size", "120x120", "--time", "1ms")
    assert result.exit_code == 3
    assert "time is up: 0 of up to 12 renderings were made" in result.stderr


def test_ctrl_c_keeps_the_renderings_that_are_ready(cli, monkeypatch):
    def interrupted(*args: object, **options: object) -> Iterator[object]:
        yield from islice(real(*args, **options), 2)
        raise KeyboardInterrupt

    real = nonocsp.making.renderings.renderings
    monkeypatch.setattr(nonocsp.making.renderings, "renderings", interrupted)
    result = cli(*APPLE)
    assert (result.exit_code, len(table(result))) == (130, 2)
    assert "2 renderings were made" in result.stderr
    assert len(data_of(PAGE.read_text())["entries"]) == 2


def test_ctrl_c_ends_a_sheet_at_once(start, here):
    reading = here / "pipe.png"
    subprocess.run(["mkfifo", reading], check=True)
    with start("generate", reading, "--size", "300x300", "--class", "unique", cwd=here) as process:
        reading.write_bytes((here / "apple.png").read_bytes())  # opens once the command reads
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
