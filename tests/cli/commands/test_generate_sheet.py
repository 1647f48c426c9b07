"""``nonocsp generate`` without a look: the sheet, --pick, and what replaces what."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator
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


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, in which pictures are and pages appear."""
    monkeypatch.chdir(tmp_path)
    PIL.Image.fromarray(apple()).reduce(4).save("apple.png")
    cells = np.array([[255, 0, 0, 255], [0, 0, 0, 0], [255, 0, 0, 255], [255, 0, 255, 255]], np.uint8)
    PIL.Image.fromarray(cells).save("unique.png")
    noise = np.random.default_rng(1).integers(0, 2, (12, 12), np.uint8)
    PIL.Image.fromarray(255 * noise).save("ambiguous.png")
    return tmp_path


def table(result: Result) -> list[list[str]]:
    """The rows of the table, split at wide gaps."""
    lines = result.stdout.splitlines()
    return [line.split() for line in lines if line.split() and line.split()[0].isdigit()]


def test_without_a_look_there_are_a_page_and_a_table(cli: Callable[..., Result], here: Path) -> None:
    result = cli("generate", "apple.png", *SIZE)
    assert result.exit_code == 0
    rows = table(result)
    assert [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert 3 <= len(rows) <= COUNT
    assert result.stdout.split()[:8] == [
        *("pick", "size", "colours", "look", "likeness", "changes", "level", "class")
    ]
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert f"apple.html: {len(rows)} renderings to choose from; --pick N makes one" in result.stderr
    assert len(data_of((here / "apple.html").read_text())["entries"]) == len(rows)


@pytest.mark.slow
def test_a_sheet_has_several_sizes_unless_one_is_given(cli: Callable[..., Result]) -> None:
    sizes = {row[1] for row in table(cli("generate", "apple.png"))}
    assert len(sizes) > 1
    assert {row[1] for row in table(cli("generate", "apple.png", *SIZE))} == {"14x14"}


@pytest.mark.slow
def test_every_rendering_is_a_json_line_and_its_command_makes_its_puzzle(
    cli: Callable[..., Result], here: Path
) -> None:
    result = cli("generate", "apple.png", *SIZE, "--seed", 3, "--json")
    records = list(map(json.loads, result.stdout.splitlines()))
    assert [record["index"] for record in records] == list(range(1, len(records) + 1))
    likenesses = [round(record["likeness"], 2) for record in records]
    assert likenesses == sorted(likenesses, reverse=True)
    assert not (here / "apple.html").exists()
    for record in records:
        program, *arguments = shlex.split(record["command"])
        assert program == "nonocsp"
        assert arguments[arguments.index("--seed") + 1] == "3"
        (again,) = map(json.loads, cli(*arguments, "--json").stdout.splitlines())
        assert again["solutions"] == record["solutions"]
        assert (again["class"], again["sweeps"]) == (record["class"], record["sweeps"])


def test_pick_makes_that_rendering_and_tells_how_to_make_it_again(
    cli: Callable[..., Result], here: Path
) -> None:
    records = cli("generate", "apple.png", *SIZE, "--json").stdout.splitlines()
    second = json.loads(records[1])
    result = cli("generate", "apple.png", *SIZE, "--pick", 2, "--output", "second.json")
    assert result.exit_code == 0
    assert f"rendering 2 of {len(records)}: {second['look']}; this makes it again:" in result.stderr
    assert second["command"] in result.stderr
    puzzle = nonocsp.load(here / "second.json")
    assert puzzle.goal
    assert puzzle.goal.strings(puzzle.palette) == second["solutions"][0]
    assert not (here / "apple.html").exists()


def test_jobs_do_not_change_the_numbers(cli: Callable[..., Result]) -> None:
    one, four = (cli("generate", "apple.png", *SIZE, "--json", "--jobs", jobs).stdout for jobs in (1, 4))
    assert one == four


def test_a_file_gets_the_first_rendering(cli: Callable[..., Result], here: Path) -> None:
    first = json.loads(cli("generate", "apple.png", *SIZE, "--json").stdout.splitlines()[0])
    result = cli("generate", "apple.png", *SIZE, "-o", "first.json")
    assert "rendering 1 of " in result.stderr
    puzzle = nonocsp.load(here / "first.json")
    assert puzzle.goal
    assert puzzle.goal.strings(puzzle.palette) == first["solutions"][0]


def test_more_puzzles_of_a_picked_look(cli: Callable[..., Result]) -> None:
    result = cli("generate", "apple.png", *SIZE, "--pick", 1, "--count", 2, "--json")
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["solutions"] != second["solutions"]
    assert "--count 2" in result.stderr


@pytest.mark.parametrize("number", ["13", "99"])
def test_a_number_that_is_not_on_the_sheet_is_an_error_that_tells_the_last_one(
    cli: Callable[..., Result], number: str
) -> None:
    result = cli("generate", "apple.png", *SIZE, "--pick", number)
    assert result.exit_code == 2
    assert f"there is no rendering {number}; choose --pick 1 to " in result.stderr


def test_a_drawing_that_is_unique_is_taken_without_a_sheet(cli: Callable[..., Result], here: Path) -> None:
    result = cli("generate", "unique.png", "--json")
    (record,) = map(json.loads, result.stdout.splitlines())
    assert record["solutions"] == [[".##.", "####", ".##.", ".#.."]]
    assert not (here / "unique.html").exists()
    assert cli("generate", "unique.png").exit_code == 0
    assert not (here / "unique.html").exists()


def test_a_drawing_that_is_not_unique_comes_first_with_the_fewest_changes(cli: Callable[..., Result]) -> None:
    records = list(map(json.loads, cli("generate", "ambiguous.png", "--json").stdout.splitlines()))
    assert records[0]["look"] == "as drawn"
    assert {(record["rows"], record["columns"]) for record in records} == {(12, 12)}
    assert len(records[0]["changes"]) == min(
        len(record["changes"]) for record in records if record["look"] == "as drawn"
    )


def test_a_page_of_someone_else_is_not_replaced(cli: Callable[..., Result], here: Path) -> None:
    page = here / "apple.html"
    page.write_text("<h1>My apples</h1>")
    result = cli("generate", "apple.png", *SIZE)
    assert result.exit_code == 2
    assert "apple.html is there already and is no contact sheet; name a page with --output" in result.stderr
    assert page.read_text() == "<h1>My apples</h1>"
    assert cli("generate", "apple.png", *SIZE, "-o", page).exit_code == 0
    assert data_of(page.read_text())["kind"] == "sheet"


def test_an_earlier_sheet_is_replaced(cli: Callable[..., Result], here: Path) -> None:
    assert cli("generate", "apple.png", *SIZE).exit_code == 0
    before = (here / "apple.html").read_text()
    assert cli("generate", "apple.png", "--size", "11x11").exit_code == 0
    assert (here / "apple.html").read_text() != before


def test_a_format_without_colours_gets_a_rendering_without_colours(
    cli: Callable[..., Result], here: Path
) -> None:
    rgb = np.full((90, 90, 3), 255, np.uint8)
    rgb[20:70, 10:40], rgb[30:80, 50:80] = (215, 25, 28), (44, 123, 182)
    PIL.Image.fromarray(rgb).save("blocks.png")
    records = cli("generate", "blocks.png", "--size", "9x9", "--json").stdout.splitlines()
    assert json.loads(records[0])["colours"] > 1
    assert cli("generate", "blocks.png", "--size", "9x9", "-o", "blocks.pbm").exit_code == 0
    assert nonocsp.load(here / "blocks.pbm").palette.is_one_colour


def test_standard_input_gets_a_sheet_too(cli: Callable[..., Result], here: Path) -> None:
    result = cli("generate", "-", *SIZE, input=(here / "apple.png").read_bytes())
    assert result.exit_code == 0
    assert "picture.html" in result.stderr


@pytest.mark.slow
def test_a_terminal_shows_the_best_three_and_a_pipe_does_not(cli: Callable[..., Result]) -> None:
    assert "▀" not in cli("generate", "apple.png", *SIZE).stdout
    shown = cli("generate", "apple.png", *SIZE, FORCE_COLOR="1", TERM="xterm-256color", COLUMNS="100").stdout
    assert shown.count("▀") >= 3 * 14
    narrow = cli("generate", "apple.png", *SIZE, FORCE_COLOR="1", TERM="xterm-256color", COLUMNS="20").stdout
    assert 14 <= narrow.count("▀") < shown.count("▀")


def test_the_exit_code_tells_that_the_time_was_over(cli: Callable[..., Result]) -> None:
    result = cli("generate", "apple.png", "--size", "120x120", "--time", "1ms")
    assert result.exit_code == 3
    assert "time is up: 0 of up to 12 renderings were made" in result.stderr


def test_ctrl_c_keeps_the_renderings_that_are_ready(
    cli: Callable[..., Result], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object, **options: object) -> Iterator[object]:
        yield from islice(real(*args, **options), 2)
        raise KeyboardInterrupt

    real = nonocsp.making.renderings.renderings
    monkeypatch.setattr(nonocsp.making.renderings, "renderings", interrupted)
    result = cli("generate", "apple.png", *SIZE)
    assert result.exit_code == 130
    assert len(table(result)) == 2
    assert "2 renderings were made" in result.stderr
    assert len(data_of((here / "apple.html").read_text())["entries"]) == 2


def test_ctrl_c_ends_a_sheet_at_once(start: Callable[..., subprocess.Popen[str]], here: Path) -> None:
    reading = here / "pipe.png"
    subprocess.run(["mkfifo", reading], check=True)
    with start("generate", reading, "--size", "300x300", "--class", "unique", cwd=here) as process:
        reading.write_bytes((here / "apple.png").read_bytes())  # opens once the command reads
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
