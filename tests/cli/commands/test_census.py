"""``nonocsp census``: what it prints, and what is left after Ctrl-C and ``kill -9``."""

import json
import random
import subprocess
import time
from pathlib import Path

import pytest

from tests.waiting import AMPLE_S, wait_until

SIMPLE_4X7 = 195819250
"""As published."""
pytestmark = pytest.mark.usefixtures("here")


def size(rows: int, columns: int) -> tuple[str, ...]:
    return "--rows", str(rows), "--columns", str(columns)


def test_a_census_has_the_published_counts_as_json_and_as_text(cli, records):
    counts = {"rows": 3, "columns": 3, "images": 512, "simple": 384, "histogram": [27, 295, 62]}
    missing = {"unique": None, "descriptions": None, "most_solutions": None}
    assert records("census", *size(3, 3)) == [counts | missing]
    assert Path("results/census/3x3/shards.jsonl").exists()
    solved = {"unique": 384, "descriptions": 445, "most_solutions": 6}
    assert records("census", *size(3, 3), "--unique", "--output", "mine") == [counts | solved]
    assert Path("mine/shards.jsonl").exists()
    lines = cli("census", *size(4, 4), "--unique").stdout.splitlines()
    assert lines[:4] == [
        "4x4: 65 536 images",
        "simple: 51 234 (78.18 %), mean difficulty 3.05, highest 9",
        "descriptions: 58 196, unique: 52 362",
        "most solutions of one description: 24",
    ]
    assert ["3", "20", "608", "31.45"] in [line.split() for line in lines]
    assert all(len(line) <= 80 for line in lines)


def test_a_sample_and_an_estimate_state_their_confidence(cli, records):
    sample = ("census", *size(10, 10), "--sample", "300", "--seed", "7")
    text = cli(*sample).stdout
    assert text.startswith("10x10: 300 random images, seed 7; ranges have a confidence of 95%\nsimple: ")
    assert "mean difficulty: " in text
    [record] = records(*sample)
    assert (record["images"], sum(record["histogram"])) == (300, record["simple"])
    assert record["simple_share"]["low"] < record["simple"] / 300 < record["simple_share"]["high"]
    assert not Path("results").exists()

    estimate = ("census", *size(6, 3), "--estimate", "3", "--seed", "2", "--confidence", "0.99")
    lines = cli(*estimate).stdout.splitlines()
    assert lines[0].startswith("6x3: 262 144 images, estimated from 3 145 728 in 3 replicates, seed 2; ")
    assert lines[0].endswith("ranges have a confidence of 99%")
    [record] = records(*estimate)
    found = record["estimates"]["simple"]
    assert found["low"] < 188042 < found["high"]
    grouped = f"{round(found['value']):,}".replace(",", " ")
    assert lines[1].startswith(f"simple: {grouped} (")
    assert (record["images"], record["replicates"], record["confidence"]) == (3145728, 3, 0.99)
    assert len(Path("results/census/6x3/replicates.jsonl").read_text().splitlines()) == 3


def test_a_dry_run_lists_the_remaining_work_and_counts_nothing(cli, records, monkeypatch):
    monkeypatch.setattr("nonocsp.grading.census.forecast.MEASURE_S", 0.01)
    lines = cli("census", *size(7, 7), "--dry-run", "--jobs", "2", "--unique").stdout.splitlines()
    assert lines[0] == "7x7: 562 949 953 421 312 images"
    assert ["shards", "4", "224", "370"] in [line.split() for line in lines]
    assert any("on 2 cores" in line and " days" in line for line in lines)
    assert "sweeps: measured on 5x7; with more rows an image takes longer" in lines
    found = records("census", *size(3, 3), "--dry-run", "--unique")
    assert [record["tally"] for record in found] == ["sweeps", "solutions"]
    assert not Path("results").exists()


def test_ctrl_c_prints_how_to_resume(start, here):
    with start("census", *size(6, 6), cwd=here) as process:
        wait_for_rows(here / "results/census/6x6/shards.jsonl", 0, process)
        process.send_signal(2)
        output, messages = process.communicate(timeout=AMPLE_S)
    assert (process.returncode, output) == (130, "")
    assert "resume with the same command" in messages


@pytest.mark.slow
def test_a_census_killed_repeatedly_counts_every_shard_once(start, here):
    path = here / "results/census/4x7/shards.jsonl"
    rng = random.Random(47)
    for _ in range(4):
        with start("census", *size(4, 7), "--json", cwd=here) as process:
            wait_for_rows(path, rows_of(path), process)
            time.sleep(0.3 * rng.random())
            process.kill()
    with start("census", *size(4, 7), "--json", cwd=here) as process:
        output, _ = process.communicate(timeout=AMPLE_S)
    assert json.loads(output)["simple"] == SIMPLE_4X7
    rows = map(json.loads, path.read_text().splitlines())
    counted = sorted(shard for row in rows for shard in range(row["start"], row["stop"]))
    assert counted == list(range(len(counted)))


def rows_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_rows(path: Path, before: int, process: subprocess.Popen[str]) -> None:
    """Wait until the process has opened the file and, if it had rows, added one."""

    def has_more() -> bool:
        return path.exists() and rows_of(path) >= before + (path.stat().st_size > 0)

    wait_until(lambda: process.poll() is not None or has_more())
