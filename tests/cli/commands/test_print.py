"""``nonocsp print``."""

from pathlib import Path

import pytest

from nonocsp.formats import load_all, save
from nonocsp.model import Grid, Puzzle


def pages(path: str) -> list[str]:
    pypdfium2 = pytest.importorskip("pypdfium2")
    document = pypdfium2.PdfDocument(Path(path).read_bytes())
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return texts


def test_a_set_becomes_a_pdf_with_solutions_and_titles_without_endings(cli, files, here):
    words = ("--anyway", "--solutions", "--title", "Three", "--output", "book.pdf")
    result = cli("print", *words, files("set"))
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    puzzles, solutions = pages("book.pdf")
    for text in ("1. Cat", "3x3, easy", "2. set 2", "several solutions", "3. set 3", "no solution"):
        assert text in puzzles
    assert "1. Cat" in solutions
    assert "set 3" not in solutions
    faults = "set 2: several solutions\nset 3: no solution\n"
    assert result.stderr == f"{faults}warning: no solution found: set 3\nbook.pdf: 2 pages\n"
    save(Puzzle.from_grid([[1]]), "my dog.json")
    assert cli("print", "my dog.json").stderr == "sheet.pdf: 1 page\n"
    (text,) = pages("sheet.pdf")
    assert "my dog\r\n" in text
    assert cli("print", "--no-grade", files("unique")).exit_code == 0
    (text,) = pages("sheet.pdf")
    assert ("3x3" in text, "easy" in text) == (True, False)


def test_a_book_goes_from_easy_to_hard(cli, repository, here):
    pictures = repository / "datasets/pictures/pictures.jsonl"
    hard = next(puzzle for puzzle in load_all(pictures) if puzzle.title == "key 25x25")
    easy = Puzzle.from_grid(Grid.from_cells([[1, 1], [0, 1]]), title="corner")
    save([hard, easy], "both.json")
    result = cli("print", "--book", "--title", "Дом и сова", "--output", "book.pdf", "both.json")
    assert result.exit_code == 0, result.output
    cover, contents, *puzzles, solutions = pages("book.pdf")
    assert "Дом и сова" in cover
    assert "1 easy · 1 hard" in cover
    for text in (contents, "".join(puzzles), solutions):
        assert -1 < text.find("corner") < text.find("key")
    assert result.stderr == f"book.pdf: {3 + len(puzzles)} pages\n"


def test_letters_without_a_font_and_cells_too_small_for_a_pencil_are_warnings(cli, here):
    save(Puzzle.from_grid(Grid.from_cells([[1]]), title="🦉 owl"), "owl.json")
    result = cli("print", "--output", "owl.pdf", "owl.json")
    assert "warning: no font here has these characters, printed as ?: 🦉; " in result.stderr
    assert "? owl" in pages("owl.pdf")[0]
    assert "warning" not in cli("print", "--output", "owl.svg", "owl.json").stderr
    save(Puzzle.from_grid(Grid.from_cells([[1] * 150] * 150)), "large.json")
    result = cli("print", "--output", "x.pdf", "large.json")
    assert (result.exit_code, "warning: the smallest cells are 1.2 mm wide" in result.stderr) == (0, True)


@pytest.mark.parametrize("options", [(), ("--no-grade",)])
def test_puzzles_that_nobody_can_solve_are_printed_only_anyway(cli, files, here, options):
    result = cli("print", *options, files("set"))
    assert result.exit_code == 1
    assert "set 2: several solutions\nset 3: no solution\nnot written" in result.stderr
    assert "nonocsp repair" in result.stderr
    assert not Path("sheet.pdf").exists()
    words = (*options, "--anyway", "--index", "2", "--output", "one.svg")
    assert cli("print", *words, files("set")).exit_code == 0
    text = Path("one.svg").read_text()
    assert ("several solutions" in text, "Cat" in text) == (not options, False)
