"""``nonocsp play``: what is in the page; tests/pages/test_player.py plays it."""

import re
from pathlib import Path

from nonocsp.formats import save
from nonocsp.model import Puzzle
from tests.pages.data import data_of


def test_the_page_is_named_after_its_file_and_tells_no_solution(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(Puzzle.from_grid([[1, 1], [0, 1]], title="corner", author="me", licence="CC0"), "mine.json")
    result = cli("play", "mine.json")
    assert result.exit_code == 0, result.output
    assert re.fullmatch(r"mine\.html: 1 puzzle, \d+ kB\n", result.stderr)
    page = Path("mine.html").read_text()
    clues = {"rows": [[2], [1]], "columns": [[1], [2]]}
    about = {"title": "corner", "author": "me", "licence": "CC0"}
    assert data_of(page) == {"puzzles": [{"puzzle": about | clues, "level": "easy"}]}
    assert "<title>Nonogram</title>" in page


def test_steps_and_a_language_are_in_the_page_on_request(cli, files):
    result = cli("play", "--steps", "--language", "de", "--output", "-", files("unique"))
    data = data_of(result.stdout)
    assert data["language"] == "de"
    [puzzle] = data["puzzles"]
    assert {cell[2] for step in puzzle["steps"] for cell in step["cells"]} == {"#", "."}
    assert all(step["text"].endswith(".") for step in puzzle["steps"])
    assert sum(len(step["cells"]) for step in puzzle["steps"]) == 9


def test_several_puzzles_share_a_page_and_faulty_ones_are_a_warning(cli, files, tmp_path):
    output = tmp_path / "all.html"
    result = cli("play", "--title", "Three", "--output", output, files("set"))
    assert result.exit_code == 0, result.output
    assert "warning: set 2: several solutions" in result.stderr
    assert "warning: set 3: no solution" in result.stderr
    page = output.read_text()
    titles = [entry["puzzle"]["title"] for entry in data_of(page)["puzzles"]]
    assert titles == ["Cat", "set 2", "set 3"]
    assert "<title>Three</title>" in page
    assert len(data_of(cli("play", "--index", 2, "--output", "-", files("set")).stdout)["puzzles"]) == 1


def test_a_puzzle_that_the_hints_do_not_solve_is_told(cli, files):
    result = cli("play", "--steps", "--output", "-", files("multiple"))
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: multiple: several solutions\n")
    assert data_of(result.stdout)["puzzles"][0]["steps"] == []
