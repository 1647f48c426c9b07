"""Switch faults on in a copy of nonocsp, one after the other, and count which commands notice: ``faults``.

The copy gets all faults of ``faults.toml`` and is built once (minutes); a variable of the environment
switches one on, so the product itself has no switch. The commands of the copy then work on puzzles with one
solution, several and none, whose verdicts the copy without a fault agrees on. A fault is noticed on a puzzle
if the command reports a contradiction, a crash or a wrong grid there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
import yaml
from rich.console import Console

import nonocsp
from nonocsp.backends.base import Answer
from nonocsp.bench.contradictions import disagreements
from nonocsp.datasets import n_dom, random_set
from nonocsp.formats import save
from nonocsp.model import Puzzle

KINDS = (Answer.UNIQUE, Answer.MULTIPLE, Answer.UNSAT)
BACKENDS = ("blocks", "cpsat", "gac", "hybrid", "mdd", "probing", "sat", "segments", "twosat")
"""Those of the main campaign that are complete."""
BOUND = 100
LIMIT = "5s"
COLUMNS = {
    "bench": "`bench`",
    "verdicts": "verdicts",
    "check": "`check`",
    "count": "count",
    "certify": "certificate",
}
Numbers = set[int]
"""Of puzzles, from 1."""
LIST = Path(__file__).with_name("faults.toml")
VARIABLE = "NONOCSP_FAULT"
"""The environment variable that names the fault to switch on."""
_PYTHON = f"(__import__('os').environ.get('{VARIABLE}') == '%s')"
_CPP = f"""([] {{
        static const char* const fault = std::getenv("{VARIABLE}");
        static const bool on = fault && std::string_view(fault) == "%s";
        return on;
    }}())"""


class Fault(NamedTuple):
    """A passage of the source and what takes its place; the backend that has the fault, alone or first."""

    name: str
    what: str
    backend: str
    file: str
    right: str
    faulty: str

    def patched(self, source: str) -> str:
        """Return a source with the fault in it, switched off unless `VARIABLE` names it."""
        if source.count(self.right) != 1:
            raise SystemExit(f"{LIST.name}: the passage of {self.name} is not once in {self.file}")
        is_python = self.file.endswith(".py")
        faulty = self.faulty.replace("ON", (_PYTHON if is_python else _CPP) % self.name)
        includes = "" if is_python else "#include <cstdlib>\n#include <string_view>\n"
        return includes + source.replace(self.right, faulty)


FAULTS = [Fault(**each) for each in tomllib.loads(LIST.read_text())["fault"]]


def main(
    *,
    puzzles: Annotated[int, typer.Option(min=1, help="Of each kind: one solution, several, none.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Of the random images.")] = 1,
    only: Annotated[str, typer.Option(help="Names of faults, with commas; default: all.")] = "",
    copy: Annotated[Path, typer.Option(help="Folder for the copy, which stays.")] = Path("build/faults"),
    jobs: Annotated[int, typer.Option(min=1, help="Runs at a time.")] = 2,
) -> None:
    """Tell which faults of backends and core bench, check, counting and certificates notice."""
    copy = copy.resolve()
    with Console(stderr=True).status("building") as progress:
        build(copy)
        trial = Trial(copy, puzzles, seed, jobs)
        rows = [f"| fault | {' | '.join(COLUMNS.values())} | effect |", f"|---{'|---' * len(COLUMNS)}|---|"]
        for fault in FAULTS:
            if not only or fault.name in only.split(","):
                progress.update(fault.what)
                rows.append(trial.row(fault))
    print("\n".join([*rows, "", trial.remark]))


def build(copy: Path) -> None:
    """Copy the sources, patch them, and build the core; what has not changed is not built again."""
    repository, package = Path(nonocsp.__file__).parents[1], copy / "nonocsp"
    shutil.rmtree(package, ignore_errors=True)
    not_source = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(repository / "nonocsp", package, ignore=not_source)
    shutil.copy2(repository / "CMakeLists.txt", copy)
    for fault in FAULTS:
        file = package / fault.file
        changed = max(file.stat().st_mtime_ns, LIST.stat().st_mtime_ns)
        file.write_text(fault.patched(file.read_text()))
        os.utime(file, ns=(changed, changed))
    nanobind = subprocess.check_output([sys.executable, "-m", "nanobind", "--cmake_dir"], text=True)
    options = ["-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
    configure = ["-S", ".", "-B", "core", "-G", "Ninja", *options, f"-Dnanobind_DIR={nanobind.strip()}"]
    for words in (configure, ["--build", "core", "-j2"]):
        made = subprocess.run(["cmake", *words], cwd=copy, check=False, capture_output=True, text=True)
        if made.returncode:
            raise SystemExit(f"the copy does not build:\n{made.stdout[-3000:]}{made.stderr[-3000:]}")
    for core in (copy / "core").glob("_core*.so"):
        shutil.copy2(core, package / "engine")


class Trial:
    """Puzzles in a file, and the commands of the copy that work on them."""

    def __init__(self, copy: Path, each: int, seed: int, jobs: int) -> None:
        self._copy, self._each, self._jobs = copy, each, jobs
        self._work = copy / "work"
        shutil.rmtree(self._work, ignore_errors=True)
        self._work.mkdir()
        self._puzzles = self._work / "puzzles.jsonl"
        made = [puzzle for kind in KINDS for puzzle in islice(puzzles_of(kind, seed), each)]
        save(made, self._puzzles, format="jsonl")
        self._right = self._outcomes(BACKENDS, "", "--task", "count", "--bound", str(BOUND))
        for number, record in self._right.items():
            kind = KINDS[(number - 1) // each]
            if record["finding"] != "agreed" or record["backends"]["hybrid"]["answer"] != kind:
                raise SystemExit(f"without a fault, puzzle {number} is {record['finding']}, expected {kind}")

    @property
    def remark(self) -> str:
        """How many puzzles with several solutions have few enough to be listed."""
        counts = [record["backends"]["hybrid"].get("count", BOUND) for record in self._right.values()]
        few = sum(1 < number < BOUND for number in counts)
        return f"Of {self._each} puzzles with several solutions, {few} have fewer than {BOUND}."

    def row(self, fault: Fault) -> str:
        """Return the row of a fault: on how many puzzles of each kind it is noticed, and has an effect."""
        specs = [fault.backend if name == _name(fault.backend) else name for name in BACKENDS]
        proof = ("--bound", "1", "--certificate", str(self._work / "proofs"))
        counted = self._outcomes(specs, fault.name, "--task", "count", "--bound", str(BOUND))
        found = {
            "bench": self._bench(specs, fault.name),
            "verdicts": _unsound(self._outcomes(specs, fault.name, "--bound", "1")),
            "check": _unsound(self._outcomes(specs, fault.name)),
            "count": _unsound(counted),
            "certify": _unsound(self._outcomes([fault.backend], fault.name, *proof)),
        }
        effects = {number for number, record in counted.items() if self._differs(number, record)}
        shows = set().union(effects, *found.values())
        cells = [self._by_kind(found[column]) for column in COLUMNS]
        return f"| {fault.what} | {' | '.join(cells)} | {self._by_kind(shows)} |"

    def _by_kind(self, numbers: Numbers) -> str:
        of_kind = Counter((number - 1) // self._each for number in numbers)
        return ", ".join(str(of_kind[kind]) for kind in range(len(KINDS)))

    def _differs(self, number: int, record: dict[str, Any]) -> bool:
        """Return whether a backend counts otherwise than without the fault, or crashes."""
        right = {_name(spec): said for spec, said in self._right[number]["backends"].items()}
        return any(
            said["termination"] == "crashed"
            or (said["termination"], said.get("count")) != ("ok", right[_name(spec)].get("count"))
            for spec, said in record["backends"].items()
            if right[_name(spec)]["termination"] == "ok"
        )

    def _outcomes(self, specs: Sequence[str], fault: str, *options: str) -> dict[int, dict[str, Any]]:
        """Return what ``check`` prints about each puzzle; like without specs, ``sat`` gets ``root=no``."""
        if len(specs) > 1:
            specs = ["sat:root=no" if spec == "sat" else spec for spec in specs]
        words = ["check", str(self._puzzles), "--json", "--limit", LIMIT, "--jobs", str(self._jobs), *options]
        words += ["--save", str(self._work / "failures"), "--backends", ",".join(specs)]
        printed = self._run(fault, *words)
        return {record["index"]: record for record in map(json.loads, printed.splitlines())}

    def _bench(self, specs: Sequence[str], fault: str) -> Numbers:
        """Return the puzzles on which a campaign shows a wrong answer, a crash or a contradiction."""
        config, target = self._work / "bench.yaml", self._work / "campaign"
        sections = {"name": "faults", "puzzles": [{"file": str(self._puzzles)}], "backends": specs}
        config.write_text(yaml.safe_dump({**sections, "limits": {"wall": LIMIT}, "jobs": self._jobs}))
        shutil.rmtree(target, ignore_errors=True)
        self._run(fault, "bench", str(config), "--output", str(target))
        rows = [json.loads(line) for line in (target / "runs.jsonl").read_text().splitlines()]
        found = {row["index"] for row in rows if row["termination"] == "crashed"}
        return found | {each.claim["index"] for each in disagreements(rows)}

    def _run(self, fault: str, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "nonocsp", *words],
            cwd=self._copy,
            env={**os.environ, "PYTHONPATH": str(self._copy), VARIABLE: fault},
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode == 2:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return done.stdout


def puzzles_of(kind: Answer, seed: int) -> Iterator[Puzzle]:
    """Yield puzzles of 12 to 15 lines a side that line solving leaves open, if they have a solution."""
    if kind is Answer.UNIQUE:
        yield from map(n_dom, (4, 5, 6, 7))
    for number in count():
        side = 12 + number % 4
        [puzzle] = random_set(seed * 100_000 + number, count=1, rows=side, columns=side, density=0.48)
        if kind is Answer.UNSAT:
            half = side // 2
            rows = [*puzzle.rows]
            rows[half - 1], rows[half] = rows[half], rows[half - 1]
            puzzle = Puzzle(tuple(rows), puzzle.columns, palette=puzzle.palette)
        is_open = kind is Answer.UNSAT or nonocsp.solve(puzzle, backend="settle").answer is Answer.PARTIAL
        if is_open and nonocsp.solve(puzzle).answer is kind:
            yield puzzle


def _name(spec: str) -> str:
    return spec.partition(":")[0]


def _unsound(records: dict[int, dict[str, Any]]) -> Numbers:
    return {number for number, record in records.items() if record["finding"] in ("disagreed", "broken")}
