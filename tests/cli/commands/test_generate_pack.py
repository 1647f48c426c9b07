"""What ``nonocsp generate`` writes beside puzzle files: folders, sheets, galleries and packs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp.formats import load
from nonocsp.making.drawings import motifs

Cli = Callable[..., Result]


@pytest.fixture
def picture(tmp_path, monkeypatch) -> Path:
    """A picture in the current folder, which is otherwise empty."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "note.png"
    next(motif for motif in motifs() if motif.name == "note").image().save(path)
    return path


def generate(cli: Cli, picture: Path, *rest: object) -> Result:
    return cli("generate", picture, "--size", "10x10", *rest)


@pytest.mark.parametrize(("format", "suffix"), [(None, ".json"), ("non", ".non"), ("png", ".png")])
def test_a_folder_gets_a_file_for_every_puzzle(cli, picture, tmp_path, format, suffix):
    rest = ("--to", format) if format else ()
    result = generate(cli, picture, "--count", "2", "--vary", "3", "--output", "new/folder/", *rest)
    assert result.exit_code == 0, result.output
    files = sorted(path.name for path in (tmp_path / "new/folder").iterdir())
    stems = ["01-note-1", "02-note-1-3", "03-note-2", "04-note-2-3"]
    assert [Path(file).suffix for file in files] == [suffix] * 4
    assert [Path(file).stem[:9] for file in files] == [stem[:9] for stem in stems]
    assert load(tmp_path / "new/folder" / files[0]).shape == (10, 10)


def test_a_pack_is_made_from_a_folder_of_pictures(cli, picture, tmp_path):
    (tmp_path / "notes.txt").write_text("no picture")
    result = cli("generate", "--pack", tmp_path, "--count", "3", "--to", "non", "-o", "out", "--json")
    assert result.exit_code == 0, result.output
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["puzzle"] for record in records] == ["note"] * 3
    assert all((tmp_path / "out" / record["file"]).is_file() for record in records)
    assert json.loads((tmp_path / "out/index.json").read_text())["puzzles"] == records
    announced, *rest = result.stderr.splitlines()
    assert announced.startswith(f"making 3 puzzles from 2 files in {tmp_path}: 10 to 30 cells on the longer")
    assert announced.endswith("about 0:00:02, to out")
    assert rest[0].startswith("warning: left out: ")
    assert "out/index.html: 3 puzzles, easy to " in result.stderr


def test_a_pack_can_be_a_book(cli, picture, tmp_path):
    pypdfium2 = pytest.importorskip("pypdfium2")
    result = cli(
        "generate", "--pack", ".", "--count", "2", "--title", "Нотный лист", "-o", "book.pdf", "--json"
    )
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["puzzle"] for line in result.stdout.splitlines()] == ["note"] * 2
    assert "book.pdf: " in result.stderr
    document = pypdfium2.PdfDocument((tmp_path / "book.pdf").read_bytes())
    cover, contents, *_ = (page.get_textpage().get_text_range() for page in document)
    titles = [entry.get_title() for entry in document.get_toc()]
    document.close()
    assert "Нотный лист" in cover
    assert "2 nonograms" in cover
    assert "2. note" in " ".join(contents.split())
    assert titles[:2] == ["Нотный лист", "Contents"]
    assert titles[-1] == "Solutions"
