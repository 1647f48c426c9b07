"""``nonocsp generate``: what it prints, saves and says when a wish fails."""

import re
import signal
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

import nonocsp
from nonocsp.making.drawings import apple
from tests.waiting import AMPLE_S

HEART = [".........", "..##.##..", ".#######.", "..#####..", "...###...", "....#...."]
TWO = ["#...", ".#..", "....", "####"]


@pytest.fixture
def picture(here) -> str:
    PIL.Image.fromarray(apple()).reduce(4).save("apple.png")
    return "apple.png"


def drawing(name: str, rows: list[str]) -> str:
    pixels = np.array([[255 * (char == ".") for char in row] for row in rows], np.uint8)
    PIL.Image.fromarray(pixels).save(name)
    return name


def test_a_picture_becomes_a_printed_puzzle(cli, picture):
    result = cli("generate", picture, "--size", "10x12", "--threshold", "otsu")
    assert result.exit_code == 0
    heading, _, *grid = result.output.splitlines()
    assert heading.startswith("apple 1: 10x12, easy, simple, difficulty ")
    assert sum(" . " in line or " # " in line for line in grid) == 10
    assert max(map(len, grid)) <= 80
    piped = cli("generate", "-", "--size", "8x8", "--count", 1, input=Path(picture).read_bytes())
    assert (piped.exit_code, piped.output[:14]) == (0, "<stdin> 1: 8x8")


def test_every_puzzle_is_a_json_line_with_the_usual_keys(records, picture):
    options = ("--size", "x10", "--count", 2, "--vary", 4, "--edges", "only")
    first, second = records("generate", picture, *options, code=0)
    assert [first["puzzle"], second["puzzle"]] == ["apple 1", "apple 2"]
    assert (second["index"], second["rows"], second["columns"], second["wanted"]) == (2, 11, 10, True)
    assert first["class"] in ("trivial", "simple")
    for one in (first, second, *first["varied"]):
        puzzle = nonocsp.Puzzle.from_grid(nonocsp.Grid.from_strings(one["solutions"][0]))
        assert nonocsp.difficulty(puzzle).sweeps == one["sweeps"]
    assert [one["depth"] for one in first["varied"]] == sorted({one["depth"] for one in first["varied"]})


def test_puzzles_are_saved_with_variations_goals_and_colours_in_one_file_or_several(cli, picture):
    result = cli("generate", picture, "--size", "10x10", "--count", 2, "--vary", 3, "-o", "set.json")
    assert result.exit_code == 0
    puzzles = list(nonocsp.load_all("set.json"))
    assert [puzzle.title for puzzle in puzzles] == ["apple 1", "apple 1 + 3", "apple 2", "apple 2 + 3"]
    assert all(puzzle.goal for puzzle in puzzles)
    assert "apple 2 + 3: easy, simple, difficulty" in result.stderr
    assert cli("generate", picture, "--size", "10x10", "-o", "one.pbm").exit_code == 0
    assert nonocsp.load("one.pbm").shape == (10, 10)
    assert cli("generate", picture, "--size", "10x10", "--count", 3, "-o", "more.pbm").exit_code == 0
    assert [nonocsp.load(path).shape for path in sorted(Path().glob("more-*.pbm"))] == [(10, 10)] * 3
    colours = ("--palette", "white,#102030,grey", "-o", "-", "--to", "json")
    result = cli("generate", picture, "--size", "9x9", *colours)
    assert (result.exit_code, "#102030" in result.stdout, "#808080" in result.stdout) == (0, True, True)


def test_a_missed_target_is_a_negative_finding_and_the_closest_puzzle_is_saved(cli, picture):
    result = cli("generate", picture, "--size", "6x6", "--difficulty", "500..600", "-o", "hard.json")
    assert result.exit_code == 1
    assert "1 of 1 puzzle missed the target 500..600" in result.stderr
    assert nonocsp.load("hard.json").shape == (6, 6)


def test_a_unique_drawing_comes_back_as_it_is_and_the_text_says_so(cli, here):
    result = cli("generate", drawing("heart.png", HEART))
    assert result.exit_code == 0
    assert "unique as drawn: nothing was changed" in result.output
    grid = ["".join(line.split()[-9:]) for line in result.output.splitlines()[-8:] if "." in line]
    assert grid == HEART


def test_changed_cells_are_listed_marked_compared_and_limited(cli, records, here):
    picture = drawing("two.png", TWO)
    result = cli("generate", picture, "--compare", "both.svg")
    assert result.exit_code == 0
    assert "1 cell of the picture is changed, likeness 0." in result.output
    assert len(re.findall(r"row \d, column \d: (?:white to black|black to white)", result.output)) == 1
    assert len(re.findall(r"\([.#]\)", result.output)) == 1
    assert Path("both.svg").read_text().count('stroke="#e6007e"') == 4
    (record,) = records("generate", picture)
    (change,) = record["changes"]
    made = record["solutions"][0][change["row"] - 1][change["column"] - 1]
    assert made == ("#" if change["after"] == "black" else ".")
    assert 0 < record["likeness"] < 1
    few = cli("generate", picture, "--max-changes", "0")
    assert (few.exit_code, "1 of 1 puzzle changed more than 0 cells" in few.stderr) == (1, True)
    assert cli("generate", picture, "--max-changes", "1").exit_code == 0


@pytest.mark.parametrize("saved", [True, False], ids=["with --output", "without"])
def test_ctrl_c_ends_generation_soon_and_keeps_the_finished_puzzles(start, picture, here, saved):
    arguments = ("generate", picture, "--size", "20x20", "--count", 100_000, "--edges", "only")
    with start(*arguments, *(("-o", "many.json") if saved else ()), cwd=here) as process:
        told = process.stderr if saved else process.stdout
        assert told
        assert told.readline().startswith("apple 1: 20x20")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
    if saved:
        assert nonocsp.load("many.json").title == "apple 1"
