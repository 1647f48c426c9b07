"""What the page's script gets: unpacked with nothing of the code that packed it."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nonocsp.bench import load_config, read_campaign, run_campaign
from nonocsp.bench.report import Digest
from nonocsp.bench.report.page_data import page_data, shown_runs
from nonocsp.bench.report.pictures import Album
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign
from nonocsp.bench.table import table_of
from nonocsp.formats import save
from nonocsp.model import Colour, Grid, Palette, Puzzle
from nonocsp.model.palette import WHITE
from tests.bench.held import Held

from .conftest import BACKENDS, PUZZLES

Document = dict[str, Any]


def unpacked(block: str) -> Document:
    """Return what the page contains, with numbers in the place of steps."""
    document: Document = json.loads(gzip.decompress(base64.b64decode(block)))
    for table, column in (("runs", "instance"), ("instances", "puzzle")):
        document[table][column] = np.cumsum(document[table][column]).tolist()
    for entrant in document["entrants"]:
        for fact in (*entrant["stats"], *entrant["conditions"]):
            if "steps" in fact:
                fact["values"] = np.cumsum(fact.pop("steps")).tolist()
            elif "same" in fact:
                fact["values"] = [fact.pop("same")] * (entrant["last"] - entrant["first"])
    return document


def packed(campaign: Campaign, **limits: int) -> str:
    digest = Digest.of([campaign])
    return page_data(digest, shown_runs(digest), **limits)


def puzzle_of(document: Document, run: int) -> int:
    return int(document["instances"]["puzzle"][document["runs"]["instance"][run]])


def pictures(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the number of the puzzle and the characters of each picture, read bit by bit."""
    puzzles = document["puzzles"]
    for puzzle, (own, inks) in enumerate(zip(puzzles["pictures"], puzzles["inks"], strict=True)):
        count = puzzles["rows"][puzzle] * puzzles["columns"][puzzle]
        for block, number in zip(own, inks, strict=True):
            ink = document["inks"][number]
            width, bits = ink["bits"], "".join(f"{byte:08b}" for byte in base64.b64decode(block))
            yield (
                puzzle,
                "".join(ink["chars"][int(bits[i * width : (i + 1) * width], 2)] for i in range(count)),
            )


def test_texts_and_numbers_of_any_kind_are_packed_unchanged(sound: Campaign, real_row: RunRow) -> None:
    strange = "naïve </script> \udcff \u2028"
    stats = {"large": 2**53, "small": 1e-7, "word": strange, "flag": True, "infinite": math.inf}
    document = unpacked(packed(replace(sound, rows=Held([real_row | {"message": strange, "stats": stats}]))))
    assert document["messages"][1] == strange
    assert {fact["key"]: fact["values"] for fact in document["entrants"][0]["stats"]} == {
        **{key: [value] for key, value in stats.items()},
        "infinite": [None],
    }


def test_every_run_is_there_with_its_figures_and_statistics(sound: Campaign) -> None:
    document = unpacked(packed(sound))
    runs = document["runs"]
    seen: Counter[str] = Counter()
    for entrant in document["entrants"]:
        own = [row for row in sound.rows if row["backend"] == entrant["backend"]]
        for run, row in enumerate(own, start=entrant["first"]):
            assert document["puzzles"]["name"][puzzle_of(document, run)] == row["puzzle"]
            assert document["answers"][runs["answer"][run]] == row["answer"]
            assert document["terminations"][runs["termination"][run]] == row["termination"]
            assert document["messages"][runs["message"][run]] == row.get("message", "")
            assert runs["wall_s"][run] == to_seven_digits(row["wall_s"])
            assert runs["id"][10 * run : 10 * run + 10] == row["run"][:10]
            for fact in entrant["stats"]:
                assert fact["values"][run - entrant["first"]] == row["stats"][fact["key"]]
            seen[row["backend"]] += 1
    assert seen.total() == len(runs["wall_s"]) == len(sound.rows)
    assert document["total"] == len(sound.rows)
    assert document["requests"][0] == {"task": "decide", "bound": 1000, **next(iter(sound.rows))["limits"]}
    assert document["settings"][0]["versions"] == next(iter(sound.rows))["versions"]


def to_seven_digits(value: float) -> float:
    return float(f"{value:.6e}")


def test_of_very_many_runs_the_page_has_all_on_some_instances(sound: Campaign, slowed: Campaign) -> None:
    digest = Digest.of([sound, replace(slowed, name="slowed")])
    every, some = shown_runs(digest), shown_runs(digest, most=400)
    assert [len(runs) for runs in every] == [PUZZLES] * 2 * BACKENDS
    assert 380 <= sum(map(len, some)) <= 400
    document = unpacked(page_data(digest, some))
    rows = {
        (part.label, row["backend"], row["run"][:10]): row
        for part in digest.parts
        for row in part.campaign.rows
    }
    for runs, described in zip(some, document["entrants"], strict=True):
        first, last = described["first"], described["last"]
        assert last - first == len(runs) == len(some[0])
        label = document["campaigns"][described["campaign"]]
        for run in range(first, last):
            row = rows[label, described["backend"], document["runs"]["id"][10 * run : 10 * run + 10]]
            assert document["runs"]["wall_s"][run] == to_seven_digits(row["wall_s"])
            puzzle = puzzle_of(document, run)
            assert document["puzzles"]["name"][puzzle] == row["puzzle"]
            assert document["puzzles"]["rows"][puzzle] == row["rows"]


def test_runs_that_the_report_speaks_of_are_on_the_page_in_any_case(sound: Campaign) -> None:
    liar = [row | {"answer": "unsat", "solutions": []} for row in list(sound.rows)[30:33]]
    wrong = list(sound.rows)[60] | {"wrong": True}
    digest = Digest.of(
        [replace(sound, rows=Held([*list(sound.rows)[:30], *liar, *list(sound.rows)[33:60], wrong]))]
    )
    assert digest.disagreements
    shown = set(np.concatenate(shown_runs(digest, most=6)).tolist())
    assert shown >= {60, *(run for runs in digest.contradictions.runs for run in runs)}
    assert len(shown) < len(digest.table)


def test_texts_of_any_length_take_little_room(sound: Campaign, real_row: RunRow) -> None:
    stats = {f"count {i}": i for i in range(1000)}
    row = real_row | {"message": "m" * 2**20, "puzzle": "p" * 2**20, "stats": stats | {"word": "w" * 2**20}}
    document = unpacked(packed(replace(sound, rows=Held([row]))))
    assert len(json.dumps(document)) < 20_000
    assert document["messages"][1].startswith("mmm")
    assert len(document["entrants"][0]["stats"]) == 100


def test_every_picture_is_stored_once_and_unchanged(sound: Campaign) -> None:
    document = unpacked(packed(sound))
    grids = {
        (row["puzzle"], "".join(grid))
        for row in sound.rows
        for grid in (*row["solutions"], *([row["partial"]] if "partial" in row else []))
    }
    drawn = [(document["puzzles"]["name"][puzzle], text) for puzzle, text in pictures(document)]
    assert len(drawn) == len(grids)
    assert set(drawn) == grids
    assert document["left_out"] == 0


def test_colours_come_from_the_row_or_else_from_the_defaults(sound: Campaign, real_row: RunRow) -> None:
    lines = ["#a.", "ab?", "..."]
    row = real_row | {"rows": 3, "columns": 3, "solutions": [lines], "palette": [["#", "#123456"]]}
    document = unpacked(packed(replace(sound, rows=Held([row]))))
    assert list(pictures(document)) == [(0, "".join(lines))]
    (ink,) = document["inks"]
    assert dict(zip(ink["chars"], ink["colours"], strict=True)) == {
        "#": "#123456",
        ".": "#ffffff",
        "?": "",
        "a": "#d7191c",
        "b": "#2c7bb6",
    }
    assert ink["bits"] == 3


def test_a_campaign_on_puzzles_of_several_colours_knows_their_colours(tmp_path: Path) -> None:
    palette = Palette((WHITE, Colour("sky", "#87ceeb", "s"), Colour("leaf", "#228b22", "l")))
    save(Puzzle.from_grid(Grid.from_strings(["sl", "ls"], palette), palette=palette), tmp_path / "two.json")
    (tmp_path / "two.yaml").write_text("name: two\npuzzles: [{file: two.json}]\nbackends: [settle, sat]\n")
    run_campaign(load_config(tmp_path / "two.yaml"), tmp_path / "out")
    campaign = read_campaign(tmp_path / "out")
    document = unpacked(packed(campaign))
    ink = document["inks"][document["puzzles"]["inks"][0][0]]
    assert (
        dict(zip(ink["chars"], ink["colours"], strict=True)).items()
        >= {"s": "#87ceeb", "l": "#228b22"}.items()
    )


def test_first_solutions_are_stored_first_and_pictures_over_the_size_limit_are_counted(
    sound: Campaign, real_row: RunRow
) -> None:
    first, second = ["#.#", ".#.", "#.#"], [".#.", "#.#", ".#."]
    rows = [
        real_row
        | {"run": f"{i:020}", "puzzle": f"p{i}", "rows": 3, "columns": 3, "solutions": [first, second]}
        for i in range(2)
    ]
    document = unpacked(packed(replace(sound, rows=Held(rows)), max_bytes=4))
    assert document["left_out"] == 2
    assert list(pictures(document)) == [(0, "".join(first)), (1, "".join(first))]
    assert (document["runs"]["pictures"], document["shown"]) == ([1, 1], [0, 0])


def test_an_album_with_a_size_limit_of_0_stores_no_picture() -> None:
    album = Album(max_bytes=0)
    assert album.add(0, ["#"], {}) is None
    assert album.left_out == 1


def test_statistics_may_be_missing_words_or_fractions(sound: Campaign, real_row: RunRow) -> None:
    stats: list[dict[str, Any]] = [{"nodes": 3, "share": 0.25, "outcome": "done"}, {"nodes": 2**40}, {}]
    rows = [
        real_row | {"run": f"{i:020}", "puzzle": f"p{i}", "stats": own, "conditions": None}
        for i, own in enumerate(stats)
    ]
    facts = unpacked(packed(replace(sound, rows=Held(rows))))["entrants"][0]
    assert {fact["key"]: fact["values"] for fact in facts["stats"]} == {
        "nodes": [3, 2**40, None],
        "share": [0.25, None, None],
        "outcome": ["done", None, None],
    }
    assert facts["conditions"] == []


@pytest.mark.parametrize(
    ("backend", "answer", "stats", "share"),
    [
        ("settle", "partial", {"painted": 60}, 0.4),
        ("settle:order=sweeps", "multiple", {"painted": 100}, 0.0),
        ("twosat", "unique", {"painted": 100, "painted_by_settle": 90}, 0.1),
        ("probing", "unique", {"painted": 100}, None),
        ("settle", "unsat", {"painted": 60}, None),
    ],
)
def test_the_share_that_line_solving_leaves_open_comes_from_the_rows_that_report_it(
    real_row: RunRow, backend: str, answer: str, stats: dict[str, int], share: float | None
) -> None:
    row = real_row | {"rows": 10, "columns": 10, "backend": backend, "answer": answer, "stats": stats}
    found = table_of([row | {"termination": "ok", "solutions": []}])["open_share"].item()
    assert found == pytest.approx(math.nan if share is None else share, nan_ok=True)
