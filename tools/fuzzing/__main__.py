"""Fuzz readers: ``python -m tools.fuzzing [TARGET…] --minutes M``, minutes of CPU for each of them.

The exit code is 1 if there is a finding; the command that replays it is printed. ``--summary`` prints the
totals of all sessions.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import Annotated

import typer

from tools.fuzzing import sessions
from tools.fuzzing.sessions import Session
from tools.fuzzing.trial import attempt, targets


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="TARGET", help="Default: all.")] = None,
    *,
    minutes: Annotated[float, typer.Option(help="CPU minutes for each target.")] = 0.025,
    replay: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Give only this input to the target.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Targets at a time.")] = 1,
    summary: Annotated[bool, typer.Option("--summary", help="Only print the totals so far.")] = False,
) -> None:
    """Fuzz readers of outside data, or replay inputs."""
    for name in names or []:
        if name not in targets():
            raise typer.BadParameter(f"unknown target {name!r}; there are {', '.join(targets())}")
    chosen = names or list(targets())
    if replay:
        raise typer.Exit(max(_replay(name, path) for name in chosen for path in replay))
    if summary:
        raise typer.Exit(_table(chosen, map(sessions.total, chosen)))
    if find_spec("atheris") is None:
        raise typer.BadParameter(
            "atheris is not installed; there are wheels of it for Linux, Python 3.11 to 3.13"
        )
    with ThreadPoolExecutor(jobs) as pool:
        raise typer.Exit(_table(chosen, pool.map(sessions.fuzz, chosen, repeat(60 * minutes))))


def _table(names: list[str], found: Iterable[Session]) -> int:
    """Print a line for each target, as soon as it is done; return the exit code."""
    print(f"{'target':12} {'runs':>11} {'CPU s':>9} {'new':>7} {'findings':>9}", flush=True)
    findings = []
    for name, done in zip(names, found, strict=True):
        print(f"{name:12} {done.runs:11} {done.cpu_s:9.1f} {done.new:7} {done.findings:9}", flush=True)
        findings += [(name, path) for path in sessions.findings(name)]
    for name, path in findings:
        print(f"finding: python -m tools.fuzzing {name} --replay {shlex.quote(str(path))}")
    return 1 if findings else 0


def _replay(name: str, path: Path) -> int:
    fault = attempt(targets()[name], path.read_bytes())
    print(f"{path}: {fault.kind}\n{fault.story}" if fault else f"{path}: fine")
    return 1 if fault else 0


if __name__ == "__main__":
    typer.run(main)
