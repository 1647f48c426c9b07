"""Packs: graded, unique by two backends, the same again for a seed, and a folder that says what is in it."""

import json
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import PIL.Image
import pytest

from nonocsp.formats import format_to_write, load
from nonocsp.grading.meter import difficulty
from nonocsp.making.drawings import motifs
from nonocsp.making.image import PictureOptions
from nonocsp.making.pack import (
    LARGEST,
    SMALLEST,
    Pack,
    certify,
    folder_subjects,
    make_pack,
    motif_subjects,
    pack_book,
    write_pack,
)
from nonocsp.model import BackendError, Grid, Puzzle, UsageError

from ..bench.report.conftest import Visit

JSON = format_to_write("x.json")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return make_pack(motif_subjects(), count=5, seed=3)


@pytest.fixture(scope="module")
def folder(pack, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("packs") / "pack"
    write_pack(pack, folder, JSON)
    return folder


def pictures(folder: Path, names: Sequence[str]) -> Path:
    for name, motif in zip(names, motifs(), strict=False):
        motif.image().save(folder / name)
    return folder


@pytest.mark.slow
def test_a_pack_goes_from_small_to_large_and_from_easy_to_hard(pack):
    grades = [packed.difficulty for packed in pack.puzzles]
    assert grades == sorted(grades)
    sides = {max(packed.puzzle.shape) for packed in pack.puzzles}
    assert sides == set(range(SMALLEST, LARGEST + 1, 5))
    assert len({packed.puzzle.title for packed in pack.puzzles}) == 5
    for packed in pack.puzzles:
        grade = difficulty(packed.puzzle)
        assert (grade.sweeps, grade.class_, grade.is_simple) == (packed.difficulty, packed.class_, True)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_seed_gives_the_same_pack_on_any_number_of_threads(pack, jobs):
    assert make_pack(motif_subjects(), count=5, seed=3, jobs=jobs) == pack


def test_only_unique_solutions_are_certified():
    certify(Puzzle.from_grid(Grid.from_cells([[1, 1], [0, 1]])))
    with pytest.raises(BackendError, match=r"hybrid finds multiple for 'two'"):
        certify(Puzzle.from_grid(Grid.from_cells([[1, 0], [0, 1]]), title="two"))


def test_files_that_are_not_pictures_are_left_out_and_named(tmp_path):
    pictures(tmp_path, ["a.png", "c.png"])
    (tmp_path / "a.txt").write_text("no picture")
    PIL.Image.fromarray(np.full((50, 50), 255, np.uint8)).save(tmp_path / "white.png")
    (tmp_path / ".hidden").write_text("")
    pack = make_pack(folder_subjects(tmp_path, PictureOptions()), count=4)
    assert {packed.puzzle.title for packed in pack.puzzles} == {"a", "c"}
    assert len({packed.puzzle.canonical_hash for packed in pack.puzzles}) == 4
    assert set(pack.skipped) == {"a.txt", "white.png"}
    assert "a.txt: not a readable picture" in pack.skipped["a.txt"]


def test_a_folder_without_any_picture_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="has no files"):
        folder_subjects(tmp_path, PictureOptions())
    (tmp_path / "x.txt").write_text("no picture")
    with pytest.raises(UsageError, match=r"none of the pictures can be used: .*x\.txt"):
        make_pack(folder_subjects(tmp_path, PictureOptions()), count=2)


def test_the_index_describes_the_files(folder, pack):
    records = json.loads((folder / "index.json").read_text())
    assert (records["seed"], records["unique_by"]) == (3, ["hybrid", "sat"])
    files = sorted(path.relative_to(folder).as_posix() for path in (folder / "puzzles").iterdir())
    assert [record["file"] for record in records["puzzles"]] == files
    for record, packed in zip(records["puzzles"], pack.puzzles, strict=True):
        puzzle = load(folder / record["file"])
        assert puzzle == packed.puzzle
        assert (record["rows"], record["columns"]) == puzzle.shape
        assert (record["sweeps"], record["hash"]) == (packed.difficulty, puzzle.canonical_hash)


def test_every_puzzle_has_a_page_to_print_without_its_solution(folder, pack):
    pages = sorted((folder / "print").iterdir())
    assert [page.stem for page in pages] == [path.stem for path in sorted((folder / "puzzles").iterdir())]
    for page, packed in zip(pages, pack.puzzles, strict=True):
        root = ElementTree.parse(page).getroot()
        assert (root.get("width"), root.get("height")) == ("595.28pt", "841.89pt")
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        numbers = [block.length for clue in (*packed.puzzle.rows, *packed.puzzle.columns) for block in clue]
        empty = sum(not clue for clue in (*packed.puzzle.rows, *packed.puzzle.columns))
        assert sum(text.isdigit() for text in texts if text) == len(numbers) + empty
        assert packed.puzzle.title in texts
        assert "solution" not in texts


def test_the_book_of_a_pack_has_its_puzzles_in_its_order(pack):
    made = pack_book(pack, title="Five")
    headings = [f"{i}. {packed.puzzle.title}" for i, packed in enumerate(pack.puzzles, start=1)]
    texts = list(made.texts)
    assert "Five" in texts
    assert [text for text in texts if text in headings] == headings * 2  # puzzles and solutions


def test_a_pack_does_not_overwrite_another(folder, pack):
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    with pytest.raises(UsageError, match="has a pack already"):
        write_pack(pack, folder, JSON)
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before


def test_the_contents_are_played_and_hide_pictures_and_names_until_then(browser, folder, pack):
    visit = Visit(browser, folder / "index.html")
    assert visit.texts(".tile strong") == [f"No. {i}" for i in range(1, 6)]
    visit.page.get_by_label("Order").select_option("hard first")
    assert visit.texts(".tile strong") == [f"No. {i}" for i in range(5, 0, -1)]
    visit.page.get_by_label("Order").select_option("easy first")
    links = [link.get_attribute("href") or "" for link in visit.page.locator(".tiles .note a").all()]
    assert [path.suffix for link in links if (path := folder / unquote(link)).is_file()] == [
        ".svg",
        ".json",
    ] * 5
    names = [packed.puzzle.title for packed in pack.puzzles]
    assert not [name for name in names if name in visit.page.locator("body").inner_text()]
    pictures = visit.page.locator("svg.picture")
    assert pictures.count() == 5
    assert not pictures.first.is_visible()
    visit.page.locator(".tile").first.click()
    first = pack.puzzles[0].puzzle
    assert first.goal is not None
    assert names[0] not in visit.page.locator("body").inner_text()
    for row, column in np.argwhere(first.goal.cells):
        visit.page.locator(f'td[data-row="{row}"][data-column="{column}"]').click()
    visit.page.locator("#player-status.solved").wait_for()
    visit.page.get_by_role("link", name="All puzzles").click()
    assert visit.texts(".tile strong") == [names[0], "No. 2", "No. 3", "No. 4", "No. 5"]
    visit.page.locator("summary").click()
    assert pictures.first.is_visible()
    assert not visit.errors
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    assert axe.run(visit.page).response["violations"] == []
    visit.page.close()
