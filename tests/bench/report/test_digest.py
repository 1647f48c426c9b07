"""What a report says of campaigns, and its tables, in every format that is text."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from nonocsp.bench import CampaignResult, summary_table
from nonocsp.bench.contradictions import Findings
from nonocsp.bench.report import Digest, write_files
from nonocsp.bench.report.duels import matrix
from nonocsp.bench.report.export import to_markdown, to_records
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.report.html import render
from nonocsp.bench.report.tables import Table, tables
from nonocsp.bench.report.terminal import terminal_tables
from nonocsp.bench.scoring import score_all
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from tests.bench.held import Held

WIDTH = 80


def printed(digest: Digest) -> str:
    console = Console(width=WIDTH)
    with console.capture() as capture:
        for table in terminal_tables(digest):
            console.print(table)
    return capture.get()


@pytest.fixture(scope="module")
def digest(sound: Campaign) -> Digest:
    return Digest.of([sound])


@pytest.fixture(scope="module")
def compared(alternated: list[Campaign]) -> Digest:
    return Digest.of(alternated)


def test_all_tables_fit_a_terminal_of_80_columns(digest: Digest, compared: Digest) -> None:
    for text in (printed(digest), printed(compared)):
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= WIDTH


def test_the_terminal_the_markdown_and_the_page_show_every_score(digest: Digest, tmp_path: Path) -> None:
    (part,) = digest.parts
    for text in (printed(digest), to_markdown(digest), render(digest, tmp_path)):
        for score in part.scores:
            for figure in (
                str(score.decided),
                seconds(score.par2_s),
                f"{score.borda:.1f}",
                seconds(score.median_s),
            ):
                assert figure in text


def test_a_campaign_ends_with_the_table_of_its_report(sound: Campaign, digest: Digest) -> None:
    result = CampaignResult(sound, score_all(sound.table), Findings(), len(sound.rows), 0, 0, [])
    console = Console(width=WIDTH)
    with console.capture() as capture:
        console.print(summary_table(result))
    body = capture.get().splitlines()[1:]
    assert "\n".join(body) in printed(digest)


def test_failures_come_first_in_every_format(unruly: None, unsound: Campaign, tmp_path: Path) -> None:
    digest = Digest.of([unsound])
    assert not digest.is_sound
    assert [table.name for table in tables(digest)][:2] == ["wrong", "disagreements"]
    assert printed(digest).lstrip().startswith("Wrong answers")
    text = to_markdown(digest)
    assert text.index("Wrong answers") < text.index("Disagreements") < text.index("Scores")
    assert [record["kind"] for record in to_records(digest)][:2] == ["wrong", "wrong"]
    assert "no two backends" not in text


def test_names_are_shown_as_plain_text_in_markdown_and_in_a_terminal(unruly: None, unsound: Campaign) -> None:
    digest = Digest.of([unsound])
    assert r"\<script\>" in to_markdown(digest)
    assert "<script>" not in to_markdown(digest)
    nasty = [row | {"backend": "sat[red]\x1b[31m|x"} for row in list(unsound.rows)[:3]]
    text = printed(Digest.of([replace(unsound, rows=Held(nasty))]))
    assert "sat[red]" in text
    assert "\x1b[31m|" not in text


def test_columns_without_information_are_left_out(digest: Digest) -> None:
    headings = [column.heading for column in tables(digest)[0].columns]
    assert "solved" not in headings  # nothing was asked for one solution only
    assert {"decided", "PAR-2", "Borda"} <= set(headings)


def test_the_best_value_of_a_column_is_marked_and_the_virtual_best_does_not_compete(digest: Digest) -> None:
    table = tables(digest)[0]
    headings = [column.heading for column in table.columns]
    best = dict(zip(headings, table.best_values(), strict=True))
    scores = digest.parts[0].scores
    assert best["PAR-2"] == min(score.par2_s for score in scores if score.par2_s is not None)
    assert best["decided"] == max(score.decided for score in scores)
    assert best["backend"] is None
    assert digest.parts[0].ideal.par2_s is not None
    assert digest.parts[0].ideal.par2_s < best["PAR-2"]


def test_a_column_in_which_all_are_equal_has_no_best(digest: Digest) -> None:
    (column,) = (column for column in tables(digest)[0].columns if column.heading == "decided")
    scores = [replace(score, decided=3) for score in digest.parts[0].scores]
    assert Table.of("x", "x", [column], [(score, "") for score in scores]).best_values() == [None]


def test_csv_holds_every_figure_unrounded(digest: Digest, tmp_path: Path) -> None:
    paths = {path.stem: path for path in write_files(digest, "csv", tmp_path / "tables")}
    assert set(paths) == {"scores", "times", "portfolio", "sets", "options", "pairs"}
    with paths["scores"].open(newline="") as file:
        lines = {line["backend"]: line for line in csv.DictReader(file)}
    for score in digest.parts[0].scores:
        assert float(lines[score.backend]["PAR-2"]) == score.par2_s
        assert int(lines[score.backend]["decided"]) == score.decided
    with paths["pairs"].open(newline="") as file:
        pairs = list(csv.DictReader(file))
    assert [float(line["ratio"]) for line in pairs] == [pair.ratio for pair in digest.parts[0].pairs]


def test_every_row_of_a_markdown_table_has_the_same_number_of_cells(compared: Digest) -> None:
    for block in to_markdown(compared).split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in lines}) <= 1


def test_records_are_json_without_infinities(compared: Digest) -> None:
    kinds = set()
    for record in to_records(compared):
        kinds.add(json.loads(json.dumps(record, allow_nan=False))["kind"])
    assert kinds == {"change", "score", "pair", "set", "options"}


def test_the_matrix_of_pairs_is_symmetric(digest: Digest) -> None:
    rows = matrix(digest.parts[0])
    assert [row.backend for row in rows] == [score.backend for score in digest.parts[0].scores]
    for i, row in enumerate(rows):
        assert row.duels[i] is None
        for j, other in enumerate(rows):
            if i == j:
                continue
            duel, mirrored = row.duels[j], other.duels[i]
            assert duel is not None
            assert mirrored is not None
            assert (duel.wins, duel.losses) == (mirrored.losses, mirrored.wins)
            assert float(duel.ratio) * float(mirrored.ratio) == pytest.approx(1.0, rel=0.02)
            assert duel.is_significant == mirrored.is_significant


def test_a_backend_that_got_slower_is_a_regression_and_the_others_are_not(compared: Digest) -> None:
    slow = compared.parts[0].scores[0].backend
    assert [change.backend for change in compared.regressions] == [slow]
    assert compared.parts[0].label != compared.parts[1].label
    changes = tables(compared)[0]
    assert [line.kind for line in changes.lines if line.kind] == ["regression"]


def test_one_session_of_each_campaign_is_no_regression_and_asks_for_more(
    sound: Campaign, slowed: Campaign
) -> None:
    digest = Digest.of([sound, slowed])
    assert not digest.regressions
    assert {str(change.verdict) for change in digest.comparisons[0].changes} == {"undecided"}
    assert any("measure 4 more sessions of each campaign" in warning for warning in digest.warnings)


def test_campaigns_that_share_no_run_are_shown_without_a_comparison(sound: Campaign) -> None:
    other = replace(sound, name="other", rows=Held([row | {"puzzle_hash": "0"} for row in sound.rows]))
    digest = Digest.of([sound, other])
    assert not digest.comparisons
    assert any("are not compared" in warning for warning in digest.warnings)


def test_a_campaign_that_is_still_running_says_how_much_is_missing(sound: Campaign) -> None:
    digest = Digest.of([replace(sound, rows=Held(list(sound.rows)[:-7]))])
    assert f"7 of {len(sound.rows)} runs are still to be done" in digest.warnings


def test_the_latest_unfiltered_session_says_how_many_runs_are_planned(sound: Campaign) -> None:
    (session,) = sound.info["sessions"]
    filtered = session | {"planned": 10**6, "filters": ["heart"]}
    later = session | {"planned": len(sound.rows) + 5}
    for sessions, missing in (([session, filtered], 0), ([filtered, later], 5), ([later, session], 0)):
        campaign = replace(sound, info=sound.info | {"sessions": sessions})
        (part,) = Digest.of([campaign]).parts
        assert part.planned - len(part.table) == missing


def test_a_report_of_a_campaign_without_runs_is_an_error(sound: Campaign) -> None:
    with pytest.raises(UsageError, match="holds no run yet"):
        Digest.of([replace(sound, rows=Held([]))])


def test_campaigns_with_the_same_name_are_told_apart_by_folder(sound: Campaign, slowed: Campaign) -> None:
    assert [part.label for part in Digest.of([sound, slowed]).parts] == [
        sound.folder.name,
        slowed.folder.name,
    ]
    renamed = replace(slowed, name="after")
    assert [part.label for part in Digest.of([sound, renamed]).parts] == ["synthetic", "after"]
