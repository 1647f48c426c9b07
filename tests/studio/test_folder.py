"""The folder of the studio: its own files by their names, and nothing outside."""

import pytest

from nonocsp.model import UsageError
from nonocsp.studio import folder as module
from nonocsp.studio.folder import Exists, Folder


@pytest.fixture
def folder(tmp_path) -> Folder:
    (inside := tmp_path / "inside").mkdir()
    (tmp_path / "secret.non").write_text("secret")
    (inside / ".hidden.non").write_text("hidden")
    (inside / "cat.non").write_text("cat")
    (inside / "notes.html").write_text("no puzzle")
    (inside / "sub").mkdir()
    (inside / "sub" / "dog.json").write_text("dog")
    (inside / "out.non").symlink_to(tmp_path / "secret.non")
    (inside / "away").symlink_to(tmp_path)
    return Folder(inside)


def test_it_lists_its_puzzles_and_follows_no_link(folder, monkeypatch):
    assert folder.listing() == {"files": ["cat.non", "sub/dog.json"], "reports": [], "isCut": False}
    monkeypatch.setattr(module, "MOST_FILES", 1)
    assert folder.listing() == {"files": ["cat.non"], "reports": [], "isCut": True}


def test_it_finds_files_in_it_and_below(folder):
    assert folder.find("cat.non") == folder.root / "cat.non"
    assert folder.find("sub/dog.json").read_text() == "dog"


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../secret.non", "sub/../../secret.non", "/etc/passwd", "//etc/passwd", "sub"),
        *("out.non", "away/secret.non", ".hidden.non", "cat.non\0", "..\\secret.non", "none.non", "x" * 5000),
        *("sub//dog.json/x", "~/secret.non"),
    ],
)
def test_it_finds_nothing_else(folder, name):
    with pytest.raises(UsageError, match="no such file in the folder"):
        folder.find(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".x.non",
        "..",
        "a/b.non",
        "/x.non",
        "..\\x.non",
        "c:x.non",
        "a\nb.non",
        "a\0.non",
        "x" * 200,
        "\ud800.non",
    ],
)
def test_it_saves_under_plain_names_only(folder, name):
    before = sorted(folder.root.iterdir())
    with pytest.raises(UsageError, match="the name of a file"):
        folder.save(name, b"x", is_replaced=True)
    assert sorted(folder.root.iterdir()) == before


def test_it_replaces_only_what_it_is_told_to_and_never_through_a_link(folder):
    with pytest.raises(Exists, match=r"cat\.non is there already"):
        folder.save("cat.non", b"new", is_replaced=False)
    folder.save("cat.non", b"new", is_replaced=True)
    assert (folder.root / "cat.non").read_bytes() == b"new"
    folder.save("Größe 5.non", b"new", is_replaced=True)
    assert (folder.root / "Größe 5.non").read_bytes() == b"new"
    with pytest.raises(Exists):
        folder.save("out.non", b"new", is_replaced=False)
    with pytest.raises(UsageError, match="a link to"):
        folder.save("out.non", b"new", is_replaced=True)
    assert (folder.root.parent / "secret.non").read_text() == "secret"
    with pytest.raises(UsageError, match="is a folder"):
        folder.save("sub", b"new", is_replaced=True)
