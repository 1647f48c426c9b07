"""The recipes in examples/cluster: their text is valid, and an array gives the campaign in one piece."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from nonocsp.bench import load_config, read_campaign, run_campaign

SHARDS = 2
CONFIG = """\
name: mine
puzzles: [{random: {rows: 4, columns: 4, count: 7, seed: 1}}]
backends: [settle, probing]
limits: {wall: 10}
repeats: 2
"""


@pytest.fixture
def recipes(repository) -> Path:
    return repository / "examples" / "cluster"


@pytest.fixture
def own(tmp_path) -> dict[str, str]:
    """An environment with a program ``nonocsp``, and the campaign in the current folder of the test."""
    program = tmp_path / "bin" / "nonocsp"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable} -P\nfrom nonocsp.cli import main\nmain()\n")
    program.chmod(0o755)
    (tmp_path / "campaign.yaml").write_text(CONFIG)
    return {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}


def manifests(recipes: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((recipes / "kubernetes.yaml").read_text()))


def in_turns(commands: list[tuple[list[str], dict[str, str]]], folder: Path) -> None:
    """Run the processes of an array, two at a time, as a cluster would."""
    for first in range(0, len(commands), 2):
        started = [
            subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL)
            for command, env in commands[first : first + 2]
        ]
        assert [process.wait(120) for process in started] == [0] * len(started)


def answers(folder: Path) -> dict[str, tuple[str, str, str]]:
    """Return what came of each run of a campaign."""
    rows = read_campaign(folder).rows
    return {row["run"]: (row["backend"], row["answer"], row["termination"]) for row in rows}


def check_merged(folder: Path, merged: Path) -> None:
    """Check that an array's campaign is the one that runs in one piece."""
    run_campaign(load_config(folder / "campaign.yaml"), folder / "one-piece")
    assert answers(merged) == answers(folder / "one-piece")
    assert len(answers(merged)) == 28
    assert (merged / "report.html").is_file()


FAKE = """\
#!/bin/bash
echo "$*" >> calls
place=$2 # of a report
for word in "$@"; do [ "$before" = --output ] && place=$word; before=$word; done
[ "$1" = results ] && { mkdir "$place" || exit 2; } # merge takes no folder that exists
[ -e crashes ] || touch "$place/campaign.json" "$place/report.html"
exit "$(cat "code of $1" || echo 0)"
"""
"""A program ``nonocsp`` that writes empty files, unless it crashes, and ends with the exit code in a file."""


@pytest.fixture(params=["slurm", "kubernetes"])
def job(request, recipes, own, tmp_path) -> Callable[[str], int]:
    """Return what starts a step of a recipe, ``measure`` or ``merge``, with `FAKE` for nonocsp."""
    (tmp_path / "bin" / "nonocsp").write_text(FAKE)
    (tmp_path / "results" / "shard-1").mkdir(parents=True)

    def start(step: str) -> int:
        command = ["bash", str(recipes / "slurm.sh"), "campaign.yaml", "results"]
        given = {}
        if step == "measure":
            command.append("3")
            given = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "1"}  # the others have ended
        if request.param == "kubernetes":
            (document,) = (one for one in manifests(recipes) if one["metadata"]["labels"]["step"] == step)
            (container,) = document["spec"]["template"]["spec"]["containers"]
            command = [*container["command"], *container["args"]]
            given = {
                "SHARDS": "3",
                "CONFIG": "campaign.yaml",
                "RESULTS": "results",
                "JOB_COMPLETION_INDEX": "0",
            }
        return subprocess.run(command, cwd=tmp_path, env={**own, **given}, check=False).returncode

    return start


@pytest.mark.parametrize(
    ("codes", "code", "calls"),
    [
        ({}, 0, ["results", "report"] * 2),
        ({"results": 1, "report": 1}, 0, ["results", "report"] * 2),
        ({"results": 2}, 2, ["results"] * 2),
        ({"report": 3}, 3, ["results", "report"] * 2),
    ],
)
def test_a_merge_can_be_repeated_and_contradictions_do_not_keep_the_report_back(
    job, tmp_path, codes, code, calls
):
    for command, number in codes.items():
        (tmp_path / f"code of {command}").write_text(str(number))
    assert [job("merge") for _ in range(2)] == [code] * 2
    called = (tmp_path / "calls").read_text().splitlines()
    assert [line.split()[0] for line in called] == calls


@pytest.mark.parametrize(("code", "ends"), [(0, 0), (1, 0), (2, 2), (130, 130)])
def test_a_shard_with_contradictions_has_ended_and_any_other_failure_is_one(job, tmp_path, code, ends):
    (tmp_path / "code of bench").write_text(str(code))
    assert job("measure") == ends


@pytest.mark.parametrize("command", ["bench", "results", "report"])
def test_a_crash_of_python_is_a_failure_though_its_exit_code_is_that_of_contradictions(
    job, tmp_path, command
):
    (tmp_path / f"code of {command}").write_text("1")
    (tmp_path / "results" / "shard-1" / "report.html").touch()  # of an earlier start
    (tmp_path / "crashes").touch()
    assert job("measure" if command == "bench" else "merge") == 1


@pytest.mark.slow
def test_the_array_of_slurm_gives_the_campaign_in_one_piece(recipes, own, tmp_path):
    script = ["bash", str(recipes / "slurm.sh"), "campaign.yaml", "results"]
    tasks = [{**own, "SLURM_ARRAY_TASK_ID": str(task)} for task in range(1, SHARDS + 1)]
    in_turns([([*script, str(SHARDS)], task) for task in tasks], tmp_path)
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == [
        f"shard-{task}" for task in range(1, SHARDS + 1)
    ]
    for _ in range(2):
        in_turns([(script, own)], tmp_path)
    check_merged(tmp_path, tmp_path / "results" / "whole")


@pytest.mark.slow
def test_the_jobs_of_kubernetes_give_the_campaign_in_one_piece(recipes, own, tmp_path):
    measure, merge = manifests(recipes)
    here = {"SHARDS": str(SHARDS), "CONFIG": "campaign.yaml", "RESULTS": "results"}
    for job, indices in ((measure, range(SHARDS)), (merge, range(1))):
        (container,) = job["spec"]["template"]["spec"]["containers"]
        given = {entry["name"]: here[entry["name"]] for entry in container["env"]}
        command = [*container["command"], *container["args"]]
        pods = [(command, {**own, **given, "JOB_COMPLETION_INDEX": str(index)}) for index in indices]
        in_turns(pods, tmp_path)
    check_merged(tmp_path, tmp_path / "results" / "whole")
