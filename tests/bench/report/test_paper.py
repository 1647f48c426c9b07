"""The folder for a paper: complete, repeatable, with a citation that identifies the rows."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from nonocsp.bench.report import Digest, paper
from nonocsp.bench.report.paper import Citation, rows_hash, write_paper
from nonocsp.bench.report.tables import tables
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def folder(sound: Campaign, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign with a description and a config."""
    sessions = [
        it | {"config": {"description": "Do *all* agree?"}, "config_text": "name: synthetic\n"}
        for it in sound.info["sessions"]
    ]
    campaign = replace(sound, info={"name": "synthetic", "sessions": sessions})
    folder = tmp_path_factory.mktemp("papers") / "paper"
    write_paper(Digest.of([campaign]), folder, "nonocsp report results")
    return folder


@pytest.mark.slow
def test_the_folder_has_every_table_and_figure_and_its_readme_names_each_file(
    folder: Path, sound: Campaign
) -> None:
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    names = [table.name for table in tables(Digest.of([sound]))]
    assert {f"tables/{name}.{kind}" for name in names for kind in ("tex", "md", "csv")} <= files
    assert {
        f"figures/{name}.{kind}" for name in ("cactus", "heat", "scatter", "size") for kind in ("pdf", "svg")
    } <= files
    assert {
        "paper.tex",
        "measurement.tex",
        "citation.bib",
        "CITATION.cff",
        "report.html",
        "report.jsonl",
    } <= files
    readme = (folder / "README.md").read_text()
    for file in files - {"README.md"}:
        assert file.rpartition(".")[0] in readme, file
    assert "```sh\nnonocsp report results\n```" in readme
    assert r"Do \*all\* agree?" in readme


@pytest.mark.slow
def test_the_document_includes_every_table_and_figure(folder: Path) -> None:
    inputs = re.findall(r"\\input\{(.*?)\}", (folder / "paper.tex").read_text())
    parts = {str(path.relative_to(folder).with_suffix("")) for path in folder.glob("*/*.tex")}
    assert {*inputs} == parts | {"measurement"}
    for file in folder.glob("figures/*.tex"):
        (shown,) = re.findall(r"\\includegraphics\[width=\\columnwidth\]\{(.*?)\}", file.read_text())
        assert (folder / f"{shown}.pdf").is_file()


@pytest.mark.slow
def test_figures_are_vectors_as_wide_as_a_column_with_their_fonts(folder: Path) -> None:
    for path in folder.glob("figures/*.pdf"):
        content = path.read_bytes()
        assert b"/FontFile2" in content or b"/ObjStm" in content
        assert b"/Type3" not in content
        (width,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+)", content)
        assert float(width) == pytest.approx(3.4 * 72)
    for path in folder.glob("figures/*.svg"):
        root = ElementTree.parse(path).getroot()
        assert root.attrib["width"] == "244.8pt"
        assert not list(root.iter("{http://www.w3.org/2000/svg}text"))  # outlines need no font


@pytest.mark.slow
def test_the_paragraph_names_machine_versions_limits_and_the_rows(folder: Path, sound: Campaign) -> None:
    text = " ".join((folder / "measurement.md").read_text().split())
    row = next(iter(sound.rows))
    assert "6 backends on 100 instances of nonograms, 600 runs in all" in text
    assert "wall limit 10.0 s" in text
    assert row["versions"]["nonocsp"] in text
    assert rows_hash(sound.rows) in text


@pytest.mark.slow
def test_the_citation_names_campaign_date_version_and_rows(folder: Path, sound: Campaign) -> None:
    rows = rows_hash(sound.rows)
    bib = (folder / "citation.bib").read_text()
    assert bib.startswith(f"@misc{{synthetic-{rows[:8]},\n")
    assert bib.count("{") == bib.count("}")
    assert rows in bib.replace(r"\allowbreak{}", "")
    cff = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors", "type"} <= cff.keys()
    assert (cff["cff-version"], cff["type"], cff["abstract"]) == ("1.2.0", "dataset", "Do *all* agree?")
    assert cff["identifiers"][0]["value"] == f"sha256:{rows}"
    assert cff["date-released"] == "2026-01-01"
    assert cff["references"][0]["version"] == next(iter(sound.rows))["versions"]["nonocsp"]


def test_the_hash_of_rows_is_that_of_their_sorted_hashes_and_notices_every_change(real_row: RunRow) -> None:
    rows: list[RunRow] = [{**real_row, "run": f"{i:020}"} for i in range(5)]
    hashes = [
        hashlib.sha256(json.dumps(row, sort_keys=True, separators=(",", ":")).encode()).digest()
        for row in rows
    ]
    expected = hashlib.sha256(b"".join(sorted(hashes))).hexdigest()
    assert rows_hash(rows) == rows_hash(rows[::-1]) == expected
    changed: list[RunRow] = [{**rows[0], "wall_s": 1.25}, *rows[1:]]
    assert len({rows_hash(rows), rows_hash(changed), rows_hash(rows[1:]), rows_hash([*rows, rows[0]])}) == 4
    assert rows_hash([]) == hashlib.sha256().hexdigest()


@pytest.mark.parametrize("name", ["{", "}}{", "a\\", "100%", 'say "x"', "中"])
def test_any_name_gives_a_bibliography_with_balanced_braces(name: str) -> None:
    entry = Citation(name, f"{name}: 2 backends", "", "", "1.0", "0" * 64).bibtex()
    assert entry.isascii()
    depth = 0
    for char in entry:  # BibTeX counts braces behind a backslash as well
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0


def test_every_config_has_a_file_and_the_readme_names_each(
    sound: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def configured(folder: str, *texts: str) -> Campaign:
        (session,) = sound.info["sessions"]
        info: Any = {**sound.info, "sessions": [{**session, "config_text": text} for text in texts]}
        return replace(sound, folder=Path(folder), info=info)

    monkeypatch.setattr(paper, "write_plots", lambda *_: [])
    write_paper(Digest.of([configured("t", "first", "second"), configured("t-2", "third")]), tmp_path, "")
    readme = (tmp_path / "README.md").read_text()
    files = re.findall(r"`(configs/.*?)` \| config of ([\w-]+)", readme)
    assert [(label, (tmp_path / file).read_text()) for file, label in files] == [
        ("t", "first"),
        ("t", "second"),
        ("t-2", "third"),
    ]


def test_several_campaigns_are_cited_each_and_as_a_whole(
    sound: Campaign, slowed: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "write_plots", lambda *_: [])
    write_paper(Digest.of([sound, slowed]), tmp_path, "")
    assert (tmp_path / "citation.bib").read_text().count("@misc{") == 3
    cff = yaml.safe_load((tmp_path / "CITATION.cff").read_text())
    assert [it["type"] for it in cff["references"]] == ["dataset", "dataset", "software"]
    scores = (tmp_path / "tables" / "scores.csv").read_text().splitlines()
    assert scores[0].startswith("backend,folder,decided")
    assert scores[1].startswith(f"hybrid:budget=1 @ {sound.folder.name},{sound.folder.name},")
