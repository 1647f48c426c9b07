"""Configs and folders of results that would exhaust time or memory, or reach other files, if trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

CONFIG = "name: a\npuzzles: [{dominoes: [1]}]\nbackends: [settle]\n"
_PLAN = ("bench", "config.yaml", "--dry-run")


@dataclass(frozen=True, slots=True)
class Scene:
    """A folder, and a command that is run in it."""

    name: str
    make: Callable[[Path], object]  # fills the folder
    command: tuple[str, ...]
    said: str  # a part of the last line of the command's messages
    code: int = 2  # the exit code


def scenes() -> Iterator[Scene]:
    """Yield all scenes."""
    yield from _configs()
    yield from _origins()
    yield from _folders()


def _configs() -> Iterator[Scene]:
    """Yield configs with values beyond all bounds; each replaces or adds a key."""
    huge, large = "1" + "0" * 400, "1000000000"
    at_most, text = "expected a number of at most", "expected text of at most"
    for key, values, said in (
        ("repeats", (large, huge), f"repeats: {at_most} 200000000, not 1"),
        ("jobs", ("1000000", huge), f"jobs: {at_most} 4096, not 1"),
        ("seeds", (f"[{huge}]",), "expected a number below"),
        ("seeds", (f"[{'1, ' * 10_000}]",), "the config is too large; expected at most 10000 values"),
        ("limits", ("{wall: .inf}", "{wall: 1.0e+308}"), f"limits.wall: {at_most} 100000000"),
        ("limits", ("{wall: .nan}", "{cpu: -0.0}", "{memory: 0}"), "expected a number above 0"),
        ("limits", ("{memory: 1e300 GiB}", "{memory: .nan}"), "expected a size such as 512 MiB"),
        ("backends", (f"[{'sat, ' * 3000}]",), "expected at most 256 entries"),
        ("backends", (f"['sat:{'a' * 30_000}=1']",), f"backends.0.spec: {text} 8000"),
        ("backends", (f"[{'a' * 900_000}]",), "the file is too large; expected a config of at most 32 KiB"),
        ("name", ("../../etc/passwd", "..", '"a\\n"', ".bashrc"), "name: expected letters, digits"),
        ("puzzles", ("[{dominoes: [1], slice: '99999999999999999999:'}]",), "expected a number below"),
        ("puzzles", (f"[{{dominoes: [{large}]}}]",), f"dominoes.0: {at_most} 2047"),
        ("puzzles", (f"[{{dominoes: [{'2000, ' * 99}]}}]",), "sum is at most 20000, not 198000"),
        ("puzzles", (_random(count=large), _random(count=huge)), f"random.count: {at_most} 200000000"),
        ("puzzles", (_random(rows=4000, columns=4000),), "an image has at most 1048576 cells, not 16000000"),
        ("puzzles", (_random(rows=400, columns=400, count=1_000_000),), "at most 100000000000 cells"),
        ("puzzles", (f"[{_random(count=10**8)[1:-1]}, {_random(count=10**8 + 1)[1:-1]}]",), "200000001"),
    ):  # fmt: skip
        for value in values:
            yield _with(key, value, said)
    yield _with("puzzles", f"[{'{dominoes: [1]}, ' * 1500}]", "", code=0)


def _random(**given: object) -> str:
    values = {"rows": 1, "columns": 1, "count": 1} | given
    return f"[{{random: {{{', '.join(f'{key}: {value}' for key, value in values.items())}}}}}]"


def _with(key: str, value: str, said: str, code: int = 2) -> Scene:
    """Return the scene of a config with this value."""
    lines = {line.partition(":")[0]: line for line in CONFIG.splitlines()} | {key: f"{key}: {value}"}
    write = partial(_write, "config.yaml", "\n".join(lines.values()))
    return Scene(f"config, {key}: {_shortened(value)}", write, _PLAN, said, code)


def _shortened(value: str) -> str:
    return value if len(value) < 60 else f"{value[:40]}… of {len(value)}"


def _origins() -> Iterator[Scene]:
    """Yield configs whose paths reach far, or lead to something that is no file of puzzles."""
    too_many = "more than 100000 files and folders to look through"
    special = "is a pipe, a device or a system file"
    nothing, no_file = "no puzzle file in", "no file matches"
    for key, paths, said in (
        ("directory", ("many",), too_many),
        ("directory", ("/proc", "/sys", "loop", "fifo", "zero"), nothing),
        ("directory", ("deep",), "folders more than 64 deep"),
        ("file", ("many/*", "many/**", "many/*/../*/../*", "loop/" + "*/" * 20), too_many),
        ("file", ("fifo", "/dev/zero", "zero", "kmsg", "/proc/kmsg", "/proc/self/mem"), special),
        ("file", ("/proc/**", "/proc/*/*/*", "loop/**/*.non", "fifo*", "k*", "loop/loop"), no_file),
        ("file", ("/", "many"), "is a folder; write 'directory: "),
        ("file", ("'" + "*" * 20_000 + "'",), "file: expected text of at most 4096 characters"),
        ("directory", ('"\\0"',), "directory: expected a path, without NUL characters"),
    ):  # fmt: skip
        for path in paths:
            text = CONFIG.replace("dominoes: [1]", f"{key}: {path}")
            yield Scene(f"config, {key}: {_shortened(path)}", partial(_tree, text), _PLAN, said)


def _write(name: str, content: str | bytes, folder: Path) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def _tree(config: str, folder: Path) -> None:
    """Write a config, and what its paths lead to."""
    _write("config.yaml", config, folder)
    os.mkfifo(folder / "fifo")
    (folder / "zero").symlink_to("/dev/zero")
    (folder / "kmsg").symlink_to("/proc/kmsg")
    (folder / "loop").mkdir()
    (folder / "loop" / "loop").symlink_to("loop")
    for name in "abcdefgh":
        (folder / "loop" / name).symlink_to("../loop")
    if "deep" in config:
        (folder / "/".join(["deep"] * 100)).mkdir(parents=True)
    if "many" in config:
        (folder / "many" / "inner").mkdir(parents=True)
        for number in range(10_000):  # a link counts as eleven entries
            (folder / "many" / f"{number}.non").symlink_to("../config.yaml")


ROW: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "tests" / "corpus" / "campaign" / "rows").read_text(encoding="utf-8")
)
_CONFIG_OF_RUN = "name: tiny\npuzzles: [{dominoes: [1]}]\nbackends: [settle]\n"


def _folders() -> Iterator[Scene]:
    """Yield folders of results: a good row, and beside it what somebody could have planted."""
    report = ("report", "folder", "--format", "terminal")
    for name, text, said in (
        ("33 MB", '{"format": 2, "name": "' + "a" * (33 << 20) + '"}', "too large; expected at most 32 MiB"),
        ("ten million lists", "[" + "[]," * 10_000_000 + "[]]", "too large; expected at most 524288 lists"),
        ("nested lists", "[" * 500_000, "you can remove the file, and the rows are still read"),
        ("a list", "[]", "not a campaign; expected the keys format, name, sessions"),
        ("sessions without keys", _info([{}]), "sessions[0]: object missing required field"),
        ("format 2^62", f'{{"format": {2**62}, "name": "", "sessions": []}}', "this nonocsp reads format 2"),
    ):
        yield Scene(f"campaign.json: {name}", partial(_results, {"campaign.json": text}, {}), report, said)
    for name, target in (("a pipe", ""), ("a device", "/dev/zero"), ("a folder", "/tmp")):
        odd = partial(_results, {}, {"campaign.json": target})
        said = f"a link to {target}, which is not followed" if target else "is neither a file nor a folder"
        yield Scene(f"campaign.json: {name}", odd, report, said)
    for name, changed, said in (
        ("index 2^63", {"index": 2**63}, "index: expected int <= 9223372036854775807"),
        ("a time of 1e308", {"wall_s": 1e308}, "wall_s: expected float <= 1000000000.0"),
        ("a million wrong solutions", {"solutions": [0] * 10**6}, "solutions[0]: expected array, got int"),
        (
            "four million values",
            {"stats": {"a": [0] * (1 << 22)}},
            "more than 16 MiB, or millions of values",
        ),
        ("a backend of 900 kB", {"backend": "a" * 900_000}, "backend: expected str of length <= 48000"),
        ("4096 rows", {"rows": 4096, "columns": 4096, "solutions": []}, ""),
    ):
        row = json.dumps(ROW | changed) + "\n"
        made = partial(_results, {"runs.jsonl": row}, {})
        yield Scene(f"row: {name}", made, report, said, code=2 if said else 0)
    backends = "".join(
        json.dumps(ROW | {"backend": f"b{number}", "run": f"{number:020}"}) + "\n" for number in range(3000)
    )
    yield Scene(
        "rows of 3000 backends",
        partial(_results, {"runs.jsonl": backends}, {}),
        report,
        "a report compares at most 256",
    )
    yield from _planted()
    for name in ("runs.jsonl", "campaign.json", "failures", "solutions"):
        for kind, target in (("a link", "../precious"), ("a pipe", "")):
            made = partial(_results, {}, {name: target})
            said = "which is not followed" if target else "is neither a file nor a folder"
            command = ("bench", "config.yaml", "--output", "folder")
            yield Scene(f"bench into {name}: {kind}", made, command, said)
    odd = partial(_results, {}, {"runs.jsonl": ""})
    yield Scene("runs.jsonl: a pipe", odd, report, "is neither a file nor a folder")


def _planted() -> Iterator[Scene]:
    """Yield folders with files that take long to read, or that lead to a file of the user's."""
    merge = ("results", "merge", "folder", "--output", "merged")
    report = ("report", "folder", "--format", "terminal")
    faults = f"{json.dumps(ROW)}\n" + "\n" * (1 << 20)
    yield Scene(
        "row: a million empty lines", partial(_results, {"runs.jsonl": faults}, {}), report, "", code=0
    )
    yield Scene(
        "runs.jsonl: 16 GiB of NUL characters behind a row",
        _sparse,
        report,
        "more than 16 MiB, or millions of values",
        code=0,  # the row before counts
    )
    link = partial(_results, {"failures/x.json": "theirs"}, {"../merged/failures/x.json": "../../precious"})
    yield Scene("results merge: a link in the output", link, merge, "is not an empty folder")
    yield Scene(
        "row: a run of 300 letters",
        partial(_results, {"runs.jsonl": json.dumps(ROW | {"run": "r" * 300}) + "\n"}, {}),
        report,
        "run: expected str of length <= 60",
    )


def _sparse(folder: Path) -> None:
    _results({}, {}, folder)
    os.truncate(folder / "folder" / "runs.jsonl", 16 << 30)  # takes no room


def _info(sessions: Any) -> str:
    return json.dumps({"format": 2, "name": "tiny", "sessions": sessions})


def _results(files: dict[str, str], odd: dict[str, str], folder: Path) -> None:
    """Write a folder of results, with these files, links (to a target) and pipes (without)."""
    _write("config.yaml", _CONFIG_OF_RUN, folder)
    _write("precious", "mine", folder)
    for name, text in ({"runs.jsonl": f"{json.dumps(ROW)}\n"} | files).items():
        if name not in odd:
            _write(f"folder/{name}", text, folder)
    (folder / "folder").mkdir(exist_ok=True)
    for name, target in odd.items():
        (folder / "folder" / name).parent.mkdir(parents=True, exist_ok=True)
        if target:
            (folder / "folder" / name).symlink_to(target)
        else:
            os.mkfifo(folder / "folder" / name)
