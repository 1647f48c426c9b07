"""Build the release, check its contents, and use it as a new user would: ``make release-check``.

It builds the source distribution and the wheel from scratch in isolated environments and checks that

- the web pages in the repository, the studio too, are those that their sources give;
- the source distribution has exactly the files of the repository;
- the wheel has the package and the data that ship with it;
- the source distribution gives the same wheel again, byte for byte;
- the wheel works in an empty environment and folder;
- the studio of the wheel, which has neither node nor a compiler beside it, passes its tests in Chromium.

It prints its findings; the exit code is 1 on any fault. It compiles the core twice.

Between releases the studio in the repository may be older than its sources: ``--unreleased`` builds it anew
and does not compare it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "release"
DIST, UNPACKED, AGAIN = FOLDER / "dist", FOLDER / "unpacked", FOLDER / "again"
TOOLS, BARE, EMPTY = FOLDER / "tools", FOLDER / "bare", FOLDER / "empty"
LEFT_OUT = (".ci/", ".github/", "results/")
"""Files of the repository that the source distribution leaves out."""
COMMANDS = """
from typer.main import get_command
from nonocsp.cli.app import app
print(*get_command(app).list_commands(None))
"""
CAT = "width 3\nheight 3\nrows\n1,1\n3\n1\ncolumns\n2\n2\n2\n"
DECIDED_BY_HYBRID = 16


class Wrong(Exception):
    """A fault that must not be released; the message names it."""


def main() -> int:
    """Run all steps; return the exit code."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    EMPTY.mkdir(parents=True)
    steps: tuple[Callable[[], str], ...] = (
        pages,
        source_distribution,
        wheel,
        metadata,
        built_again,
        installed,
        helps,
        solved,
        smoke,
        studio,
    )
    for step in steps:
        started = perf_counter()
        try:
            found = step()
        except (Wrong, subprocess.CalledProcessError) as error:
            said = f"{error.stdout}{error.stderr}" if isinstance(error, subprocess.CalledProcessError) else ""
            print(f"WRONG  {step.__name__}: {error}\n{said}")
            return 1
        print(f"ok  {step.__name__:20} {perf_counter() - started:6.1f} s  {found}", flush=True)
    return 0


def pages() -> str:
    """Build all web pages; those in the repository must not change."""
    python = _environment(
        TOOLS, "build", "twine", "check-wheel-contents", "-r", ROOT / "web" / "requirements.txt"
    )
    is_released = "--unreleased" not in sys.argv
    _run(python, "-m", "tools.studio", "all" if is_released else "pages", "--check", cwd=ROOT)
    if not is_released:
        _run(python, "-m", "tools.studio", "all", cwd=ROOT)
    return f"the pages in the repository are up to date{'' if is_released else ', the studio is built anew'}"


def metadata() -> str:
    """Run the package index's own checks on both archives."""
    _run(TOOLS / "bin" / "twine", "check", "--strict", _sdist(), _wheel())
    _run(TOOLS / "bin" / "check-wheel-contents", _wheel())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    if not _sdist().name == f"{project['name']}-{project['version']}.tar.gz":
        raise Wrong(f"{_sdist().name} is not version {project['version']}")
    return "twine and check-wheel-contents have nothing to say"


def source_distribution() -> str:
    """Build the source distribution and check that it has the files of the repository."""
    _run(TOOLS / "bin" / "python", "-m", "build", "--sdist", "--outdir", DIST, ROOT)
    with tarfile.open(_sdist()) as archive:
        found = {member.name.partition("/")[2] for member in archive if member.isfile()} - {"PKG-INFO"}
    tracked = _run("git", "ls-files", cwd=ROOT).splitlines()
    expected = {name for name in tracked if not name.startswith(LEFT_OUT)}
    _same("the source distribution", found, expected)
    return f"{_sdist().name}: {len(found)} files, as in the repository without {', '.join(LEFT_OUT)}"


def wheel() -> str:
    """Build the wheel from it and check that it has package, core, campaigns and puzzles."""
    with tarfile.open(_sdist()) as archive:
        archive.extractall(UNPACKED, filter="data")
    (source,) = UNPACKED.iterdir()
    _run(TOOLS / "bin" / "python", "-m", "build", "--wheel", "--outdir", DIST, source)
    tracked = _run(
        "git", "ls-files", "nonocsp", "configs", "datasets", "examples/solvers", cwd=ROOT
    ).splitlines()
    package = {name for name in tracked if name.startswith("nonocsp/") and "/cpp/" not in name}
    data = {f"nonocsp/data/{name}" for name in tracked if not name.startswith("nonocsp/")}
    found = {name for name in _contents(_wheel()) if ".dist-info/" not in name}
    core = {name for name in found if name.startswith("nonocsp/engine/_core.")}
    _same("the wheel", found - core, package | {name for name in data if not name.endswith(".py")})
    if len(core) != 2:
        raise Wrong(f"the wheel has {core}, not one core and its stub")
    return f"{_wheel().name}: {len(found)} files: package, core, campaigns, puzzles"


def built_again() -> str:
    """Build the wheel a second time, as pip does from the source distribution, and compare."""
    python = _environment(BARE)
    _run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", AGAIN, _sdist())
    (again,) = AGAIN.glob("*.whl")
    first, second = _contents(_wheel()), _contents(again)
    if differing := [name for name in first | second if first.get(name) != second.get(name)]:
        raise Wrong(f"these files differ between two builds: {', '.join(sorted(differing))}")
    same = again.read_bytes() == _wheel().read_bytes()
    return f"the same {len(first)} files{', byte for byte the same wheel' if same else ''}"


def installed() -> str:
    """Install the wheel and its dependencies in an empty environment."""
    (again,) = AGAIN.glob("*.whl")
    _run(BARE / "bin" / "python", "-m", "pip", "install", "--quiet", again)
    _run(BARE / "bin" / "python", "-m", "pip", "check")
    packages = json.loads(_run(BARE / "bin" / "python", "-m", "pip", "list", "--format=json"))
    _nonocsp("doctor")
    return f"{len(packages)} packages, none in conflict; nonocsp doctor finds no fault"


def helps() -> str:
    """Ask every command for its help."""
    commands = _run(BARE / "bin" / "python", "-c", COMMANDS).split()
    for command in commands:
        _nonocsp(command, "--help")
    return f"{len(commands)} commands print their help"


def solved() -> str:
    """Solve a puzzle."""
    (EMPTY / "cat.non").write_text(CAT)
    outcome = json.loads(_nonocsp("solve", "cat.non", "--json"))
    if (outcome["answer"], outcome["solutions"]) != ("unique", [["#.#", "###", ".#."]]):
        raise Wrong(f"the answer is {outcome['answer']}, the solutions are {outcome['solutions']}")
    return "cat.non is unique"


def smoke() -> str:
    """Run the smoke campaign from an empty folder."""
    rows = [json.loads(line) for line in _nonocsp("bench", "configs/smoke.yaml", "--json").splitlines()]
    if broken := [row for row in rows if row["termination"] not in ("ok", "wall", "memory")]:
        raise Wrong(f"{len(broken)} runs ended as {broken[0]['termination']}: {broken[0].get('message')}")
    decided = [row for row in rows if row["backend"] == "hybrid" and row["termination"] == "ok"]
    if len(decided) != DECIDED_BY_HYBRID:
        raise Wrong(f"hybrid decided {len(decided)} of {DECIDED_BY_HYBRID} puzzles")
    if not (EMPTY / "results" / "smoke" / "report.html").exists():
        raise Wrong("there is no report")
    return f"{len(rows)} runs of {len({row['backend'] for row in rows})} backends, with a report"


def studio() -> str:
    """Serve the studio of the wheel, and run its tests in Chromium, from a folder without the package."""
    (again,) = AGAIN.glob("*.whl")
    tools = ("axe-playwright-python", "httpx", "hypothesis", "playwright", "pytest")
    _run(BARE / "bin" / "python", "-m", "pip", "install", "--quiet", str(again), *tools)
    (source,) = UNPACKED.iterdir()
    for name in ("tests", "tools"):
        shutil.copytree(source / name, EMPTY / name)
    shutil.copy(source / "pyproject.toml", EMPTY)
    command = BARE / "bin" / "nonocsp"
    test = Path("tests", "web", "test_served_studio.py")
    said = _run(
        BARE / "bin" / "python", "-m", "pytest", test, f"--studio={command}", "-p", "no:cacheprovider"
    )
    if "skipped" in said:
        raise Wrong(f"tests were skipped: {said}")
    return said.strip().splitlines()[-1].strip()


def _environment(folder: Path, *packages: str | Path) -> Path:
    """Make a virtual environment; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    if packages:
        _run(python, "-m", "pip", "install", "--quiet", *packages)
    return python


def _run(*command: str | Path, cwd: Path = EMPTY) -> str:
    """Run a command; return what it prints. SOURCE_DATE_EPOCH makes archives of equal files equal."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment |= {"SOURCE_DATE_EPOCH": "1767225600", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _nonocsp(*arguments: str) -> str:
    return _run(BARE / "bin" / "nonocsp", *arguments)


def _sdist() -> Path:
    (found,) = DIST.glob("*.tar.gz")
    return found


def _wheel() -> Path:
    (found,) = DIST.glob("*.whl")
    return found


def _contents(path: Path) -> dict[str, str]:
    """Return the files of a wheel with the hash of each."""
    with zipfile.ZipFile(path) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def _same(what: str, found: Iterable[str], expected: Iterable[str]) -> None:
    """Raise if two sets of files differ."""
    found, expected = set(found), set(expected)
    if lacking := sorted(expected - found):
        raise Wrong(f"{what} lacks {', '.join(lacking)}")
    if superfluous := sorted(found - expected):
        raise Wrong(f"{what} has {', '.join(superfluous)}, which should not be there")


if __name__ == "__main__":
    sys.exit(main())
