"""``nonocsp census``: what it prints, what it refuses, and what is left after Ctrl-C and ``kill -9``."""

from __future__ import annotations

import json
import random
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp.grading.census.pools import CensusPool, threads
from nonocsp.run.cores import usable_cores
from tests.waiting import AMPLE_S, wait_until

Cli = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[str]"]
SIMPLE_4X7 = 195819250
"""As published."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tests run in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def size(rows: int, columns: int) -> tuple[str, ...]:
    return "--rows", str(rows), "--columns", str(columns)


def test_json_is_one_object_with_the_counts(cli: Cli) -> None:
    counted = cli("census", *size(3, 3), "--json").stdout
    assert json.loads(counted) == {
        "rows": 3,
        "columns": 3,
        "images": 512,
        "simple": 384,
        "unique": None,
        "descriptions": None,
        "most_solutions": None,
        "histogram": [27, 295, 62],
    }
    with_unique = json.loads(cli("census", *size(3, 3), "--json", "--unique").stdout)
    assert (with_unique["unique"], with_unique["descriptions"], with_unique["most_solutions"]) == (
        384,
        445,
        6,
    )


def test_the_table_says_how_many_are_simple_and_how_difficult(cli: Cli) -> None:
    lines = cli("census", *size(4, 4), "--unique").stdout.splitlines()
    assert lines[0] == "4x4: 65 536 images"
    assert lines[1] == "simple: 51 234 (78.18 %), mean difficulty 3.05, highest 9"
    assert lines[2] == "descriptions: 58 196, unique: 52 362"
    assert lines[3] == "most solutions of one description: 24"
    assert ["3", "20", "608", "31.45"] in [line.split() for line in lines]
    assert all(len(line) <= 80 for line in lines)


def test_counts_are_written_to_the_output_folder(cli: Cli) -> None:
    cli("census", *size(2, 3))
    assert Path("results/census/2x3/shards.jsonl").exists()
    cli("census", *size(2, 3), "--output", "mine")
    assert Path("mine/shards.jsonl").exists()


def test_a_plot_is_drawn_of_a_census_and_of_a_sample(cli: Cli) -> None:
    pytest.importorskip("matplotlib")
    cli("census", *size(3, 3), "--plot", "census.svg")
    assert "Difficulty of 3x3: all 512 images" in Path("census.svg").read_text()
    cli("census", *size(3, 30), "--sample", "20", "--plot", "sample.svg")
    assert "Difficulty of 3x30: 20 images at random" in Path("sample.svg").read_text()


def test_a_sample_states_its_confidence(cli: Cli) -> None:
    text = cli("census", *size(10, 10), "--sample", "300", "--seed", "7").stdout
    assert text.startswith("10x10: 300 random images, seed 7; ranges have a confidence of 95%\nsimple: ")
    assert "mean difficulty: " in text
    record = json.loads(cli("census", *size(10, 10), "--sample", "300", "--seed", "7", "--json").stdout)
    assert record["images"] == 300
    assert sum(record["histogram"]) == record["simple"]
    assert record["simple_share"]["low"] < record["simple"] / 300 < record["simple_share"]["high"]
    assert not Path("results").exists()


def test_an_estimate_extrapolates_to_all_images_with_intervals(cli: Cli) -> None:
    request = ("census", *size(6, 3), "--estimate", "3", "--seed", "2", "--confidence", "0.99")
    lines = cli(*request).stdout.splitlines()
    assert lines[0].startswith("6x3: 262 144 images, estimated from 3 145 728 in 3 replicates, seed 2; ")
    assert lines[0].endswith("ranges have a confidence of 99%")
    record = json.loads(cli(*request, "--json").stdout)
    found = record["estimates"]["simple"]
    assert found["low"] < 188042 < found["high"]
    grouped = f"{round(found['value']):,}".replace(",", " ")
    assert lines[1].startswith(f"simple: {grouped} (")
    assert (record["images"], record["replicates"], record["confidence"]) == (3145728, 3, 0.99)
    assert record["estimates"]["images"] == 2**18
    assert len(Path("results/census/6x3/replicates.jsonl").read_text().splitlines()) == 3


def test_a_dry_run_lists_the_remaining_work_and_counts_nothing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.grading.census.forecast.MEASURE_S", 0.01)
    lines = cli("census", *size(7, 7), "--dry-run", "--jobs", "2", "--unique").stdout.splitlines()
    assert lines[0] == "7x7: 562 949 953 421 312 images"
    assert ["shards", "4", "224", "370"] in [line.split() for line in lines]
    assert any("on 2 cores" in line and " days" in line for line in lines)
    assert "sweeps: measured on 5x7; with more rows an image takes longer" in lines
    records = cli("census", *size(3, 3), "--dry-run", "--unique", "--json").stdout.splitlines()
    assert [json.loads(line)["tally"] for line in records] == ["sweeps", "solutions"]
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("options", "connected"),
    [(["local", "--jobs", "3"], (None, 3)), (["tcp://head:8786"], ("tcp://head:8786", usable_cores()))],
)
def test_the_cluster_is_at_the_address_or_else_local(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, options: list[str], connected: tuple[str | None, int]
) -> None:
    asked = []

    def pretend(address: str | None, workers: int) -> AbstractContextManager[CensusPool]:
        asked.append((address, workers))
        return threads(1)

    monkeypatch.setattr("nonocsp.grading.census.pools.cluster", pretend)
    assert cli("census", *size(2, 2), "--cluster", *options).exit_code == 0
    assert asked == [connected]


def test_ctrl_c_prints_how_to_resume(start: Start, folder: Path) -> None:
    with start("census", *size(6, 6), cwd=folder) as process:
        wait_for_rows(folder / "results/census/6x6/shards.jsonl", 0, process)
        process.send_signal(2)
        output, messages = process.communicate(timeout=AMPLE_S)
    assert process.returncode == 130
    assert output == ""
    assert "resume with the same command" in messages


@pytest.mark.slow
def test_a_census_killed_repeatedly_counts_every_shard_once(start: Start, folder: Path) -> None:
    path = folder / "results/census/4x7/shards.jsonl"
    rng = random.Random(47)
    for _ in range(4):
        with start("census", *size(4, 7), "--json", cwd=folder) as process:
            wait_for_rows(path, rows_of(path), process)
            time.sleep(0.3 * rng.random())
            process.kill()
    with start("census", *size(4, 7), "--json", cwd=folder) as process:
        output, _ = process.communicate(timeout=AMPLE_S)
    assert json.loads(output)["simple"] == SIMPLE_4X7
    rows = map(json.loads, path.read_text().splitlines())
    counted = sorted(shard for row in rows for shard in range(row["start"], row["stop"]))
    assert counted == list(range(len(counted)))


def rows_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_rows(path: Path, before: int, process: subprocess.Popen[str]) -> None:
    """Wait until the process has opened the file and, if it had rows, added one."""
    wait_until(
        lambda: (
            process.poll() is not None
            or (path.exists() and rows_of(path) >= before + (path.stat().st_size > 0))
        )
    )
