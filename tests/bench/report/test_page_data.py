"""What the page's script gets: unpacked with nothing of the code that packed it."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.bench import load_config, read_campaign, run_campaign
from nonocsp.bench.report import Digest
from nonocsp.bench.report.bundle import bundle
from nonocsp.bench.report.container import pack, smallest_unsigned
from nonocsp.bench.report.page_data import page_data, shown_runs
from nonocsp.bench.report.pictures import Album
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Campaign
from nonocsp.bench.table import RunTable
from nonocsp.formats import save
from nonocsp.model import Colour, Grid, Palette, Puzzle
from nonocsp.model.palette import WHITE
from tests.bench.held import Held

from .conftest import BACKENDS, PUZZLES

Columns = dict[str, NDArray[Any]]


def unpacked(block: str) -> tuple[dict[str, Any], Columns]:
    content = gzip.decompress(base64.b64decode(block))
    length = int.from_bytes(content[:4], "little")
    header = json.loads(content[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    columns = {
        name: np.frombuffer(content, f"<{kind}", count, start + offset)
        for name, (kind, offset, count) in header["columns"].items()
    }
    return header["document"], columns


def packed(campaign: Campaign, **limits: int) -> str:
    digest = Digest.of([campaign])
    return page_data(digest, shown_runs(digest), **limits)


def cells(document: Mapping[str, Any], columns: Columns, picture: int) -> str:
    """Return the characters of a picture, read bit by bit."""
    ink = document["inks"][columns["picture.ink"][picture]]
    puzzle = columns["picture.puzzle"][picture]
    start = 8 * int(columns["picture.start"][picture])
    bits = "".join(f"{byte:08b}" for byte in columns["picture.bits"].tolist())[start:]
    count = int(columns["puzzle.rows"][puzzle]) * int(columns["puzzle.columns"][puzzle])
    width = ink["bits"]
    return "".join(ink["chars"][int(bits[i * width : (i + 1) * width], 2)] for i in range(count))


def test_packed_columns_are_unpacked_unchanged() -> None:
    columns = {
        "bytes": np.array([1, 2, 255], np.uint8),
        "times": np.array([0.5, np.nan], np.float32),
        "none": np.zeros(0, np.float64),
        "large": np.array([2**31], np.uint32),
    }
    document, found = unpacked(pack({"text": "naïve </script>"}, columns))
    assert document == {"text": "naïve </script>"}
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name], column)
        assert found[name].dtype == column.dtype


def test_columns_of_a_type_that_browsers_lack_are_refused() -> None:
    for column in (np.zeros(2, np.int64), np.zeros((2, 2), np.uint8)):
        with pytest.raises(ValueError, match="cannot be packed"):
            pack({}, {"column": column})


@pytest.mark.parametrize(("most", "size"), [(0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4)])
def test_counts_take_as_few_bytes_as_they_need(most: int, size: int) -> None:
    assert smallest_unsigned([0, most]).dtype.itemsize == size


def test_every_run_is_there_with_its_figures_and_statistics(sound: Campaign) -> None:
    document, columns = unpacked(packed(sound))
    runs = len(sound.rows)
    assert len(columns["run.instance"]) == runs
    seen: Counter[str] = Counter()
    for entrant in document["entrants"]:
        own = [row for row in sound.rows if row["backend"] == entrant["backend"]]
        for run, row in enumerate(own, start=entrant["first"]):
            puzzle = columns["instance.puzzle"][columns["run.instance"][run]]
            assert document["puzzles"][puzzle] == row["puzzle"]
            assert document["answers"][columns["run.answer"][run]] == row["answer"]
            assert document["terminations"][columns["run.termination"][run]] == row["termination"]
            assert document["messages"][columns["run.message"][run]] == row.get("message", "")
            assert columns["run.wall_s"][run] == np.float32(row["wall_s"])
            assert bytes(columns["run.id"][10 * run : 10 * run + 10]).decode() == row["run"][:10]
            for fact in entrant["stats"]:
                assert columns[fact["column"]][run - entrant["first"]] == row["stats"][fact["key"]]
            seen[row["backend"]] += 1
    assert seen.total() == runs
    assert document["requests"][0] == {"task": "decide", "bound": 1000, **next(iter(sound.rows))["limits"]}
    assert document["settings"][0]["versions"] == next(iter(sound.rows))["versions"]


def test_of_very_many_runs_the_page_has_all_on_some_instances(sound: Campaign, slowed: Campaign) -> None:
    digest = Digest.of([sound, replace(slowed, name="slowed")])
    every, some = shown_runs(digest), shown_runs(digest, most=400)
    assert [len(runs) for runs in every] == [PUZZLES] * 2 * BACKENDS
    assert 380 <= sum(map(len, some)) <= 400
    document, columns = unpacked(page_data(digest, some))
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
            digits = bytes(columns["run.id"][10 * run : 10 * run + 10]).decode()
            row = rows[label, described["backend"], digits]
            assert columns["run.wall_s"][run] == np.float32(row["wall_s"])
            puzzle = columns["instance.puzzle"][columns["run.instance"][run]]
            assert document["puzzles"][puzzle] == row["puzzle"]
            assert columns["puzzle.rows"][puzzle] == row["rows"]


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
    document, _ = unpacked(packed(replace(sound, rows=Held([row]))))
    assert len(json.dumps(document)) < 20_000
    assert document["messages"][1].startswith("mmm")
    assert len(document["entrants"][0]["stats"]) == 100


def test_every_picture_is_stored_once_and_unchanged(sound: Campaign) -> None:
    document, columns = unpacked(packed(sound))
    grids = {
        (row["puzzle"], "".join(grid))
        for row in sound.rows
        for grid in (*row["solutions"], *([row["partial"]] if "partial" in row else []))
    }
    assert len(columns["picture.puzzle"]) == len(grids)
    drawn = {
        (document["puzzles"][columns["picture.puzzle"][picture]], cells(document, columns, picture))
        for picture in range(0, len(grids), 7)
    }
    assert drawn <= grids
    assert document["left_out"] == 0


def test_colours_come_from_the_row_or_else_from_the_defaults(sound: Campaign, real_row: RunRow) -> None:
    lines = ["#a.", "ab?", "..."]
    row = real_row | {"rows": 3, "columns": 3, "solutions": [lines], "palette": [["#", "#123456"]]}
    document, columns = unpacked(packed(replace(sound, rows=Held([row]))))
    assert cells(document, columns, 0) == "".join(lines)
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
    document, columns = unpacked(packed(campaign))
    ink = document["inks"][columns["picture.ink"][0]]
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
    document, columns = unpacked(packed(replace(sound, rows=Held(rows)), max_bytes=4))
    assert document["left_out"] == 2
    assert {cells(document, columns, picture) for picture in range(2)} == {"".join(first)}
    assert columns["run.pictures"].tolist() == [0, 1, 2]


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
    document, columns = unpacked(packed(replace(sound, rows=Held(rows))))
    facts = {fact["key"]: fact for fact in document["entrants"][0]["stats"]}
    np.testing.assert_array_equal(columns[facts["nodes"]["column"]], [3, 2**40, np.nan])
    np.testing.assert_array_equal(columns[facts["share"]["column"]], [0.25, np.nan, np.nan])
    outcome = facts["outcome"]
    assert [outcome["texts"][i] for i in columns[outcome["column"]]] == ["done", None, None]
    assert document["entrants"][0]["conditions"] == []


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
    found = RunTable.of([row | {"termination": "ok"}])["open_share"].item()
    assert found == pytest.approx(math.nan if share is None else share, nan_ok=True)


def test_the_script_contains_every_module_once_and_after_its_imports() -> None:
    script = bundle()
    assert not any(line.startswith(("import ", "export ")) for line in script.splitlines())
    names = [line.split()[1] for line in script.splitlines() if line.startswith("const module_")]
    assert len(names) == len(set(names))
    assert names[-1] == "module_main"
    for name in names:
        definition = script.index(f"const {name} =")
        uses = [i for i in range(len(script)) if script.startswith(f"= {name};", i)]
        assert all(use > definition for use in uses)
