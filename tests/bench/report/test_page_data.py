"""What the page's script gets: unpacked with nothing of the code that packed it."""

import base64
import gzip
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from nonocsp.bench import load_config, read_campaign, run_campaign
from nonocsp.bench.report import Digest
from nonocsp.bench.report.page_data import page_data, shown_runs
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign
from nonocsp.formats import save
from nonocsp.model import Colour, Grid, Palette, Puzzle
from nonocsp.model.palette import WHITE
from tests.bench.conftest import Held

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


def page_of(campaign: Campaign, rows: list[Any] | None = None, **limits: int) -> Document:
    digest = Digest.of([campaign if rows is None else replace(campaign, rows=Held(rows))])
    return unpacked(page_data(digest, shown_runs(digest), **limits))


def pictures(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the number of the puzzle and the characters of each picture, read bit by bit."""
    puzzles = document["puzzles"]
    for puzzle, (own, inks) in enumerate(zip(puzzles["pictures"], puzzles["inks"], strict=True)):
        count = puzzles["rows"][puzzle] * puzzles["columns"][puzzle]
        for block, number in zip(own, inks, strict=True):
            ink = document["inks"][number]
            width, bits = ink["bits"], "".join(f"{byte:08b}" for byte in base64.b64decode(block))
            codes = [int(bits[i * width : (i + 1) * width], 2) for i in range(count)]
            yield puzzle, "".join(ink["chars"][code] for code in codes)


def assert_runs_are(document: Document, entrant: Document, rows: dict[str, RunRow]) -> None:
    """Assert that every run of an entrant is what the row with the beginning of its id says."""
    runs, puzzles = document["runs"], document["puzzles"]
    for run in range(entrant["first"], entrant["last"]):
        row = rows[runs["id"][10 * run : 10 * run + 10]]
        puzzle = document["instances"]["puzzle"][runs["instance"][run]]
        shape = puzzles["rows"][puzzle], puzzles["columns"][puzzle]
        assert (puzzles["name"][puzzle], *shape) == (row["puzzle"], row["rows"], row["columns"])
        assert document["answers"][runs["answer"][run]] == row["answer"]
        assert document["terminations"][runs["termination"][run]] == row["termination"]
        assert document["messages"][runs["message"][run]] == row.get("message", "")
        assert runs["wall_s"][run] == float(f"{row['wall_s']:.6e}")
        for fact in entrant["stats"]:
            assert fact["values"][run - entrant["first"]] == row["stats"][fact["key"]]


def test_every_run_is_there_with_its_figures_and_statistics(sound):
    document, first = page_of(sound), next(iter(sound.rows))
    for entrant in document["entrants"]:
        own = {row["run"][:10]: row for row in sound.rows if row["backend"] == entrant["backend"]}
        assert entrant["last"] - entrant["first"] == len(own)
        assert_runs_are(document, entrant, own)
    assert len(document["runs"]["wall_s"]) == document["total"] == len(sound.rows)
    assert document["requests"][0] == {"task": "decide", "bound": 1000, **first["limits"]}
    assert document["settings"][0]["versions"] == first["versions"]


def test_of_very_many_runs_the_page_has_all_on_some_instances(sound, slowed):
    digest = Digest.of([sound, replace(slowed, name="slowed")])
    every, some = shown_runs(digest), shown_runs(digest, most=400)
    assert [len(runs) for runs in every] == [PUZZLES] * 2 * BACKENDS
    assert 380 <= sum(map(len, some)) <= 400
    document = unpacked(page_data(digest, some))
    campaigns = {part.label: part.campaign for part in digest.parts}
    for runs, entrant in zip(some, document["entrants"], strict=True):
        assert entrant["last"] - entrant["first"] == len(runs) == len(some[0])
        rows = campaigns[document["campaigns"][entrant["campaign"]]].rows
        own = {row["run"][:10]: row for row in rows if row["backend"] == entrant["backend"]}
        assert_runs_are(document, entrant, own)


def test_runs_that_the_report_speaks_of_are_on_the_page_in_any_case(sound):
    rows = list(sound.rows)[:61]
    rows[30:33] = [row | {"answer": "unsat", "solutions": []} for row in rows[30:33]]
    rows[60] = rows[60] | {"wrong": True}
    digest = Digest.of([replace(sound, rows=Held(rows))])
    assert digest.disagreements
    shown = set(np.concatenate(shown_runs(digest, most=6)).tolist())
    assert shown >= {60, *(run for runs in digest.contradictions.runs for run in runs)}
    assert len(shown) < len(digest.table)


def test_texts_and_statistics_are_packed_unchanged(sound, real_row):
    strange = "naïve </script> \udcff \u2028"
    kinds = {"large": 2**53, "small": 1e-7, "word": strange, "flag": True, "infinite": math.inf}
    stats: list[dict[str, Any]] = [kinds, {"large": 3, "word": "done"}, {}]
    document = page_of(
        sound,
        [
            real_row
            | {"run": f"{i:020}", "puzzle": f"p{i}", "message": strange, "stats": own, "conditions": None}
            for i, own in enumerate(stats)
        ],
    )
    assert document["messages"][1] == strange
    (entrant,) = document["entrants"]
    assert {fact["key"]: fact["values"] for fact in entrant["stats"]} == {
        **{key: [value, None, None] for key, value in kinds.items()},
        **{"large": [2**53, 3, None], "word": [strange, "done", None], "infinite": [None] * 3},
    }
    assert entrant["conditions"] == []
    long = {f"count {i}": i for i in range(1000)} | {"word": "w" * 2**20}
    document = page_of(sound, [real_row | {"message": "m" * 2**20, "puzzle": "p" * 2**20, "stats": long}])
    assert len(json.dumps(document)) < 20_000
    assert document["messages"][1].startswith("mmm")
    assert len(document["entrants"][0]["stats"]) == 100


def test_every_picture_is_stored_once_and_unchanged(sound):
    document = page_of(sound)
    grids = {
        (row["puzzle"], "".join(grid))
        for row in sound.rows
        for grid in (*row["solutions"], *([row["partial"]] if "partial" in row else []))
    }
    drawn = [(document["puzzles"]["name"][puzzle], text) for puzzle, text in pictures(document)]
    assert (len(drawn), set(drawn), document["left_out"]) == (len(grids), grids, 0)


def test_pictures_over_the_size_limit_are_counted(sound, real_row):
    grids = ["#.#", ".#.", "#.#"], [".#.", "#.#", ".#."]
    small = real_row | {"rows": 3, "columns": 3, "solutions": [*grids]}
    rows = [small | {"run": f"{i:020}", "puzzle": f"p{i}"} for i in range(2)]
    for max_bytes, left_out, shown in ((4, 2, [1, 1]), (0, 4, [0, 0])):
        document = page_of(sound, rows, max_bytes=max_bytes)
        assert (document["left_out"], document["runs"]["pictures"]) == (left_out, shown)
        assert list(pictures(document)) == [
            (i, "".join(grids[0])) for i, stored in enumerate(shown) if stored
        ]


def test_colours_are_those_of_the_puzzle_or_defaults(sound, real_row, tmp_path):
    lines = ["#a.", "ab?", "..."]
    change = {"rows": 3, "columns": 3, "solutions": [lines], "palette": [["#", "#123456"]]}
    document = page_of(sound, [real_row | change])
    assert list(pictures(document)) == [(0, "".join(lines))]
    (ink,) = document["inks"]
    assert ink["bits"] == 3
    expected = {"#": "#123456", ".": "#ffffff", "?": "", "a": "#d7191c", "b": "#2c7bb6"}
    assert dict(zip(ink["chars"], ink["colours"], strict=True)) == expected

    palette = Palette((WHITE, Colour("sky", "#87ceeb", "s"), Colour("leaf", "#228b22", "l")))
    save(Puzzle.from_grid(Grid.from_strings(["sl", "ls"], palette), palette=palette), tmp_path / "two.json")
    config = "name: two\npuzzles: [{file: two.json}]\nbackends: [settle, sat]\nexecutor: inline\n"
    (tmp_path / "two.yaml").write_text(config)
    run_campaign(load_config(tmp_path / "two.yaml"), tmp_path / "out")
    document = page_of(read_campaign(tmp_path / "out"))
    ink = document["inks"][document["puzzles"]["inks"][0][0]]
    found = dict(zip(ink["chars"], ink["colours"], strict=True))
    assert (found["s"], found["l"]) == ("#87ceeb", "#228b22")
