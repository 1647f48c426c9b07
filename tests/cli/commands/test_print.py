"""``nonocsp print``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp.formats import load_all, save
from nonocsp.model import Grid, Puzzle

Cli = Callable[..., Result]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pages(path: Path) -> list[str]:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(path.read_bytes())
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return texts


def test_a_set_becomes_a_pdf_with_solutions(cli: Cli, files: Callable[[str], Path], tmp_path: Path) -> None:
    output = tmp_path / "book.pdf"
    result = cli("print", "--anyway", "--solutions", "--title", "Three", "--output", output, files("set"))
    assert result.exit_code == 0, result.output
    puzzles, solutions = pages(output)
    for text in ("1. Cat", "3x3, easy", "2. set 2", "several solutions", "no solution"):
        assert text in puzzles
    assert "1. Cat" in solutions
    assert "set 3" not in solutions
    assert "warning: no solution found: set 3" in result.stderr
    assert f"{output}: 2 pages" in result.stderr
    assert result.stdout == ""


def test_a_book_goes_from_easy_to_hard(cli: Cli, repository: Path, tmp_path: Path) -> None:
    output = tmp_path / "book.pdf"
    pictures = repository / "datasets/pictures/pictures.jsonl"
    hard = next(puzzle for puzzle in load_all(pictures) if puzzle.title == "key 25x25")
    easy = Puzzle.from_grid(Grid.from_cells([[1, 1], [0, 1]]), title="corner")
    save([hard, easy], tmp_path / "both.json")
    result = cli("print", "--book", "--title", "Дом и сова", "--output", output, tmp_path / "both.json")
    assert result.exit_code == 0, result.output
    cover, contents, *puzzles, solutions = pages(output)
    assert "Дом и сова" in cover
    assert "1 easy · 1 hard" in cover
    for text in (contents, "".join(puzzles), solutions):
        assert -1 < text.find("corner") < text.find("key")
    assert result.stderr == f"{output}: {3 + len(puzzles)} pages\n"


def test_letters_that_no_font_has_are_named(cli: Cli, tmp_path: Path) -> None:
    puzzle = tmp_path / "owl.json"
    save(Puzzle.from_grid(Grid.from_cells([[1]]), title="🦉 owl"), puzzle)
    result = cli("print", "--output", tmp_path / "owl.pdf", puzzle)
    assert "warning: no font here has these characters, printed as ?: 🦉; " in result.stderr
    assert "? owl" in pages(tmp_path / "owl.pdf")[0]
    assert "warning" not in cli("print", "--output", tmp_path / "owl.svg", puzzle).stderr


def test_patterns_are_printed(cli: Cli, tmp_path: Path) -> None:
    puzzle = tmp_path / "two.json"
    save(Puzzle.from_grid(Grid.from_cells([[1, 2]])), puzzle)
    for name, options in (("plain.svg", ()), ("hatched.svg", ("--patterns",))):
        assert cli("print", *options, "--output", tmp_path / name, puzzle).exit_code == 0
    assert "<path" not in (tmp_path / "plain.svg").read_text()
    assert "<path" in (tmp_path / "hatched.svg").read_text()


@pytest.mark.parametrize("options", [(), ("--no-grade",)])
def test_puzzles_that_nobody_can_solve_are_not_printed(
    cli: Cli, files: Callable[[str], Path], here: Path, options: tuple[str, ...]
) -> None:
    result = cli("print", *options, files("set"))
    assert result.exit_code == 1
    assert "set 2: several solutions\nset 3: no solution\nnot written" in result.stderr
    assert "nonocsp repair" in result.stderr
    assert not (here / "sheet.pdf").exists()


def test_the_default_is_a_pdf_in_this_folder(cli: Cli, files: Callable[[str], Path], here: Path) -> None:
    assert cli("print", "--no-grade", files("unique")).exit_code == 0
    (text,) = pages(here / "sheet.pdf")
    assert "3x3" in text
    assert "simple" not in text


def test_only_the_selected_puzzle_is_printed(cli: Cli, files: Callable[[str], Path], tmp_path: Path) -> None:
    output = tmp_path / "one.svg"
    assert cli("print", "--anyway", "--index", "2", "--output", output, files("set")).exit_code == 0
    text = output.read_text()
    assert "several solutions" in text
    assert "Cat" not in text


def test_cells_too_small_for_a_pencil_are_a_warning(cli: Cli, tmp_path: Path) -> None:
    save(Puzzle.from_grid(Grid.from_cells([[1] * 150] * 150)), tmp_path / "large.json")
    result = cli("print", "--output", tmp_path / "x.pdf", tmp_path / "large.json")
    assert result.exit_code == 0
    assert "warning: the smallest cells are 1.2 mm wide" in result.stderr
