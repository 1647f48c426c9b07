"""Reports to print: LaTeX of any text, the folder for a paper, plots, previews; whole files or none."""

import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from nonocsp.bench.report import Digest, paper, plots, write_files
from nonocsp.bench.report.html import render, sentence
from nonocsp.bench.report.latex import breakable, escaped, latex_table
from nonocsp.bench.report.paper import rows_hash, write_paper
from nonocsp.bench.report.tables import tables
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from nonocsp.render.plot import plain, series_style
from tests.bench.conftest import Held

pytest.importorskip("matplotlib")
TOKENS = re.compile(
    r"(\\[{}$&#%_]|\\[A-Za-z]+\{\}|\$\\?[^$]+\$|\\[`'^~=u.\"rHvc]\{\\?[A-Za-z]\}|\{\\char\d+\}"
    r"|\{\[\}U\+[0-9A-F]+\{\]\}|\{[-\[\]*?!,]\}|---?|\\,|~|[A-Za-z0-9 .:;=+/()@])*"
)
"""All that `escaped` may return: the characters of TeX stand in commands only."""
NAMES = (
    "100% \\input{x} #1_$x$ {a}",
    "--fast «é ß 中文»",
    "a^b~c&d|e<f>g",
    "``'quoted\"''",
    "[x]*?`!`" + "b" * 90,
)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        (NAMES[0], r"100\% \textbackslash{}input\{x\} \#1\_\$x\$ \{a\}"),
        ("--fast  é ß\nł", r"{-}{-}fast \'{e} \ss{} \l{}"),
        ("a^b~c&d|e<f>g", r"a\textasciicircum{}b\textasciitilde{}c\&d\textbar{}e\textless{}f\textgreater{}g"),
        ("`q'\"", r"\textasciigrave{}q{\char39}{\char34}"),
        ("[x]*?!,", "{[}x{]}{*}{?}{!}{,}"),
        ("1–2 µs ≤ 3° … î", r"1--2 $\mu$s $\leq$ 3$^\circ$ \dots{} \^{\i}"),
        ("中ế", "{[}U+4E2D{]}{[}U+1EBF{]}"),
    ],
)
def test_texts_are_escaped_for_latex(text, latex):
    assert escaped(text) == latex


def test_every_character_has_latex_of_its_own():
    every = [chr(code) for code in range(33, 0x2200) if not chr(code).isspace() and chr(code) != "\u03bc"]
    composed = [char for char in every if unicodedata.normalize("NFC", char) == char]
    assert len({*map(escaped, composed)}) == len(composed)


@given(st.text(max_size=20) | st.sampled_from(NAMES))
def test_latex_of_any_text_is_made_of_commands_that_print_it(text):
    assert TOKENS.fullmatch(escaped(text))
    assert breakable(text).replace(r"\allowbreak{}", "") == escaped(text)


@pytest.fixture(scope="module")
def digest(sound) -> Digest:
    return Digest.of([sound], pairs=[("settle", "hybrid:budget=3")])


@pytest.fixture(scope="module")
def strange(sound) -> Digest:
    """A report of a campaign with strange names of backends and of itself."""
    names = dict(zip(sound.table.backends, NAMES, strict=False))
    rows = [row | {"backend": names.get(row["backend"], row["backend"])} for row in sound.rows]
    return Digest.of([replace(sound, name=NAMES[0], rows=Held(rows))])


def test_every_table_has_rules_a_caption_a_label_and_its_figures(strange, digest):
    for table in tables(strange):
        latex = latex_table(table, table.caption)
        assert latex.isascii()
        blocks = latex.count("\\begin{tabular}")
        assert [latex.count(f"\\{rule}rule") for rule in ("top", "mid", "bottom")] == [blocks] * 3
        assert latex.count("\\begin{table}") == latex.count("\\caption{")
        assert latex.count(f"\\label{{tab:{table.name}}}") == 1
        for kinds, body in re.findall(r"\{@\{\}(.*)@\{\}\}\n\\toprule\n((?:.*\n)*?)\\bottomrule", latex):
            columns = len(re.findall(r"[lr]|p\{", re.sub(r">\{.*?\}p", "p", kinds)))
            rows = [line for line in body.splitlines() if line.endswith(r"\\")]
            assert {len(re.split(r"(?<!\\)&", row)) for row in rows} == {columns}
    (table,) = [table for table in tables(digest) if table.name == "scores"]
    latex = latex_table(table, table.caption)
    for line in table.lines:
        for column, value in zip(table.columns[1:], line.values[1:], strict=True):
            assert escaped(column.text(value)).replace(" ", r"\,") in latex
    best = [value for value in table.best_values() if value is not None]
    assert latex.count("\\textbf{") >= len(best) > 0


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex")
def test_the_paper_compiles_and_nothing_is_wider_than_a_column(strange, tmp_path):
    write_paper(strange, tmp_path, "nonocsp report")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="latin-1", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    log = (tmp_path / "paper.log").read_text(errors="replace")
    assert not re.findall(r"Overfull \\hbox.*|Float too large.*", log)


GROWTH = {
    *(f"growth-{what}-against-size" for what in ("time", "decided", "puzzles")),
    *(f"growth-{what}-against-an-option-budget-of-hybrid" for what in ("PAR-2", "time")),
}
PLOTS = {"cactus", "scatter", "heat", "size", *GROWTH}


def described(campaign: Campaign, description: object, text: str = "") -> Campaign:
    config = {"config": {"description": description}, "config_text": text}
    return replace(
        campaign, info=campaign.info | {"sessions": [it | config for it in campaign.info["sessions"]]}
    )


@pytest.mark.slow
def test_a_paper_is_complete_and_its_citation_identifies_the_rows(sound, tmp_path):
    folder, digest = tmp_path / "paper", Digest.of([described(sound, "Do *all* agree?", "name: synthetic\n")])
    write_paper(digest, folder, "nonocsp report results")
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {f"tables/{it.name}.{kind}" for it in tables(digest) for kind in ("tex", "md", "csv")} <= files
    assert {f"figures/{name}.{kind}" for name in PLOTS - GROWTH for kind in ("pdf", "svg")} <= files
    assert {"paper.tex", "measurement.tex", "report.html", "report.jsonl"} <= files
    readme = (folder / "README.md").read_text()
    assert not [file for file in files - {"README.md"} if file.rpartition(".")[0] not in readme]
    assert "```sh\nnonocsp report results\n```" in readme
    assert r"Do \*all\* agree?" in readme

    inputs = re.findall(r"\\input\{(.*?)\}", (folder / "paper.tex").read_text())
    parts = {str(path.relative_to(folder).with_suffix("")) for path in folder.glob("*/*.tex")}
    assert {*inputs} == parts | {"measurement"}
    for path in folder.glob("figures/*.tex"):
        (shown,) = re.findall(r"\\includegraphics\[width=\\columnwidth\]\{(.*?)\}", path.read_text())
        assert (folder / f"{shown}.pdf").is_file()
    for path in folder.glob("figures/*.pdf"):  # vectors as wide as a column, with their fonts
        content = path.read_bytes()
        assert b"/FontFile2" in content or b"/ObjStm" in content
        assert b"/Type3" not in content
        (width,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+)", content)
        assert float(width) == pytest.approx(3.4 * 72)
    for path in folder.glob("figures/*.svg"):
        root = ElementTree.parse(path).getroot()
        assert root.attrib["width"] == "244.8pt"
        assert not list(root.iter("{http://www.w3.org/2000/svg}text"))  # outlines need no font

    row, rows = next(iter(sound.rows)), rows_hash(sound.rows)
    text = " ".join((folder / "measurement.md").read_text().split())
    said = "6 backends on 100 instances of nonograms, 600 runs in all", "wall limit 10.0 s"
    assert [it for it in (*said, row["versions"]["nonocsp"], rows) if it not in text] == []
    bib = (folder / "citation.bib").read_text()
    assert bib.startswith(f"@misc{{synthetic-{rows[:8]},\n")
    assert rows in bib.replace(r"\allowbreak{}", "")
    cff = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors", "type"} <= cff.keys()
    assert (cff["cff-version"], cff["type"], cff["abstract"]) == ("1.2.0", "dataset", "Do *all* agree?")
    assert cff["identifiers"][0]["value"] == f"sha256:{rows}"
    assert cff["date-released"] == "2026-01-01"
    assert cff["references"][0]["version"] == row["versions"]["nonocsp"]


def test_several_campaigns_are_cited(sound, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "write_plots", lambda *_: [])
    (session,) = sound.info["sessions"]
    texts = {"t": ["first", "second"], "t-2": ["third"]}
    infos: Any = {
        name: {"sessions": [session | {"config_text": it} for it in own]} for name, own in texts.items()
    }
    parts = [replace(sound, folder=Path(name), info=sound.info | info) for name, info in infos.items()]
    write_paper(Digest.of(parts), tmp_path, "")
    files = re.findall(r"`(configs/.*?)` \| config of ([\w-]+)", (tmp_path / "README.md").read_text())
    found = [(label, (tmp_path / file).read_text()) for file, label in files]
    assert found == [(name, text) for name, own in texts.items() for text in own]
    assert (tmp_path / "citation.bib").read_text().count("@misc{") == 3
    cff = yaml.safe_load((tmp_path / "CITATION.cff").read_text())
    assert [it["type"] for it in cff["references"]] == ["dataset", "dataset", "software"]
    scores = (tmp_path / "tables" / "scores.csv").read_text().splitlines()
    assert scores[0].startswith("backend,folder,decided")
    assert "hybrid:budget=1 @ t,t," in "\n".join(scores)


def test_the_hash_of_rows_is_that_of_their_sorted_hashes_and_notices_every_change(real_row):
    rows: list[RunRow] = [{**real_row, "run": f"{i:020}"} for i in range(5)]
    texts = [json.dumps(row, sort_keys=True, separators=(",", ":")).encode() for row in rows]
    hashes = sorted(hashlib.sha256(text).digest() for text in texts)
    assert rows_hash(rows) == rows_hash(rows[::-1]) == hashlib.sha256(b"".join(hashes)).hexdigest()
    changed: list[RunRow] = [{**rows[0], "wall_s": 1.25}, *rows[1:]]
    assert len({rows_hash(it) for it in (rows, changed, rows[1:], [*rows, rows[0]], [])}) == 5


@pytest.mark.slow
def test_plots_repeat_exactly_and_show_what_was_asked(sound, digest, tmp_path, monkeypatch):
    undecided = Held([row | {"answer": "unknown", "termination": "wall"} for row in sound.rows])
    images = plots.write_plots(Digest.of([replace(sound, rows=undecided)]), tmp_path / "png", "png")
    assert {path.name for path in images} == {f"{name}.png" for name in PLOTS}
    assert all(path.read_bytes().startswith(b"\x89PNG\r\n") for path in images)
    drawn = {path.stem: path.read_text() for path in write_files(digest, "svg", tmp_path / "svg")}
    again = {path.stem: path.read_text() for path in plots.write_plots(digest, tmp_path / "again", "svg")}
    assert drawn == again
    assert drawn.keys() == PLOTS
    assert all(ElementTree.fromstring(text).tag.endswith("svg") for text in drawn.values())
    for name, texts in (
        ("scatter", ["wall time of settle (s)", "wall time of hybrid:budget=3 (s)"]),
        ("growth-time-against-size", ["puzzles of other kinds", "not decided", "25x25"]),
        ("growth-PAR-2-against-an-option-budget-of-hybrid", ["PAR-2 (s)"]),
    ):
        assert [text for text in texts if text not in drawn[name]] == []
    assert "not decided" not in drawn["growth-decided-against-size"]

    monkeypatch.setattr(plots, "MAX_POINTS", 20)  # of more, a sample is shown
    monkeypatch.setattr(plots, "MAX_COLUMNS", 50)
    pairs = [("settle", "hybrid:budget=3"), ("settle", "hybrid:budget=1"), ("settle", "hybrid:budget=3")]
    more = Digest.of([sound], pairs=pairs)
    drawn = {path.stem: path.read_text() for path in plots.write_plots(more, tmp_path / "more", "svg")}
    assert drawn.keys() == PLOTS | {"scatter-2"}
    assert "wall time of hybrid:budget=1 (s)" in drawn["scatter-2"]
    runs = digest.runs
    decided = runs.is_decided[[runs.backends.index(name) for name in pairs[0]]].any(axis=0).sum()
    assert f"a sample of 20 of {decided} instances" in drawn["scatter"]
    assert f"a sample of 20 of {len(runs.instances)} runs of each backend" in drawn["size"]
    assert "a column is the median of about 2 of 100 instances" in drawn["heat"]
    assert all(f"({count})" in drawn["cactus"] for count in runs.is_decided.sum(axis=1))


def test_the_head_of_the_page_has_name_and_description(sound, tmp_path):
    page = render(Digest.of([described(sound, "Which one?\n Do <all> agree?")]), tmp_path)
    tags = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))
    assert tags["og:title"] == "synthetic"
    assert unescape(tags["og:description"]) == unescape(tags["description"]) == "Which one? Do <all> agree?"
    assert "Do &lt;all&gt; agree?</p>" in page
    assert re.findall(r"(?:src|href|content)=\"(https?:|//)", page.partition("</head>")[0]) == []
    for said in ("", "   ", None, 7, ["x"]):
        assert sentence(Digest.of([described(sound, said)])) == (
            "Comparison of 6 ways to solve nonograms on 100 instances (task decide, wall limit 10.0 s). "
            "Every answer was verified."
        )
    assert len(sentence(Digest.of([described(sound, "word " * 400)]))) <= 300


FORMATS = {"html": "report.html", "csv": "tables/scores.csv"}
"""Formats of reports, one in a file and one in a folder, and a file of each."""


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


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_is_written_whole_and_through_no_link(digest, format, tmp_path):
    def content() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    file, before = written(digest, format, tmp_path), content()
    with full_disk(), pytest.raises(UsageError, match="cannot be written: File too large"):
        written(digest, format, tmp_path)
    assert content() == before
    assert file in before
    file.rename(tmp_path / "victim")
    file.symlink_to(tmp_path / "victim")
    before = content()
    with pytest.raises(UsageError, match=r"is a link to .*victim, which is not followed: remove it"):
        written(digest, format, tmp_path)
    assert content() == before
    if file.parent != tmp_path:
        shutil.rmtree(file.parent)
        file.parent.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(UsageError, match="is a link to"):
            written(digest, format, tmp_path)
        assert not (tmp_path / "elsewhere").exists()
    else:
        file.unlink()
        os.mkfifo(file)
        with pytest.raises(UsageError, match="is neither a file nor a folder: remove it"):
            written(digest, format, tmp_path)
        write_files(digest, format, Path("/dev/null"))


def test_plots_say_what_to_install(digest, tmp_path, monkeypatch):
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[plots\]'"):
        write_files(digest, "png", tmp_path)


ODD = ("{%#&~}", "line\nbreak", "$", "$x^2$", r"\frac{1}{2} $\alpha$", "_hidden", r"a\$b$c", "b" * 900_000)


@pytest.mark.parametrize("name", ODD)
def test_a_label_is_shown_as_it_is_and_is_never_math(name):
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    axes = Figure().subplots()
    axes.plot([1, 2], label=plain(name))
    (text,) = axes.legend().get_texts()
    shown, is_math = Text()._preprocess_math(text.get_text())  # type: ignore[attr-defined]
    assert is_math is False
    assert shown.strip() == name.replace("\n", " ")


def test_no_two_of_forty_series_look_the_same():
    styles = map(series_style, range(40))
    assert len({(style["color"], style["marker"]) for style in styles}) == 40
