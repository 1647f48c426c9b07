"""What a report says of campaigns, and its tables, in every format that is text."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from nonocsp.bench import CampaignResult, summary_table
from nonocsp.bench.contradictions import Findings
from nonocsp.bench.report import Digest, write_files
from nonocsp.bench.report.figures import seconds
from nonocsp.bench.report.html import matrix, render
from nonocsp.bench.report.tables import Table, tables
from nonocsp.bench.report.writing import terminal_tables, to_markdown, to_records, to_text
from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import score_all
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from tests.bench.held import Held

from .conftest import BACKENDS, PUZZLES

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
    return Digest.of(alternated, baseline=0)


def test_all_tables_fit_a_terminal_of_80_columns(digest: Digest, compared: Digest) -> None:
    for text in (printed(digest), printed(compared)):
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= WIDTH


def test_the_terminal_the_markdown_and_the_page_show_every_score(digest: Digest, tmp_path: Path) -> None:
    for text in (printed(digest), to_markdown(digest), render(digest, tmp_path)):
        for score in digest.scores:
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
    scores = digest.scores
    assert best["PAR-2"] == min(score.par2_s for score in scores if score.par2_s is not None)
    assert best["decided"] == max(score.decided for score in scores)
    assert best["backend"] is None
    assert digest.ideal.par2_s is not None
    assert digest.ideal.par2_s < best["PAR-2"]


def test_a_column_in_which_all_are_equal_has_no_best(digest: Digest) -> None:
    (column,) = (column for column in tables(digest)[0].columns if column.heading == "decided")
    scores = [replace(score, decided=3) for score in digest.scores]
    assert Table.of("x", "x", [column], [(score, "") for score in scores]).best_values() == [None]


def test_csv_holds_every_figure_unrounded(digest: Digest, tmp_path: Path) -> None:
    paths = {path.stem: path for path in write_files(digest, "csv", tmp_path / "tables")}
    assert set(paths) == {"scores", "times", "portfolio", "sets", "options", "pairs"}
    with paths["scores"].open(newline="") as file:
        lines = {line["backend"]: line for line in csv.DictReader(file)}
    for score in digest.scores:
        assert float(lines[score.backend]["PAR-2"]) == score.par2_s
        assert int(lines[score.backend]["decided"]) == score.decided
    with paths["pairs"].open(newline="") as file:
        pairs = list(csv.DictReader(file))
    assert [float(line["ratio"]) for line in pairs] == [pair.ratio for pair in digest.pairs]


def test_every_row_of_a_markdown_table_has_the_same_number_of_cells(compared: Digest) -> None:
    for block in to_markdown(compared).split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in lines}) <= 1


def test_records_are_json_without_infinities(compared: Digest) -> None:
    kinds = set()
    for record in to_records(compared):
        kinds.add(json.loads(json.dumps(record, allow_nan=False))["kind"])
    assert kinds == {"change", "score", "set", "options"}


def test_the_matrix_of_pairs_is_symmetric(digest: Digest) -> None:
    found = matrix(digest)
    assert [*found] == [score.backend for score in digest.scores]
    for i, row in enumerate(found.values()):
        assert row[i] is None
        for j, other in enumerate(found.values()):
            if i == j:
                continue
            duel, mirrored = row[j], other[i]
            assert duel is not None
            assert mirrored is not None
            assert (duel.wins, duel.losses) == (mirrored.losses, mirrored.wins)
            assert float(duel.ratio) * float(mirrored.ratio) == pytest.approx(1.0, rel=0.02)
            assert duel.is_significant == mirrored.is_significant


def test_a_backend_that_got_slower_is_a_regression_and_the_others_are_not(compared: Digest) -> None:
    slow = compared.entrants[0].backend
    assert [change.backend for change in compared.regressions] == [slow]
    assert compared.parts[0].label != compared.parts[1].label
    changes = tables(compared)[0]
    assert [line.kind for line in changes.lines if line.kind] == ["regression"]


def test_one_session_of_each_campaign_is_no_regression_and_asks_for_more(
    sound: Campaign, slowed: Campaign
) -> None:
    digest = Digest.of([sound, slowed], baseline=0)
    assert not digest.regressions
    assert {str(change.verdict) for change in digest.comparisons[0].changes} == {"undecided"}
    assert any("measure 4 more sessions of each campaign" in warning for warning in digest.warnings)


def test_campaigns_that_share_no_run_are_shown_without_a_comparison(sound: Campaign) -> None:
    other = replace(
        sound, folder=Path("other"), rows=Held([row | {"puzzle_hash": "0"} for row in sound.rows])
    )
    digest = Digest.of([sound, other], baseline=0)
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
        assert part.missing == missing


def test_backends_that_the_last_config_no_longer_has_are_named(sound: Campaign) -> None:
    (session,), first = sound.info["sessions"], sound.backends[0]
    fewer = session | {"config": {"name": sound.name, "backends": sound.backends[1:]}}
    whole = session | {"config": {"name": sound.name, "backends": sound.backends}}
    other = whole | {"config": whole["config"] | {"name": "merged with it"}}
    said = f"the last config has no {first}; the report shows all runs that are stored"
    for sessions, is_said in (
        ([whole, fewer], True),
        ([fewer, whole], False),
        ([fewer, other], False),
        ([session | {"config": {}}], False),
    ):
        campaign = replace(sound, info=sound.info | {"sessions": sessions})
        assert (said in Digest.of([campaign]).warnings) is is_said
        assert said not in Digest.of([replace(campaign, is_done=True)]).warnings


def test_runs_are_missing_whatever_else_the_folder_holds(sound: Campaign) -> None:
    (session,), rows = sound.info["sessions"], list(sound.rows)

    def missing(rows: list[RunRow], *sessions: dict[str, Any], **options: bool) -> int:
        stored = replace(sound, rows=Held(rows), info=sound.info | {"sessions": [*sessions]}, **options)
        (part,) = Digest.of([stored]).parts
        return part.missing

    later = session | {"start": "2999-01-01T00:00:00.000+00:00", "planned": 8, "missing": 4}
    again = [row | {"session": later["start"]} for row in rows[:3]]
    assert missing(rows, session, later) == 4  # 600 other rows, of runs that are planned no longer
    assert missing(rows[3:] + again, session, later) == 1
    assert missing(rows, session, later, is_done=True) == 0
    set_back = later | {"start": "1999-01-01T00:00:00.000+00:00"}
    assert missing(rows, session, set_back) == 4
    assert (
        missing(rows[3:] + [row | {"session": set_back["start"]} for row in rows[:3]], session, set_back) == 1
    )
    shards = [session | {"shard": f"{k}/2", "start": f"{k}", "planned": 4, "missing": 4} for k in (1, 2)]
    told = [row | {"session": start} for row, start in zip(rows[:5], "11112", strict=True)]
    assert missing(told, *shards) == 3
    assert (
        "3 of 8 runs are still to be done"
        in Digest.of([replace(sound, rows=Held(told), info=sound.info | {"sessions": shards})]).warnings
    )


def test_a_report_of_a_campaign_without_runs_is_an_error(sound: Campaign) -> None:
    with pytest.raises(UsageError, match="holds no run yet"):
        Digest.of([replace(sound, rows=Held([]))])


def test_folders_are_told_apart_by_name_and_those_of_one_name_by_path(
    sound: Campaign, slowed: Campaign
) -> None:
    assert [part.label for part in Digest.of([sound]).parts] == ["synthetic"]
    names = [sound.folder.name, slowed.folder.name]
    assert [part.label for part in Digest.of([sound, slowed]).parts] == names
    twins = [replace(sound, folder=Path(folder) / "results") for folder in ("before", "after")]
    assert [part.label for part in Digest.of(twins).parts] == ["before/results", "after/results"]
    alike = [replace(sound, folder=Path("x" * 200) / middle / ("y" * 200)) for middle in ("before", "after")]
    first, second = (part.label for part in Digest.of(alike).parts)
    assert second == f"{first} (2)"
    with pytest.raises(UsageError, match="is given twice"):
        Digest.of([sound, sound])


def test_folders_of_alike_names_have_tables_of_their_own(alternated: list[Campaign], tmp_path: Path) -> None:
    before, after = alternated
    folders = ("d1/after", "d2/after", "d1-after")
    digest = Digest.of([before, *(replace(after, folder=Path(it)) for it in folders)], baseline=0)
    files = [table.file for table in tables(digest)][:3]
    assert files == ["changes-d1-after", "changes-d2-after", "changes-d1-after-2"]
    assert [path.stem for path in write_files(digest, "csv", tmp_path)][:3] == files
    assert [path.stem for path in write_files(digest, "csv", tmp_path, ["changes-d1-after"])] == files[2:]
    labels = re.findall(r"\\label\{tab:(.*?)\}", to_text(digest, "latex"))
    assert labels[:3] == files


def renamed(campaign: Campaign, folder: str, names: dict[str, str] | None = None) -> Campaign:
    """Return a campaign in another folder, with some backends under other names."""
    rows = [row | {"backend": (names or {}).get(row["backend"], row["backend"])} for row in campaign.rows]
    return replace(campaign, folder=Path(folder), rows=Held(rows))


def test_several_folders_are_one_view_in_which_shared_backends_bear_the_folder(sound: Campaign) -> None:
    names = {"settle": "steady"}
    parts = [renamed(sound, "one"), renamed(sound, "two", names), renamed(sound, "three", names)]
    digest = Digest.of(parts)
    labels = [entrant.label for entrant in digest.entrants]
    assert labels == [score.backend for score in digest.scores]
    assert {"settle", "steady @ two", "steady @ three", "hybrid:budget=1 @ one"} <= set(labels)
    assert len(labels) == 3 * BACKENDS
    assert digest.folder_of("settle") == "one"
    (alone,) = [score for score in Digest.of([sound]).scores if score.backend == "settle"]
    (here,) = [score for score in digest.scores if score.backend == "settle"]
    assert (here.par2_s, here.decided, here.missing) == (alone.par2_s, alone.decided, 0)
    assert [table.name for table in tables(digest)] == ["scores", "times", "portfolio", "sets", "options"]
    assert not digest.comparisons
    assert not digest.pairs
    assert max(map(len, printed(digest).splitlines())) <= WIDTH


def test_many_backends_are_compared_with_the_single_best_only(
    sound: Campaign, digest: Digest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.bench.report.digest.MOST_TWO_BY_TWO", BACKENDS - 1)
    few, best = Digest.of([sound]), digest.single_best
    assert [(pair.first, pair.second) for pair in few.pairs] == [
        (best, other) for other in digest.runs.backends if other != best
    ]
    assert any(f"each of {BACKENDS} backends is compared with {best} only" in it for it in few.warnings)
    ratio_of = {frozenset((pair.first, pair.second)): pair.ratio for pair in digest.pairs}
    for pair in few.pairs:
        ratio = ratio_of[frozenset((pair.first, pair.second))]
        assert ratio is not None
        assert pair.ratio in (pytest.approx(ratio), pytest.approx(1 / ratio))


def test_instances_that_not_every_folder_has_are_a_warning(sound: Campaign) -> None:
    fewer = replace(sound, folder=Path("fewer"), rows=Held(list(sound.rows)[: BACKENDS * 10]))
    digest = Digest.of([sound, fewer])
    (warning,) = [warning for warning in digest.warnings if "every folder" in warning]
    assert warning.startswith(f"10 of {PUZZLES} instances were run in every folder")
    assert {score.missing for score in digest.scores} == {0, PUZZLES - 10}


def test_pairs_are_compared_where_asked_and_tested_only_within_a_folder(sound: Campaign) -> None:
    parts = [renamed(sound, "one"), renamed(sound, "two")]
    inside, crossing = ("settle @ one", "hybrid:budget=1 @ one"), ("settle @ one", "settle @ two")
    digest = Digest.of(parts, pairs=[crossing, inside])
    assert [(pair.first, pair.second) for pair in digest.pairs] == [crossing, inside]
    across, within = digest.pairs
    assert (across.wins, across.losses, across.ratio) == (0, 0, 1.0)
    assert across.p_value is across.corrected_p_value is across.interval is None
    alone = {frozenset((pair.first, pair.second)): pair for pair in Digest.of([sound]).pairs}
    assert within.p_value == alone[frozenset(("settle", "hybrid:budget=1"))].p_value
    assert within.corrected_p_value == within.p_value  # one test is made, so none is corrected for
    assert any("settle @ one and settle @ two were measured in different" in it for it in digest.warnings)
    with pytest.raises(UsageError, match=r"no runs of 'settle'; there are hybrid:budget=1 @ one"):
        Digest.of(parts, pairs=[("settle", "settle @ two")])


def test_every_other_folder_is_compared_with_the_baseline(alternated: list[Campaign]) -> None:
    before, after = alternated
    copies = [replace(after, folder=Path(name)) for name in ("b", "c")]
    digest = Digest.of([copies[0], before, copies[1]], baseline=1)
    assert [(it.before, it.after) for it in digest.comparisons] == [
        (before.folder.name, "b"),
        (before.folder.name, "c"),
    ]
    (alone,) = Digest.of([before, after], baseline=0).comparisons
    for comparison in digest.comparisons:
        for one, other in zip(comparison.changes, alone.changes, strict=True):
            assert (one.backend, one.ratio) == (other.backend, other.ratio)
            assert one.p_value == pytest.approx(min(1.0, 2 * (other.p_value or 0.0)))
    assert not digest.regressions  # five sessions are too few for two comparisons
    assert any("more sessions of each campaign" in warning for warning in digest.warnings), digest.warnings
