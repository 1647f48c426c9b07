"""Reports as files: whole or not at all, never through a link, whatever texts a campaign holds."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from nonocsp.bench.report import Digest, write_files
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.report.writing import to_markdown
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from nonocsp.render.plot import plain
from tests.bench.held import Held

FORMATS = {
    "html": "report.html",
    "markdown": "report.md",
    "csv": "tables/scores.csv",
    "svg": "plots/cactus.svg",
}
"""The formats of reports, and a file of each."""
formats = pytest.mark.parametrize("format", FORMATS)
NAMES = ("{%#&~}", "line\nbreak", "$", "$x^2$", r"\frac{1}{2} $\alpha$", "_hidden", r"a\$b$c", "b" * 900_000)


@pytest.fixture(scope="module")
def digest(sound: Campaign) -> Digest:
    return Digest.of([sound])


def written(digest: Digest, format: str, folder: Path) -> Path:
    """Write a report into a folder; return one of its files."""
    file = folder / FORMATS[format]
    write_files(digest, format, file.parent if "/" in FORMATS[format] else file)
    return file


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow beyond 100 bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@formats
def test_a_full_disk_leaves_the_old_report(digest: Digest, format: str, tmp_path: Path) -> None:
    file = written(digest, format, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with full_disk(), pytest.raises(UsageError, match="cannot be written: File too large"):
        written(digest, format, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert file in before


@formats
def test_a_report_does_not_write_through_a_link(digest: Digest, format: str, tmp_path: Path) -> None:
    victim, out = tmp_path / "victim", tmp_path / "out"
    victim.write_text("precious")
    link = out / FORMATS[format]
    link.parent.mkdir(parents=True)
    link.symlink_to(victim)
    with pytest.raises(UsageError, match=r"is a link to .*victim, which is not followed: remove it"):
        written(digest, format, out)
    assert victim.read_text() == "precious"
    assert link.is_symlink()


@pytest.mark.parametrize("format", ["csv", "svg"])
def test_a_folder_of_reports_may_not_be_a_link(digest: Digest, format: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="is a link to"):
        write_files(digest, format, tmp_path / "out")
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("format", ["html", "markdown"])
def test_a_report_waits_for_no_pipe(digest: Digest, format: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FORMATS[format])
    with pytest.raises(UsageError, match="is neither a file nor a folder: remove it"):
        written(digest, format, tmp_path)
    write_files(digest, format, Path("/dev/null"))


@pytest.mark.parametrize("name", NAMES)
def test_a_label_is_shown_as_it_is_and_is_never_math(name: str) -> None:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    figure = Figure()
    axes = figure.subplots()
    axes.plot([1, 2], label=plain(name))
    legend = axes.legend()
    (text,) = legend.get_texts()
    shown, is_math = Text()._preprocess_math(text.get_text())  # type: ignore[attr-defined]
    assert is_math is False
    assert shown.strip() == name.replace("\n", " ")


@pytest.mark.slow
def test_names_of_any_kind_and_length_break_no_format(sound: Campaign, tmp_path: Path) -> None:
    specs = dict(zip(sound.table.backends, NAMES[-len(sound.table.backends) :], strict=True))
    rows = Held([row | {"backend": specs[row["backend"]]} for row in sound.rows])
    digest = Digest.of([replace(sound, rows=rows)])
    for format in ("html", "svg", "png", "csv"):
        for file in write_files(
            digest, format, tmp_path / (f"{format}.html" if format == "html" else format)
        ):
            assert file.stat().st_size < (10_000_000 if format == "csv" else 1_000_000), file
    assert len(to_markdown(digest)) < 50_000
    assert specs["settle"] in (tmp_path / "csv" / "scores.csv").read_text()  # figures of files are whole
    cactus = (tmp_path / "svg" / "cactus.svg").read_text()
    assert f"{'b' * 10}…{'b' * 10}" in cactus.replace("&#8230;", "…")


@pytest.mark.parametrize(
    ("text", "letters", "short"),
    [("abc", 3, "abc"), ("abcdefghij", 9, "abcde…hij"), ("abcdefghij", 4, "ab…j"), ("", 1, "")],
)
def test_a_long_text_keeps_its_two_ends(text: str, letters: int, short: str) -> None:
    assert shortened(text, letters) == short
    assert len(short) <= letters
