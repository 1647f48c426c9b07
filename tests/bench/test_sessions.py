"""campaign.json: read back, of every format, and refused with its place; and what hinders a comparison."""

import json
import subprocess
from dataclasses import asdict, replace
from typing import Any

import pytest

from nonocsp.bench.caveats import caveats
from nonocsp.bench.sessions import GitState, add_session, git_state, read_info
from nonocsp.model import FormatError, UsageError
from nonocsp.run.provenance import Machine

MACHINE = Machine("Abacus", 2, 4 << 30, "Linux 6.1", "here")
COMMIT = "0123456789abcdef"
SESSION: dict[str, Any] = {
    "start": "2026-01-01T00:00:00.000Z",
    "config": {},
    "config_text": "",
    "jobs": 1,
    "executor": "fork",
    "pin": False,
    "planned": 1,
    "missing": 1,
    "shard": "",
    "filters": [],
    "versions": {"python": "3.11"},
    "machine": asdict(MACHINE),
    "git": {"commit": COMMIT, "dirty": False},
}
STORED = {key: value for key, value in SESSION.items() if key != "config_text"} | {"config": 0}
ROW: dict[str, Any] = {
    "backend": "sat",
    "versions": {"nonocsp": "1"},
    "machine": str(MACHINE),
    "code": "a" * 16,
    "executor": "fork",
    "limits": {"wall": 10.0, "cpu": None, "memory": None},
    "reliable": True,
}


def _format_2(**changed: Any) -> str:
    configs = [{"config": {}, "config_text": ""}]
    return json.dumps({"format": 2, "name": "", "configs": configs, "sessions": [STORED]} | changed)


def on(**changed: Any) -> dict[str, Any]:
    return {"machine": asdict(replace(MACHINE, **changed))}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"git": None}, f"the code changed between sessions: {COMMIT[:10]}, then no checkout"),
        (
            {"git": {"commit": COMMIT, "dirty": True}},
            f"the code changed between sessions: {COMMIT[:10]}, then {COMMIT[:10]} with changes",
        ),
        (
            {"git": {"commit": COMMIT, "dirty": True, "content": "fedcba98"}},
            f"the code changed between sessions: {COMMIT[:10]}, then {COMMIT[:10]} with changes fedcba98",
        ),
        ({"jobs": 2}, "the number of runs changed between sessions: 1 at a time, then 2 at a time"),
        (
            {"pin": True, "jobs": 2},
            "the number of runs changed between sessions: 1 at a time, then 2 at a time, pinned",
        ),
        ({"config": {"cores": 4}}, "the number of cores of a run changed between sessions: 1, then 4"),
        (
            {"config": {"network": False, "writable": ["/srv"]}},
            "what runs may use changed between sessions: the network, all files, then no network, /srv",
        ),
        (
            on(memory_bytes=8 << 30),
            "the memory of the machine changed between sessions: 4.0 GiB, then 8.0 GiB",
        ),
        (on(os="Linux 6.2"), "the operating system changed between sessions: Linux 6.1, then Linux 6.2"),
        (on(host="there"), "the host changed between sessions: here, then there"),
    ],
)
def test_changes_between_sessions_are_reported(change, said):
    assert caveats([], [SESSION, SESSION]) == []
    assert caveats([], [SESSION, SESSION | change, SESSION]) == [said]


VERSIONS = "sat was measured with different versions: nonocsp 1 and 2"
SOLVED = {"answer": "solved", "task": "decide", "termination": "ok"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"backend": "cpsat", "versions": {"ortools": "9"}}, []),  # compared backend by backend
        ({"versions": {"nonocsp": "2"}}, [VERSIONS]),
        ({"code": "b" * 16}, [f"sat was measured with different code: {'a' * 16} and {'b' * 16}"]),
        ({"versions": {"nonocsp": "2"}, "code": "b" * 16}, [VERSIONS]),
        ({"machine": "B"}, ["the runs come from different machines: Abacus, 2 cores, Linux; B"]),
        ({"executor": "warm"}, ["the runs were measured by different executors: fork, warm"]),
        (
            {"limits": {"wall": 5.0, "cpu": 7.5, "memory": 2**29}},
            ["the runs had different limits: wall 10 s; wall 5 s, CPU 7.5 s, memory 512 MiB"],
        ),
        (
            {"limits": {"wall": None, "cpu": None, "memory": None}},
            ["the runs had different limits: none; wall 10 s"],
        ),
        (
            {"wall_s": 0.004, "claimed_wall_s": 0.5},
            ["the backend's own timer disagrees in 1 run; ours is used: sat (1)"],
        ),
        (
            {"left": ["a process"]},
            ["1 run left processes, files or shared memory behind, all removed: sat (1)"],
        ),
        ({"spec": "sat:solver=glucose4"}, ["sat stands for several specs: sat; sat:solver=glucose4"]),
        (
            SOLVED,
            [
                "1 run found a solution and did not say whether it is the only one: sat (1); task decide "
                "counts it as undecided: compare with task: solve"
            ],
        ),
        (
            {"reliable": False},
            ["the times are unreliable: 1 of 2 runs shared a core; close other programs or use fewer jobs"],
        ),
    ],
)
def test_differences_between_rows_are_reported(change, said):
    assert caveats([ROW, dict(ROW)]) == []
    assert caveats([ROW, ROW | change]) == said


def test_a_caveat_counts_runs_and_names_a_few_of_many_values():
    ended = ROW | {"termination": "ok", "claimed_wall_s": 1e-4}
    (said,) = caveats([ended | {"wall_s": wall} for wall in (2e-4, 3e-4, 4e-4)])
    assert said.startswith(
        "starting and stopping a run takes longer than solving: sat (0.1 ms solving, 0.2 ms starting)"
    )
    (said,) = caveats([ROW | {"backend": f"b{i}", "left": ["x"]} for i in range(7) for _ in range(i)])
    assert said.startswith("21 runs left")
    assert said.endswith(": b6 (6), b5 (5), b4 (4), b3 (3), b2 (2) and 1 more")
    (said,) = caveats([], [SESSION | on(host=f"{n} {'x' * 3000}") for n in range(1000)])
    assert said.startswith("the host changed between sessions: 0 xxx")
    assert ", then 4 xxx" in said
    assert said.endswith("x… and 995 more")
    changing = ("spec", "machine", "executor", "code")
    rows = [ROW | {"backend": f"{n % 500}"} | dict.fromkeys(changing, f"{n}" * 500) for n in range(1000)]
    found = [*caveats(rows), *caveats([row | {"versions": {"x": row["code"]}} for row in rows])]
    assert "980 more differences in versions, code or specs of one backend" in found
    assert max(map(len, [said, *found])) < 1200
    assert len(found) < 50


def test_sessions_are_appended_and_read_back_unchanged(tmp_path):
    add_session(tmp_path, "c", SESSION)
    add_session(tmp_path, "c", SESSION | {"jobs": 2})
    assert read_info(tmp_path)["sessions"] == [SESSION, SESSION | {"jobs": 2}]
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.json"]
    assert json.loads((tmp_path / "campaign.json").read_text())["format"] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"format": 2,\n', r"campaign\.json: not JSON: "),
        ('{"format": 2, "name": 7, "sessions": []}', "name: expected the name of the campaign"),
        ("[]", r"campaign\.json: not a campaign.*the keys format, name, sessions"),
        ("{}", r"campaign\.json: not a campaign"),
        ('{"format": 2, "name": "", "sessions": []}', "object missing required field configs"),
        (_format_2(configs=[1]), r"configs\[0\]: expected object, got int"),
        (_format_2(sessions=[1]), r"sessions\[0\]: expected object, got int"),
        (
            _format_2(sessions=[STORED | {"config": 1}]),
            "a session has the number of a config that is missing",
        ),
        (_format_2(sessions=[STORED | {"config": -1}]), r"sessions\[0\].config: expected int >= 0"),
        (_format_2(format=3), "has format 3; this nonocsp reads format 2: update it"),
        (_format_2(format=1), "has format 1; this nonocsp reads format 2: run the campaign again"),
        (_format_2(format="A" * 1000), "has format 'A{59}.*; this nonocsp reads format 2: update it"),
        (_format_2(format=[1]), r"has format \[1\]; this nonocsp reads format 2: update it"),
    ],
)
def test_a_malformed_campaign_json_names_the_place(tmp_path, text, said):
    (tmp_path / "campaign.json").write_text(text)
    with pytest.raises(UsageError if "reads format 2" in said else FormatError, match=said):
        read_info(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"filters": ["x" * (1 << 20)] * 33},
            "too large, with 2 sessions; expected at most 32 MiB; name another",
        ),
        ({"filters": ["x"] * (1 << 21)}, "expected at most 2097152 commas; name another output"),
        ({"config": {"a": [[]] * (1 << 20)}}, "expected at most 524288 lists; name another output"),
        ({"filters": ["backend=[!\udcff]*"]}, "unreadable: 'utf-8' codec can't encode"),
    ],
)
def test_what_nobody_could_read_is_not_written(tmp_path, change, said):
    add_session(tmp_path, "c", SESSION)
    with pytest.raises(UsageError, match=said):
        add_session(tmp_path, "c", SESSION | change)
    assert read_info(tmp_path)["sessions"] == [SESSION]


def test_the_code_version_is_that_of_its_own_checkout(tmp_path):
    def git(*arguments: str) -> str:
        author = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(tmp_path), *author, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    assert git_state(package) is None
    git("init")
    assert git_state(package) is None  # lies in a checkout that does not know it
    git("add", "package")
    git("commit", "--message", "first")
    commit = git("rev-parse", "HEAD").strip()
    (package / "new.py").write_text("")
    assert git_state(package) == GitState(commit, dirty=False)
    states = []
    for content in ("1", "2", "1"):
        (package / "__init__.py").write_text(content)
        states.append(git_state(package))
    git("add", "package/__init__.py")  # staged or not, it is the same content
    first, second, third = states
    assert first is not None
    assert (first.commit, first.dirty, len(first.content)) == (commit, True, 16)
    assert first == third == git_state(package) != second
