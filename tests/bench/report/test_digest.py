"""What a report says of campaigns, in its tables and in every format that is text."""

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from nonocsp.bench.report import Digest, write_files
from nonocsp.bench.report.figures import (
    count,
    p_value,
    points,
    ratio,
    seconds,
)
from nonocsp.bench.report.html import render
from nonocsp.bench.report.tables import tables
from nonocsp.bench.report.writing import terminal_tables, to_markdown, to_records, to_text
from nonocsp.bench.store import Campaign
from nonocsp.model import UsageError
from tests.bench.conftest import Held

from .conftest import BACKENDS, PUZZLES

WIDTH = 80


def printed(*shown: Any) -> str:
    console = Console(width=WIDTH)
    with console.capture() as capture:
        for table in shown:
            console.print(table)
    return capture.get()


def in_terminal(digest: Digest) -> str:
    return printed(*terminal_tables(digest))


@pytest.fixture(scope="module")
def digest(sound) -> Digest:
    return Digest.of([sound])


@pytest.fixture(scope="module")
def compared(alternated) -> Digest:
    return Digest.of(alternated, baseline=0)


def test_every_format_shows_every_score(digest, compared, tmp_path):
    for text in (in_terminal(digest), to_markdown(digest), render(digest, tmp_path)):
        for it in digest.scores:
            shown = str(it.decided), seconds(it.par2_s), f"{it.borda:.1f}", seconds(it.median_s)
            assert all(figure in text for figure in shown)
    for each in (digest, compared):
        text = in_terminal(each)
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= WIDTH
        for block in to_markdown(each).split("\n\n"):
            lines = [line for line in block.splitlines() if line.startswith("|")]
            assert len({len(re.split(r"(?<!\\)\|", line)) for line in lines}) <= 1
    kinds = {json.loads(json.dumps(it, allow_nan=False))["kind"] for it in to_records(compared)}
    assert kinds == {"headline", "change", "score", "class", "set", "options"}
    paths = {path.stem: path for path in write_files(digest, "csv", tmp_path / "tables")}
    assert set(paths) == {"scores", "times", "portfolio", "classes", "sets", "options", "pairs"}
    scores, pairs = ([*csv.DictReader(paths[it].read_text().splitlines())] for it in ("scores", "pairs"))
    lines = {line["backend"]: line for line in scores}
    for score in digest.scores:
        assert float(lines[score.backend]["PAR-2"]) == score.par2_s
        assert int(lines[score.backend]["decided"]) == score.decided
    assert [float(line["ratio"]) for line in pairs] == [pair.ratio for pair in digest.pairs]


def test_tables_are_chosen_by_name_in_every_format(digest):
    for format, mark in (("latex", "\\begin{table}"), ("markdown", "### ")):
        assert to_text(digest, format).count(mark) >= len(tables(digest))
        one = to_text(digest, format, ["scores"])
        assert one.count(mark) == 1
        assert "Scores" in one
    assert to_text(digest, "csv", ["times"]).startswith("backend,p25,median")
    with pytest.raises(UsageError, match="CSV has room for one table, not 7"):
        to_text(digest, "csv")
    with pytest.raises(UsageError, match="no table 'nothing'; there are scores, times"):
        to_text(digest, "latex", ["nothing"])


def test_failures_come_first_and_names_are_plain_text(unruly, unsound):
    digest = Digest.of([unsound])
    assert not digest.is_sound
    assert [table.name for table in tables(digest)][:2] == ["wrong", "disagreements"]
    assert in_terminal(digest).lstrip().startswith("Wrong answers")
    text = to_markdown(digest)
    assert text.index("Wrong answers") < text.index("Disagreements") < text.index("Scores")
    assert [record["kind"] for record in to_records(digest)][:2] == ["wrong", "wrong"]
    assert r"\<script\>" in text
    assert not {"<script>", "no two backends"} & {*re.findall("<script>|no two backends", text)}
    nasty = [row | {"backend": "sat[red]\x1b[31m|x"} for row in list(unsound.rows)[:3]]
    text = in_terminal(Digest.of([replace(unsound, rows=Held(nasty))]))
    assert "sat[red]" in text
    assert "\x1b[31m|" not in text


def test_a_backend_that_got_slower_is_the_only_regression(compared, alternated, sound, slowed):
    slow = compared.entrants[0].backend
    assert [change.backend for change in compared.regressions] == [slow]
    assert [line.kind for line in tables(compared)[0].lines if line.kind] == ["regression"]
    once = Digest.of([sound, slowed], baseline=0)
    assert not once.regressions
    assert {str(change.verdict) for change in once.comparisons[0].changes} == {"undecided"}
    assert any("measure 4 more sessions of each campaign" in warning for warning in once.warnings)
    other = Held([row | {"puzzle_hash": "0"} for row in sound.rows])
    apart = Digest.of([sound, replace(sound, folder=Path("other"), rows=other)], baseline=0)
    assert not apart.comparisons
    assert any("are not compared" in warning for warning in apart.warnings)

    before, after = alternated
    copies = [replace(after, folder=Path(name)) for name in ("b", "c")]
    both = Digest.of([copies[0], before, copies[1]], baseline=1)
    assert [(it.before, it.after) for it in both.comparisons] == [(before.folder.name, it) for it in "bc"]
    for comparison in both.comparisons:
        for one, alone in zip(comparison.changes, compared.comparisons[0].changes, strict=True):
            assert (one.backend, one.ratio) == (alone.backend, alone.ratio)
            assert one.p_value == pytest.approx(min(1.0, 2 * (alone.p_value or 0.0)))
    assert not both.regressions  # five sessions are too few for two comparisons
    assert any("more sessions of each campaign" in warning for warning in both.warnings), both.warnings


LATER = {"start": "2999-01-01T00:00:00.000+00:00", "planned": 8, "missing": 4}
BACK = LATER | {"start": "1999-01-01T00:00:00.000+00:00"}
SHARDS = [{"shard": f"{k}/2", "start": f"{k}", "planned": 4, "missing": 4} for k in (1, 2)]
FILTERED = {"planned": 10**6, "filters": ["heart"]}


@pytest.mark.parametrize(
    ("sessions", "rows", "starts", "missing"),
    [
        ([{}], slice(0, -7), [], 7),
        ([{}, FILTERED], slice(None), [], 0),
        ([FILTERED, {"planned": 605}], slice(None), [], 5),
        ([{"planned": 605}, {}], slice(None), [], 0),
        ([{}, LATER], slice(None), [], 4),  # 600 other rows, of runs that are planned no longer
        ([{}, LATER], slice(0, -3), [LATER["start"]] * 3, 1),
        ([{}, BACK], slice(None), [], 4),  # the clock was set back
        ([{}, BACK], slice(0, -3), [BACK["start"]] * 3, 1),
        (SHARDS, slice(0, 0), ["1"] * 4 + ["2"], 3),
    ],
)
def test_a_running_campaign_says_how_much_is_missing(sound, sessions, rows, starts, missing):
    (session,), every = sound.info["sessions"], list(sound.rows)
    last = every[len(every) - len(starts) :] if starts else []
    held = Held([*every[rows], *(row | {"session": it} for row, it in zip(last, starts, strict=True))])
    info: Any = sound.info | {"sessions": [session | change for change in sessions]}
    campaign = replace(sound, rows=held, info=info)
    digest = Digest.of([campaign])
    (part,) = digest.parts
    said = [text for text in digest.warnings if "still to be done" in text]
    assert (part.missing, [int(text.split()[0]) for text in said]) == (missing, [missing] * bool(missing))
    (done,) = Digest.of([replace(campaign, is_done=True)]).parts
    assert done.missing == 0


def test_folders_are_told_apart_by_name_or_else_by_path(sound, slowed):
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
    with pytest.raises(UsageError, match="holds no run yet"):
        Digest.of([replace(sound, rows=Held([]))])


def renamed(campaign: Campaign, folder: str, names: dict[str, str] | None = None) -> Campaign:
    """Return a campaign in another folder, with some backends under other names."""
    rows = [row | {"backend": (names or {}).get(row["backend"], row["backend"])} for row in campaign.rows]
    return replace(campaign, folder=Path(folder), rows=Held(rows))


def test_several_folders_are_shown_as_one(sound, digest):
    names = {"settle": "steady"}
    several = Digest.of([renamed(sound, "one"), renamed(sound, "two", names), renamed(sound, "three", names)])
    labels = [entrant.label for entrant in several.entrants]
    assert labels == [score.backend for score in several.scores]
    assert {"settle", "steady @ two", "steady @ three", "hybrid:budget=1 @ one"} <= set(labels)
    assert (len(labels), several.folder_of("settle")) == (3 * BACKENDS, "one")
    alone, here = ({it.backend: it for it in each.scores}["settle"] for each in (digest, several))
    assert (here.par2_s, here.decided, here.missing) == (alone.par2_s, alone.decided, 0)
    assert [table.name for table in tables(several)] == [
        "scores",
        "times",
        "portfolio",
        "classes",
        "sets",
        "options",
    ]
    assert (several.comparisons, several.pairs) == ((), [])
    assert max(map(len, in_terminal(several).splitlines())) <= WIDTH
    fewer = replace(sound, folder=Path("fewer"), rows=Held(list(sound.rows)[: BACKENDS * 10]))
    gaps = Digest.of([sound, fewer])
    (warning,) = [warning for warning in gaps.warnings if "every folder" in warning]
    assert warning.startswith(f"10 of {PUZZLES} instances were run in every folder")
    assert {score.missing for score in gaps.scores} == {0, PUZZLES - 10}


def test_pairs_of_several_folders_are_not_tested(sound, digest):
    parts = [renamed(sound, "one"), renamed(sound, "two")]
    inside, crossing = ("settle @ one", "hybrid:budget=1 @ one"), ("settle @ one", "settle @ two")
    asked = Digest.of(parts, pairs=[crossing, inside])
    assert [(pair.first, pair.second) for pair in asked.pairs] == [crossing, inside]
    across, within = asked.pairs
    assert (across.wins, across.losses, across.ratio) == (0, 0, 1.0)
    assert across.p_value is across.corrected_p_value is across.interval is None
    (alone,) = [it for it in digest.pairs if {it.first, it.second} == {"settle", "hybrid:budget=1"}]
    assert within.corrected_p_value == within.p_value == alone.p_value  # one test, so none is corrected for
    assert any("settle @ one and settle @ two were measured in different" in it for it in asked.warnings)
    with pytest.raises(UsageError, match=r"no runs of 'settle'; there are .*hybrid:budget=1 @ one"):
        Digest.of(parts, pairs=[("settle", "settle @ two")])


@pytest.mark.parametrize(
    ("write", "shown"),
    [
        (seconds, {None: "–", 0.0: "0 s", 4e-9: "0.00 µs", 1.234e-6: "1.23 µs", 0.000113: "113 µs"}),
        (seconds, {0.0222: "22.2 ms", 0.9996: "1000 ms", 1.0: "1.00 s", 9.9999: "10.0 s", 7200.0: "7200 s"}),
        (ratio, {None: "–", 1.0: "1.00", 0.0393: "0.0393", 101.9: "102", 12345.6: "12346", 0.5: "0.500"}),
        (p_value, {None: "–", 1e-9: "<0.001", 0.0421: "0.042", 1.0: "1.000"}),
        (count, {None: "–", 0: "0", 9999: "9999", 10_000: "10\u202f000", 1234567: "1\u202f234\u202f567"}),
        (points, {None: "–", 0: "0.0", 9999: "9999.0", 1234567: "1\u202f234\u202f567.0"}),
    ],
)
def test_figures_are_written_for_people(write, shown):
    assert {value: write(value) for value in shown} == shown
